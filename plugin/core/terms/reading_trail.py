"""The reading trail of the terms: which field refers to which, and the field that decides."""

from __future__ import annotations

from typing import Dict, List, Sequence, Set, Tuple

from ..i18n import tr
from ..records.model.record import Record
from .labels import field_label
from .model import TrailStep
from .statements import OTHER_RESTRICTIONS, ConstraintStatement, RestrictionCodes


def build_trail(record: Record, statements: Sequence[ConstraintStatement],
                codes: Sequence[RestrictionCodes]) -> Tuple[TrailStep, ...]:
    """Return the steps of the trail.

    The security classification comes first, then the texts and codes that only refer to other fields, in the order of
    the fields, then all other texts, then the fees.
    """
    deciding = [item for item in statements if item.is_decisive]
    final_statements = [item for item in statements if item.is_decisive or not item.refers_to]
    final_statements.sort(key=lambda item: item.is_about_fees)
    referring = [item for item in statements if item.refers_to and not item.is_decisive]
    reached = {target for item in statements for target in item.refers_to}
    present = _present_fields(statements, codes)
    steps = [TrailStep("classification", code) for code in classifications(record)]
    steps += [_trail_step(item, present) for item in referring if item.field == "use_limitations"]
    for field in codes:
        if field.field in reached or not deciding or any(item.field == "other_constraints"
                                                         for item in final_statements):
            steps.extend(
                TrailStep(field.field, code, leads_to="other_constraints" if code == OTHER_RESTRICTIONS else None)
                for code in field.codes if code == OTHER_RESTRICTIONS or not deciding)
    steps.extend(_trail_step(item, present) for item in referring if item.field != "use_limitations")
    steps.extend(_trail_step(item, present) for item in final_statements)
    return tuple(dict.fromkeys(steps))


def classifications(record: Record) -> List[str]:
    """Return the codes of MD_SecurityConstraints other than "unclassified", without repeats (ISO 19115 B.5.11)."""
    found = [(group.classification or "").strip() for group in record.constraint_groups]
    return list(dict.fromkeys(code for code in found if code and code.lower() != "unclassified"))


def unresolved_references(statements: Sequence[ConstraintStatement],
                          codes: Sequence[RestrictionCodes]) -> List[str]:
    """Return messages about references of a record that lead nowhere or in a circle."""
    notes = []
    present = _present_fields(statements, codes)
    leads = _reference_graph(statements, codes)
    for field, targets in leads.items():
        missing = [target for target in targets if target not in present]
        if missing and len(missing) == len(targets) and "other_constraints" not in present:
            notes.append(
                tr("“{field}” refers to “{target}”, which the record does not have.", field=field_label(field),
                   target=field_label(missing[0])))
    circle = [field for field in leads if _is_circular(field, leads)]
    if circle and not any(item.is_decisive for item in statements):
        notes.append(
            tr("The record's constraints refer to each other in a circle: {fields}.",
               fields=" → ".join(map(field_label, [*circle, circle[0]]))))
    return notes


def _reference_graph(statements: Sequence[ConstraintStatement],
                     codes: Sequence[RestrictionCodes]) -> Dict[str, List[str]]:
    """Return field -> referenced fields, for the fields that contain nothing but references."""
    leads: Dict[str, List[str]] = {}
    fields_with_content = {item.field for item in statements if not item.refers_to}
    for item in statements:
        if item.refers_to and item.field not in fields_with_content:
            leads.setdefault(item.field, []).extend(item.refers_to)
    for field in codes:
        if field.refers_to_other_constraints:
            leads[field.field] = ["other_constraints"]
    return leads


def _is_circular(start: str, leads: Dict[str, List[str]]) -> bool:
    seen: Set[str] = set()
    ahead = list(leads.get(start, ()))
    while ahead:
        field = ahead.pop()
        if field == start:
            return True
        if field not in seen:
            seen.add(field)
            ahead.extend(leads.get(field, ()))
    return False


def _present_fields(statements: Sequence[ConstraintStatement], codes: Sequence[RestrictionCodes]) -> Set[str]:
    return {item.field for item in statements} | {field.field for field in codes if field.codes}


def _trail_step(item: ConstraintStatement, present: Set[str]) -> TrailStep:
    target = next((lead for lead in item.refers_to if lead in present), item.refers_to[0] if item.refers_to else None)
    return TrailStep(item.field, item.text, item.href, target)
