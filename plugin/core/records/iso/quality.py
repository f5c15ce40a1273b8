"""Data quality: conformance results and the lineage statement (ISO 19115 B.2.4, ISO 19157)."""

from __future__ import annotations

from typing import Dict

from ..model.record import Conformance
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, built, nested, repeat, set_once, text
from .citation import IDENTIFIER, first_date

_TRUE = frozenset(("true", "1"))
_FALSE = frozenset(("false", "0"))


def _conformance_pass(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    text_value = walker.text(prop)
    if text_value is None:
        return
    lower = text_value.lower()
    if lower in _TRUE or lower in _FALSE:
        set_once(walker, prop, values, "passed", lower in _TRUE)
    else:
        walker.add_unread(prop, text_value)


_SPECIFICATION: Dict[str, Handler] = {"title": text("title"), "date": first_date, "identifier": nested(IDENTIFIER)}
CONFORMANCE_RESULT: Dict[str, Handler] = {
    "specification": nested(_SPECIFICATION),
    "explanation": text("explanation"),
    "pass": _conformance_pass,
}

_read_result = repeat("conformance", CONFORMANCE_RESULT, built(Conformance))


def _quality_result(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a conformance result. Quantitative and other results have no field."""
    if any(ISO_NAMES[item.tag] != "DQ_ConformanceResult" for item in prop):
        walker.add_unread_element(prop)
    else:
        _read_result(walker, prop, values)


LINEAGE: Dict[str, Handler] = {"statement": text("lineage")}
REPORT: Dict[str, Handler] = {"result": _quality_result}
QUALITY: Dict[str, Handler] = {"report": nested(REPORT), "lineage": nested(LINEAGE)}
