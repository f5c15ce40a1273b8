"""Distributions of records on the map: whatever kind a record names is added with one click, and credited."""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from types import SimpleNamespace
from urllib.parse import parse_qsl
from urllib.request import urlopen
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from xml.sax.saxutils import escape

import layer_services
import pytest
import wire_faults
from catalogue_servers import CatalogueServer, has
from odd_server import OddServer
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeedback,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProcessingContext,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QBuffer, QSize
from qgis.PyQt.QtGui import QColor, QImage
from qgis.PyQt.QtWidgets import QInputDialog
from qgis_server import QgisServer
from qgis_server import available as qgis_server_available
from source_server import EAST, NORTH, SOUTH, WEST, SourceServer

from plugin.app.maps.map_document import ExtentMode
from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import MapExtent
from plugin.core.records.model.record import Record
from plugin.core.sources.offered_layers import OfferedLayer, tile_address
from plugin.core.sources.sidecar_files import find_sidecar
from plugin.core.trust.provenance import Trust
from plugin.gis.credits.layer_credits import layer_credit, layers_without_credit
from plugin.gis.own_layers import distribution_layers
from plugin.gis.own_layers.distribution_layers import downloads_folder
from plugin.gis.own_layers.opening import open_layer
from plugin.gis.own_layers.references import refer_to
from plugin.gis.runtime import settings, tasks
from tests.qgis.algorithm_runs import Heard, algorithm, registered_provider, run, use_network
from tests.qgis.test_unchecked_layers import mixed_file

OWNER = "Agencia de Ensayo"
_RECORD = """<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco"
 xmlns:gmx="http://www.isotc211.org/2005/gmx" xmlns:xlink="http://www.w3.org/1999/xlink"><gmd:fileIdentifier>
<gco:CharacterString>{id}</gco:CharacterString></gmd:fileIdentifier><gmd:hierarchyLevel><gmd:MD_ScopeCode codeList="x"
 codeListValue="dataset"/></gmd:hierarchyLevel><gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation>
<gmd:CI_Citation><gmd:title><gco:CharacterString>{title}</gco:CharacterString></gmd:title></gmd:CI_Citation>
</gmd:citation><gmd:pointOfContact><gmd:CI_ResponsibleParty><gmd:organisationName><gco:CharacterString>{owner}
</gco:CharacterString></gmd:organisationName><gmd:role><gmd:CI_RoleCode codeList="x" codeListValue="owner"/></gmd:role>
</gmd:CI_ResponsibleParty></gmd:pointOfContact><gmd:resourceConstraints><gmd:MD_LegalConstraints><gmd:useConstraints>
<gmd:MD_RestrictionCode codeList="x" codeListValue="otherRestrictions"/></gmd:useConstraints><gmd:otherConstraints>
<gmx:Anchor xlink:href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</gmx:Anchor></gmd:otherConstraints>
</gmd:MD_LegalConstraints></gmd:resourceConstraints>{extent}</gmd:MD_DataIdentification></gmd:identificationInfo>
<gmd:distributionInfo><gmd:MD_Distribution>{links}</gmd:MD_Distribution></gmd:distributionInfo></gmd:MD_Metadata>"""
_LINK = """<gmd:transferOptions><gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>
{url}</gmd:URL></gmd:linkage><gmd:protocol><gco:CharacterString>{protocol}</gco:CharacterString></gmd:protocol>
<gmd:name><gco:CharacterString>{name}</gco:CharacterString></gmd:name></gmd:CI_OnlineResource></gmd:onLine>
</gmd:MD_DigitalTransferOptions></gmd:transferOptions>"""


PARK = (WEST, SOUTH, EAST, NORTH)
_EXTENT = ("<gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox>{}"
           "</gmd:EX_GeographicBoundingBox></gmd:geographicElement></gmd:EX_Extent></gmd:extent>")


def written_record(title, *links, place=()):
    """A record of a dataset with links (address, protocol, name), in a box of degrees."""
    sides = ("westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude")
    box = "".join(f"<gmd:{side}><gco:Decimal>{value}</gco:Decimal></gmd:{side}>" for side, value in zip(sides, place))
    written = "".join(_LINK.format(url=escape(url), protocol=protocol, name=escape(name))
                      for url, protocol, name in links)
    return _RECORD.format(id=title, title=title, owner=OWNER, extent=_EXTENT.format(box) if box else "",
                          links=written).encode()


@pytest.fixture
def dock(open_dock, wait_until):
    made = open_dock()
    wait_until(lambda: not made.session.loading)
    return made


@pytest.fixture
def odd():
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        yield server


def show(dock, wait_until, folder, title, *links):
    """Open a record with these links in the dock, and return its bar."""
    path = folder / f"{title}.xml"
    path.write_bytes(written_record(title, *links))
    dock.session.open_paths([str(path)])
    wait_until(lambda: dock.view.record is not None and dock.view.record.title == title, 30)
    return dock.view.add_bar


def add(dock, wait_until, bar, count=1):
    """Press the button, and wait for ``count`` own layers."""
    bar.button.click()
    errors = []
    wait_until(lambda: len(dock.map.own_items) == count or errors.extend(
        text for level, text in dock.messages.history if level == "error") or errors, 40)
    assert not errors
    return [dock.map.project.mapLayer(item.layer_id) for item in dock.map.own_items]


KINDS = {
    "WFS": ("/wfs?", "OGC:WFS", "a:rios", "Add features", "WFS"),
    "WMTS": ("/wmts?", "OGC:WMTS", "rios", "Add tiles", "wms"),
    "WMTS called a WMS": ("/wmts?service=WMTS&request=GetCapabilities", "OGC:WMS", "rios", "Add tiles", "wms"),
    "XYZ": ("/xyz/{z}/{x}/{y}.png", "WWW:LINK", "Tiles", "Add tiles", "wms"),
    "OGC API Features": ("/oapif", "OGC API - Features", "rios", "Add features", "OAPIF"),
    "OGC API Features by its items": ("/oapif/collections/rios/items", "", "Items", "Add features", "OAPIF"),
    "ArcGIS MapServer": ("/arcgis/MapServer", "ESRI:REST", "map", "Add map", "arcgismapserver"),
    "ArcGIS FeatureServer": ("/arcgis/FeatureServer/0", "ESRI:REST", "points", "Add features", "arcgisfeatureserver"),
    "vector tiles": ("/mvt/{z}/{x}/{y}.pbf", "", "Vector tiles", "Add tiles", "vectortile"),
    "WCS": ("/wcs?", "OGC:WCS", "rios", "Add coverage", "wcs"),
    "GeoJSON": ("/points/rios.geojson", "WWW:DOWNLOAD", "rios.geojson", "Download and add", "ogr"),
}


def test_what_is_awaited_is_given_up_with_its_map(dock, odd, wait_until, tmp_path):
    bar = show(dock, wait_until, tmp_path, "slow", (f"{odd.url}/points/rios.geojson", "WWW:DOWNLOAD", "rios.geojson"))
    odd.delay = 2.0
    bar.button.click()
    assert dock.distribution_additions.pending
    dock.map.project.clear()
    assert not dock.distribution_additions.pending
    odd.delay = 0.0
    # another addition comes after whatever is left of the one before
    add(dock, wait_until, show(dock, wait_until, tmp_path, "quick", (
        f"{odd.url}/wfs?", "OGC:WFS", "a:rios")))
    assert len(dock.map.project.mapLayers()) == 1


def press_undo(dock):
    assert dock.note.details.text() == "Undo"
    dock.note.details.click()


@pytest.mark.parametrize("kind", ["WFS", "GeoJSON"])
def test_the_message_of_an_addition_takes_it_back(dock, odd, wait_until, tmp_path, kind):
    path, protocol, name, *_ = KINDS[kind]
    odd.files["/more"] = odd.files["/wfs"]
    layer, = add(dock, wait_until, show(dock, wait_until, tmp_path, "Undone", (odd.url + path, protocol, name)))
    for undo in (partial(press_undo, dock), dock.composer.undo.click):
        undo()
        assert not dock.map.own_items and not dock.map.project.mapLayers()
        dock.map.redo()
        wait_until(lambda: dock.map.own_items and dock.map.own_items[0].layer_id, 30)
    assert OWNER in dock.map.own_items[0].own.credit
    # what was changed meanwhile stays
    before = len(dock.map.project.mapLayers())
    dock.distribution_additions.add(dock.view.record, dock.session.distributions(dock.view.record)[0])
    wait_until(lambda: len(dock.map.own_items) == 2 and not dock.distribution_additions.pending, 30)
    dock.map.set_title("Other")
    press_undo(dock)
    assert len(dock.map.own_items) == 1 and dock.map.title() == "Other"
    assert len(dock.map.project.mapLayers()) == before


def test_each_kind_is_added_with_one_click_and_the_credit_of_its_record(dock, odd, wait_until, tmp_path):
    for kind, (path, protocol, name, label, provider) in KINDS.items():
        bar = show(dock, wait_until, tmp_path, f"R {kind}", (odd.url + path, protocol, name))
        assert bar.button.text() == label and bar.button.isEnabled(), kind
        layer, = add(dock, wait_until, bar)
        # some have another name on later QGIS
        assert layer.isValid() and layer.dataProvider().name() in (provider, f"xyz{provider}s"), kind
        assert OWNER in layer_credit(layer) and dock.map.own_items[0].own.credit == layer_credit(layer), kind
        dock.map.project.clear()


def test_a_record_with_several_lists_each_in_the_menu_with_what_it_is_good_for(dock, odd, wait_until, tmp_path):
    bar = show(dock, wait_until, tmp_path, "Several", (f"{odd.url}/wfs?", "OGC:WFS", "a:rios"),
               (f"{odd.url}/wmts?", "OGC:WMTS", "rios"), (f"{odd.url}/points/rios.geojson", "WWW:DOWNLOAD", "Rios"),
               ("https://geo.test/v1.1", "OGC:SensorThings", "Sensors"),
               ("https://geo.test/a.html", "WWW:LINK", "Page"))
    assert bar.button.text() == "Add tiles"
    lines = {action.text(): action.isEnabled() for action in bar.distributions if action.text()}
    assert lines == {"Add tiles (WMTS, rios): speed": True,
                     "Add features (WFS, a:rios): query, a style of your own, sharp print": True,
                     "Download and add (GeoJSON, Rios): offline, query, sharp print": True,
                     "SensorThings API “Sensors”: QGIS cannot open it.": False}
    assert not any(action.isVisible() for action in bar.actions_by_name.values())
    next(action for action in bar.distributions if "WFS" in action.text()).trigger()
    wait_until(lambda: dock.map.own_items, 30)
    assert dock.map.own_items[0].own.provider == "WFS"


_SERVICE = """<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco"
 xmlns:srv="http://www.isotc211.org/2005/srv" xmlns:xlink="http://www.w3.org/1999/xlink"><gmd:fileIdentifier>
<gco:CharacterString>{id}</gco:CharacterString></gmd:fileIdentifier><gmd:hierarchyLevel><gmd:MD_ScopeCode codeList="x"
 codeListValue="service"/></gmd:hierarchyLevel><gmd:identificationInfo><srv:SV_ServiceIdentification><gmd:citation>
<gmd:CI_Citation><gmd:title><gco:CharacterString>{id}</gco:CharacterString></gmd:title></gmd:CI_Citation>
</gmd:citation><gmd:resourceConstraints><gmd:MD_LegalConstraints><gmd:otherConstraints><gco:CharacterString>
Source: {owner}</gco:CharacterString></gmd:otherConstraints></gmd:MD_LegalConstraints></gmd:resourceConstraints>
{operates_on}
</srv:SV_ServiceIdentification></gmd:identificationInfo><gmd:distributionInfo><gmd:MD_Distribution>{links}
</gmd:MD_Distribution></gmd:distributionInfo></gmd:MD_Metadata>"""


def test_a_dataset_is_added_by_its_service_and_a_service_leads_to_its_data(dock, odd, wait_until, tmp_path):
    reference = "https://csw.test/csw?service=CSW&amp;request=GetRecordById&amp;id={}#MD_DataIdentification"
    for name, data, owner in (("Ríos WFS", "Ríos-1", "Servicio de Ensayo"), ("Otro", "Ríos-12", "Otro Servicio")):
        (tmp_path / f"{name}.xml").write_text(_SERVICE.format(
            id=name, owner=owner, operates_on=f'<srv:operatesOn xlink:href="{reference.format(data)}"/>',
            links=_LINK.format(url=f"{odd.url}/wfs?", protocol="OGC:WFS", name="a:rios")))
    dock.session.open_paths([str(tmp_path / "Ríos WFS.xml"), str(tmp_path / "Otro.xml")])
    wait_until(lambda: dock.session.record("Otro") is not None, 30)
    bar = show(dock, wait_until, tmp_path, "Ríos-1", ("https://geo.test/a.html", "WWW:LINK", "Page"))
    wait_until(lambda: bar.button.isEnabled(), 30)
    assert bar.button.text() == "Add features" and not bar.reason.isVisibleTo(bar)
    assert [action.text() for action in bar.distributions if action.text()] == ["Add features (service “Ríos WFS”)"]
    layer, = add(dock, wait_until, bar)
    assert layer.dataProvider().name() == "WFS" and "Servicio de Ensayo" in layer_credit(layer)
    assert f"{OWNER}, Ríos-1, CC BY 4.0" in layer_credit(layer)
    dock.select_record("Ríos WFS")
    wait_until(lambda: any("Show the data" in action.text() for action in bar.distributions), 30)
    next(action for action in bar.distributions if action.text() == "Show the data “Ríos-1”").trigger()
    wait_until(lambda: dock.view.record.id == "Ríos-1", 30)


_COUPLED = """<srv:coupledResource><srv:SV_CoupledResource><srv:operationName><gco:CharacterString>GetFeature
</gco:CharacterString></srv:operationName><srv:identifier><gco:CharacterString>{}</gco:CharacterString></srv:identifier>
</srv:SV_CoupledResource></srv:coupledResource>"""


@pytest.mark.skipif(not has("pycsw", "sqlalchemy"), reason="pycsw is not here")
def test_the_catalogue_of_a_data_set_is_asked_for_its_services(dock, odd, wait_until, tmp_path):
    settings.set("first_byte_timeout", 30.0)
    settings.set("catalogue_type", "csw")
    settings.set("catalogue_url", "http://own.invalid/csw")
    settings.set("sources_off", '[["csw2", "http://own.invalid/csw"]]')
    records = [SimpleNamespace(id=f"r{number}", feature={}, xml=_SERVICE.format(
        id=name, owner=f"Dueño {name}", operates_on=_COUPLED.format(data),
        links=_LINK.format(url=f"{odd.url}/wfs?", protocol="OGC:WFS", name="a:rios")).encode())
        for number, (name, data) in enumerate((("Ríos WFS", "Ríos-1"), ("Otro WFS", "Ríos-12")))]
    page = ("https://geo.test/a.html", "WWW:LINK", "Page")
    records.append(SimpleNamespace(id="r2", feature={}, xml=written_record("Ríos-1", page, place=PARK)))
    with CatalogueServer("pycsw", records) as server:
        dock.list_page.catalogues.sources.add([Source(f"{server.url}/geonetwork/srv/spa/csw", SourceKind.CSW_2)])
        dock.search.setText("Ríos-1")
        dock.list_page.search_bar.catalogues.click()
        wait_until(lambda: not dock.list_page.remote_search.search.busy and dock.model.row_of("Ríos-1") >= 0, 60)
        dock.list.setCurrentIndex(dock.model.index(dock.model.row_of("Ríos-1")))
        dock.pages.open_record()
        bar = dock.view.add_bar
        wait_until(bar.button.isEnabled, 30)
        assert [action.text() for action in bar.distributions if action.text()] == [
            "Add features (service “Ríos WFS”)"]
        layer, = add(dock, wait_until, bar)
        assert {"Dueño Ríos WFS", f"{OWNER}, Ríos-1, CC BY 4.0"} <= set(layer_credit(layer).split("; "))
        store = dock.session.library.store_if_open
        wait_until(lambda: store.find_copies("Ríos WFS"), 30)
        # with the search switched off nothing is asked. The list is read anew then, and shows no record for a moment
        record = replace(dock.view.record, id="Ríos-12")
        dock.list_page.search_bar.catalogues.click()
        assert not settings.get("search_catalogues")
        dock.record_actions.add_offer._find_coupled(record)
        wait_until(lambda: not [job for job in tasks._jobs if job.running])
        assert not dock.record_actions.add_offer._coupled


@pytest.mark.slow
def test_a_service_added_by_its_data_owes_their_credit_too_where_the_map_is_opened_again(dock, wait_until, tmp_path):
    page, document = tmp_path / "a.pdf", tmp_path / "a.custommap.json"
    with SourceServer() as server, registered_provider():
        server.files["/wms"] = partial(_wms_answer, server.url)
        for kind, path, name in (("WMS", "/wms?", "roads"), ("WFS", "/wfs?", "ms:points")):
            service = tmp_path / f"{kind}.xml"
            service.write_text(_SERVICE.format(
                id=kind, owner=f"Servicio {kind}", operates_on=f'<srv:operatesOn uuidref="Datos {kind}"/>'
                '<srv:operatesOn uuidref="Más datos"/>',
                links=_LINK.format(url=f"{server.url}{path}", protocol=f"OGC:{kind}", name=name)))
            dock.session.open_paths([str(service)])
            wait_until(lambda kind=kind: dock.session.record(kind) is not None, 30)
            for title in (f"Datos {kind}", "Más datos")[:2 if kind == "WMS" else 1]:
                bar = show(dock, wait_until, tmp_path, title, ("https://geo.test/a.html", "WWW:LINK", "Page"))
                wait_until(bar.button.isEnabled, 30)
                bar.button.click()
                wait_until(lambda: not (dock.map.adding or dock.distribution_additions.pending
                                        or dock.map_additions.pending), 30)
        assert len(dock.map.items) == len(dock.map.own_items) == 1, dock.messages.history
        owed = {*(f"{OWNER}, {title}, CC BY 4.0" for title in ("Datos WMS", "Más datos", "Datos WFS")),
                "Servicio WMS", "Servicio WFS"}
        shown = " ".join(dock.map.credit_lines())
        assert all(words in shown for words in owed), shown
        dock.map.commit(extent_mode=ExtentMode.CUSTOM, extent=MapExtent(*PARK))
        dock.composer_controller.documents.save_to(document)
        run("exportcustommap", {"INPUT": str(document), "OUTPUT": str(page), "DPI": 72})
    text = " ".join(subprocess.run(["pdftotext", str(page), "-"], capture_output=True, text=True,
                                   check=True).stdout.split())
    assert all(words in text for words in owed), text


def _wms_answer(url, request):
    asked = {name.upper(): value for name, value in parse_qsl(request["query"])}
    if asked["REQUEST"] != "GetMap":
        return _wms_capabilities(f"{url}/wms")
    picture, buffer = QImage(int(asked["WIDTH"]), int(asked["HEIGHT"]), QImage.Format.Format_ARGB32), QBuffer()
    picture.fill(QColor("#8fbf8f"))
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(buffer.data())


def test_the_document_of_a_server_settles_what_its_link_leaves_open(dock, odd, wait_until, tmp_path):
    odd.files["/item"] = json.dumps({"type": "Feature", "stac_version": "1.0.0", "geometry": None, "assets": {},
                                     "properties": {}, "links": []}).encode()
    odd.files["/points/json"] = odd.files["/points/rios.geojson"]
    centre = (WEST + EAST) / 2, (SOUTH + NORTH) / 2
    odd.files[tile_address("/vector/{z}/{x}/{y}", 12, *centre)] = b"\x1a\x00"
    (tmp_path / "tiles.xml").write_bytes(written_record("tiles", (f"{odd.url}/vector/{{z}}/{{x}}/{{y}}", "", ""),
                                                        place=PARK))
    geojson = "application/geo+json"
    for number, (link, kind) in enumerate(((("/oapif", geojson, "rios"), "OAPIF"),
                                           (("/points/json", geojson, "rios"), "ogr"))):
        layer = add(dock, wait_until, show(dock, wait_until, tmp_path, kind, (odd.url + link[0], *link[1:])),
                    number + 1)[-1]
        assert layer.dataProvider().name() == kind
    assert any("called GeoJSON, but it answers as OGC API - Features" in text for _, text in dock.messages.history)
    dock.session.open_paths([str(tmp_path / "tiles.xml")])
    wait_until(lambda: dock.view.record.title == "tiles", 30)
    assert "vectortile" in add(dock, wait_until, dock.view.add_bar, 3)[-1].dataProvider().name()
    bar = show(dock, wait_until, tmp_path, "STAC", (f"{odd.url}/item", geojson, "item"))
    bar.button.click()
    wait_until(lambda: any("does not answer as GeoJSON, but as STAC" in text
                           for level, text in dock.messages.history if level == "error"), 30)
    assert len(dock.map.own_items) == 3


def test_what_cannot_be_opened_is_named_with_the_reason(dock, wait_until, tmp_path):
    bar = show(dock, wait_until, tmp_path, "Closed", ("https://geo.test/a.pmtiles", "", "Tiles"))
    assert not bar.button.isEnabled() and bar.reason.text() == "PMTiles “Tiles”: QGIS cannot open it."
    bar = show(dock, wait_until, tmp_path, "Page", ("https://geo.test/a.html", "WWW:LINK", "Page"))
    assert bar.reason.text() == "This record names nothing that can be added to a map."


def test_many_features_are_a_question_first(dock, odd, wait_until, tmp_path, monkeypatch):
    monkeypatch.setattr("plugin.app.maps.distribution_additions.MAX_FEATURES", 0)
    bar = show(dock, wait_until, tmp_path, "Many", (f"{odd.url}/wfs?", "OGC:WFS", "a:rios"))
    bar.button.click()
    wait_until(lambda: dock.note.isVisibleTo(dock) and "has 1 features" in dock.note.text_label.text(), 30)
    assert not dock.map.own_items
    dock.note.details.click()
    wait_until(lambda: dock.map.own_items, 30)


def test_a_service_that_answers_as_another_kind_is_opened_as_that_with_a_note(dock, odd, wait_until, tmp_path):
    odd.files["/other"] = odd.files["/wfs"]
    bar = show(dock, wait_until, tmp_path, "Other", (f"{odd.url}/other?", "OGC:WMTS", "a:rios"))
    bar.button.click()
    wait_until(lambda: dock.map.own_items, 30)
    assert dock.map.own_items[0].own.provider == "WFS"
    assert any("called WMTS, but it answers as WFS" in text for _, text in dock.messages.history)


OTHER_LAYERS = [
    ("WFS", "/wfs?", "a:lagos"), ("WFS", "/wfs?typenames=a:lagos", ""), ("WMTS", "/wmts?layer=lagos", ""),
    ("WCS", "/wcs?coverage=lagos", ""), ("OGC API - Features", "/oapif/collections/lagos", ""),
    ("ESRI:REST", "/arcgis/FeatureServer/7", ""), ("ESRI:REST", "/arcgis/MapServer/7", "")]


def test_another_layer_than_the_link_names_is_added_by_choice(dock, odd, wait_until, tmp_path):
    for number, (kind, address, name) in enumerate(OTHER_LAYERS):
        bar = show(dock, wait_until, tmp_path, f"Other {number}", (
            odd.url + address, kind if ":" in kind else f"OGC:{kind}", name))
        heard = len(dock.messages.history)
        bar.button.click()
        wait_until(lambda: any(one.isVisible() for one in dock.findChildren(QInputDialog)), 30)
        dialog = next(one for one in dock.findChildren(QInputDialog) if one.isVisible())
        assert "does not have what the record’s link names" in dialog.labelText() and not dock.map.own_items, address
        missing = name or re.split("[=/]", address)[-1]
        assert any(f"The service does not have “{missing}”, which" in text
                   for _, text in dock.messages.history[heard:]), address
        dialog.accept()
        wait_until(lambda: dock.map.own_items, 30)
        dock.map.project.clear()


def test_the_name_of_a_link_to_the_capabilities_is_no_layer(dock, odd, wait_until, tmp_path):
    for number, name in enumerate(("GetCapabilities", "Servicio_WFS_lagos"), 1):
        add(dock, wait_until, show(dock, wait_until, tmp_path, name, (
            f"{odd.url}/wfs?service=WFS&request=GetCapabilities", "OGC:WFS", name)), number)
    assert not any("does not have" in text for _, text in dock.messages.history)


def test_a_service_of_an_unknown_kind_is_asked(dock, odd, wait_until, tmp_path):
    odd.files["/ows"] = odd.files["/wfs"]
    bar = show(dock, wait_until, tmp_path, "Asked", (f"{odd.url}/ows", "", "a:rios"))
    assert bar.button.text() == "Add to map"
    layer, = add(dock, wait_until, bar)
    assert layer.dataProvider().name() == "WFS"


@pytest.mark.parametrize("fault", ["timeout before headers", "body a byte a second", "login page with 200", "500"])
def test_each_kind_ends_with_an_error_by_name_where_its_server_fails(dock, odd, wait_until, tmp_path, monkeypatch,
                                                                     fault):
    monkeypatch.setattr(distribution_layers, "DESCRIPTION_SECONDS", 2.0)
    for module in ("http_exchange", "client"):
        monkeypatch.setattr(f"plugin.gis.network.{module}.STALL_SECONDS", 1.0)
    settings.set("first_byte_timeout", 1.0)
    odd.fault = wire_faults.ANSWERS[fault]
    # nothing is asked for vector tiles before they are drawn
    links = [(odd.url + path, protocol, name) for kind, (path, protocol, name, *_) in KINDS.items()
             if kind != "vector tiles"]
    show(dock, wait_until, tmp_path, "Failing", *links)
    for distribution in dock.session.distributions(dock.view.record):
        dock.distribution_additions.add(dock.view.record, distribution)
    wait_until(lambda: not dock.distribution_additions.pending, 30)
    errors = [text for level, text in dock.messages.history if level == "error"]
    assert len(errors) == len(dock.session.distributions(dock.view.record)) and not dock.map.own_items
    assert all(text.startswith("“Failing” is not added: ") for text in errors), errors
    assert all("127.0.0.1" in text or "web page" in text for text in errors), errors
    # the message has the way to try again
    odd.fault = None
    title, = {dock.note.text_label.text()} & set(errors)
    if fault == "login page with 200":
        assert dock.note.details.text() == "Choose a login…", "which tries again"
        return
    assert title and dock.note.details.text() == "Try again"
    dock.note.details.click()
    wait_until(lambda: dock.map.own_items and not dock.distribution_additions.pending)


def furnish_files(odd, folder):
    """Give the server a file of each format, a feed that lists two, and documents of tiles."""
    points = gdal.OpenEx(odd.files["/points/rios.geojson"].decode())
    for name, driver in (("a.gpkg", "GPKG"), ("a.gml", "GML"), ("a.shp", "ESRI Shapefile"), ("a.kml", "KML")):
        gdal.VectorTranslate(str(folder / name), points, format=driver, layerName="a")
    with zipfile.ZipFile(folder / "shape.zip", "w") as archive:
        for end in ("shp", "shx", "dbf", "prj"):
            archive.write(folder / f"a.{end}", f"inner/a.{end}")
    (folder / "a.csv").write_text("nombre;lon;lat\nFuente;-3.51;38.38\n")
    (folder / "a.tif").write_bytes(layer_services._coverage())
    for name in ("a.gpkg", "a.gml", "a.kml", "shape.zip", "a.csv", "a.tif"):
        odd.files[f"/file/{name}"] = (folder / name).read_bytes()
    odd.files["/atom.xml"] = (f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Points</title><link '
                              f'rel="alternate" href="{odd.url}/file/a.gpkg" type="application/geopackage+sqlite3"/>'
                              "</entry></feed>").encode()
    odd.files["/tiles.json"] = json.dumps({
        "tilejson": "3.0.0", "tiles": [f"{odd.url}/mvt/{{z}}/{{x}}/{{y}}.pbf"], "maxzoom": 9, "vector_layers": [],
        "attribution": "© Teselas de Prueba"}).encode()
    odd.files["/style.json"] = json.dumps({
        "version": 8, "sources": {"a": {"type": "vector", "url": f"{odd.url}/tiles.json"}},
        "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#fff"}}]}).encode()
    odd.files["/tms/1.0.0/a"] = (
        b'<TileMap version="1.0.0"><Title>A</Title><SRS>EPSG:900913</SRS><TileFormat extension="png"/><TileSets>'
        b'<TileSet order="0"/><TileSet order="7"/></TileSets></TileMap>')


def test_terms_that_could_not_be_read_are_an_issue_until_they_are(dock, odd, wait_until, tmp_path, monkeypatch):
    collection = "/oapif/collections/rios"
    odd.files[collection] = json.dumps({**json.loads(odd.files[collection]), "attribution": "© Cuenca"}).encode()
    odd.fault = wire_faults.ANSWERS["500"]
    odd.strikes = lambda request: request["path"] == collection and "f=json" in request["query"]
    add(dock, wait_until, show(dock, wait_until, tmp_path, "Gap", (f"{odd.url}/oapif", "OGC API - Features", "rios")))
    assert any("The terms of “Rios” could not be read completely. 127.0.0.1" in text
               for _, text in dock.messages.history)
    preflight, found = dock.composer_controller.preflight, []
    preflight.findings_changed.connect(lambda findings, _state: found.append(findings))
    preflight.refresh()
    finding = next(one for one in found[-1] if one.rule == "terms-gap")
    # it is known as long as the map is
    kept = read_document(write_document(dock.map.document())).own_layers[0]
    again = open_layer(replace(kept, trust=Trust.OWN), QgsFeedback())
    assert refer_to(again).terms_gap == kept.terms_gap != ""
    preflight.apply_remedy(finding)
    wait_until(lambda: odd.struck > 1 and any("could not be read" in text for level, text in dock.messages.history
                                              if level == "error"))
    odd.fault = None
    preflight.apply_remedy(finding)
    wait_until(lambda: not dock.map.own_items[0].own.terms_gap)
    assert dock.map.own_items[0].own.credit == f"{OWNER}, Gap, CC BY 4.0. © Cuenca"
    preflight.refresh()
    assert "terms-gap" not in [one.rule for one in found[-1]]


def test_terms_are_read_anew_only_from_a_server_that_somebody_agreed_to(dock, odd, wait_until, tmp_path):
    with OddServer() as other:
        other.files["/api"] = b'{"openapi": "3.0.0", "info": {"title": "Rios", "license": {"name": "CC BY 4.0"}}}'
        odd.files["/oapif"] = odd.files["/oapif"].replace(f"{odd.url}/oapif/api".encode(), f"{other.url}/api".encode())
        address = (f"{odd.url}/oapif", "OGC API - Features", "rios")
        add(dock, wait_until, show(dock, wait_until, tmp_path, "Far", address))
        assert "/api" in [request["path"] for request in other.requests], "of a map of one's own all are read"
        own_id = dock.map.own_items[0].own.id
        for trust in (Trust.FOREIGN, Trust.AGREED):
            other.requests.clear()
            odd.requests.clear()
            item = dock.map.own_items[0]
            dock.map.custom_map.set_layers({item: replace(item.own, trust=trust)})
            dock.map.read_terms(own_id)
            wait_until(lambda: not [job for job in tasks._jobs if job.running])
            assert ("nobody agreed to that server" in dock.map.own_items[0].own.terms_gap) is (trust is Trust.AGREED)
            assert bool(odd.requests) is (trust is Trust.AGREED) and other.requests == []


def test_description_and_terms_of_a_service_are_read_once_within_one_time(dock, odd, wait_until, tmp_path, monkeypatch):
    monkeypatch.setattr(distribution_layers, "LAYER_SECONDS", 0.2)
    odd.files["/wfs"] = _with_constraints(odd.files["/wfs"], "© Cuenca")
    odd.delay = 0.5
    add(dock, wait_until, show(dock, wait_until, tmp_path, "Slow", (f"{odd.url}/wfs?", "OGC:WFS", "a:rios")))
    own = dock.map.own_items[0].own
    assert "© Cuenca" in own.credit and not own.terms_gap


def _with_constraints(answer, words):
    def answered(request):
        return answer(request).replace(b"<ows:ServiceIdentification>", b"<ows:ServiceIdentification>", 1).replace(
            b"</ows:ServiceIdentification>",
            f"<ows:AccessConstraints>{words}</ows:AccessConstraints></ows:ServiceIdentification>".encode(), 1)
    return answered


def test_a_file_without_a_credit_owes_one_where_its_map_is_opened_again(dock, odd, wait_until, tmp_path):
    odd.files["/file/a.geojson"] = odd.files["/points/rios.geojson"]
    record = written_record("Nobody", (f"{odd.url}/file/a.geojson", "WWW:DOWNLOAD", "a.geojson"))
    path = tmp_path / "a.xml"
    path.write_bytes(re.sub(b"<gmd:pointOfContact>.*</gmd:pointOfContact>", b"", record, flags=re.DOTALL))
    dock.session.open_paths([str(path)])
    wait_until(lambda: dock.view.record is not None and dock.view.record.title == "Nobody", 30)
    layer, = add(dock, wait_until, dock.view.add_bar)
    assert layers_without_credit([layer]) and not dock.map.own_items[0].own.credit
    for saved in (dock.map.document(), read_document(write_document(dock.map.document()))):
        again = open_layer(replace(saved.own_layers[0], trust=Trust.OWN), QgsFeedback())
        assert layers_without_credit([again]) == [again]
    # a map of before says nothing of it, and neither does a file of the person's own
    before = replace(dock.map.document().own_layers[0], credit_owed=False, trust=Trust.OWN)
    assert not layers_without_credit([open_layer(before, QgsFeedback())])


FILES = {
    "/file/a.gpkg": ("WWW:DOWNLOAD", "ogr"), "/file/a.gml": ("WWW:DOWNLOAD", "ogr"),
    "/file/a.kml": ("WWW:DOWNLOAD", "ogr"), "/file/shape.zip": ("Shapefile", "ogr"),
    "/file/a.csv": ("WWW:DOWNLOAD", "delimitedtext"), "/file/a.tif": ("WWW:DOWNLOAD", "gdal"),
    "/atom.xml": ("https://tools.ietf.org/html/rfc4287", "ogr"), "/tiles.json": ("TileJSON", "vectortile"),
    "/style.json": ("maplibre-style", "vectortile"), "/tms/1.0.0/a": ("OSGeo:TMS", "wms"),
}


def test_files_feeds_and_descriptions_of_tiles_are_added_too(dock, odd, wait_until, tmp_path):
    (tmp_path / "made").mkdir()
    furnish_files(odd, tmp_path / "made")
    show(dock, wait_until, tmp_path, "Files",
         *((odd.url + path, protocol, path) for path, (protocol, _provider) in FILES.items()))
    record = dock.view.record
    for number, distribution in enumerate(dock.session.distributions(record), 1):
        dock.distribution_additions.add(record, distribution)
        wait_until(lambda: not dock.distribution_additions.pending, 30)
        assert len(dock.map.own_items) == number, (distribution, dock.messages.history[-1])
        own = dock.map.own_items[-1].own
        path = next(path for path in FILES if distribution.address.endswith(path))
        layer = dock.map.project.mapLayer(dock.map.own_items[-1].layer_id)
        assert layer.isValid() and own.provider in (FILES[path][1], f"xyz{FILES[path][1]}s") and OWNER in own.credit
        if own.provider in ("ogr", "gdal"):
            place = Path(own.source.partition("|")[0])
            assert downloads_folder() in place.parents and OWNER in find_sidecar(str(place)).info.credit
    of_tiles = [own.credit for own in (item.own for item in dock.map.own_items) if "vectortile" in own.provider]
    assert len(of_tiles) == 2 and all("© Teselas de Prueba" in credit for credit in of_tiles), "the set's own counts"


def test_a_large_file_is_a_question_first(dock, odd, wait_until, tmp_path, monkeypatch):
    monkeypatch.setattr("plugin.app.maps.distribution_additions.MAX_UNASKED", 100)
    bar = show(dock, wait_until, tmp_path, "Large", (f"{odd.url}/points/rios.geojson", "WWW:DOWNLOAD", "Rios"))
    bar.button.click()
    wait_until(lambda: dock.note.isVisibleTo(dock) and "“rios.geojson” has" in dock.note.text_label.text(), 30)
    assert not dock.map.own_items
    dock.note.details.click()
    wait_until(lambda: dock.map.own_items, 30)


def test_the_row_of_a_record_adds_what_it_offers(dock, odd, wait_until, tmp_path):
    show(dock, wait_until, tmp_path, "Row", (f"{odd.url}/wfs?", "OGC:WFS", "a:rios"))
    show(dock, wait_until, tmp_path, "Nothing", ("https://geo.test/a.html", "WWW:LINK", "Page"))
    hits = {hit.title: hit for row in range(dock.model.rowCount()) for hit in [dock.model.hit(row)]}
    assert hits["Row"].offered == "wfs" and not hits["Nothing"].can_be_added
    dock.list.setCurrentIndex(dock.model.index(dock.model.row_of("Row")))
    menu = dock.record_actions.context_menu.build_menu()
    assert menu.actions()[0].text() == "Add features"
    dock.list.setCurrentIndex(dock.model.index(dock.model.row_of("Nothing")))
    dock.record_actions.add_hit(hits["Row"])
    wait_until(lambda: dock.map.own_items, 30)
    assert OWNER in dock.map.own_items[0].own.credit


@pytest.mark.parametrize("kind", ["WFS", "WMTS", "GeoJSON"])
def test_the_custom_map_opens_with_its_first_part_of_any_kind(dock, odd, wait_until, tmp_path, kind):
    path, protocol, name, *_ = KINDS[kind]
    assert dock.compose_dock.isHidden()
    add(dock, wait_until, show(dock, wait_until, tmp_path, "First", (odd.url + path, protocol, name)))
    # once it shows the layer
    wait_until(dock.compose_dock.isVisible)
    assert len(dock.composer.rows.rows) == 1
    # a second one leaves the person where they are
    dock.compose_dock.hide()
    second = (f"{odd.url}/oapif", "OGC API - Features", "rios")
    add(dock, wait_until, show(dock, wait_until, tmp_path, "Second", second), 2)
    assert dock.compose_dock.isHidden()


def test_a_map_is_built_of_records_of_any_kind_without_a_window(odd, tmp_path, qgis_app):
    paths = {}
    for title, link in (("Tiles", (f"{odd.url}/wmts?", "OGC:WMTS", "rios")),
                        ("Features", (f"{odd.url}/wfs?", "OGC:WFS", "a:rios")),
                        ("Nothing", ("https://geo.test/a.pmtiles", "", "Tiles"))):
        paths[title] = tmp_path / f"{title}.xml"
        paths[title].write_bytes(written_record(title, link))
    document = tmp_path / "a.custommap.json"

    def build(**parameters):
        heard = Heard()
        with registered_provider():
            results, done = algorithm("buildcustommap").run(
                {"FILES": [str(path) for path in paths.values()], "DOCUMENT": str(document), **parameters},
                QgsProcessingContext(), heard)
        assert done
        return results, heard.errors

    several = tmp_path / "several.xml"
    files = [f"{odd.url}/points/{name}.geojson" for name in ("rios", "lagos")]
    several.write_bytes(written_record("Several", *((url, "WWW:DOWNLOAD", url.rpartition("/")[2]) for url in files),
                                       (f"{odd.url}/wfs?", "OGC:WFS", "a:rios")))
    results, errors = build(FILES=[str(several)])
    assert not errors and "lagos" not in results["REMARKS"] and "rios" not in results["REMARKS"], "other ways to it"
    several.write_bytes(written_record("Several", *((url, "WWW:DOWNLOAD", url.rpartition("/")[2]) for url in files)))
    results, errors = build(FILES=[str(several)])
    assert not errors and results["REMARKS"].startswith("“Several” names others") and files[1] in results["REMARKS"]
    results, errors = build()
    written = json.loads(document.read_text())
    assert [own["provider"] for own in written["own_layers"]] == ["wms", "WFS"]
    assert results["CREDITS"].count(OWNER) == 2 and errors == [
        "“Nothing” is not added: PMTiles “Tiles”: QGIS cannot open it."]
    assert errors[0] in results["REMARKS"], "scripts read the outputs, not the log"
    odd.fault, collection = wire_faults.ANSWERS["500"], "/oapif/collections/rios"
    odd.strikes = lambda request: request["path"] == collection and "f=json" in request["query"]
    gap = tmp_path / "gap.xml"
    gap.write_bytes(written_record("Gap", (f"{odd.url}/oapif", "OGC API - Features", "rios")))
    results, errors = build(FILES=[str(gap)])
    odd.fault = None
    (kept,) = json.loads(document.read_text())["own_layers"]
    assert "500" in kept["terms_gap"] and kept["terms_gap"] in results["REMARKS"] and not errors
    _results, errors = build(MAX_FEATURES=0)
    assert len(json.loads(document.read_text())["own_layers"]) == 1 and "has 1 features" in "".join(errors)
    paths["Features"].write_bytes(written_record("Features", (f"{odd.url}/wfs?", "OGC:WFS", "a:lagos")))
    results, errors = build()
    assert len(json.loads(document.read_text())["own_layers"]) == 1
    assert set(errors) <= set(results["REMARKS"].splitlines())
    assert "“Features” is not added: The service does not have “a:lagos”" in "".join(errors)


@pytest.mark.slow
def test_scripts_read_in_the_outputs_what_is_not_on_the_map(network, tmp_path, qgis_app, monkeypatch):
    """Records that cannot be read, a record's second service, layers that are not there or cannot be saved."""
    use_network(network, monkeypatch)
    document, both, broken = (tmp_path / name for name in ("a.custommap.json", "both.xml", "broken.xml"))
    guide, facilities = network.endpoints["guide"], network.endpoints["facilities"]
    both.write_bytes(written_record("Both", (guide, "OGC:WMS", "relieve"), (f"{guide}LAYERS=senderos", "OGC:WMS", ""),
                                    (facilities, "OGC:WMS", "miradores")))
    broken.write_text("<gmd:MD_Metadata")
    notes = QgsVectorLayer("Point?crs=EPSG:4326", "Notes", "memory")
    QgsProject.instance().addMapLayer(notes)
    silent = tmp_path / "silent.xml"
    silent.write_bytes(written_record("Silent", ("http://127.0.0.1:9/wms?", "OGC:WMS", "paths")))
    given = {"FILES": [str(both), str(broken), str(silent)], "DOCUMENT": str(document),
             "OWN_LAYERS": [notes.id(), notes.id(), str(mixed_file(tmp_path, "mif")), str(tmp_path / "two.gpkg")]}
    file = gdal.GetDriverByName("GPKG").Create(given["OWN_LAYERS"][-1], 0, 0, 0, gdal.GDT_Unknown)
    for name in ("paths", "springs"):
        file.CreateLayer(name)
    del file
    with registered_provider():
        remarks = run("buildcustommap", given)["REMARKS"].splitlines()
        assert len(remarks) == 6 and any("broken.xml" in line for line in remarks), remarks
        assert "mixed (only its points are drawn)" in remarks
        assert any(line.startswith("All layers of the service of “Silent” are on the map") for line in remarks)
        assert any("first layer of two.gpkg" in line and "“springs”" in line for line in remarks)
        assert any("“Both”" in line and facilities.rstrip("?&") in line and guide not in line for line in remarks)
        assert "Notes: It is a temporary layer: a saved map cannot refer to it." in remarks
        printed = {"INPUT": str(document), "OUTPUT": str(tmp_path / "a.pdf"), "DPI": 72}
        with pytest.raises(AssertionError, match="“Notes” is missing") as refusal:
            run("exportcustommap", printed)
        assert "CREDIT_LINES" not in str(refusal.value), "no credit is what it lacks"
        built = run("buildcustommap", {**given, "PROJECT": str(tmp_path / "a.qgz")})
        assert built["MISSING"] == 2, "the temporary layer, and the service that is silent"
        document.unlink()
        # a step of a model is not checked by QGIS
        given["OWN_LAYERS"] = [notes.id(), str(tmp_path / "gone.gpkg")]
        heard = Heard()
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
        _results, done = algorithm("buildcustommap").run(given, context, heard)
        assert not done and "gone.gpkg" in "".join(heard.errors) and not document.exists()


@pytest.mark.slow
def test_a_snapshot_names_what_it_does_not_hold_and_opens_as_the_person_s_own(network, tmp_path, qgis_app,
                                                                              monkeypatch):
    """Of two records of one service, a file and features of another server."""
    use_network(network, monkeypatch)
    document, copy, page = (tmp_path / name for name in ("a.custommap.json", "copy", "a.pdf"))
    files = []
    for number, (owner, layer) in enumerate((("Agencia Primera", "relieve"), ("Agencia Segunda", "carreteras"))):
        files.append(tmp_path / f"{number}.xml")
        text = written_record("Guía", (network.endpoints["guide"], "OGC:WMS", layer)).decode().replace(OWNER, owner)
        files[-1].write_text(text.replace("<gco:CharacterString>Guía", f"<gco:CharacterString>guia-{number}", 1))
    (tmp_path / "notes.geojson").write_text('{"type": "FeatureCollection", "features": []}')
    with registered_provider():
        run("buildcustommap", {"FILES": [str(path) for path in files], "DOCUMENT": str(document),
                               "OWN_LAYERS": [str(tmp_path / "notes.geojson")],
                               "EXTENT": f"{PARK[0]},{PARK[2]},{PARK[1]},{PARK[3]} [EPSG:4326]"})
        done = run("takesnapshot", {"INPUT": str(document), "FILES": [str(path) for path in files], "DPI": 72,
                                    "OUTPUT": str(copy), "PACKAGE": str(tmp_path / "a.zip")})
        assert "“notes”" in done["REMARKS"], "it stays where it is"
        printed = run("exportcustommap", {"INPUT": str(copy / "map.custommap.json"), "OUTPUT": str(page), "DPI": 72})
    assert "Agencia Primera" in printed["CREDITS"] and "Agencia Segunda" in printed["CREDITS"]
    paths = [file["path"] for file in json.loads((copy / "snapshot.json").read_text())["files"]]
    assert len(set(paths)) == len(paths) and sum(path.startswith("terms/") for path in paths) == 2


def test_of_a_wms_that_a_link_calls_otherwise_the_named_layers_are_taken_without_a_window(network, odd, tmp_path):
    record, document = tmp_path / "a.xml", tmp_path / "a.custommap.json"
    with urlopen(f"{network.endpoints['guide']}&SERVICE=WMS&REQUEST=GetCapabilities") as answer:
        odd.files["/maps"] = answer.read()
    record.write_bytes(written_record("Wrong", (f"{odd.url}/maps?", "OGC:WMTS", "relieve,carreteras")))
    with registered_provider():
        results = run("buildcustommap", {"FILES": [str(record)], "DOCUMENT": str(document)})
    assert json.loads(document.read_text())["base"]["layers"] == ["relieve", "carreteras"]
    assert "called WMTS, but it answers as WMS" in results["REMARKS"]


#: kinds of a server whose tiles are those of one level, and of whose features there are several pages
PRINTED = {
    "Teselas XYZ": ("/pictures/{z}/{x}/{y}.png", "", "Tiles"), "Teselas WMTS": ("/wmts", "OGC:WMTS", "pictures"),
    "Formas": ("/shapes/{z}/{x}/{y}.pbf", "", "Shapes"), "Objetos WFS": ("/wfs?", "OGC:WFS", "ms:points"),
    "Objetos OGC API": ("/features/", "OGC API - Features", "points"),
    "Pozos": ("/arcgis/rest/services/wells/FeatureServer/0", "ESRI:REST", "wells"),
    "Terreno": ("/arcgis/rest/services/land/MapServer", "ESRI:REST", "map"),
    "Relieve": ("/relief.tif", "WWW:DOWNLOAD", "relief.tif")}


@pytest.mark.slow
def test_a_map_of_eight_kinds_prints_with_the_credit_of_each(tmp_path, qgis_app):
    document, page = tmp_path / "a.custommap.json", tmp_path / "a.pdf"
    with SourceServer() as server, registered_provider():
        files = []
        for title, (path, protocol, name) in PRINTED.items():
            files.append(str(tmp_path / f"{title}.xml"))
            Path(files[-1]).write_bytes(written_record(title, (server.url + path, protocol, name), place=PARK))
        run("buildcustommap", {"FILES": files, "DOCUMENT": str(document),
                               "EXTENT": f"{PARK[0]},{PARK[2]},{PARK[1]},{PARK[3]} [EPSG:4326]"})
        own = {layer["name"]: layer for layer in json.loads(document.read_text())["own_layers"]}
        assert len(own) == len(PRINTED) - 1, "two call their layer Points"
        assert "zmax=12" in own["Teselas XYZ"]["source"] and "zmax=12" in own["Formas"]["source"]
        done = run("exportcustommap", {"INPUT": str(document), "OUTPUT": str(page), "DPI": 96})
    text = " ".join(subprocess.run(["pdftotext", str(page), "-"], capture_output=True, text=True,
                                   check=True).stdout.split())
    for title in PRINTED:
        assert f"{OWNER}, {title}, CC BY 4.0" in text, title
    assert "© ArcGIS Map Agency" in text and "© ArcGIS Feature Agency" in text
    assert "Relieve" not in done["UNCHECKED_LAYERS"]
    terms = text.partition("Terms of use")[2].partition("Sources")[0]
    assert "Creative Commons" in terms and "creativecommons.org/licenses/by/4.0" in terms and "not stated" not in terms


def test_a_wms_that_is_another_service_is_opened_as_that(dock, odd, wait_until, tmp_path):
    odd.files["/service"] = odd.files["/wfs"]
    bar = show(dock, wait_until, tmp_path, "Wrong", (f"{odd.url}/service?", "OGC:WMS", "a:rios"))
    dock.pages.open_record()
    wait_until(lambda: dock.session.service_state(dock.session.endpoint(dock.view.record)).error is not None, 30)
    assert bar.button.text() == "Add map" and bar.button.isEnabled()
    bar.button.click()
    wait_until(lambda: dock.map.own_items, 30)
    assert dock.map.own_items[0].own.provider == "WFS"
    assert any("called WMS, but it answers as WFS" in text for _, text in dock.messages.history)


_MAP = """MAP NAME "real" EXTENT -4 38 -3 39 SIZE 100 100 PROJECTION "init=epsg:4326" END
WEB METADATA "ows_enable_request" "*" "ows_onlineresource" "{url}/ms?" "ows_srs" "EPSG:4326" "ows_title" "Real"
"wcs_label" "Real" END END
LAYER NAME "fuentes" TYPE POINT STATUS ON CONNECTIONTYPE OGR CONNECTION "{folder}/a.gpkg" DATA "a"
METADATA "ows_title" "Fuentes" "gml_featureid" "fid" "gml_include_items" "all" END PROJECTION "init=epsg:4326" END END
LAYER NAME "relieve" TYPE RASTER STATUS ON DATA "{folder}/a.tif"
METADATA "ows_title" "Relieve" "wcs_label" "Relieve" "wcs_rangeset_name" "Range 1" "wcs_rangeset_label" "My Label" END
PROJECTION "init=epsg:4326" END END END"""


def map_server(odd, folder):
    """MapServer at /ms."""
    (folder / "real.map").write_text(_MAP.format(url=odd.url, folder=folder))
    (folder / "mapserver.conf").write_text("CONFIG ENV END END")

    def answer(request):
        environment = {"MAPSERVER_CONFIG_FILE": str(folder / "mapserver.conf"), "MS_MAPFILE": str(folder / "real.map"),
                       "REQUEST_METHOD": "GET", "QUERY_STRING": request["query"], "PATH": "/usr/bin:/bin"}
        answer = subprocess.run(["/usr/lib/cgi-bin/mapserv"], env=environment, capture_output=True, check=True).stdout
        return answer.partition(b"\r\n\r\n")[2]

    odd.files["/ms"] = answer


def real_servers(odd, folder, stack):
    """MapServer at /ms, and QGIS Server at /qgis, of the same points."""
    map_server(odd, folder)
    project = QgsProject()
    layer = QgsVectorLayer(f"{folder}/a.gpkg", "fuentes", "ogr")
    project.addMapLayer(layer)
    project.setCrs(layer.crs())
    for scope, key, value in (("WFSLayers", "/", [layer.id()]), ("WMTSLayers", "Layer", [layer.id()]),
                              ("WMTSPngLayers", "Layer", [layer.id()])):
        project.writeEntry(scope, key, value)
    assert project.write(str(folder / "real.qgs"))
    server = stack.enter_context(QgisServer(QGIS_PROJECT_FILE=str(folder / "real.qgs"),
                                            QGIS_SERVER_SERVICE_URL=f"{odd.url}/qgis"))
    odd.files["/qgis"] = lambda request: server.ask(**dict(parse_qsl(request["query"]))).body


REAL = {"MapServer WFS": ("/ms?", "OGC:WFS", "fuentes", "WFS"), "MapServer WCS": ("/ms?", "OGC:WCS", "relieve", "wcs"),
        "QGIS Server WFS": ("/qgis?", "OGC:WFS", "fuentes", "WFS"),
        "QGIS Server WMTS": ("/qgis?", "OGC:WMTS", "fuentes", "wms")}


@pytest.mark.slow
@pytest.mark.skipif(not qgis_server_available(), reason="QGIS Server is not installed")
def test_layers_of_real_servers_are_added(dock, odd, wait_until, tmp_path):
    (tmp_path / "made").mkdir()
    furnish_files(odd, tmp_path / "made")
    with ExitStack() as stack:
        real_servers(odd, tmp_path / "made", stack)
        for number, (title, (path, protocol, name, provider)) in enumerate(REAL.items(), 1):
            bar = show(dock, wait_until, tmp_path, title, (odd.url + path, protocol, name))
            layer = add(dock, wait_until, bar, number)[-1]
            assert layer.isValid() and layer.dataProvider().name() == provider and OWNER in layer_credit(layer)
            if provider == "WFS":
                assert [feature["nombre"] for feature in layer.getFeatures()] == ["Fuente"]


@contextmanager
def map_proxy(folder, address):
    """MapProxy over the relief of a WMS; its address."""
    from mapproxy.wsgiapp import make_wsgi_app

    class Server(ThreadingMixIn, WSGIServer):
        daemon_threads = True

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_):
            pass

    (folder / "proxy.yaml").write_text(json.dumps({
        "services": {"wms": {}, "wmts": {"kvp": True, "restful": True}, "tms": {}},
        "sources": {"ms": {"type": "wms", "supported_srs": ["EPSG:4326"],
                           "req": {"url": address, "layers": "relieve"}}},
        "caches": {"tiles": {"sources": ["ms"], "grids": ["GLOBAL_WEBMERCATOR"], "disable_storage": True}},
        "layers": [{"name": "relieve", "title": "Relieve", "sources": ["tiles"]}],
        "globals": {"cache": {"base_dir": str(folder / "cache"), "lock_dir": str(folder / "locks")}}}))
    # Qt opens connections before it needs them
    server = make_server("127.0.0.1", 0, make_wsgi_app(str(folder / "proxy.yaml")), Server, Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


PROXIED = (("/wmts/1.0.0/WMTSCapabilities.xml", "OGC:WMTS"), ("/service?", "OGC:WMTS"), ("/service?", "OGC:WMS"))


@pytest.mark.slow
@pytest.mark.skipif(not has("mapproxy", "PIL", "werkzeug"), reason="MapProxy is not here")
def test_tiles_and_maps_of_mapproxy_are_added(dock, odd, wait_until, tmp_path):
    (tmp_path / "made").mkdir()
    furnish_files(odd, tmp_path / "made")
    map_server(odd, tmp_path / "made")
    # MapProxy takes nothing for a picture that is not called one
    odd.answers["/ms"] = lambda request: (200, "image/png", odd.files["/ms"](request))
    with map_proxy(tmp_path / "made", f"{odd.url}/ms?") as proxy:
        # its TMS begins with the four tiles of level 1, which QGIS would draw at other places
        show(dock, wait_until, tmp_path, "MapProxy TMS", (f"{proxy}/tms/1.0.0/", "OSGeo:TMS", "relieve"))
        wait_until(dock.view.add_bar.button.isEnabled, 40)
        dock.view.add_bar.button.click()
        wait_until(lambda: any(level == "error" for level, _ in dock.messages.history), 40)
        assert "offers no layer that can be opened" in dock.messages.history[-1][1]
        assert not dock.map.project.mapLayers()
        for number, (path, protocol) in enumerate(PROXIED, 1):
            show(dock, wait_until, tmp_path, f"MapProxy {number}", (proxy + path, protocol, "relieve"))
            wait_until(dock.view.add_bar.button.isEnabled, 40)
            dock.view.add_bar.button.click()
            wait_until(lambda number=number: len(dock.map.own_items) + len(dock.map.items) == number
                       and not dock.map.adding, 40)
        layers = list(dock.map.project.mapLayers().values())
        assert len(dock.map.items) == 1 and len(layers) == len(PROXIED)
        for layer in layers:
            assert OWNER in layer_credit(layer) and draws_relief(layer, wait_until), layer.source()


def draws_relief(layer, wait_until):
    """Whether the layer draws the relief, whose cells are all dark."""
    shown = QgsMapSettings()
    shown.setLayers([layer])
    shown.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    shown.setExtent(QgsRectangle(-3.6, 38.3, -3.4, 38.5))
    shown.setOutputSize(QSize(64, 64))
    shown.setBackgroundColor(QColor(0, 0, 0, 0))
    job = QgsMapRendererParallelJob(shown)
    job.start()
    wait_until(lambda: not job.isActive(), 30)
    middle = job.renderedImage().pixelColor(32, 32)
    return middle.alpha() == 255 and middle.lightness() < 64


def test_the_layers_of_one_file_have_each_their_credit_beside_it(dock, wait_until, tmp_path):
    file = tmp_path / "two.gpkg"
    made = gdal.GetDriverByName("GPKG").Create(str(file), 0, 0, 0)
    made.CreateLayer("a")
    made.CreateLayer("b")
    del made
    for name, credit in (("a", "© Uno"), ("b", "© Dos"), ("a", "© Uno")):
        layer = OfferedLayer(name, name, "vector", "ogr", f"{file}|layername={name}")
        record = Record("iso19139", title="M", credits=(credit,))
        dock.distribution_additions._open(SimpleNamespace(record=record, title="M"), layer)
        wait_until(lambda: not dock.distribution_additions.pending, 30)
    assert find_sidecar(str(file)).info.credit == "© Uno; © Dos"


@pytest.mark.slow
@pytest.mark.skipif(not has("pygeoapi", "tinydb"), reason="pygeoapi is not here")
def test_features_of_pygeoapi_are_added_by_each_address_and_by_its_own_record(dock, odd, wait_until, tmp_path):
    own = SimpleNamespace(id="ficha", xml=b"", feature={
        "id": "ficha", "type": "Feature", "geometry": None,
        "conformsTo": ["http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core"],
        "properties": {"title": "Ficha", "type": "dataset", "license": "CC-BY-4.0", "externalId": "ficha",
                       "recordUpdated": "2024-01-01", "contacts": [{"name": OWNER, "roles": ["owner"]}]},
        "links": [{"rel": "item", "href": f"{odd.url}/oapif/collections/rios/items",
                   "type": "application/geo+json", "title": "Items"}]})
    with CatalogueServer("pygeoapi", [own]) as server:
        for number, path in enumerate(("/", "/collections/lugares", "/collections/lugares/items?f=json"), 1):
            bar = show(dock, wait_until, tmp_path, f"pygeoapi {number}", (server.url + path, "OGC API - Features",
                                                                          "lugares"))
            layer = add(dock, wait_until, bar, number)[-1]
            assert layer.dataProvider().name() == "OAPIF" and layer.featureCount() == 120
            assert OWNER in layer_credit(layer) and "CC BY 4.0" in layer_credit(layer)
        with urlopen(f"{server.url}/collections/registros/items/ficha?f=json") as answer:
            (tmp_path / "ficha.json").write_bytes(answer.read())
        dock.session.open_paths([str(tmp_path / "ficha.json")])
        wait_until(lambda: dock.view.record.title == "Ficha", 30)
        layer = add(dock, wait_until, dock.view.add_bar, 4)[-1]
        assert layer.dataProvider().name() == "OAPIF" and OWNER in layer_credit(layer)


_RECORDS = Path(__file__).resolve().parents[3] / "shared" / "links" / "records"
#: where the servers of the records are, and the names of their layers, here
_REPLACED = ((":18800/ok/", "/"), (":18801/", "/"), (":9/", "/"), ("/ams/", "/arcgis/"), ("/afs/", "/arcgis/"),
             ("/ok/", "/"), ("/ms?", "/wcs?"), ("/vt/", "/mvt/"), ("t:points", "a:rios"), (">points<", ">rios<"),
             ("collections/points", "collections/rios"), (">base<", ">rios<"), ('"base"', '"rios"'),
             (">dem<", ">rios<"))
_WMS = """<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
<Service><Name>WMS</Name><Title>WMS</Title></Service><Capability><Request>{operations}</Request><Layer><Title>WMS</Title>
<CRS>EPSG:4326</CRS><CRS>EPSG:25830</CRS><EX_GeographicBoundingBox><westBoundLongitude>-4</westBoundLongitude>
<eastBoundLongitude>-3</eastBoundLongitude><southBoundLatitude>38</southBoundLatitude><northBoundLatitude>39
</northBoundLatitude></EX_GeographicBoundingBox><Layer><Name>roads</Name><Title>Roads</Title></Layer><Layer>
<Name>ws:roads</Name><Title>Roads of a workspace</Title></Layer></Layer></Capability></WMS_Capabilities>"""
_WMS_OPERATION = """<{name}><Format>{format}</Format><DCPType><HTTP><Get><OnlineResource xlink:href="{url}"/></Get>
</HTTP></DCPType></{name}>"""


def _wms_capabilities(address):
    return _WMS.format(operations="".join(
        _WMS_OPERATION.format(name=name, format=form, url=f"{address}?")
        for name, form in (("GetCapabilities", "text/xml"), ("GetMap", "image/png")))).encode()


@pytest.mark.skipif("CARTOGUIDE_RECORD_TABLE" not in os.environ, reason="makes a table, in the file that is named")
def test_the_table_of_what_one_click_adds_of_each_record(dock, odd, wait_until, tmp_path):
    (tmp_path / "made").mkdir()
    furnish_files(odd, tmp_path / "made")
    for path in ("/mapwms/guide", "/mapwms/ows", "/arcgis/services/x/MapServer/WMSServer", "/cgi-bin/mapserv",
                 "/geoserver/ws/ows"):
        odd.files[path] = _wms_capabilities(f"{odd.url}{path}")
    odd.files["/file/a.geojson"] = odd.files["/points/rios.geojson"]
    rows = ["record\tclicks\tbutton\tadded\tcredit"]
    for path in sorted(_RECORDS.glob("R*")):
        dock.map.project.clear()
        text = path.read_text()
        for old, new in _REPLACED:
            text = text.replace(old, new)
        own = tmp_path / path.name
        own.write_text(text.replace("http://127.0.0.1/", f"{odd.url}/"))
        former = dock.view.record
        dock.session.open_paths([str(own)])
        wait_until(lambda former=former: dock.view.record is not None and dock.view.record is not former, 30)
        bar, heard = dock.view.add_bar, len(dock.messages.history)
        # a service that was loaded before is looked at again
        wait_until(lambda bar=bar: bar.button.isEnabled() or bar.reason.text(), 30)
        if not bar.button.isEnabled():
            rows.append(f"{path.name}\t0\t-\tnothing: {bar.reason.text()}\t")
            continue
        label = bar.button.text()
        bar.button.click()
        wait_until(lambda heard=heard: dock.map.own_items or dock.map.items or any(
            level == "error" for level, _ in dock.messages.history[heard:]), 40)
        layers = [layer for layer in dock.map.project.mapLayers().values() if layer.isValid()]
        wait_until(lambda: not dock.map.adding, 30)
        layers = [layer for layer in dock.map.project.mapLayers().values() if layer_credit(layer)] or layers
        added = ", ".join(f"{layer.name()} ({layer.dataProvider().name()})" for layer in layers)
        said = " ".join(text for level, text in dock.messages.history[heard:] if level == "error")
        rows.append("\t".join((path.name, "1", label, added or f"nothing: {said}",
                               " | ".join(dict.fromkeys(map(layer_credit, layers))))))
    Path(os.environ["CARTOGUIDE_RECORD_TABLE"]).write_text("\n".join(rows) + "\n")
    assert sum(row.split("\t")[3].startswith("nothing") for row in rows) == 2, "a page, and an empty context"
