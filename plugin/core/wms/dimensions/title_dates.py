"""Dates in the titles and names of layers, Spanish and English, as publishers of daily series write them."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date
from typing import Dict, Iterator, List, Match, Optional, Pattern, Tuple

from ...text import fold

#: how much of the calendar a date names, the finest first
DAY, MONTH, YEAR = 0, 1, 2

_MONTH_NAMES: Tuple[Tuple[str, ...], ...] = (
    ("enero", "ene", "january", "jan"), ("febrero", "feb", "february"), ("marzo", "mar", "march"),
    ("abril", "abr", "april", "apr"), ("mayo", "may"), ("junio", "jun", "june"), ("julio", "jul", "july"),
    ("agosto", "ago", "august", "aug"), ("septiembre", "setiembre", "sept", "sep", "set", "september"),
    ("octubre", "oct", "october"), ("noviembre", "nov", "november"), ("diciembre", "dic", "december", "dec"))
_MONTHS: Dict[str, int] = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names}
#: whole names that are as short as abbreviations
_SHORT_MONTHS = ("mayo", "june", "july")
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")(?![a-z])\.?"
_YEAR = r"(?P<year>(?:1[89]|20|21)\d\d)(?!\d)"
_DAY = r"(?<!\d)(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)"
_SEPARATOR = r"[\s_,./-]*"
_PREPOSITION = rf"{_SEPARATOR}(?:de\s+|del\s+(?:ano\s+)?|of\s+)?"

_NUMERIC_DATE = re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?P<gap>[-_./ ])(?P<second>\d{1,2})(?P=gap)(?P<year>(?:19|20)\d\d)(?!\d)")

#: (pattern, how fine); what is written out comes before what is only numbers, the whole date before its parts
_PATTERNS: Tuple[Tuple[Pattern[str], int], ...] = tuple((re.compile(pattern), fineness) for pattern, fineness in (
    (r"(?<!\d)(?P<year>(?:1[89]|20|21)\d\d)(?P<gap>[-_./]?)(?P<number>0[1-9]|1[0-2])(?P=gap)"
     r"(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
     DAY), (rf"{_DAY}(?:\s?(?:o|ero|er|st|nd|rd|th)(?![a-z]))?{_PREPOSITION}{_MONTH}{_PREPOSITION}{_YEAR}",
            DAY), (rf"(?<![a-z]){_MONTH}{_SEPARATOR}{_DAY}(?:st|nd|rd|th)?{_SEPARATOR}{_YEAR}",
                   DAY), (rf"(?<!\d){_YEAR}{_SEPARATOR}{_MONTH}{_SEPARATOR}{_DAY}", DAY), (_NUMERIC_DATE.pattern, DAY),
    (r"(?<!\d)(?P<first>\d\d)(?P<second>\d\d)(?P<year>(?:19|20)\d\d)(?!\d)",
     DAY), (rf"{_DAY}(?:\s?(?:o|ero|er|st|nd|rd|th)(?![a-z]))?{_PREPOSITION}(?<![a-z]){_MONTH}(?!{_PREPOSITION}\d)",
            DAY), (rf"(?<![a-z]){_MONTH}{_SEPARATOR}{_DAY}(?:st|nd|rd|th)?(?!{_SEPARATOR}\d)",
                   DAY), (rf"(?<![a-z])(?:dia|day|d)[\s_.-]*{_DAY}", DAY),
    (rf"(?<![a-z]){_MONTH}{_PREPOSITION}{_YEAR}", MONTH), (rf"(?<!\d){_YEAR}{_SEPARATOR}(?<![a-z]){_MONTH}", MONTH),
    (r"(?<!\d)(?P<year>(?:19|20)\d\d)[-_./](?P<number>0[1-9]|1[0-2])(?!\d)",
     MONTH), (r"(?<!\d)(?P<number>0[1-9]|1[0-2])[-_./](?P<year>(?:19|20)\d\d)(?!\d)",
              MONTH), (r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<number>0[1-9]|1[0-2])(?!\d)", MONTH),
    (r"(?<![a-z])(?P<month>" + "|".join(name
                                        for name in _MONTHS if len(name) > 4 or name in _SHORT_MONTHS) + ")(?![a-z])",
     MONTH), (rf"(?<!\d){_YEAR}", YEAR),
))
_WEEKDAY = re.compile(r"(?<![a-z])(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|"
                      r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?![a-z]),?")
#: a title longer than this holds no date that could not be told sooner
_MAX_TEXT_LENGTH = 500


@dataclass(frozen=True)
class TitleDate:
    """A date as a text tells it: year, month, day, the last ones None where only a month or a year is named.

    ``stem`` is the text, folded, with an ellipsis in the date's place: what the members of a series have in common.
    ``sure`` is False where day and month could be the other way round, or year or month came from elsewhere.
    """

    year: int
    month: Optional[int]
    day: Optional[int]
    stem: str
    certain: bool = True

    @property
    def precision(self) -> int:
        """DAY, MONTH or YEAR."""
        return DAY if self.day is not None else MONTH if self.month is not None else YEAR

    @property
    def first_day(self) -> date:
        """The first day of what is named."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> date:
        """The last day of what is named, included."""
        month = self.month or 12
        return date(self.year, month, self.day or calendar.monthrange(self.year, month)[1])


@dataclass(frozen=True)
class DateContext:
    """Year and month that the titles around a layer tell, for layers that only say “día 3”."""

    year: Optional[int] = None
    month: Optional[int] = None

    def refined_by(self, found: Optional[TitleDate]) -> DateContext:
        """What a nearer title's date leaves of it: its year, and its month or, in the same year, the month so far."""
        if found is None:
            return self
        return DateContext(found.year, found.month or (self.month if found.year == self.year else None))


def find_date(text: str, context: Optional[DateContext] = None, day_first: bool = True) -> Optional[TitleDate]:
    """The finest date in ``text``, or None.

    Understood are “3 de junio de 2016”, “June 3, 2016”, “3rd of June 2016”, 2016-06-03, 20160603, 03_06_2016, 03062016;
    with ``context`` also “3 de junio” and “día 3”; and, less fine, “junio de 2016”, 2016-06, “2016”. Numbers alone
    are day,
    month, year, as Spanish has it, unless ``day_first`` is False or only the other order makes a date.
    """
    folded = fold(text[:_MAX_TEXT_LENGTH])
    for found in _dates(folded, context or DateContext(), day_first):
        return found
    return None


def date_context(*texts: str) -> DateContext:
    """Year and month that ``texts`` tell, from the farthest (the service's title) to the nearest (the group's),
    which wins.

    “2016” for the service and “Junio” for the group are June 2016 together.
    """
    context = DateContext()
    for text in texts:
        context = context.refined_by(find_date(text, context))
    return context


def uses_month_first(texts: List[str]) -> bool:
    """Whether dates of numbers in ``texts`` only make sense with the month in front, as 06/13/2016 does."""
    seconds: List[int] = []
    for text in texts:
        for match in _NUMERIC_DATE.finditer(fold(text[:_MAX_TEXT_LENGTH])):
            first, second = int(match.group("first")), int(match.group("second"))
            if first > 12:
                return False
            seconds.append(second)
    return any(second > 12 for second in seconds)


def _dates(folded: str, context: DateContext, day_first: bool) -> Iterator[TitleDate]:
    """The dates in a folded text, the finest and surest first."""
    spoilt: List[Tuple[int, int]] = []
    for pattern, fineness in _PATTERNS:
        for match in pattern.finditer(folded):
            if any(match.start() < end and start < match.end() for start, end in spoilt):
                continue
            found = _date_from_match(match, context, day_first)
            if found is not None:
                yield found
            elif fineness == DAY and (match.groupdict().get("year") or match.groupdict().get("month")):
                spoilt.append(match.span())  # 31/02/2016 is no date, and is not February either


def _date_from_match(match: Match[str], context: DateContext, day_first: bool) -> Optional[TitleDate]:
    """The date of one match; None where it is none in the calendar, or lacks a year."""
    parts = match.groupdict()
    sure = True
    day, month = _number(parts.get("day")), _number(parts.get("number"))
    if parts.get("month"):
        month = _MONTHS[parts["month"]]
    if parts.get("first"):
        day, month, sure = _day_and_month(int(parts["first"]), int(parts["second"]), day_first)
    year = _number(parts.get("year"))
    if day is not None and month is None:
        month, sure = context.month, False
    if year is None:
        year, sure = context.year, False
    if year is None or (day is not None and month is None):
        return None
    if (month is not None and not 1 <= month <= 12) or (
            day is not None and month is not None and not 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    text = match.string
    around = _WEEKDAY.sub(" ", f"{text[:match.start()]} … {text[match.end():]}".replace("_", " "))
    stem = " ".join(around.split())
    return TitleDate(year, month, day, stem, sure)


def _day_and_month(first: int, second: int, day_first: bool) -> Tuple[int, int, bool]:
    """Day, month, and whether that is sure."""
    if first > 12 or second > 12:
        return (first, second, True) if first > 12 else (second, first, True)
    return (first, second, False) if day_first else (second, first, False)


def _number(text: Optional[str]) -> Optional[int]:
    return int(text) if text else None
