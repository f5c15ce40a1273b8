"""Every algorithm: its example runs, its help is complete, its ids are stable."""

from __future__ import annotations

import json
import math
import re
import zipfile
from base64 import b64encode
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from osgeo import gdal
from qgis.core import QgsProcessingContext, QgsProject, QgsVectorLayer
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.document import read_document
from plugin.core.custommap.planner import make_plan
from plugin.core.library.blob_cache import BlobKind
from plugin.core.library.record_store import RecordStore
from plugin.core.page_design.page_themes import find_theme
from plugin.core.records.model.record import Extent, Record
from plugin.core.resources import RESOURCES
from plugin.gis.library.record_library import store_path
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.profiles import record_loading
from plugin.gis.runtime import settings
from plugin.gis.snapshots import snapshot_job
from plugin.processing import outputs
from tests.pairwise import ALL
from tests.qgis.algorithm_runs import (
    Heard,
    algorithm,
    lay_out,
    parsed,
    registered_provider,
    run,
    use_network,
    write_small,
)
from tests.qgis.print_maps import pdf_text
from tests.written_files import missing_credits, page_text, required_credits

IDS = ["auditcredits", "buildcustommap", "checkrecords", "checkservices", "exportcustommap", "harvestsource",
       "readrecords", "resolveterms", "searchrecords", "takesnapshot"]


#: the parameters and outputs of each algorithm, which scripts and models name
FACES = {
    "auditcredits": ("PROJECT CREDITS HTML CSV",
        "CREDITS HTML CSV LAYERS CREDITED FOUND DIFFERS NOT_ASKED MISSING UNKNOWN CONFIRMED"),
    "buildcustommap": ("FILES FOLDER RECORDS TITLE FIRST_IS_BASE OWN_LAYERS EXTENT SCALE PAPER ORIENTATION "
                      "TEMPLATE ROTATION LANGUAGE THEME CRS DOCUMENT MAX_FEATURES MAX_DOWNLOAD PROJECT",
        "DOCUMENT PROJECT SERVICES MISSING CREDITS REMARKS"),
    "checkrecords": ("FILES FOLDER RECORDS FINDINGS CSV",
        "FINDINGS CSV COUNT ERRORS WARNINGS NOTES"),
    "checkservices": ("FILES FOLDER RECORDS KEEP SERVICES HTML CSV",
        "SERVICES HTML CSV COUNT GOOD DOUBTFUL FAILED"),
    "exportcustommap": ("INPUT FOREIGN_LAYERS CREDIT_LINES FORMAT DPI EXTENT SCALE PAPER ORIENTATION TEMPLATE ROTATION "
                       "LANGUAGE THEME FILES FOLDER RECORDS FRAME_SECONDS STAMP OUTPUT",
        "OUTPUT CREDITS REQUESTS MAP_SCALE REMARKS UNCHECKED_LAYERS"),
    "harvestsource": ("CATALOGUE WORDS TYPE KEYWORDS EXTENT ORGANISATIONS YEARS LOGIN ANEW FAILURES",
        "FAILURES NEW CHANGED SAME FAILED VANISHED COMPLETE SUMMARY"),
    "readrecords": ("FILES FOLDER RECORDS TABLE FOOTPRINTS JSON SHEET",
        "TABLE FOOTPRINTS JSON SHEET COUNT FAILED"),
    "resolveterms": ("FILES FOLDER RECORDS ASK_SERVICE TERMS",
        "TERMS CREDIT LICENCE CREDIT_REQUIRED SENTENCE COUNT UNDECIDED"),
    "searchrecords": ("WORDS TYPE KEYWORDS EXTENT CATALOGUE LIMIT TABLE FOOTPRINTS",
        "TABLE FOOTPRINTS COUNT TOTAL"),
    "takesnapshot": ("INPUT FOREIGN_LAYERS EXTENT SCALES DPI FORMAT FILES FOLDER RECORDS PERMITTED OUTPUT PACKAGE",
        "OUTPUT PACKAGE LAYERS MEGABYTES REMARKS"),
}


@pytest.fixture(scope="module")
def provider(qgis_app):
    with registered_provider() as one:
        yield one


@pytest.fixture(scope="module")
def workplace(provider, network_for_session, tmp_path_factory):
    """The folder in which the examples run."""
    folder = tmp_path_factory.mktemp("workplace")
    lay_out(folder, network_for_session)
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    run("buildcustommap", {"FILES": ["records/park-guide.xml", "records/public-use-facilities.xml"],
                           "TITLE": "Despeñaperros", "EXTENT": "-3.6,-3.42,38.33,38.43 [EPSG:4326]", "LANGUAGE": "es",
                           "DOCUMENT": "park.custommap.json", "PROJECT": "project.qgz"})
    write_small(folder / "park.custommap.json", folder / "small.custommap.json")
    yield folder
    patch.undo()


@pytest.fixture
def place(workplace, network, monkeypatch):
    """The same, with the network as the person's own and no service asked yet."""
    use_network(network, monkeypatch)
    return workplace


def table(path):
    layer = QgsVectorLayer(str(path), "table", "ogr")
    assert layer.isValid(), path
    return [dict(zip((field.name() for field in layer.fields()), feature.attributes()))
            for feature in layer.getFeatures()]


def test_the_ids_that_scripts_use_are_these(provider):
    assert sorted(one.name() for one in provider.algorithms()) == IDS


@pytest.mark.parametrize("name", IDS)
def test_the_parameters_and_outputs_that_scripts_use_are_these(provider, name):
    one = algorithm(name)
    assert [" ".join(item.name() for item in items)
            for items in (one.parameterDefinitions(), one.outputDefinitions())] == list(FACES[name])


@pytest.mark.parametrize("name", IDS)
def test_every_parameter_and_output_is_explained(provider, name):
    one = algorithm(name)
    provider.in_window = True
    try:
        words = one.shortHelpString()
    finally:
        provider.in_window = False
    assert words.startswith(f"<p>{one.shortDescription()[:20]}")
    for definition in one.parameterDefinitions():
        assert definition.description()
        assert definition.isDestination() or len(definition.help()) > 10, definition.name()
    told = unescape(re.sub(r"<[^>]*>", " ", words))
    for output in [*one.outputDefinitions(), *one.parameterDefinitions()]:
        assert output.name() in told, output.name()
    assert one.EXAMPLE in told
    assert one.helpUrl().startswith("file:///") and one.helpUrl().endswith(f"#cartoguide{name}")
    assert one.tags() and not one.icon().isNull() and one.group()


def example(name):
    return run(*parsed(algorithm(name).EXAMPLE))


def test_the_example_of_reading(place):
    done = example("readrecords")
    assert (done["COUNT"], done["FAILED"]) == (3, 0)
    rows = table(place / "records.csv")
    assert {row["kind"] for row in rows} == {"service"}
    assert all(row["credit_required"] == "yes" and row["credit"] and row["address"] for row in rows)
    footprints = QgsVectorLayer(str(place / "footprints.gpkg"), "footprints", "ogr")
    assert footprints.featureCount() == 3 and footprints.crs().authid() == "EPSG:4326"
    park = next(one for one in footprints.getFeatures() if "Despeñaperros" in one["title"])
    assert park.geometry().boundingBox().contains(park.geometry().centroid().asPoint())
    assert abs(park["west"] - park.geometry().boundingBox().xMinimum()) < 1e-9


def test_the_page_of_records_has_the_images_that_the_library_has_saved(place, tmp_path):
    data = (RESOURCES / "records" / "park-guide.png").read_bytes()
    address = "https://elsewhere.example/preview.png"
    (tmp_path / "record.json").write_text(json.dumps({
        "type": "Feature", "id": "a", "geometry": None, "conformsTo": [
            "http://www.opengis.net/spec/ogcapi-records-1/1.0/req/record-core"],
        "properties": {"type": "dataset", "title": "Preview"}, "links": [
            {"href": address, "rel": "preview", "type": "image/png"}]}))

    def page():
        run("readrecords", {"FILES": [str(tmp_path / "record.json")], "SHEET": str(tmp_path / "sheet.html")})
        return (tmp_path / "sheet.html").read_text(encoding="utf-8")

    assert "data:image/png;base64," not in page() and f'href="{address}"' in page()
    store = RecordStore(store_path())
    store.blob_cache.save(BlobKind.THUMBNAIL, address, data, {}, "2026-01-01T00:00:00+00:00")
    store.close()
    assert f'src="data:image/png;base64,{b64encode(data).decode()}"' in page()


def test_the_example_of_searching(place):
    assert example("searchrecords")["COUNT"] == 1
    assert "Despeñaperros" in table(place / "found.csv")[0]["title"]


def test_a_catalogue_is_searched_by_its_name_and_by_its_address(place, network):
    assert run("searchrecords", {"CATALOGUE": "network", "WORDS": "precipitación", "TABLE": "rain.csv"})["COUNT"] == 1
    assert "Junio de 2016" in table(place / "rain.csv")[0]["title"]
    address = record_loading.current_profile().catalogue.url
    assert run("searchrecords", {"CATALOGUE": address, "TYPE": "service"})["COUNT"] == 3


def test_an_area_narrows_what_is_kept(place):
    assert run("searchrecords", {"EXTENT": "-3.6,-3.4,38.3,38.5 [EPSG:4326]"})["COUNT"] == 3
    assert run("searchrecords", {"EXTENT": "-7,-6.9,36.5,36.6 [EPSG:4326]", "LIMIT": 1})["COUNT"] == 1
    assert run("searchrecords", {"EXTENT": "10,11,50,51 [EPSG:4326]"})["COUNT"] == 0


def test_a_footprint_is_parted_at_the_date_line():
    record = Record("iso19139", extents=(Extent(170.0, -170.0, -10.0, 10.0), Extent(0.0, 0.0, 5.0, 5.0)))
    parts = outputs.footprint(record).asGeometryCollection()
    assert sorted(part.boundingBox().xMinimum() for part in parts) == [-180.0, 170.0]
    assert outputs.footprint(Record("iso19139")) is None


def test_the_terms_of_a_service_by_its_address(place, network):
    settings.set("profile", "")
    done = run("resolveterms", {"RECORDS": network.endpoints["guide"]})
    assert done["CREDIT_REQUIRED"] == "yes" and network.count("GetCapabilities") >= 1, "its own words"
    settings.set("profile", str(network.profile_path))
    network.reset()
    done = run("resolveterms", {"RECORDS": network.endpoints["guide"]})
    assert done["CREDIT_REQUIRED"] == "yes" and network.count("GetCapabilities") == 0, "a record of it is kept"
    assert "catalogue" in failed("resolveterms", {"RECORDS": record_loading.current_profile().catalogue.url})


def test_the_example_of_harvesting(place):
    done = example("harvestsource")
    assert done["NEW"] + done["CHANGED"] == 3 and done["FAILED"] == 0 and done["COMPLETE"]
    assert "3 " in done["SUMMARY"] and (place / "failures.csv").is_file()
    assert run("searchrecords", {"KEYWORDS": "lluvia"})["COUNT"] == 1


def test_a_harvest_can_be_kept_to_organisations_and_years(place):
    done = run("harvestsource", {"CATALOGUE": "network", "YEARS": "2014, 1999", "ANEW": True})
    assert (done["NEW"] + done["CHANGED"] + done["SAME"], done["FAILED"]) == (2, 0) and done["COMPLETE"]
    done = run("harvestsource", {"CATALOGUE": "network", "ORGANISATIONS": "Nadie; Ninguna", "ANEW": True})
    assert done["NEW"] + done["CHANGED"] + done["SAME"] == 0 and done["COMPLETE"]


def test_the_example_of_checking_records(place):
    done = example("checkrecords")
    assert done["COUNT"] == 3 and done["NOTES"] > 0 and "Severity" in (place / "issues.csv").read_text("utf-8-sig")
    # a record that is named by itself and by its folder is one
    records = sorted(map(str, (place / "records").glob("*.xml")))
    assert len(records) == 3
    assert run("checkrecords", {"FILES": records, "FOLDER": str(place / "records")})["COUNT"] == 3


def test_the_example_of_checking_services(place, network):
    done = example("checkservices")
    assert (done["COUNT"], done["GOOD"], done["FAILED"]) == (3, 3, 0)
    assert "Despeñaperros" in (place / "health.html").read_text("utf-8")
    assert network.count("GetCapabilities") == 3


def test_the_example_of_resolving_terms(place):
    done = example("resolveterms")
    assert done["CREDIT_REQUIRED"] == "yes" and "Consejería" in done["CREDIT"] and "free of charge" in done["SENTENCE"]
    assert table(place / "terms.csv")[0]["credit"] == done["CREDIT"]


def test_the_example_of_auditing(place):
    done = example("auditcredits")
    # the outlines of the location map, which the plugin adds, are not listed
    assert done["LAYERS"] == done["CREDITED"] > 10 and done["UNKNOWN"] == done["MISSING"] == 0
    assert "Consejería" in (place / "credits.html").read_text("utf-8")
    assert len(table(place / "credits.csv")) == done["LAYERS"]


@pytest.mark.slow
def test_the_example_of_building(place):
    done = example("buildcustommap")
    assert (done["SERVICES"], done["MISSING"]) == (2, 0) and done["CREDITS"].count("\n") == 1
    document = json.loads((place / "new.custommap.json").read_text("utf-8"))
    assert document["base"]["title"].startswith("Mapa guía") and len(document["overlays"]) == 1
    project = QgsProject()
    assert project.read(str(place / "new.qgz"))
    assert len(project.layoutManager().layouts()) == 1 and len(project.mapLayers()) > 10
    assert not QgsProject.instance().mapLayers()


@pytest.mark.slow
def test_the_example_of_exporting(place):
    done = example("exportcustommap")
    assert done["MAP_SCALE"] == 75_000 and done["REQUESTS"] > 0
    text = pdf_text(place / "park.pdf")
    assert all(" ".join(line.split()) in text for line in done["CREDITS"].split("\n"))
    owed = required_credits(place / "park.pdf")
    assert len(owed) == 2 and missing_credits(owed, page_text(place / "park.pdf")) == []
    assert not QgsProject.instance().mapLayers(), "the person's own project stays as it was"


@pytest.mark.slow
def test_the_example_of_a_snapshot(place):
    done = example("takesnapshot")
    made = snapshot_job.open_snapshot(place / "park-offline")
    assert done["LAYERS"] == len(made.manifest.layers) > 5 and done["MEGABYTES"] > 0
    assert made.manifest.scales == (25_000.0,)
    assert "Consejería" in (place / "park-offline" / "CREDITS.txt").read_text("utf-8")
    assert "snapshot.json" in {Path(name).name for name in zipfile.ZipFile(place / "park.zip").namelist()}


@pytest.mark.slow
def test_a_snapshot_without_more_words_is_that_of_the_page(place):
    """Another area would not fill the page, and at another scale labels have another size."""
    path = place / "small.custommap.json"
    document = json.loads(path.read_text("utf-8"))
    assert document["extent"] is not None
    document["scale"] = None
    (place / "fitted.custommap.json").write_text(json.dumps(document), encoding="utf-8")
    printed = run("exportcustommap", {"INPUT": "fitted.custommap.json", "DPI": 72, "OUTPUT": "fitted.png"})
    run("takesnapshot", {"INPUT": "fitted.custommap.json", "DPI": 72, "OUTPUT": "fitted", "FORMAT": "gpkg"})
    made = snapshot_job.open_snapshot(place / "fitted").manifest
    assert made.scales == pytest.approx((printed["MAP_SCALE"],), rel=0.002) and made.scales[0] > 30_000
    plan = replace(make_plan(read_document(path.read_bytes()), {}, {}), scale=None)
    page = PageMeasurement(QgsProject()).map_extent(plan)
    assert made.area == pytest.approx(page, rel=1e-4)


@pytest.mark.slow
def test_the_ending_chooses_the_format_and_the_page_can_be_another(place):
    done = run("exportcustommap", {"INPUT": "small.custommap.json", "DPI": 72, "OUTPUT": "map.jpg", "SCALE": 50_000,
                                   "ORIENTATION": "portrait", "LANGUAGE": "en"})
    image = QImage(str(place / "map.jpg"))
    assert image.height() > image.width() == 595 and done["MAP_SCALE"] == 50_000


def turn_of(path):
    """The angle in degrees, clockwise, by which the map of a GeoTIFF was rotated."""
    transform = gdal.Open(str(path)).GetGeoTransform()
    return math.degrees(math.atan2(transform[4], transform[1])) % 360


@pytest.mark.slow
def test_rotation_and_theme_of_a_page_are_parameters(place):
    run("buildcustommap", {"FILES": ["records/public-use-facilities.xml"], "ROTATION": -330, "THEME": "grey",
                           "DOCUMENT": "rotated.custommap.json", "CRS": "EPSG:25830"})
    built = read_document((place / "rotated.custommap.json").read_bytes()).page
    assert (built.rotation, built.theme) == (30, "grey")
    document = json.loads((place / "small.custommap.json").read_text("utf-8"))
    document["page"].update(rotation=30, theme="grey")
    (place / "turned.custommap.json").write_text(json.dumps(document), encoding="utf-8")
    turned = {"same": ({"THEME": "same"}, 30, "grey"), "other": ({"ROTATION": 75.5, "THEME": "park"}, 75.5, "park"),
              **({"none": ({"ROTATION": 0}, 0, "grey")} if ALL else {})}
    for name, (values, turn, theme) in turned.items():
        run("exportcustommap", {"INPUT": "turned.custommap.json", "DPI": 72, "OUTPUT": f"{name}.tif", **values})
        assert turn_of(place / f"{name}.tif") == pytest.approx(turn, abs=0.1)
        corner = gdal.Open(str(place / f"{name}.tif")).ReadAsArray(4, 4, 1, 1)
        assert "#" + bytes(corner[:3, 0, 0]).hex() == find_theme(theme).band


def failed(name, parameters):
    """What an algorithm says when it fails."""
    heard = Heard()
    _, done = algorithm(name).run(parameters, QgsProcessingContext(), heard)
    assert not done
    return " ".join(heard.errors)


def test_an_export_without_a_service_fails_in_words_and_leaves_no_file(place, network):
    network.fault({"match": {"endpoint": "facilities"}, "action": {"type": "status", "code": 500}})
    said = failed("exportcustommap", {"INPUT": "small.custommap.json", "DPI": 72, "OUTPUT": "lacking.pdf"})
    assert "not complete" in said and "Equipamientos" in said
    assert not list(place.glob("*lacking*"))


@pytest.mark.parametrize("request_name", ["GetCapabilities", "GetMap", "GetLegendGraphic"])
def test_a_failed_export_prints_each_reason_once(place, network, request_name):
    network.fault({"match": {"endpoint": "facilities", "request": request_name},
                   "action": {"type": "status", "code": 500}})
    heard = Heard()
    _, done = algorithm("exportcustommap").run({"INPUT": "small.custommap.json", "DPI": 72, "OUTPUT": "lacking.pdf"},
                                               QgsProcessingContext(), heard)
    printed = "\n".join([*heard.said, *heard.errors])
    assert not done and "Equipamientos" in printed
    assert printed.count("status 500") == 1, printed


def test_a_stamped_export_prints_each_reason_once(place, network):
    network.fault({"match": {"endpoint": "facilities", "request": "GetLegendGraphic"},
                   "action": {"type": "status", "code": 500}})
    heard = Heard()
    done = run("exportcustommap", {"INPUT": "small.custommap.json", "DPI": 72, "OUTPUT": "stamped.pdf", "STAMP": True},
               heard)
    assert "\n".join([*heard.said, *heard.errors]).count("status 500") == 1
    assert done["REMARKS"].count("status 500") == 1


@pytest.mark.parametrize(("name", "parameters", "words"), [
    ("readrecords", {}, "Give files"),
    ("exportcustommap", {"INPUT": "no.json", "OUTPUT": "a.pdf"}, "does not exist"),
    ("exportcustommap", {"INPUT": "park.custommap.json", "OUTPUT": "a.doc"}, "must be one of"),
    ("exportcustommap", {"INPUT": "park.custommap.json", "FORMAT": "png", "OUTPUT": "a.pdf"}, "must be one of"),
    ("exportcustommap", {"INPUT": "park.custommap.json", "DPI": 5000, "OUTPUT": "a.pdf"}, "DPI"),
    ("buildcustommap", {"RECORDS": "x", "TEMPLATE": "no.qpt", "DOCUMENT": "a.json"}, "does not exist"),
    ("auditcredits", {"PROJECT": "no.qgz"}, "does not exist"),
    ("harvestsource", {"CATALOGUE": " "}, "Choose a catalogue"),
])
def test_parameters_are_checked_before_anything_is_done(workplace, name, parameters, words):
    fine, said = algorithm(name).checkParameterValues(parameters, QgsProcessingContext())
    assert not fine and words in said


@pytest.mark.parametrize(("name", "parameters", "words"), [
    ("readrecords", {"FILES": ["park.custommap.json"]}, "record"),
    ("searchrecords", {"CATALOGUE": "Nowhere"}, "was not found"),
    ("resolveterms", {"RECORDS": "no-such-identifier"}, "no-such-identifier"),
    ("exportcustommap", {"INPUT": "records/park-guide.xml", "OUTPUT": "a.pdf"}, "JSON"),
    ("auditcredits", {"PROJECT": "records.csv"}, "not a readable QGIS project"),
])
def test_what_cannot_be_done_is_told_in_words(place, name, parameters, words):
    (place / "records.csv").write_text("a,b\n")
    assert words in failed(name, parameters)
