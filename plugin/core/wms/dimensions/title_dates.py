"""Dates in Spanish and English titles and names of layers, as written by publishers of daily series."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import Dict, Iterator, List, Match, Optional, Pattern, Tuple

from ...text import fold


class DatePrecision(IntEnum):
    """The precision of a date, the highest first."""

    DAY = 0
    MONTH = 1
    YEAR = 2


_MONTH_NAMES: Tuple[Tuple[str, ...], ...] = (
    ("enero", "ene", "january", "jan"), ("febrero", "feb", "february"), ("marzo", "mar", "march"),
    ("abril", "abr", "april", "apr"), ("mayo", "may"), ("junio", "jun", "june"), ("julio", "jul", "july"),
    ("agosto", "ago", "august", "aug"), ("septiembre", "setiembre", "sept", "sep", "set", "september"),
    ("octubre", "oct", "october"), ("noviembre", "nov", "november"), ("diciembre", "dic", "december", "dec"))
_MONTHS: Dict[str, int] = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names}
#: full names as short as abbreviations
_SHORT_MONTHS = ("mayo", "june", "july")
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")(?![a-z])\.?"
_YEAR = r"(?P<year>(?:1[89]|20|21)\d\d)(?!\d)"
_DAY = r"(?<!\d)(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)"
_SEPARATOR = r"[\s_,./-]*"
_PREPOSITION = rf"{_SEPARATOR}(?:de\s+|del\s+(?:ano\s+)?|of\s+)?"

_NUMERIC_DATE = re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?P<gap>[-_./ ])(?P<second>\d{1,2})(?P=gap)(?P<year>(?:19|20)\d\d)(?!\d)")

_ORDINAL = r"(?:\s?(?:o|ero|er|st|nd|rd|th)(?![a-z]))?"
_LONG_MONTH = "|".join(name for name in _MONTHS if len(name) > 4 or name in _SHORT_MONTHS)
#: regular expressions by precision. Written-out dates come before numbers, whole dates before their parts
_EXPRESSIONS: Tuple[Tuple[DatePrecision, Tuple[str, ...]], ...] = (
    (DatePrecision.DAY, (
        # 2016-06-03, 20160603
        r"(?<!\d)(?P<year>(?:1[89]|20|21)\d\d)(?P<gap>[-_./]?)(?P<number>0[1-9]|1[0-2])(?P=gap)"
        r"(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        # 3 de junio de 2016, 3rd of June 2016
        rf"{_DAY}{_ORDINAL}{_PREPOSITION}{_MONTH}{_PREPOSITION}{_YEAR}",
        # June 3, 2016
        rf"(?<![a-z]){_MONTH}{_SEPARATOR}{_DAY}(?:st|nd|rd|th)?{_SEPARATOR}{_YEAR}",
        # 2016 June 3
        rf"(?<!\d){_YEAR}{_SEPARATOR}{_MONTH}{_SEPARATOR}{_DAY}",
        # 03/06/2016
        _NUMERIC_DATE.pattern,
        # 03062016
        r"(?<!\d)(?P<first>\d\d)(?P<second>\d\d)(?P<year>(?:19|20)\d\d)(?!\d)",
        # 3 de junio
        rf"{_DAY}{_ORDINAL}{_PREPOSITION}(?<![a-z]){_MONTH}(?!{_PREPOSITION}\d)",
        # June 3
        rf"(?<![a-z]){_MONTH}{_SEPARATOR}{_DAY}(?:st|nd|rd|th)?(?!{_SEPARATOR}\d)",
        # día 3
        rf"(?<![a-z])(?:dia|day|d)[\s_.-]*{_DAY}",
    )),
    (DatePrecision.MONTH, (
        # junio de 2016
        rf"(?<![a-z]){_MONTH}{_PREPOSITION}{_YEAR}",
        # 2016 junio
        rf"(?<!\d){_YEAR}{_SEPARATOR}(?<![a-z]){_MONTH}",
        # 2016-06
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-_./](?P<number>0[1-9]|1[0-2])(?!\d)",
        # 06/2016
        r"(?<!\d)(?P<number>0[1-9]|1[0-2])[-_./](?P<year>(?:19|20)\d\d)(?!\d)",
        # 201606
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<number>0[1-9]|1[0-2])(?!\d)",
        # junio
        rf"(?<![a-z])(?P<month>{_LONG_MONTH})(?![a-z])",
    )),
    (DatePrecision.YEAR, (
        rf"(?<!\d){_YEAR}",
    )),
)
_PATTERNS: Tuple[Tuple[Pattern[str], DatePrecision], ...] = tuple(
    (re.compile(expression), precision) for precision, expressions in _EXPRESSIONS for expression in expressions)
_WEEKDAY = re.compile(r"(?<![a-z])(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|"
                      r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?![a-z]),?")
#: characters in which a date is searched
_MAX_TEXT_LENGTH = 500


@dataclass(frozen=True)
class TitleDate:
    """A date found in a title or name. Month and day are None if the text only names a month or a year.

    ``stem`` is the folded text with an ellipsis instead of the date, which the members of a series have in common.
    ``certain`` is False if day and month could be the other way round, or if year or month come from the context.
    """

    year: int
    month: Optional[int]
    day: Optional[int]
    stem: str
    certain: bool = True

    @property
    def precision(self) -> DatePrecision:
        if self.day is not None:
            return DatePrecision.DAY
        return DatePrecision.YEAR if self.month is None else DatePrecision.MONTH

    @property
    def first_day(self) -> date:
        """The first day of the day, month or year."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> date:
        """The last day of the day, month or year, included."""
        month = self.month or 12
        return date(self.year, month, self.day or calendar.monthrange(self.year, month)[1])


@dataclass(frozen=True)
class DateContext:
    """Year and month from the titles of the groups above a layer, for layers that only say “día 3”."""

    year: Optional[int] = None
    month: Optional[int] = None

    def refined_by(self, title_date: Optional[TitleDate]) -> DateContext:
        """Return the context for a nearer title with the date ``title_date``.

        It is the year and month of that date. In the same year the former month stays if the date has none.
        """
        if title_date is None:
            return self
        return DateContext(title_date.year, title_date.month or (self.month if title_date.year == self.year else None))


def find_date(text: str, context: Optional[DateContext] = None, day_first: bool = True) -> Optional[TitleDate]:
    """Return the most precise date in ``text``, or None.

    Recognised are “3 de junio de 2016”, “June 3, 2016”, “3rd of June 2016”, 2016-06-03, 20160603, 03_06_2016 and
    03062016, with ``context`` also “3 de junio” and “día 3”, and with lower precision “junio de 2016”, 2016-06 and
    “2016”. Numbers alone are read as day, month, year, unless ``day_first`` is False or only the other order gives a
    date.
    """
    folded = fold(text[:_MAX_TEXT_LENGTH])
    for title_date in _dates(folded, context or DateContext(), day_first):
        return title_date
    return None


def date_context(*texts: str) -> DateContext:
    """Return year and month named in ``texts``, ordered from the service's title to the nearest group's, which wins.

    “2016” for the service and “Junio” for the group give June 2016.
    """
    context = DateContext()
    for text in texts:
        context = context.refined_by(find_date(text, context))
    return context


def uses_month_first(texts: List[str]) -> bool:
    """Return whether numeric dates in ``texts`` are only valid with the month first, such as 06/13/2016."""
    seconds: List[int] = []
    for text in texts:
        for match in _NUMERIC_DATE.finditer(fold(text[:_MAX_TEXT_LENGTH])):
            first, second = int(match.group("first")), int(match.group("second"))
            if first > 12:
                return False
            seconds.append(second)
    return any(second > 12 for second in seconds)


def _dates(folded: str, context: DateContext, day_first: bool) -> Iterator[TitleDate]:
    """Yield the dates in a folded text, the most precise and certain first."""
    invalid_spans: List[Tuple[int, int]] = []
    for pattern, precision in _PATTERNS:
        for match in pattern.finditer(folded):
            if any(match.start() < end and start < match.end() for start, end in invalid_spans):
                continue
            title_date = _date_from_match(match, context, day_first)
            if title_date is not None:
                yield title_date
            elif precision == DatePrecision.DAY and (match.groupdict().get("year") or match.groupdict().get("month")):
                invalid_spans.append(match.span())  # 31/02/2016 is no date, and is not February either


def _date_from_match(match: Match[str], context: DateContext, day_first: bool) -> Optional[TitleDate]:
    """Return the date of one match, or None if it is not in the calendar or has no year."""
    parts = match.groupdict()
    certain = True
    day, month = _number(parts.get("day")), _number(parts.get("number"))
    if parts.get("month"):
        month = _MONTHS[parts["month"]]
    if parts.get("first"):
        day, month, certain = _day_and_month(int(parts["first"]), int(parts["second"]), day_first)
    year = _number(parts.get("year"))
    if day is not None and month is None:
        month, certain = context.month, False
    if year is None:
        year, certain = context.year, False
    if year is None or (day is not None and month is None):
        return None
    if (month is not None and not 1 <= month <= 12) or (
            day is not None and month is not None and not 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    text = match.string
    remainder = _WEEKDAY.sub(" ", f"{text[:match.start()]} … {text[match.end():]}".replace("_", " "))
    stem = " ".join(remainder.split())
    return TitleDate(year, month, day, stem, certain)


def _day_and_month(first: int, second: int, day_first: bool) -> Tuple[int, int, bool]:
    if first > 12 or second > 12:
        return (first, second, True) if first > 12 else (second, first, True)
    return (first, second, False) if day_first else (second, first, False)


def _number(text: Optional[str]) -> Optional[int]:
    return int(text) if text else None
