"""Maps of another time or value than requested, as their servers say in a header, are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.errors import UnexpectedResponse
from plugin.core.request import Response
from plugin.core.wms.responses.response_validation import ExpectedContent, OtherValue, check_response, find_other_value
from tests.network.netserve.faults import one_colour_png

DAY = {"TIME": "2016-07-05", "LAYERS": "rain"}
OTHER_DAY = OtherValue("TIME", "2016-07-05", "2016-06-30")


@pytest.mark.parametrize(("warning", "requested", "expected"), [
    ("99 Nearest value used: time=2016-06-30 ISO8601", DAY, OTHER_DAY),
    ("99 Default value used: TIME=2016-06-30", DAY, OTHER_DAY),
    ('99 mapas.example "Nearest value used: DIM_TIME=2016-06-30"', DAY, OTHER_DAY),
    ('99 - "Nearest value used: time=2016-06-30", 199 - "slow"', DAY, OTHER_DAY),
    ("99 Default value used: elevation=0 m, 99 Nearest value used: time=2016-06-30 ISO8601 (rain)", DAY, OTHER_DAY),
    ("99 Nearest value used", DAY, OtherValue("TIME", "2016-07-05", "")),
    ("99 No nearest value found on rain: time", DAY, OtherValue("TIME", "2016-07-05", "")),
    ("99 Nearest value used: time=2016-07-05T12:00:00.000Z ISO8601", DAY, None),
    ("99 Default value used", DAY, None), ("110 Response is stale", DAY, None), ("", DAY, None),
    ("99 Default value used: time=2016-06-30 ISO8601", {"LAYERS": "rain"}, None),
    ("99 Nearest value used", {"LAYERS": "rain"}, None),
    ("99 Nearest value used: time=2016-06-30", {"TIME": "current"}, None),
    ("99 Nearest value used: time=2016-06-30", {"TIME": "2016-06"}, None),
    ("99 Nearest value used: time=2016-06-30", {"TIME": "2016-06-29/2016-06-30/P1D"}, None),
    ("99 Nearest value used: time=2016-07-01", {"TIME": "2016-06-29/2016-06-30"},
     OtherValue("TIME", "2016-06-29/2016-06-30", "2016-07-01")),
    ("99 Nearest value used: time=2016-07-01", {"TIME": "2016-06-29,2016-07-01"}, None),
    ("99 Nearest value used: elevation=500 meters", {"ELEVATION": "450"}, OtherValue("ELEVATION", "450", "500")),
    ("99 Nearest value used: elevation=500.0 meters", {"ELEVATION": "500"}, None),
    ("99 Nearest value used: elevation=500", {"ELEVATION": "400/600"}, None),
    ("99 Nearest value used: DIM_RUN=b", {"DIM_RUN": "a"}, OtherValue("DIM_RUN", "a", "b")),
    ("99 Nearest value used: run=A", {"DIM_RUN": "a"}, None)])
def test_a_value_that_was_not_requested_is_found_in_the_header(warning, requested, expected):
    assert find_other_value(warning, requested) == expected


@given(st.text(max_size=200), st.dictionaries(st.sampled_from(["TIME", "ELEVATION", "DIM_X"]), st.text(max_size=30)))
def test_any_header_is_read(text, requested):
    for warning in (text, f"99 Nearest value used: time={text}", f"99 Nearest value used: {text}"):
        found = find_other_value(warning, requested)
        assert found is None or requested[found.name] == found.requested


def answer(query, **headers):
    return Response(200, {"content-type": "image/png", **headers}, one_colour_png(4, 4, "#336699"),
                    f"https://x.example/wms?{query}")


def test_the_map_of_another_day_is_refused_with_both_days():
    with pytest.raises(UnexpectedResponse) as refused:
        check_response(answer("service=WMS&request=GetMap&time=2016-07-05",
                              warning="99 Nearest value used: time=2016-06-30 ISO8601"), ExpectedContent.IMAGE)
    assert "2016-07-05" in refused.value.user_text and "2016-06-30" in refused.value.user_text
    assert "Nearest value used" in refused.value.detail
    for query in ("request=GetMap&time=2016-06-30", "request=GetLegendGraphic&time=2016-07-05", "request=GetMap"):
        check_response(answer(query, warning="99 Nearest value used: time=2016-06-30"), ExpectedContent.IMAGE)


def test_a_map_that_was_requested_with_two_values_of_a_parameter_is_refused():
    with pytest.raises(UnexpectedResponse, match="LAYERS.*rivers and roads"):
        check_response(answer("layers=rivers&REQUEST=GetMap&LAYERS=roads"), ExpectedContent.IMAGE)
    for query in ("REQUEST=GetMap&LAYERS=a&layers=a", "REQUEST=GetMap&vendor=a&vendor=b", "layers=a&layers=b"):
        check_response(answer(query), ExpectedContent.IMAGE)
