"""Every reader of foreign text: none is missing from the table, each survives broken documents, and none takes long."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from foreign_readers import READERS
from hostile_shapes import shapes

from tests.pairwise import some

REPOSITORY = Path(__file__).resolve().parents[2]
#: broken documents of each reader in this run. ``make fuzz`` feeds 5,000 to each
INPUTS = 12
#: functions that take bytes or a response and read nothing foreign by themselves: they write, or call a reader above
NO_READERS = {
    "core/cli:write_bytes", "core/files:write_bytes_atomically", "core/library/blob_cache:save",
    "core/library/journal:compress", "core/library/journal:decompress", "core/library/journal:encode_entry",
    "core/library/journal:append", "core/records/xml/record_builder:build_record",
    "core/wms/requests/urls:build_request",
    # what the readers of records call with the elements of a document
    "core/records/formats/atom:read_entry", "core/records/formats/dublin_core:read_record",
    "core/records/formats/ogcapi_records:read_feature",
    "core/records/formats/ogcapi_records:read_value", "core/records/formats/ckan:read_records",
    "core/records/formats/ows_context:read_records", "core/records/formats/stac:read_records",
    "core/records/formats/dcat:read_graph", "core/records/formats/dcat:read_value",
    "core/records/input/format_detection:document_suffix",
    "core/records/formats/json_values:build_json_record", "core/records/iso/iso19115_3:read_record",
    "core/records/iso/iso19139:read_record", "core/library/bulk_import:read_document",
    # what QGIS has just written, which is described (tests/unit/publication feeds them broken files)
    "core/publication/pdf_description:describe_pdf", "core/publication/pdf_update:add",
    "core/publication/pdf_update:replace", "core/publication/pdf_update:inflate",
    "core/publication/pdf_content:read_to_unicode", "core/publication/image_metadata:png_with_metadata",
    "core/publication/image_metadata:jpeg_with_metadata", "core/publication/image_metadata:svg_with_metadata",
    "core/publication/image_metadata:gif_with_metadata", "core/publication/animated_gif:compress",
    "core/publication/animated_gif:sub_blocks",
    # keys and seals, which are compared
    "core/custommap/foreign_maps:recognised", "core/custommap/foreign_maps:sealed",
    "core/trust/provenance:is_valid_seal", "core/trust/provenance:make_seal",
    # protocols, and judgements of a response that is read elsewhere
    "core/catalogues/model:parse_page", "core/catalogues/model:parse_record", "core/catalogues/model:record_in",
    "core/network_profile:rebase",
    "core/health:evaluate_response", "core/wms/requests/get_capabilities:is_not_modified",
    "core/wms/requests/get_capabilities:rejects_update_sequence",
    # what sources of all kinds share: which reader above an answer goes to
    "core/sources/source_kind:addresses_of_operations", "core/sources/source_kind:first_info",
}
#: calls that parse a document, by the last name of what is called
PARSERS = {"loads", "fromstring", "iterparse", "setContent", "OpenEx", "Open", "FileFromMemBuffer", "fromData",
           "loadFromData", "loadFromTemplate", "importNamedStyle", "readLayerXml", "QImageReader", "b64decode",
           "ZipFile"}
#: functions outside ``core`` that call one of them, and the test that feeds them broken documents. "own" parses only
#: what this process or the plugin's package has made
PARSED_IN_QGIS = {
    "gis/layouts/template_loading:_parse_template": "templates",
    "gis/layouts/template_loading:loading_steps": "templates", "gis/own_layers/references:apply_style": "styles",
    "gis/legends/legend_nodes:_swatch_from_json": "swatches", "gis/library/thumbnails:decode_image": "images",
    "gis/runtime/images:decode_from_file": "images",
    "gis/operations/operation_client:raster_image": "rasters",
    "gis/operations/operation_client:_translate_to_png": "rasters",
    "gis/export/publication:_describe_tiff": "own", "gis/export/svg_format:_complete": "own",
    "gis/own_layers/distribution_layers:_layers_at": "downloads",
    "gis/own_layers/distribution_layers:_as_geopackage": "downloads",
    "gis/own_layers/distribution_layers:_unpacked": "downloads", "gis/layers/snapshot_rasters:_problem_of": "rasters",
    "gis/operations/response_layers:_check_image": "rasters",
    "gis/own_layers/opening:_check_raster": "rasters", "gis/own_layers/opening:_definitions_in": "rasters",
    "gis/runtime/images:image_from_bytes": "images", "gis/snapshots/raster_writer:_open_tile": "tiles",
    "gis/pages/leaflet_cover:known_ends": "own",
    "gis/layouts/locator_map:_load_outline": "own", "gis/layouts/locator_map:region_area": "own",
    "gis/layouts/locator_map:_legible_places": "own",
    "gis/snapshots/raster_writer:write_geopackage": "own",
    "gis/snapshots/raster_writer:write_cog": "own", "gis/export/raster_formats:write_geotiff": "own",
    "gis/export/page_proof:read_pdf_area": "own", "gis/export/page_proof:read_raster_area": "own",
    "gis/export/page_proof:raster_size": "own", "gis/export/page_proof:__init__": "own",
    "gis/export/page_proof:count": "own", "gis/export/page_proof:image": "own",
    "gis/export/sealed_layouts:_copy_layer": "own", "gis/export/sealed_layouts:_copy_settings": "own",
    "gis/layouts/layout_items:_group_with_id": "own",
    "gis/pixels/raster:__init__": "own", "gis/layouts/symbol_size:_enlarged": "own",
    "gis/pages/ground:_with_names": "own",
    "gis/pixels/features:_gml_geometries": "features", "gis/pixels/features:feature_layer": "own",
    "gis/sources/feature_services:_filter": "features", "gis/sources/files:data_content": "whole_files",
    "gis/pixels/files:file_layer": "own",
    "gis/layers/snapshot_switch:_layer_element": "own",
    "ui/widgets/guide:loadResource": "own", "integration/locator_filter:_result_data": "own",
}
#: shapes that once took longest
WORST = (("records", "long creator"), ("capabilities", "0: many Layer"),
         ("capabilities", "0: few attributes"), ("CSW pages", "direction marks"),
         ("CSW pages", "unknown entities"), ("CSW pages", "addresses"), ("feature info XML", "0: empty elements"),
         ("OGC API pages", "objects at /features"), ("custom maps", "number at /"), ("custom maps", "deep at /"),
         ("feature info pages", "repeated b'<!'"), ("feature info pages", "repeated b' ' and a letter"),
         ("exceptions", "repeated b'<h1'"), ("exceptions", "repeated b'<script>'"), ("terms", "repeated b'&'"),
         ("terms", "repeated b'.' and a letter"), ("records", "1: blanks in URL"),
         ("capabilities", "blanks in Title"), ("pasted text", "repeated b'<'"),
         ("dates", "repeated b'2016-06-03,'"), ("addresses with secrets", "repeated b'<table>'"),
         ("service checks", "members at /"))


def readers_in_the_sources():
    """Public functions of ``core`` that take bytes or a response."""
    for path in sorted((REPOSITORY / "plugin" / "core").rglob("*.py")):
        module = path.relative_to(REPOSITORY / "plugin").with_suffix("").as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        for node in [*tree.body, *(item for found in classes for item in found.body)]:
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            written = [ast.unparse(argument.annotation) for argument in (*node.args.args, *node.args.kwonlyargs)
                       if argument.annotation is not None]
            if any("bytes" in text or text == "Response" for text in written):
                yield f"{module}:{node.name}"


def test_no_reader_is_missing_from_the_table():
    covered = {function for reader in READERS for function in reader.functions}
    found = set(readers_in_the_sources())
    missing = sorted(found - covered - NO_READERS)
    assert missing == [], "add it to tests/fuzz/foreign_readers.py"
    assert found >= NO_READERS
    for function in covered:
        module, _, name = function.partition(":")
        assert f"def {name}(" in (REPOSITORY / "plugin" / f"{module}.py").read_text(encoding="utf-8"), function


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_broken_documents_are_read_or_refused_in_words(reader, load_tool):
    fuzz = load_tool("tools/fuzz")
    assert any(fuzz.outcome_of(reader, document)[0] == "read" for document in reader.documents()), "one to begin with"
    counts, troubles = fuzz.fuzz(reader, INPUTS, 1, [])
    assert list(troubles) == [] and sum(counts.values()) == INPUTS


@pytest.mark.parametrize(("name", "word"), some(WORST, 3))
def test_the_largest_document_takes_seconds_and_300_megabytes_at_most(name, word, load_tool):
    """How many seconds depends on the machine: ``make bounds`` holds each reader to two."""
    bounds = load_tool("tools/bounds")
    reader = next(reader for reader in READERS if reader.name == name)
    for document in reader.documents():
        reader.read(document)  # what is loaded once is no part of it
    shape = next(shape for shape in shapes(reader.kind, reader.varied_documents()) if word in shape[0])
    seconds, megabytes, outcome = bounds.measure(reader, shape, reader.largest)
    assert not outcome.startswith("TROUBLE") and seconds < 5 * bounds.SECONDS and megabytes < bounds.MEGABYTES


def parsers_outside_core():
    """Functions of the packages with QGIS that call one of PARSERS."""
    for package in ("gis", "app", "ui", "integration", "processing"):
        for path in sorted((REPOSITORY / "plugin" / package).rglob("*.py")):
            module = path.relative_to(REPOSITORY / "plugin").with_suffix("").as_posix()
            text = path.read_text(encoding="utf-8")
            if not any(name in text for name in PARSERS):
                continue
            for function in ast.walk(ast.parse(text)):
                if isinstance(function, ast.FunctionDef):
                    called = {getattr(node.func, "attr", getattr(node.func, "id", ""))
                              for node in ast.walk(function) if isinstance(node, ast.Call)}
                    if called & PARSERS:
                        yield f"{module}:{function.name}", called & PARSERS


def test_a_document_is_parsed_in_core_or_fed_broken_ones_in_qgis():
    found = dict(parsers_outside_core())
    assert sorted(found) == sorted(PARSED_IN_QGIS), "add it to tests/qgis/test_broken_documents.py"
    tested = (REPOSITORY / "tests" / "qgis" / "test_broken_documents.py").read_text(encoding="utf-8")
    for name in set(PARSED_IN_QGIS.values()) - {"own"}:
        assert f"def test_broken_{name}" in tested
