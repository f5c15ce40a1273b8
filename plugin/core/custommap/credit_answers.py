"""Credits that a person gives, without a window, for what a map may not be printed without."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Mapping, Union

from ..blanks import current_day
from ..errors import CartoguideError
from ..i18n import tr
from ..terms.model import Decision
from ..terms.paper_gate import EVERY_QUESTION, credit_for_paper
from ..text import fold, list_quoted_names, quoted, shorten, single_line
from .model import CustomMap, MapEntry, OwnLayer, Plan


def read_answers(text: str, document: CustomMap, parameter: str) -> Dict[int, str]:
    """Return the credits in ``text`` by the number of their service. Own layers follow behind all services.

    A line is a number (1 is the service at the bottom), a title or an address, "=", and the credit. Several lines of
    one service are one credit. Raises CartoguideError with the name of the ``parameter`` for a line of no service.
    """
    answers: Dict[int, str] = {}
    for line in (single_line(part) for part in text.splitlines() if part.strip()):
        found = [(number, name) for number, part in _parts(document).items() for name in _names(part, number)
                 if _begins_with(line, name)]
        number, name = max(found, key=lambda pair: len(pair[1]), default=(0, ""))
        credit = line[len(name):].partition("=")[2].strip()
        if not found or not credit:
            titles = [_names(part, number)[1] for number, part in _parts(document).items()]
            raise CartoguideError(tr("{parameter} has a line that gives no credit to a service of this map: {line}. "
                                     "Write its number or title, “=” and the credit. From the bottom up the map has "
                                     "{titles}.", parameter=parameter, line=quoted(shorten(line)),
                                     titles=list_quoted_names(titles, 12)))
        answers[number] = f"{answers[number]}; {credit}" if number in answers else credit
    return answers


def answered(document: CustomMap, answers: Mapping[int, str]) -> CustomMap:
    """Return the document with these credits for whatever of its services and own layers may not be printed."""
    parts = {number: _with_answer(part, answers[number]) if number in answers else part
             for number, part in _parts(document).items()}
    entries = [part for part in parts.values() if isinstance(part, MapEntry)]
    return replace(document.with_entries(entries),
                   own_layers=tuple(part for part in parts.values() if isinstance(part, OwnLayer)))


def example_answers(document: CustomMap, plan: Plan) -> List[str]:
    """Return a line as :func:`read_answers` reads it for each service and own layer whose credit cannot be printed."""
    lacking = [number for number, credit in enumerate(plan.credits)
               if credit.unfit or not credit.lines and credit.required is not Decision.NO]
    lacking += [layer.entry_index for layer in plan.layers if layer.unfit_credits]
    first_own = len(document.entries)
    lacking += [first_own + number for number, own in enumerate(document.own_layers)
                if not own.credit or credit_for_paper((own.credit,)).unfit]
    return [f"{number + 1}=© …, {current_day().year}" for number in sorted(set(lacking))]


def _parts(document: CustomMap) -> Dict[int, Union[MapEntry, OwnLayer]]:
    return dict(enumerate((*document.entries, *document.own_layers)))


def _names(part: Union[MapEntry, OwnLayer], number: int) -> List[str]:
    title, address = (part.title, part.endpoint) if isinstance(part, MapEntry) else (part.name, "")
    return [name for name in (str(number + 1), single_line(title) or address, address) if name]


def _begins_with(line: str, name: str) -> bool:
    return fold(line[:len(name)]) == fold(name) and line[len(name):].lstrip().startswith("=")


def _with_answer(part: Union[MapEntry, OwnLayer], line: str) -> Union[MapEntry, OwnLayer]:
    if isinstance(part, OwnLayer):
        return replace(part, credit=line)
    return replace(part, credit=replace(part.credit, answers={**part.credit.answers, EVERY_QUESTION: line}))
