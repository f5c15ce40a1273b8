"""Every credit on paper passes one gate: who reads a layer's credit, who writes a page, and who calls the gate.

Checked on the sources: a call that is in no table is a failure, and so is an entry without its call.
"""

from __future__ import annotations

import ast
from typing import Callable, Dict, Iterator, List, Tuple

import pytest

from tests.unit.repository.sources import SOURCES, functions, nodes, tree

GATE = "credit_for_paper"
#: places that take credits from records, documents, layers and photos, each by the gate
PASSING = {
    "plugin/app/maps/operation_controller.py:OperationController._credit_text": "what is said of a saved answer",
    "plugin/core/custommap/credit_answers.py:example_answers": "an own layer's line",
    "plugin/core/custommap/layer_metadata.py:entry_credit": "document, record and service",
    "plugin/core/custommap/layer_metadata.py:layer_credit": "a layer's Attribution",
    "plugin/core/review/report/record_sheet.py:_terms_lead": "a record's sheet, from which the line is copied",
    "plugin/gis/credits/layer_credits.py:_saved_unfit": "what the plan did not print",
    "plugin/gis/credits/layer_credits.py:_own_credit": "every layer on a page, whoever made it",
    "plugin/gis/pages/leaflet_table_reading.py:_service_features": "a leaflet's table",
    "plugin/gis/pages/completeness_checks.py:page_credits": "what a saved page was built with",
    "plugin/gis/pages/layout_builder.py:_requirements": "an own layer's line",
    "plugin/gis/pages/leaflet_photos.py:_credit": "a leaflet's photo",
}
#: places that read a layer's credit as it is written, past the gate
RAW = {
    "plugin/gis/credits/credit_audit.py:AppliedCredits.save_state:compat.attribution": "to be restored",
    "plugin/gis/credits/credit_audit.py:enter_credit:written_credit": "compared with what is entered",
    "plugin/gis/credits/layer_credits.py:layers_without_credit:written_lines": "whether there is any",
    "plugin/gis/credits/layer_credits.py:owes_unknown_credit:written_lines": "whether there is any",
    "plugin/gis/pages/completeness_checks.py:_uncredited_layers:written_lines": "whether there is any",
    "plugin/gis/credits/layer_credits.py:_own_credit:written_lines": "the gate",
    "plugin/gis/credits/layer_credits.py:_lacks_credit:written_lines": "whether there is any",
    "plugin/gis/credits/layer_credits.py:credit_required:written_lines": "whether there is any",
    "plugin/gis/credits/layer_credits.py:written_credit:written_lines": "to be edited",
    "plugin/gis/credits/layer_credits.py:written_lines:compat.attribution": "the one reader",
    "plugin/gis/credits/layer_credits.py:written_lines:mark(CREDIT)": "the one reader",
    "plugin/gis/credits/layer_credits.py:written_lines:layer.metadata().rights": "the one reader",
    "plugin/gis/credits/layer_metadata.py:outdated_credit:compat.attribution": "to be left out",
    "plugin/gis/credits/layer_metadata.py:outdated_credit:layer.customProperty(CREDIT)": "to be left out",
    "plugin/gis/credits/layer_metadata.py:outdated_credit:layer.metadata().rights": "to be left out",
    "plugin/gis/credits/layer_metadata.py:_rights:layer.metadata().rights": "noted and compared with what was planned",
    "plugin/gis/layers/project_group.py:add_own_layers:written_credit": "whether there is any",
    "plugin/gis/layers/added_layers.py:entry_of_layers:written_credit": "the document has it as written",
    "plugin/gis/own_layers/distribution_layers.py:save_credit_beside:metadata.rights": "beside the file as written",
    "plugin/gis/own_layers/references.py:_layer_members:written_credit": "the document has it as written",
    "plugin/gis/own_layers/references.py:show_credit:written_credit": "compared with the document's",
    "plugin/ui/composer/layer_actions.py:OwnLayerDialog._show_layer:written_credit": "to be edited",
}
#: functions that write a page into a file, and that draw one for the screen or the proof
WRITERS = {
    "plugin/gis/export/layout_export.py:_write_geopdf:exportToPdf": "a FormatWriter",
    "plugin/gis/export/layout_export.py:_write_pdf:exportToPdf": "a FormatWriter",
    "plugin/gis/export/layout_export.py:_write_pdf_pages:exportToPdf": "export_layouts.write_files",
    "plugin/gis/export/raster_formats.py:write_image:exportToImage": "a FormatWriter",
    "plugin/gis/export/svg_format.py:write_svg:exportToSvg": "a FormatWriter",
    "plugin/gis/layouts/credit_legibility.py:render_area:renderRegionToImage": "what is read back of a label",
    "plugin/gis/previews/page_drawing.py:PageDrawing._draw:renderPageToImage": "the page on the screen",
}
#: the ways of Cartoguide to a file: each of them goes through the transaction that checks the page first
EXPORTS = {"plugin/gis/export/layout_export.py:export_layouts:run_export"}


def calls(wanted: Callable[[ast.Call], str]) -> List[str]:
    return sorted({f"{source}:{place}" for source in SOURCES for place in _calls(source, wanted)})


def _calls(source: str, wanted: Callable[[ast.Call], str]) -> Iterator[str]:
    owner: Dict[int, str] = {}
    for function in functions(source):
        for node in ast.walk(function.node):
            owner[id(node)] = function.name
    for node in nodes(source):
        name = wanted(node) if isinstance(node, ast.Call) else ""
        if name:
            yield f"{owner.get(id(node), '<module>')}{'' if name == GATE else ':' + name}"


def raw_credit(node: ast.Call) -> str:
    """What a call reads a layer's credit with, past the gate, or nothing."""
    name = ast.unparse(node.func)
    last = name.split(".")[-1]
    if last in ("rights", "attribution", "written_lines", "written_credit") and "_metadata_owner" not in name:
        return name
    if last in ("customProperty", "mark") and node.args and ast.unparse(node.args[-1]) == "CREDIT":
        return f"{name}(CREDIT)"
    return ""


MARKS = ast.unparse(next(
    node.value for node in tree("plugin/gis/sources/layer_source.py").body if isinstance(node, ast.Assign) and
    ast.unparse(node.targets[0]) == "MARKS")).strip("()").split(", ")


def unproved_mark(node: ast.Call) -> str:
    """Name what a call reads of the plugin's marks on a layer, whatever source they were written for, or nothing."""
    name = ast.unparse(node.args[0]).split(".")[-1] if node.args else ""
    return name if ast.unparse(node.func).split(".")[-1] == "customProperty" and name in MARKS else ""


def writer(node: ast.Call) -> str:
    last = ast.unparse(node.func).split(".")[-1]
    return last if last in ("exportToPdf", "exportToImage", "exportToSvg", "exportToPdfs", "renderPage",
                            "renderPageToImage", "renderRegion", "renderRegionToImage", "print") and (
                                last != "print" or "Exporter" in ast.unparse(node.func)) else ""


def _named(name: str) -> Callable[[ast.Call], str]:
    return lambda node: name if ast.unparse(node.func).split(".")[-1] == name else ""


@pytest.mark.parametrize(("found", "table"), [
    (calls(_named(GATE)), PASSING), (calls(raw_credit), RAW), (calls(writer), WRITERS),
    (calls(_named("run_export")), dict.fromkeys(EXPORTS, "x"))], ids=["gate", "raw", "writers", "exports"])
def test_every_way_of_a_credit_to_paper_is_known(found: List[str], table: Dict[str, str]) -> None:
    assert sorted(set(found) - set(table)) == [], "pass it through plugin/core/terms/paper_gate.py, and name it here"
    assert sorted(set(table) - set(found)) == [], "these calls are gone"


def test_marks_of_a_layer_are_read_for_its_source_alone() -> None:
    """QGIS copies them with a style, so that only what compares them with the source reads them as they are."""
    places = {call.rpartition(":")[0] for call in calls(unproved_mark)}
    assert places == {"plugin/gis/credits/layer_metadata.py:outdated_credit",
                      *(f"plugin/gis/sources/layer_source.py:{name}" for name in ("has_own_marks",
                                                                                  "marked_identifiers"))}


def test_every_format_is_written_by_a_known_writer_and_checked_before() -> None:
    from ast import Dict as DictNode

    module = tree("plugin/gis/export/layout_export.py")
    table = next(node.value for node in ast.walk(module) if isinstance(node, ast.AnnAssign) and
                 ast.unparse(node.target) == "EXPORT_FORMATS" and isinstance(node.value, DictNode))
    written = {ast.unparse(value.args[2]).split(".")[-1] for value in table.values if isinstance(value, ast.Call)}
    known = {entry.split(":")[1] for entry in WRITERS}
    assert written <= known | {"write_geotiff"} and written
    assert _called_in("plugin/gis/export/export_transaction.py", "run_export", "_check_layouts")
    assert _called_in("plugin/gis/export/export_transaction.py", "_check_layouts", "check_complete")
    assert _called_in("plugin/gis/pages/completeness_checks.py", "check_complete", "missing_credits")
    assert _called_in("plugin/gis/pages/completeness_checks.py", "missing_credits", "unfit_credits")


def _called_in(source: str, function: str, called: str) -> bool:
    bodies: List[Tuple[str, ast.AST]] = [(one.name, one.node) for one in functions(source)]
    return any(name == function and any(isinstance(node, ast.Call) and ast.unparse(node.func) == called
                                        for node in ast.walk(body)) for name, body in bodies)
