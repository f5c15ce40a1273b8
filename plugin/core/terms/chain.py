"""The way to the terms: which field sent the reader where, and the field that decides."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Set, Tuple

from ..i18n import tr
from ..records.model import Record
from ..wms.model import Service
from .model import Step
from .statements import SENDS_ON, SERVICE_FEES, CodeField, Statement, classifications
from .words import field_words


def build_chain(record: Record, service: Optional[Service], statements: Sequence[Statement],
                codes: Sequence[CodeField]) -> Tuple[Step, ...]:
    """First the security classification; the texts and codes that only send on, in the order of the fields; then
    those that decide; then the fees.

    Where nothing decides every text stands there, so that a person can judge.
    """
    deciding = [item for item in statements if item.decides]
    ends = deciding or [item for item in statements if not item.leads]
    pointing = [item for item in statements if item.leads and not item.decides]
    reached = {target for item in statements for target in item.leads}
    present = _present(statements, codes)
    steps = [Step("classification", code) for code in classifications(record)]
    steps += [_step(item, present) for item in pointing if item.field == "use_limitations"]
    for field in codes:
        if field.field in reached or not deciding or any(item.field == "other_constraints" for item in ends):
            steps.extend(Step(field.field, code, leads_to="other_constraints" if code == SENDS_ON else None)
                         for code in field.codes if code == SENDS_ON or not deciding)
    steps.extend(_step(item, present) for item in pointing if item.field != "use_limitations")
    steps.extend(_step(item, present) for item in ends)
    if record.fees:
        steps.append(Step("fees", record.fees))
    if service and service.fees and not any(step.field == SERVICE_FEES for step in steps):
        steps.append(Step(SERVICE_FEES, service.fees))
    return tuple(dict.fromkeys(steps))


def dangling(record: Record, statements: Sequence[Statement], codes: Sequence[CodeField]) -> List[str]:
    """References of the record that lead nowhere, or in a circle, in words."""
    notes = []
    present = _present(statements, codes)
    leads = _leads(statements, codes)
    for field, targets in leads.items():
        missing = [target for target in targets if target not in present]
        if missing and len(missing) == len(targets) and "other_constraints" not in present:
            notes.append(tr("“{field}” refers to “{target}”, which the record does not have.",
                            field=field_words(field), target=field_words(missing[0])))
    circle = [field for field in leads if _returns(field, leads)]
    if circle and not any(item.decides for item in statements):
        notes.append(tr("The record's constraints send the reader in a circle: {fields}.",
                        fields=" → ".join(map(field_words, [*circle, circle[0]]))))
    return notes


def _leads(statements: Sequence[Statement], codes: Sequence[CodeField]) -> Dict[str, List[str]]:
    """Field -> the fields it sends to, for those that hold nothing but references."""
    leads: Dict[str, List[str]] = {}
    telling = {item.field for item in statements if not item.leads}
    for item in statements:
        if item.leads and item.field not in telling:
            leads.setdefault(item.field, []).extend(item.leads)
    for field in codes:
        if field.sends_on:
            leads[field.field] = ["other_constraints"]
    return leads


def _returns(start: str, leads: Dict[str, List[str]]) -> bool:
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


def _present(statements: Sequence[Statement], codes: Sequence[CodeField]) -> Set[str]:
    return {item.field for item in statements} | {field.field for field in codes if field.codes}


def _step(item: Statement, present: Set[str]) -> Step:
    target = next((lead for lead in item.leads if lead in present), item.leads[0] if item.leads else None)
    return Step(item.field, item.text, item.href, target)
