"""Dates for people: short, in the reader's language, never another day or moment than the record's."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from plugin.core import dates
from plugin.core.review.report.html_fragments import date_html


@pytest.fixture
def spanish():
    dates.set_formatter(lambda when, moment: f"{when:%d/%m/%Y}" + (f" {moment:%H:%M}" if moment else ""))
    yield
    dates.set_formatter(None)


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
