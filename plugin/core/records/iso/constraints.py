"""Constraints as nested in the record (ISO 19115 B.2.3: MD_Constraints, legal and security constraints)."""

from __future__ import annotations

from typing import Dict, Iterable, List, Optional

from ..model.record import Constraint, ConstraintGroup
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler
from ..xml.field_handlers import build_one, code, codes


def constraint_text(field: str) -> Handler:
    """A free text that may be an Anchor: text and address are kept together."""
    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        value, href = reading.text_and_href(prop)
        if value is not None or href is not None:
            bag.setdefault(field, []).append(Constraint(value, href))
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


def build_constraint_group(kind: str, bag: FieldValues) -> ConstraintGroup:
    """One group of constraints from what its properties gave."""
    references: List[Constraint] = list(bag.get("references", ()))
    name, link = _first_text(bag.get("licence_name", ())), _first_text(bag.get("licence_link", ()))
    if name or link:
        references.append(Constraint(name, link))
    return ConstraintGroup(
        kind=kind, use_limitations=tuple(bag.get("use_limitations", ())),
        access_constraints=tuple(bag.get("access_constraints", ())),
        use_constraints=tuple(bag.get("use_constraints", ())),
        other_constraints=tuple(bag.get("other_constraints", ())), classification=bag.get("classification"),
        references=tuple(references))


def constraint_kind(item: Element) -> str:
    """ "legal", "security" or "generic", by the object's name (or, in a profile, by the name that it stands in for)."""
    name = ISO_NAMES[item.tag]
    if name.startswith("+"):
        name += next((value for key, value in item.items() if key.endswith("isoType")), "")
    if "Legal" in name:
        return "legal"
    return "security" if "Security" in name else "generic"


def constraint_groups(field: str, table: Dict[str, Handler]) -> Handler:
    """A property that holds constraints of any kind."""
    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        for item in reading.objects(prop):
            kind = constraint_kind(item)
            group = build_one(reading, item, table,
                              lambda own, kind=kind: build_constraint_group(kind, own))  # type: ignore[misc]
            if group is not None:
                bag.setdefault(field, []).append(group)
    return read
