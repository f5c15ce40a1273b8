"""Data quality: conformance results and the lineage statement (ISO 19115 B.2.4, ISO 19157)."""

from __future__ import annotations

from typing import Dict, Optional

from .handlers import each, inside, put, text
from .iso_citation import IDENTIFIER, first_date
from .model import Conformance
from .names import NAMES
from .reading import Bag, Element, Handler, Reading

_TRUE = frozenset(("true", "1"))
_FALSE = frozenset(("false", "0"))


def _passed(reading: Reading, prop: Element, bag: Bag) -> None:
    value = reading.text(prop)
    if value is None:
        return
    word = value.lower()
    if word in _TRUE or word in _FALSE:
        put(reading, prop, bag, "passed", word in _TRUE)
    else:
        reading.keep(prop, value)


def build_conformance(bag: Bag) -> Optional[Conformance]:
    """DQ_ConformanceResult."""
    return Conformance(bag.get("title"), bag.get("date"), bag.get("identifier"), bag.get("explanation"),
                       bag.get("passed"))


_SPECIFICATION: Dict[str, Handler] = {
    "title": text("title"), "date": first_date, "identifier": inside(IDENTIFIER),
}
RESULT: Dict[str, Handler] = {
    "specification": inside(_SPECIFICATION), "explanation": text("explanation"), "pass": _passed,
}

_read_result = each("conformance", RESULT, build_conformance)


def _result(reading: Reading, prop: Element, bag: Bag) -> None:
    """A conformance result; quantitative and other results have no field."""
    if any(NAMES[item.tag] != "DQ_ConformanceResult" for item in prop):
        reading.leave(prop)
    else:
        _read_result(reading, prop, bag)


LINEAGE: Dict[str, Handler] = {"statement": text("lineage")}
REPORT: Dict[str, Handler] = {"result": _result}
QUALITY: Dict[str, Handler] = {"report": inside(REPORT), "lineage": inside(LINEAGE)}
