"""Constraints, grouped as in the record (ISO 19115 B.2.3: MD_Constraints, legal and security constraints)."""

from __future__ import annotations

from typing import Dict, Iterable, List, Optional

from ..model.record import Constraint, ConstraintGroup, ConstraintKind
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, build_one, code, codes, html_constraints


def constraint_text(field: str) -> Handler:
    """Return a handler for a free text that may be an Anchor, which keeps text and address together."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value, href = walker.text_and_href(prop)
        if value is not None or href is not None:
            values.setdefault(field, []).extend(html_constraints(value, href))
    return read


CONSTRAINTS: Dict[str, Handler] = {
    "useLimitation": constraint_text("use_limitations"),
    "accessConstraints": codes("access_constraints"),
    "useConstraints": codes("use_constraints"),
    "otherConstraints": constraint_text("other_constraints"),
    "classification": code("classification"),
    # the Creative Commons profile of the Marine Community Profile
    "+attributionConstraints": constraint_text("use_limitations"),
    "+licenseLink": constraint_text("licence_link"),
    "+licenseName": constraint_text("licence_name"),
    "+otherConstraints": constraint_text("other_constraints"),
}


def _first_text(values: Iterable[Constraint]) -> Optional[str]:
    return next((value.text or value.href for value in values), None)


def build_constraint_group(kind: ConstraintKind, values: FieldValues) -> ConstraintGroup:
    references: List[Constraint] = list(values.get("references", ()))
    name, link = _first_text(values.get("licence_name", ())), _first_text(values.get("licence_link", ()))
    if name or link:
        references.append(Constraint(name, link))
    return ConstraintGroup(
        kind=kind, use_limitations=tuple(values.get("use_limitations", ())),
        access_constraints=tuple(values.get("access_constraints", ())),
        use_constraints=tuple(values.get("use_constraints", ())),
        other_constraints=tuple(values.get("other_constraints", ())), classification=values.get("classification"),
        references=tuple(references))


def constraint_kind(item: Element) -> ConstraintKind:
    """Return the kind of a constraints object.

    An element of a profile counts as the ISO type that its ``isoType`` names.
    """
    name = ISO_NAMES[item.tag]
    if name.startswith("+"):
        name += next((value for key, value in item.items() if key.endswith("isoType")), "")
    if "Legal" in name:
        return ConstraintKind.LEGAL
    return ConstraintKind.SECURITY if "Security" in name else ConstraintKind.GENERIC


def constraint_groups(field: str, table: Dict[str, Handler]) -> Handler:
    """Return a handler for a property that contains constraints of any kind."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            kind = constraint_kind(item)
            group = build_one(walker, item, table,
                              lambda inner, kind=kind: build_constraint_group(kind, inner))  # type: ignore[misc]
            if group is not None:
                values.setdefault(field, []).append(group)
    return read
