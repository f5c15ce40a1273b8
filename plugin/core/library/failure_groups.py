"""Documents that could not be read, grouped by the reason."""

from __future__ import annotations

from typing import Dict, Iterable, List, NamedTuple, Sequence, Tuple

from ..errors import CartoguideError, NotARecord, UnreadableDocument
from ..i18n import tr
from ..text import list_names

#: locations that are listed under a reason; further ones are counted
_MAX_LISTED = 200


class ImportFailure(NamedTuple):
    """A document, or a part of it, that could not be read: its location, the reason, and the group of the reason.

    ``not_a_record`` distinguishes documents of another kind from those that are broken or could not be fetched.
    """

    location: str
    reason: str
    group: str
    not_a_record: bool = False


def failure_of(location: str, error: CartoguideError) -> ImportFailure:
    if isinstance(error, NotARecord):
        kind = error.document_kind if error.document_kind != "zip" else ""
        group = tr("not a catalogue record but {what}", what=kind) if kind else tr("without catalogue records")
        return ImportFailure(location, error.user_text, group, True)
    if isinstance(error, UnreadableDocument):
        return ImportFailure(location, error.user_text, tr("broken, empty, too large or unsafe"))
    return ImportFailure(location, error.user_text, error.user_text.replace(location, "…"))


def empty_response(location: str) -> ImportFailure:
    """Return the failure of a catalogue response that contains no record."""
    return ImportFailure(location, tr("{name} is a catalogue response without records.", name=location),
                         tr("a catalogue response without records"), True)


def failure_counts(failure_count: int, not_records: int) -> str:
    """Return in a sentence or two how many documents are not records, and how many could not be read."""
    broken = failure_count - not_records
    parts = [tr("%n file(s) without catalogue records.", n=not_records) if not_records else "",
             tr("%n document(s) could not be read.", n=broken) if broken else ""]
    return " ".join(part for part in parts if part)


def group_failures(failures: Iterable[ImportFailure]) -> List[Tuple[str, List[ImportFailure]]]:
    """Return the failures by group, the largest group first."""
    groups: Dict[str, List[ImportFailure]] = {}
    for failure in failures:
        groups.setdefault(failure.group, []).append(failure)
    return sorted(groups.items(), key=lambda item: -len(item[1]))


def failure_outline(failures: Sequence[ImportFailure], failure_count: int) -> str:
    """Return an outline of the failures: a line for each group with its count, then its documents after a tab each.

    A group of one is a line with its reason. ``failure_count`` is the number of all failures, listed or not.
    """
    lines: List[str] = []
    for group, members in group_failures(failures):
        if len(members) == 1:
            lines.append(_one_line(members[0]))
            continue
        lines.append(f"{len(members)} × {group}")
        lines += [f"\t{member.location}" if member.not_a_record else f"\t{_one_line(member)}"
                  for member in members[:_MAX_LISTED]]
        if len(members) > _MAX_LISTED:
            lines.append("\t" + tr("… and %n more", n=len(members) - _MAX_LISTED))
    rest = failure_count - len(failures)
    return "\n".join([*lines, *([tr("… and %n more", n=rest)] if rest > 0 else [])])


def failure_lines(failures: Sequence[ImportFailure]) -> List[str]:
    """Return one line for each group, for a log: its count and the first documents, or the reason of a single one."""
    return [_one_line(members[0]) if len(members) == 1 else
            f"{len(members)} × {group}: {list_names([member.location for member in members])}"
            for group, members in group_failures(failures)]


def _one_line(failure: ImportFailure) -> str:
    reason = " ".join(failure.reason.split())
    return reason if failure.location in reason else f"{failure.location}: {reason}"
