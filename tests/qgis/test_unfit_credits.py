"""No page, file, label or expression prints a credit that has to be completed first: the person is asked for it."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from random import Random

import pytest
from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import StoredCredit
from plugin.core.errors import CartoguideError
from plugin.core.terms.model import Decision
from plugin.gis.checks.validity_check import LayoutCreditCheck
from plugin.gis.credits import expression_functions
from plugin.gis.credits.layer_credits import unfit_credits, written_lines
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export.layout_export import ExportFormat, ExportOptions, export_layouts, geopdf_available
from plugin.gis.export.map_pipeline import compose_map
from plugin.gis.layouts.dynamic_labels import FALLBACK_VARIABLE_PREFIX
from plugin.gis.pages.completeness_checks import IncompleteMap, layout_problems
from plugin.gis.pages.map_book import name_source
from plugin.gis.runtime import compat, settings
from plugin.gis.services.service_cache import ServiceCache
from tests.credit_texts import DELIVERED, sound_line, sound_lines, unfit_line
from tests.pairwise import ALL, some
from tests.qgis import print_maps
from tests.qgis.algorithm_runs import registered_provider, run, use_network
from tests.qgis.print_maps import pdf_text

LINE = "© Survey of Aranda [Title]"
SUFFIXES = {ExportFormat.PDF: "pdf", ExportFormat.GEOPDF: "pdf", ExportFormat.PNG: "png", ExportFormat.JPEG: "jpg",
            ExportFormat.SVG: "svg", ExportFormat.GEOTIFF: "tif", ExportFormat.GIF: "gif"}


@pytest.fixture
def provider(network, monkeypatch):
    use_network(network, monkeypatch)
    with registered_provider():
        yield


@pytest.fixture
def made(network, project):
    expression_functions.register()
    yield print_maps.composed(network, project)
    expression_functions.unregister()


def with_blank(layer, line=LINE):
    """Give a layer a credit with a blank, as somebody may have written it."""
    set_credit(layer, line, Decision.YES)
    return layer


def test_every_format_refuses_a_credit_with_a_blank_and_leaves_no_file(made, tmp_path):
    with_blank(made.layers[0])
    for export_format in ExportFormat:
        if export_format is ExportFormat.GEOPDF and not geopdf_available():
            continue
        target = tmp_path / f"map.{SUFFIXES[export_format]}"
        with pytest.raises(IncompleteMap) as refused:
            export_layouts(made.layout, target, export_format, ExportOptions(96))
        assert "[Title]" in str(refused.value.user_text) and list(tmp_path.iterdir()) == [], export_format
    with pytest.raises(IncompleteMap):
        export_layouts([made.layout, made.layout], tmp_path / "atlas.pdf", ExportFormat.PDF, ExportOptions(96))
    assert list(tmp_path.iterdir()) == [], "several layouts in one file are refused like one"


def test_a_stamped_map_has_the_notice_and_not_the_blank(made, tmp_path):
    with_blank(made.layers[0])
    done = export_layouts(made.layout, tmp_path / "map.pdf", ExportFormat.PDF,
                          ExportOptions(96, stamp_incomplete=True))
    text = " ".join(pdf_text(tmp_path / "map.pdf").split())
    assert any("[Title]" in problem for problem in done.problems)
    assert "credit is not complete" in text
    assert text.count(LINE) == text.count(f"Its credit “{LINE}” has a blank"), "only the stamp says what is missing"


@pytest.mark.parametrize("seed", some(range(2), 2))
def test_random_credits_reach_the_written_page_unchanged_or_stop_it(network, project, tmp_path, seed):
    random = Random(seed)
    lines, cleaned = sound_lines(random, 2), random.choice(DELIVERED)
    document = print_maps.small_map(network, guide=("limite_parque",), facilities=("miradores",))
    stored = [StoredCredit(f"{lines[0]}, {cleaned}", Decision.YES), StoredCredit(lines[1], Decision.YES)]
    base, overlay = (replace(entry, record_id="gone", credit=credit) for entry, credit in zip(document.entries, stored))
    made = compose_map(project, replace(document, base=base, overlays=(overlay,)), {}, ServiceCache(), 60)
    targets = {ExportFormat.PDF: tmp_path / "map.pdf", ExportFormat.PNG: tmp_path / "map.png"}
    for _ in range(6 if ALL else 2):
        spoilt = random.choice(made.layers)
        before, asked = written_lines(spoilt), random.choice((unfit_line(random), ""))
        with_rights(spoilt, [*before, asked] if asked else [])
        for export_format, target in targets.items():
            with pytest.raises(IncompleteMap):
                export_layouts(made.layout, target, export_format, ExportOptions(96))
        assert list(tmp_path.iterdir()) == [], asked
        with_rights(spoilt, before)
    for export_format, target in targets.items():
        export_layouts(made.layout, target, export_format, ExportOptions(96))
    text, told = " ".join(pdf_text(targets[ExportFormat.PDF]).split()), told_by(targets[ExportFormat.PNG])
    for line in lines:
        assert line in text and line in told
    assert f", {cleaned}" not in text + told


@pytest.mark.parametrize("seed", some(range(2), 2))
def test_headless_random_credits_are_printed_unchanged_or_asked_for(provider, network, tmp_path, seed):
    random = Random(100 + seed)
    target = tmp_path / ("map.pdf", "map.png")[seed]
    for _ in range(2 if ALL else 1):
        path = document_with(network, tmp_path, line=unfit_line(random, is_year_known=True), required=Decision.YES)
        with pytest.raises(Exception, match="CREDIT_LINES"):
            run("exportcustommap", {"INPUT": str(path), "DPI": 96, "OUTPUT": str(target)})
        with pytest.raises(Exception, match="CREDIT_LINES"):
            run("exportcustommap", {"INPUT": str(path), "DPI": 96, "OUTPUT": str(target),
                                    "CREDIT_LINES": f"1={unfit_line(random, is_year_known=True)}"})
        assert not target.exists()
    line = sound_line(random)
    path = document_with(network, tmp_path, line=line, required=Decision.YES)
    run("exportcustommap", {"INPUT": str(path), "DPI": 96, "OUTPUT": str(target)})
    assert line in (" ".join(pdf_text(target).split()) if target.suffix == ".pdf" else told_by(target))


def test_the_windows_export_prints_a_random_sound_credit_and_refuses_an_unfit_one(network_dock, network, wait_until,
                                                                                  tmp_path, qtbot):
    random = Random(7)
    settings.set("export_dpi", 96)
    dock = network_dock()
    window = dock.composer_controller
    (tmp_path / "out").mkdir()
    for line, is_sound in ((unfit_line(random, is_year_known=True), False), (sound_line(random), True)):
        path = document_with(network, tmp_path, line=line, required=Decision.YES)
        window.map.show_document(read_document(path.read_bytes(), "m"))
        wait_until(lambda: window.map.items and not any(item.loading for item in window.map.items), 60)
        for suffix in ("pdf", "png") if ALL else ("pdf",):
            target = tmp_path / "out" / f"map.{suffix}"
            if is_sound:
                with qtbot.waitSignal(window.exporter.finished, timeout=120_000):
                    window.exporter.export(suffix, target)
                told = " ".join(pdf_text(target).split()) if suffix == "pdf" else told_by(target)
                assert line in told
                for written in (tmp_path / "out").iterdir():
                    written.unlink()
            else:
                said = len(dock.messages.history)
                window.exporter.export(suffix, target)
                wait_until(lambda said=said: len(dock.messages.history) > said, 120)
                assert list((tmp_path / "out").iterdir()) == [], line


def with_rights(layer, lines):
    """Give a layer these credit lines, or none, with the duty to credit."""
    set_credit(layer, "", Decision.YES)
    metadata = layer.metadata()
    metadata.setRights(lines)
    layer.setMetadata(metadata)


def told_by(path):
    """The metadata of a picture about its rights and sources."""
    return subprocess.run(["exiftool", "-a", "-G", "-XMP:all", str(path)], capture_output=True, text=True,
                          check=True).stdout


def test_the_expressions_of_any_layout_print_no_such_line(made):
    for line in (LINE, "GeoServer Web Map Service", "© <\u200bName>"):
        layer = with_blank(made.layers[0], line)
        context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
        value = QgsExpression(f"cartoguide_credits(array('{layer.id()}'))").evaluate(context)
        assert line not in value and "credit is not complete" in value
        assert QgsExpression(f"cartoguide_terms(array('{layer.id()}'))").evaluate(context).count(line) == 0
        assert any("A credit is not complete" in title for title, _ in layout_problems(made.layout))
    assert LayoutCreditCheck().id()


#: credits as QGIS Server and a QGIS without the plugin meet them, and whether they print them
PLAIN_CREDITS = [
    (LINE, False), ("", False), ("none", False), ("© unknown", False), ("Source: MapServer", False), ("TODO", False),
    ("© 2024", False), ("© IGN （year）", False), ("© IGN [año]", False), ("© IGN 20XX", False), ("© <>", False),
    ("© &lt;year&gt;", False), ("GeoServer Web Map Service", False), ("© IGN ____", False),
    ("© IGN [latausvuosi]", False),
    ("国土地理院 [年]", False), ("© IGN ${owner}", False),
    ("IGN [2016]", True), ("[Autonomía] de Madrid", True), ("© Unknown Pleasures GmbH", True),
    ("© GeoBasis-DE / BKG (2024)", True),
    ("Instituto Geográfico Nacional (España)", True), ("MapServer Foundation", True),
    ("L'Année [de la mer]", True)]


def test_a_layer_added_to_a_saved_page_without_the_plugin_prints_no_unfit_credit(made, project):
    """QGIS Server and a QGIS without the plugin evaluate what is saved in the layout."""
    layout = made.layout
    layer = QgsRasterLayer("type=xyz&url=http://tiles.invalid/{z}/{x}/{y}.png&zmax=3", "Aranda", "wms")
    assert layer.isValid()
    project.addMapLayer(layer)
    layout.itemById("map").setLayers([layer, *layout.itemById("map").layers()])
    expression_functions.unregister()
    for line, is_printed in PLAIN_CREDITS:
        compat.set_attribution(layer, line)
        context = layout.createExpressionContext()
        plain = str(context.variable(FALLBACK_VARIABLE_PREFIX + "credits"))
        printed = str(QgsExpression(plain).evaluate(context)).split("\n")
        assert ("Aranda: ©?" in printed) is not is_printed, line
        assert (line in printed) is is_printed, line
        assert len(printed) == 3, "the credits of the map's own services are there"


def test_a_file_of_one_s_own_without_a_credit_owes_none(made, project):
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "Mine", "memory")
    project.addMapLayer(layer)
    made.layout.itemById("map").setLayers([layer, *made.layout.itemById("map").layers()])
    context = made.layout.createExpressionContext()
    plain = str(context.variable(FALLBACK_VARIABLE_PREFIX + "credits"))
    assert "Mine" not in str(QgsExpression(plain).evaluate(context))


def test_an_index_of_names_is_not_made_of_a_layer_whose_credit_lacks_something(made, project):
    layer = with_blank(QgsVectorLayer("Point?crs=EPSG:25830", "Names", "memory"))
    project.addMapLayer(layer)
    with pytest.raises(CartoguideError, match="Title"):
        name_source(layer, [], project.crs(), project)


def document_with(network, tmp_path, **credit):
    document = print_maps.small_map(network)
    base = replace(document.base, credit=replace(document.base.credit, **credit), record_id="gone")
    path = tmp_path / "map.custommap.json"
    path.write_bytes(write_document(replace(document, base=base)))
    return path


def test_headless_the_error_names_the_parameter_and_the_parameter_gives_the_credit(provider, network, tmp_path):
    path = document_with(network, tmp_path, line=LINE)
    target = tmp_path / "map.pdf"
    parameters = {"INPUT": str(path), "DPI": 96, "OUTPUT": str(target)}
    with pytest.raises(Exception, match="CREDIT_LINES"):
        run("exportcustommap", parameters)
    assert not target.exists()
    with pytest.raises(Exception, match="CREDIT_LINES"):
        run("exportcustommap", {**parameters, "CREDIT_LINES": "9=© Nobody"})
    with pytest.raises(Exception, match="CREDIT_LINES"):
        run("exportcustommap", {**parameters, "CREDIT_LINES": "1=© Aranda <Name>"})
    run("exportcustommap", {**parameters, "CREDIT_LINES": "1=© Survey of Aranda, Roads 2026"})
    text = " ".join(pdf_text(target).split())
    assert "© Survey of Aranda, Roads 2026" in text and "[Title]" not in text


def test_the_answer_is_in_the_document_and_prints_without_being_asked_again(provider, network, tmp_path):
    path = document_with(network, tmp_path, line=LINE, answers={LINE: "© Survey of Aranda, Roads"})
    assert json.loads(path.read_bytes())["base"]["credit"]["answers"] == {LINE: "© Survey of Aranda, Roads"}
    assert read_document(path.read_bytes(), "m").base.credit.answers == {LINE: "© Survey of Aranda, Roads"}
    target = tmp_path / "map.png"
    run("exportcustommap", {"INPUT": str(path), "DPI": 96, "OUTPUT": str(target)})
    # the document that the file carries has both, as its question and its answer
    told = subprocess.run(["exiftool", "-a", "-G", "-XMP:all", str(target)], capture_output=True, text=True,
                          check=True).stdout
    assert "© Survey of Aranda, Roads" in told and "[Title]" not in told


def test_what_the_service_prescribes_is_printed_beside_the_saved_line(provider, network, tmp_path):
    """The document alone, without FILES: what the capabilities prescribe is read from the service."""
    path = document_with(network, tmp_path, line="Ayuntamiento de Aranda, 2014", required=Decision.YES)
    target = tmp_path / "map.pdf"
    results = run("exportcustommap", {"INPUT": str(path), "DPI": 96, "OUTPUT": str(target)})
    text = " ".join(pdf_text(target).split())
    assert "Ayuntamiento de Aranda, 2014" in text
    for line in (results[0] if isinstance(results, tuple) else results)["CREDITS"].splitlines():
        assert line in text


def test_in_the_window_the_issue_has_a_field_and_its_text_goes_to_the_document(network_dock, network, wait_until,
                                                                               tmp_path):
    dock = network_dock()
    window = dock.composer_controller
    window.map.show_document(read_document(document_with(network, tmp_path, line=LINE).read_bytes(), "m"))
    wait_until(lambda: window.map.items and not any(item.loading for item in window.map.items), 60)
    panel = dock.composer.findings
    wait_until(lambda: any(finding.rule == "unfit-credit" for finding in panel.findings), 60)
    panel.set_expanded(True)
    row = next(row for row in panel.rows if row.finding.rule == "unfit-credit")
    assert row.field is not None and row.field.text() == LINE and row.field.selectedText() == "[Title]"
    row.field.setText("© Survey of Aranda, Roads")
    assert row.button is not None
    row.button.click()
    assert not any(finding.rule == "unfit-credit" for finding in panel.findings)
    credit = window.map.document().base.credit
    assert credit.line == LINE and credit.answers == {LINE: "© Survey of Aranda, Roads"}
    layers = [QgsProject.instance().mapLayer(layer_id) for item in window.map.items
              for layer_id in item.layer_ids.values()]
    assert not unfit_credits(layers) and any("© Survey of Aranda, Roads" in line for layer in layers
                                             for line in layer.metadata().rights())
    window.map.undo()
    wait_until(lambda: any(finding.rule == "unfit-credit" for finding in panel.findings), 60)
    assert unfit_credits(layers)
