"""Dimension declarations in capabilities, and dimensions by name (OGC 06-042 Annex C, 01-068r3 Annex C)."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Iterable, Optional, Tuple

from lxml import etree

from ..model.service import Dimension
from ..model.xml_values import attribute, multiline_text, parse_boolean


def read_dimensions(elements: Iterable[Tuple[str, etree._Element]], inherited: Tuple[Dimension, ...],
                    separate_extents: bool) -> Tuple[Dimension, ...]:
    """Return the layer's dimensions: first the inherited ones, each replaced by the layer's own of the same name.

    ``elements`` are the (name, element) pairs of the layer's elements Dimension and Extent. With ``separate_extents``
    (before 1.3.0) a Dimension element has only name and units, and default and values are in the Extent element of the
    same name, which may be inherited (01-068r3 C.2, C.3).
    """
    merged: Dict[str, Dimension] = {dimension.name.lower(): dimension for dimension in inherited}
    extents = []
    for kind, element in elements:
        name = attribute(element, "name")
        if name is None:
            continue
        if kind == "Extent":
            extents.append((name, element))
            continue
        declared = _with_extent(_read_declaration(element, name), element)
        existing = merged.get(name.lower())
        if separate_extents and existing is not None and not declared.extent:
            declared = replace(existing, units=declared.units or existing.units,
                               unit_symbol=declared.unit_symbol or existing.unit_symbol)
        merged[name.lower()] = declared
    for name, element in extents:
        merged[name.lower()] = _with_extent(merged.get(name.lower()) or Dimension(name=name), element)
    result = tuple(merged.values())
    return inherited if result == inherited else result


def _read_declaration(element: etree._Element, name: str) -> Dimension:
    return Dimension(name=name, units=attribute(element, "units"), unit_symbol=attribute(element, "unitSymbol"))


def _with_extent(dimension: Dimension, element: etree._Element) -> Dimension:
    """Return ``dimension`` with the default, flags and values of ``element``.

    They replace the inherited extent as a whole.
    """
    return replace(dimension, default=attribute(element, "default"),
                   multiple_values=_boolean_attribute(element, "multipleValues"),
                   nearest_value=_boolean_attribute(element, "nearestValue"),
                   current=_boolean_attribute(element, "current"), extent=_extent_text(element))


def _extent_text(element: etree._Element) -> str:
    """Return the text of the extent without white space around its commas, or "" if it has child elements."""
    return ",".join(part.strip() for part in (multiline_text(element) or "").split(",")) if len(element) == 0 else ""


def _boolean_attribute(element: etree._Element, name: str) -> bool:
    return bool(parse_boolean(attribute(element, name)))


def parameter_name(dimension_name: str) -> str:
    """Return the request parameter of a dimension: TIME, ELEVATION, or DIM_ and its name (C.4.1, C.3.3)."""
    upper = dimension_name.upper()
    if upper in ("TIME", "ELEVATION"):
        return upper
    return upper if upper.startswith("DIM_") else f"DIM_{upper}"


def find_dimension(dimensions: Iterable[Dimension], name: str) -> Optional[Dimension]:
    """Return the dimension called ``name`` in any case, with or without ``DIM_`` (C.3.3), or None."""
    parameter = parameter_name(name)
    return next((dimension for dimension in dimensions if parameter_name(dimension.name) == parameter), None)
