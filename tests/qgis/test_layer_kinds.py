"""Layers that are on the map already: what each kind of source can do, with the sources that QGIS writes."""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsAnnotationLayer,
    QgsCoordinateTransformContext,
    QgsDataSourceUri,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsVectorTileLayer,
)

from plugin.core.sources.layer_source import SourceType
from plugin.gis.runtime.drawn_source import drawn_source
from plugin.gis.sources.kinds import layer_kind
from plugin.gis.sources.wms import requested_by

WEB = "http://127.0.0.1:9"


def wms_text(**parameters) -> str:
    uri = QgsDataSourceUri()
    uri.setParam("url", f"{WEB}/wms?map=/a b&")
    uri.setParamList("layers", ["below", "above"])
    uri.setParamList("styles", ["", "blue"])
    uri.setParam("format", "image/png")
    for name, value in parameters.items():
        uri.setParam(name, value)
    return bytes(uri.encodedUri()).decode("ascii")


def test_the_layers_of_a_map_service_are_read_in_the_order_of_its_requests(qgis_app):
    requested = requested_by(wms_text(authcfg="abc1234", IgnoreGetFeatureInfoUrl="1"))
    assert (requested.names, requested.styles) == (("below", "above"), ("", "blue"))
    assert requested.address == f"{WEB}/wms?map=/a b&" and requested.format == "image/png"
    assert requested.login.authcfg == "abc1234" and requested.ignores_info_address and requested.is_plain
    for name in ("referer", "username", "password", "http-header:x"):
        assert not requested_by(wms_text(**{name: "y"})).is_plain, name
    source = drawn_source(QgsRasterLayer(wms_text(), "a", "wms"))
    assert source.names == requested.names, "as the kinds of sources read them"


#: layers as QGIS 3.22 and 3.40 make them, whatever their servers answer
LAYERS = {
    SourceType.WMS: lambda: QgsRasterLayer(wms_text(), "a", "wms"),
    SourceType.WMTS: lambda: QgsRasterLayer(wms_text(tileMatrixSet="GM"), "a", "wms"),
    SourceType.XYZ: lambda: QgsRasterLayer(f"type=xyz&url={WEB}/{{z}}/{{x}}/{{y}}.png&zmin=0&zmax=5", "a", "wms"),
    SourceType.VECTOR_TILES: lambda: QgsVectorTileLayer(f"type=xyz&url={WEB}/{{z}}/{{x}}/{{y}}.pbf", "a"),
    SourceType.WFS: lambda: QgsVectorLayer(f"typename='a' url='{WEB}/wfs'", "a", "WFS"),
    SourceType.OGCAPI_FEATURES: lambda: QgsVectorLayer(f"typename='a' url='{WEB}/oapi'", "a", "OAPIF"),
    SourceType.ARCGIS: lambda: QgsVectorLayer(f"crs='EPSG:25830' url='{WEB}/FeatureServer/0'", "a",
                                              "arcgisfeatureserver"),
    SourceType.WCS: lambda: QgsRasterLayer(f"identifier=dem&url={WEB}/wcs", "a", "wcs"),
    SourceType.MEMORY: lambda: QgsVectorLayer("Point?crs=EPSG:25830", "a", "memory"),
    SourceType.VIRTUAL: lambda: QgsVectorLayer("?query=SELECT 1 AS a", "a", "virtual"),
    SourceType.FILE: lambda: QgsVectorLayer("/nowhere/a.gpkg|layername=a", "a", "ogr"),
    SourceType.ANNOTATIONS: lambda: QgsAnnotationLayer(
        "a", QgsAnnotationLayer.LayerOptions(QgsCoordinateTransformContext())),
}


@pytest.mark.parametrize("kind", LAYERS, ids=[kind.name for kind in LAYERS])
def test_each_kind_says_what_its_layers_can_do(qgis_app, kind):
    layer = LAYERS[kind]()
    source = drawn_source(layer)
    assert source.type is kind
    can = layer_kind(source)
    assert (can.queried is not None) is (can.in_snapshot is not None) is (kind is SourceType.WMS)
    assert can.can_be_copied(layer, source) is (kind in (SourceType.XYZ, SourceType.MEMORY, SourceType.FILE,
                                                         SourceType.ANNOTATIONS))


def test_a_map_of_a_silent_server_is_not_taken_for_a_layer(qgis_app):
    layer = QgsRasterLayer(f"crs='EPSG:3857' format='PNG32' layer='0' url='{WEB}/MapServer'", "a", "arcgismapserver")
    assert not layer_kind(drawn_source(layer)).is_described(layer)


def test_a_service_that_gdal_reads_is_drawn_and_no_more(qgis_app):
    source = drawn_source(QgsRasterLayer(f"WMS:{WEB}/wms?LAYERS=a", "a", "gdal"))
    assert source.type is SourceType.WMS and layer_kind(source).queried is None
