"""Dates in titles and names, and the series that layers with dates or TIME dimensions make."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.wms import read_service
from plugin.core.wms.dimensions.declared_dimensions import offers_value
from plugin.core.wms.dimensions.iso8601 import (
    MAX_EXTENT_PARTS,
    MAX_TIME_VALUES,
    Period,
    expand_time_extent,
    extent_parts,
    parse_period,
    parse_time,
)
from plugin.core.wms.dimensions.time_series import (
    DateContext,
    date_context,
    find_date,
    find_time_series,
    has_dated_layers,
    series_of_service,
    uses_month_first,
)
from plugin.core.wms.model.service import Dimension

JUNE = DateContext(2016, 6)
SPANISH = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
           "noviembre", "diciembre")
ENGLISH = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")
THIRD = date(2016, 6, 3)


@pytest.mark.parametrize("text", [
    "Precipitación total diaria 3 de junio de 2016", "PRECIPITACIÓN 03 DE JUNIO DEL 2016", "3 junio 2016", "3-jun-2016",
    "Viernes, 3 de junio de 2016", "June 3, 2016", "Daily precipitation, 3rd of June 2016", "Jun 3rd 2016",
    "3 June 2016", "2016 June 3", "precip_20160603", "precip_03_06_2016", "2016-06-03", "2016/06/03", "2016_06_03",
    "03/06/2016", "3.6.2016",
    "03062016", "lluvia20160603v2", "2016-06-03T12:00:00Z",
])
def test_a_whole_date_is_read_without_help(text):
    found = find_date(text)
    assert (found.first_day, found.last_day) == (THIRD, THIRD)


@pytest.mark.parametrize("text", ["día 3", "Dia 03", "precip_dia_3", "Day 3", "3 de junio", "June 3", "d03", "3 jun"])
def test_a_part_of_a_date_is_read_where_the_rest_is_known(text):
    assert find_date(text) is None
    found = find_date(text, JUNE)
    assert (found.first_day, found.certain) == (THIRD, False)


@pytest.mark.parametrize(("text", "first", "last"), [
    ("Precipitación, junio de 2016", date(2016, 6, 1), date(2016, 6, 30)),
    ("February 2016", date(2016, 2, 1), date(2016, 2, 29)), ("2016-02", date(2016, 2, 1), date(2016, 2, 29)),
    ("06/2016", date(2016, 6, 1), date(2016, 6, 30)), ("lluvia_201606", date(2016, 6, 1), date(2016, 6, 30)),
    ("areas_afectadas_2023", date(2023, 1, 1), date(2023, 12, 31)),
    ("Campaña 1975", date(1975, 1, 1), date(1975, 12, 31)),
])
def test_months_and_years_are_read_as_such(text, first, last):
    found = find_date(text)
    assert (found.first_day, found.last_day) == (first, last)


@pytest.mark.parametrize("text", ["", "Relieve", "EPSG:25830", "escala 1:25000", "31/02/2016", "31 de febrero de 2016",
                                  "30 de febrero", "Mar Menor 3", "Zona 3 mayor", "día 32", "capa 12", "99999999",
                                  "x" * 5000])
def test_what_is_no_date_is_none(text):
    assert find_date(text, JUNE) is None


def test_numbers_are_day_first_unless_only_the_other_order_makes_sense():
    assert find_date("03/06/2016").first_day == date(2016, 6, 3)
    assert find_date("03/06/2016", day_first=False).first_day == date(2016, 3, 6)
    assert find_date("06/13/2016").first_day == date(2016, 6, 13)
    assert uses_month_first(["06/12/2016", "06/13/2016"])
    assert not uses_month_first(["12/06/2016", "13/06/2016"])
    assert not uses_month_first(["01/02/2016", "nada"])


def test_the_titles_around_a_layer_tell_year_and_month():
    assert date_context("REDIAM. WMS Precipitación total diaria, junio de 2016") == JUNE
    assert date_context("Lluvia 2016", "Junio") == JUNE
    assert date_context("Lluvia, junio de 2016", "2015") == DateContext(2015, None)
    assert date_context("Lluvia") == DateContext()


@given(st.text(max_size=80))
def test_any_text_is_survived(text):
    found = find_date(text, JUNE)
    assert found is None or found.first_day <= found.last_day


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from([
    "{0:%Y%m%d}", "x_{0:%Y-%m-%d}", "{0.day} de {1} de {0.year}", "{0:%d_%m_%Y}", "{2} {0.day}, {0.year}"]))
def test_every_day_is_read_back(day, pattern):
    assert find_date(pattern.format(day, SPANISH[day.month - 1], ENGLISH[day.month - 1])).first_day == day


def service_of(layers: str, title: str = "Lluvia"):
    return read_service((f'<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service>'
                         f"<Title>{title}</Title></Service><Capability><Layer><Title>{title}</Title>{layers}</Layer>"
                         "</Capability></WMS_Capabilities>").encode())


def layer(name: str, title: str) -> str:
    return f"<Layer><Name>{name}</Name><Title>{title}</Title></Layer>"


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)


def test_daily_layers_become_one_series_in_time_s_order():
    days = [layer(f"p{day}", f"Precipitación {day} de junio de 2016") for day in range(30, 0, -1)]
    (series,) = find_time_series(service_of(layer("est", "Estaciones") + "".join(days)))
    assert len(series.entries) == 30
    assert series.title == "Precipitación … de junio de 2016"
    assert series.entries[2].layer == "p3"
    assert (series.entries[2].begin, series.entries[2].end) == (utc(2016, 6, 3), utc(2016, 6, 4))
    assert (series.begin, series.end) == (utc(2016, 6, 1), utc(2016, 7, 1))
    assert not series.by_dimension


def test_dates_in_names_serve_where_titles_have_none():
    (series, ) = find_time_series(
        service_of(layer("precip_03_06_2016", "Lluvia") + layer("precip_04_06_2016", "Lluvia")))
    assert [entry.begin for entry in series.entries] == [utc(2016, 6, 3), utc(2016, 6, 4)]
    assert series.title == "Lluvia"


def test_days_take_month_and_year_from_the_service_s_title():
    layers = layer("d1", "Día 1") + layer("d2", "Día 2")
    (series,) = find_time_series(service_of(layers, "Precipitación diaria, junio de 2016"))
    assert series.entries[1].begin == utc(2016, 6, 2)


def test_groups_by_month_are_one_series_and_themes_are_their_own():
    def group(title: str, key: str) -> str:
        return f"<Layer><Title>{title}</Title>{layer(key + '1', 'día 1')}{layer(key + '2', 'día 2')}</Layer>"
    series = find_time_series(service_of(group("Junio", "j") + group("Julio", "l"), "Lluvia 2016"))
    assert [[entry.layer for entry in one.entries] for one in series] == [["j1", "j2", "l1", "l2"]]
    assert series[0].entries[2].begin == utc(2016, 7, 1)
    series = find_time_series(service_of(group("Temperatura", "t") + group("Viento", "v"), "Junio de 2016"))
    assert [[entry.layer for entry in one.entries] for one in series] == [["t1", "t2"], ["v1", "v2"]]


def test_years_are_a_series_from_three_on():
    editions = layer("a", "Usos 2003") + layer("b", "Usos 2007")
    assert find_time_series(service_of(editions)) == []
    (series,) = find_time_series(service_of(editions + layer("c", "Usos 2011")))
    assert (series.entries[0].begin, series.entries[0].end) == (utc(2003, 1, 1), utc(2004, 1, 1))


def test_american_dates_are_known_by_their_neighbours():
    (series,) = find_time_series(service_of(layer("a", "Rain 06/12/2016") + layer("b", "Rain 06/13/2016")))
    assert [entry.begin for entry in series.entries] == [utc(2016, 6, 12), utc(2016, 6, 13)]


def test_a_time_dimension_is_a_series_of_one_layer():
    (series, ) = find_time_series(
        service_of(
            '<Layer><Name>l</Name><Title>Lluvia</Title><Dimension name="time" units="ISO8601" default="2016-06-01">'
            "2016-06-01/2016-06-30/P1D</Dimension></Layer>"))
    assert series.by_dimension and series.complete
    assert [entry.time for entry in series.entries[:2]] == ["2016-06-01", "2016-06-02"]
    assert len(series.entries) == 30
    assert series.end == utc(2016, 7, 1)


def test_instants_last_until_the_next_and_days_only_a_day():
    def spans(extent: str):
        dimension = f'<Dimension name="TIME" units="ISO8601">{extent}</Dimension>'
        (series,) = find_time_series(service_of(f"<Layer><Name>l</Name>{dimension}</Layer>"))
        return [entry.end - entry.begin for entry in series.entries]
    assert spans("2016-06-01T00:00:00Z,2016-06-01T06:00:00Z,2016-06-01T18:00:00Z") == [
        timedelta(hours=6), timedelta(hours=12), timedelta(hours=12)]
    assert spans("2016-06-01,2016-06-05") == [timedelta(days=1)] * 2


@pytest.mark.parametrize(("text", "moment", "period"), [
    ("2016", utc(2016, 1, 1), Period(12)), ("2016-06", utc(2016, 6, 1), Period(1)),
    ("2016-06-03", utc(2016, 6, 3), Period(duration=timedelta(days=1))),
    ("2016-06-03T12Z", utc(2016, 6, 3, 12), Period(duration=timedelta(hours=1))),
    ("2016-06-03T12:30+02:00", utc(2016, 6, 3, 10, 30), Period(duration=timedelta(minutes=1))),
    ("20160603T123015Z", utc(2016, 6, 3, 12, 30, 15), Period(duration=timedelta(seconds=1))),
])
def test_times_cut_short_name_their_period(text, moment, period):
    assert parse_time(text) == (moment, period)


@pytest.mark.parametrize("text", ["", "current", "2016-13", "2016-02-30", "2016-06-03T25", "junio", "12345678901",
                                  "0000"])
def test_what_is_no_time_is_none(text):
    assert parse_time(text) is None


def test_periods():
    assert parse_period("P1Y2M3DT4H5M6S") == Period(14, timedelta(days=3, hours=4, minutes=5, seconds=6))
    assert parse_period("P2W") == Period(duration=timedelta(weeks=2))
    assert [parse_period(text) for text in ("", "P", "PT", "P0D", "0", "1D", "P-1D")] == [None] * 7


def test_months_keep_their_end():
    assert [moment.value for moment in expand_time_extent("2016-01-31/2016-04-30/P1M")
            ] == ["2016-01-31", "2016-02-29", "2016-03-31", "2016-04-30"]
    assert [moment.value for moment in expand_time_extent("2015/2017/P1Y")] == ["2015", "2016", "2017"]


def test_endless_extents_are_cut_and_intervals_without_resolution_name_no_moments():
    assert len(expand_time_extent("1900-01-01T00:00:00Z/2100-01-01T00:00:00Z/PT1S")) == MAX_TIME_VALUES
    assert expand_time_extent("2016-01-01/2016-02-01,current,2016-01-01/2016-02-01/0,9999-12-31") == []


@given(st.text(alphabet="0123456789-T:Z/.,PYMDWHS ", max_size=60))
def test_any_extent_is_survived(extent):
    assert len(expand_time_extent(extent)) <= MAX_TIME_VALUES


def test_of_an_endless_extent_the_service_decides():
    extent = "2016-06-03," * (MAX_EXTENT_PARTS + 5)
    assert len(extent_parts(extent)) == MAX_EXTENT_PARTS
    assert offers_value(Dimension("time", extent=extent), "2011-01-01")
    assert not offers_value(Dimension("time", extent="2016-06-03,2016-06-04"), "2011-01-01")
    assert extent_parts(" a , b/c") == ["a", "b/c"] and len(extent_parts("x" * 100_000)[0]) < 1_000


def test_a_service_that_was_searched_is_freed_once_nobody_shows_it():
    service = service_of("".join(layer(f"d{day}", f"Lluvia {day} de junio de 2016") for day in range(1, 9)))
    assert series_of_service(service)
    shown = ref(service)
    del service
    assert shown() is None


def test_a_service_is_searched_once_whoever_asks_for_its_series():
    """To search 3,000 layers takes 100 ms, and the window asks while layers are added."""
    days = "".join(layer(f"d{day}", f"Lluvia {day} de junio de 2016") for day in range(1, 9))
    service = service_of(days)
    series = series_of_service(service)
    assert series == find_time_series(service) and len(series) == 1
    assert has_dated_layers(service, ["d3"]) and series_of_service(service) is series
    assert series_of_service(service_of(days)) is not series, "read anew, it may have other layers"
    assert not has_dated_layers(service_of(days), ["d9"])
