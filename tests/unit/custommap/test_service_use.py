"""The use of a service that fits it, decided from its capabilities alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.custommap.service_use import MAX_LAYERS_ADDED_UNASKED, ServiceUse, decide_use, hides_below
from plugin.core.wms import read_service
from plugin.core.wms.dimensions.time_series import find_time_series
from plugin.core.wms.model.service import Dimension, Layer, OperationInfo, Service

#: documents of others: what a person would add them as
SAMPLES = {
    # a layer for each year's fires, and one of all years
    "webtilians+ecodispatch/data/real-fire-v1.7/metadata/areas.xml": ServiceUse.SERIES,
    "camptocamp+ogc-client/fixtures/wms/capabilities-dimensions-1-3-0.xml": ServiceUse.SERIES,
    "camptocamp+ogc-client/fixtures/wms/capabilities-dimensions-1-1-1.xml": ServiceUse.SERIES,
    # seven variables of one model, each with its times
    "geopython+OWSLib/tests/resources/wms_nccs_nasa_getcap_130.xml": ServiceUse.CHOOSE,
    "geopython+OWSLib/tests/resources/wms_mesonet-caps-130.xml": ServiceUse.CHOOSE,
    "geopython+OWSLib/tests/resources/wms_mass_gis-caps.xml": ServiceUse.CHOOSE,
    # scanned geological maps that are declared opaque
    "camptocamp+ogc-client/fixtures/wms/capabilities-brgm-1-3-0.xml": ServiceUse.BASE,
    "camptocamp+ogc-client/fixtures/wms/capabilities-brgm-1-1-1.xml": ServiceUse.BASE,
    # one of nineteen layers has times
    "geopython+OWSLib/tests/resources/wms_nationalatlas_getcapabilities_130.xml": ServiceUse.OVERLAY,
    "geopython+OWSLib/tests/resources/wms_nationalatlas_getcapabilities_111.xml": ServiceUse.OVERLAY,
    "camptocamp+ogc-client/fixtures/wms/capabilities-states-1-3-0.xml": ServiceUse.OVERLAY,
    "geopython+OWSLib/tests/resources/wms_geoserver-cap.xml": ServiceUse.OVERLAY,
    # WMS 1.0.0 names its formats otherwise: nothing follows from them
    "alxcube+wms-client/spec/fixtures/capabilities_1_0_0.xml": ServiceUse.OVERLAY,
}


def decide(service, **values):
    return decide_use(service, find_time_series(service), **values)


@pytest.mark.parametrize("path", SAMPLES)
def test_services_of_others_are_added_as_a_person_would(samples, path):
    assert decide(read_service((samples / path).read_bytes())).best is SAMPLES[path]


def service_of(*layers, formats=("image/png", "image/jpeg")):
    return Service("1.3.0", "A service", operations={"GetMap": OperationInfo("GetMap", "http://x.org/", None, formats)},
                   root=Layer(title="A service", layers=layers))


def plain(number):
    return tuple(Layer(f"l{index}", f"Theme {'abcdefghij'[index % 10]} {'x' * index}") for index in range(number))


def days(number):
    return tuple(Layer(f"rain_201606{day:02}", f"Rain, {day} June 2016") for day in range(1, number + 1))


@pytest.mark.parametrize(("service", "expected"), [
    (service_of(*plain(3)), ServiceUse.OVERLAY),
    (service_of(*plain(MAX_LAYERS_ADDED_UNASKED)), ServiceUse.OVERLAY),
    (service_of(*plain(MAX_LAYERS_ADDED_UNASKED + 1)), ServiceUse.CHOOSE),
    (service_of(Layer("relief", "Relief", opaque=True), *plain(3)), ServiceUse.BASE),
    (service_of(*plain(2), formats=("image/jpeg",)), ServiceUse.BASE),
    (service_of(*plain(2), formats=()), ServiceUse.OVERLAY),
    (service_of(*days(30)), ServiceUse.SERIES),
    (service_of(*days(30), *plain(2)), ServiceUse.SERIES),
    (service_of(*days(2), *plain(8)), ServiceUse.OVERLAY),
    # an opaque series is a series all the same
    (service_of(*[replace(layer, opaque=True) for layer in days(30)]), ServiceUse.SERIES),
    (service_of(Layer("clouds", "Clouds", dimensions=(Dimension("time", extent="2016-06-01/2016-06-30/P1D"),))),
     ServiceUse.SERIES),
    (service_of(Layer("clouds", "Clouds", dimensions=(Dimension("time", extent="2016-06-01"),))), ServiceUse.OVERLAY),
    (service_of(), None),
    (service_of(Layer(None, "Only a group")), None),
])
def test_capabilities_decide(service, expected):
    assert decide(service).best is expected


def test_an_opaque_map_is_an_overlay_where_there_is_another_base():
    service = service_of(Layer("relief", "Relief", opaque=True))
    assert decide(service, has_base=True).best is ServiceUse.OVERLAY
    assert hides_below(service)


def test_only_the_chosen_layers_count_for_what_is_hidden():
    service = service_of(Layer("relief", "Relief", opaque=True), Layer("roads", "Roads"))
    assert hides_below(service, ("relief",))
    assert not hides_below(service, ("roads",))


def test_what_cannot_be_done_has_a_reason():
    assert list(decide(service_of(*plain(3))).unavailable) == [ServiceUse.SERIES]
    assert not decide(service_of(*days(3))).unavailable
    assert set(decide(service_of()).unavailable) == set(ServiceUse)
