"""Constraints as nested in the record (ISO 19115 B.2.3: MD_Constraints, legal and security constraints)."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional

from .handlers import code, codes, one
from .model import Constraint, ConstraintGroup
from .names import NAMES
from .reading import Bag, Element, Handler, Reading


def linked(field: str) -> Handler:
    """A free text that may be an Anchor: text and address are kept together."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value, href = reading.linked(prop)
        if value is not None or href is not None:
            bag.setdefault(field, []).append(Constraint(value, href))
    return read


CONSTRAINTS: Dict[str, Handler] = {
    "useLimitation": linked("use_limitations"), "accessConstraints": codes("access_constraints"),
    "useConstraints": codes("use_constraints"), "otherConstraints": linked("other_constraints"),
    "classification": code("classification"),
    # the Creative Commons profile of the Marine Community Profile
    "+attributionConstraints": linked("use_limitations"), "+licenseLink": linked("licence_link"),
    "+licenseName": linked("licence_name"), "+otherConstraints": linked("other_constraints"),
}


def _text(values: Iterable[Constraint]) -> Optional[str]:
    return next((value.text or value.href for value in values), None)


def build_group(kind: str, bag: Bag) -> ConstraintGroup:
    """One group of constraints from what its properties gave."""
    references: List[Constraint] = list(bag.get("references", ()))
    name, link = _text(bag.get("licence_name", ())), _text(bag.get("licence_link", ()))
    if name or link:
        references.append(Constraint(name, link))
    return ConstraintGroup(
        kind=kind, use_limitations=tuple(bag.get("use_limitations", ())),
        access_constraints=tuple(bag.get("access_constraints", ())),
        use_constraints=tuple(bag.get("use_constraints", ())),
        other_constraints=tuple(bag.get("other_constraints", ())), classification=bag.get("classification"),
        references=tuple(references))


def group_kind(item: Element) -> str:
    """ "legal", "security" or "generic", by the object's name (or, in a profile, by the name that it stands in for)."""
    name = NAMES[item.tag]
    if name.startswith("+"):
        name += next((value for key, value in item.items() if key.endswith("isoType")), "")
    if "Legal" in name:
        return "legal"
    return "security" if "Security" in name else "generic"


def groups(field: str, table: Dict[str, Handler]) -> Handler:
    """A property that holds constraints of any kind."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        for item in reading.objects(prop):
            kind = group_kind(item)
            group = one(reading, item, table, lambda own, kind=kind: build_group(kind, own))  # type: ignore[misc]
            if group is not None:
                bag.setdefault(field, []).append(group)
    return read


def flatten(found: Iterable[ConstraintGroup]) -> Dict[str, Any]:
    """The record's flat constraint fields from its groups, in the record's order, without repeats."""
    limitations: Dict[str, None] = {}
    access: Dict[str, None] = {}
    use: Dict[str, None] = {}
    other: Dict[Constraint, None] = {}
    for group in found:
        limitations.update((value.text or value.href or "", None) for value in group.use_limitations)
        access.update((value, None) for value in group.access_constraints)
        use.update((value, None) for value in group.use_constraints)
        other.update((value, None) for value in group.other_constraints)
    return {"use_limitations": tuple(limitations), "access_constraints": tuple(access), "use_constraints": tuple(use),
            "other_constraints": tuple(other)}
