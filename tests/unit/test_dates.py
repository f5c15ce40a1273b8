"""Dates for people: short, in the reader's language, never another day or moment than the record's."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from plugin.core import dates
from plugin.core.health import HealthCheck
from plugin.core.i18n import set_date_formatter
from plugin.core.records.model.record import Record, RecordDate
from plugin.core.review.comparison import compare_records
from plugin.core.review.report.html_fragments import date_html


@pytest.fixture
def spanish():
    set_date_formatter(lambda when, moment: f"{when:%d/%m/%Y}" + (f" {moment:%H:%M}" if moment else ""))
    yield
    set_date_formatter(None)


@pytest.mark.parametrize(("written", "words"), [
    ("2019-05-08T10:15:00", "08/05/2019 10:15"), ("2019-05-08", "08/05/2019"), ("2019-05-08T00:00:00", "08/05/2019"),
    ("2019-05-08T00:00:00.000Z", "08/05/2019"), ("2019-05-08T10:15:59.5Z", "08/05/2019 10:15 UTC"),
    ("2019-05-08T10:15+02:00", "08/05/2019 10:15 +02:00"), (" 2019-05-08 10:15:00 ", "08/05/2019 10:15"),
    ("2014", "2014"), ("2014-05", "2014-05"), ("2019-13-40", "2019-13-40"), ("2019-05-08T27:00", "2019-05-08T27:00"),
    ("spring", "spring"), ("20190508", "20190508"), ("", ""), (None, "")])
def test_dates_are_short_and_what_is_none_stays_as_it_stands(spanish, written, words):
    assert dates.format_date(written) == words


def test_a_moment_to_come_is_now():
    now = datetime.now(timezone.utc)
    for claimed in ("2099-01-01T00:00:00+00:00", "9999-12-31T23:59:59-14:00", "2099-01-01"):
        assert abs(datetime.fromisoformat(dates.past_moment(claimed)) - now) < timedelta(minutes=1)
    for past in ("2014-05-08T10:15:00+02:00", "2014-05-08", "0001-01-01T00:00:00+14:00", "", "spring"):
        assert dates.past_moment(past) == past


def test_without_a_reader_they_are_iso():
    assert dates.format_date("2019-05-08T10:15:00") == "2019-05-08 10:15"
    assert dates.format_day("2019-05-08T10:15:00Z") == "2019-05-08"
    assert dates.format_day("undated") == "undated"


def test_the_exact_value_is_a_tooltip_where_it_says_more(spanish):
    assert date_html("2019-05-08T10:15:00") == '<span title="2019-05-08T10:15:00">08/05/2019 10:15</span>'
    assert date_html("2014") == "2014" and date_html("<b>") == "&lt;b&gt;"


def test_dates_within_a_text_are_written_as_all_others(spanish):
    assert dates.format_dates_in("2019-05-08T10:15:00 (Creación)") == "08/05/2019 10:15 (Creación)"
    assert dates.format_dates_in("2014-05-08 – …") == "08/05/2014 – …"
    assert dates.format_dates_in("A-2014-05-08-b, 12014-05-08") == "A-2014-05-08-b, 12014-05-08"


def test_health_and_comparison_write_dates_in_the_language(spanish):
    when = HealthCheck("http://example.org", "Mapa", "2026-07-05T10:00:40").local_time
    assert when.startswith("05/07/2026 ") and len(when) == len("05/07/2026 10:00")
    first, second = (Record("iso19139", dates=(RecordDate(value, "creation"),), date_stamp=value)
                     for value in ("2019-05-08T10:15:00", "2024-02-13"))
    shown = {item.field: item for item in compare_records(first, second)}
    assert (shown["date_stamp"].first, shown["date_stamp"].second) == (("08/05/2019 10:15",), ("13/02/2024",))
    assert shown["dates"].first[0].startswith("08/05/2019 10:15")
    # what differs by seconds alone stays as it is written, or the two would look the same
    later = Record("iso19139", date_stamp="2019-05-08T10:15:30")
    assert {item.field: item for item in compare_records(first, later)}["date_stamp"].second == (later.date_stamp,)
