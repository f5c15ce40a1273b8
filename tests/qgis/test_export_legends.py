"""Legends whose images fail: requested again, and a failed export in every format if they still fail."""

from __future__ import annotations

import pytest

from plugin.gis.export import atlas, layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.runtime import settings
from tests.pairwise import ALL
from tests.qgis.print_maps import composed, pdf_text
from tests.qgis.test_export_checks import FAULTS

DPI = 60
OF_LEGENDS = {"request": "GetLegendGraphic", "layer": "miradores"}


#: each fault at the legend of one of these
LAYERS = {"miradores": "Miradores", "centros_visitantes": "Centros de visitantes", "refugios": "Refugios"}


@pytest.mark.parametrize("first", range(0, len(FAULTS), len(LAYERS)))
def test_a_fault_at_a_legend_leaves_no_file_of_any_kind_and_is_named(network, project, tmp_path, first):
    faults = list(FAULTS.values())[first:first + len(LAYERS)]
    network.fault(*({"match": {**OF_LEGENDS, "layer": layer}, "action": fault} for layer, fault in zip(LAYERS, faults)))
    made = composed(network, project, facilities=tuple(LAYERS))
    kinds = [kind for kind in layout_export.EXPORT_FORMATS if kind != "geopdf" or layout_export.geopdf_available()]
    # each format has some of the faults
    for kind in kinds if ALL else kinds[first // len(LAYERS)::3]:
        chosen = layout_export.EXPORT_FORMATS[kind]
        with pytest.raises(IncompleteMap) as failed:
            layout_export.export_layouts(made.layout, tmp_path / f"map.{chosen.suffix}", kind, ExportOptions(DPI))
        told = "\n".join(failed.value.problems)
        assert all(title in told for title in LAYERS.values()), told
        assert layout_builder.layout_requirements(made.layout)[1].title in told
    assert list(tmp_path.iterdir()) == [] and network.count("GetMap") == 0


@pytest.mark.slow
def test_a_slow_legend_is_waited_for_and_a_hanging_one_named(network, project, tmp_path):
    settings.set("first_byte_timeout", 3.0)
    network.fault({"match": OF_LEGENDS, "action": {"type": "hang", "seconds": 30}})
    made = composed(network, project)
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert "Miradores" in failed.value.user_text and list(tmp_path.iterdir()) == []
    settings.set("first_byte_timeout", 30.0)
    network.fault({"match": OF_LEGENDS, "action": {"type": "delay", "seconds": 0.4}})
    project.clear()
    layout_export.export_pdf(composed(network, project).layout, tmp_path / "map.pdf", DPI)
    assert "Mirador" in pdf_text(tmp_path / "map.pdf")


def test_a_passing_fault_at_a_legend_is_mended_by_asking_again(network, project, tmp_path):
    network.fault(*({"match": {**OF_LEGENDS, "layer": layer, "nth": 1}, "action": FAULTS[name]}
                    for layer, name in zip(LAYERS, ("status", "an image with broken bytes"))))
    made = composed(network, project)
    assert not layout_builder.missing_legends(made.layout) and not layout_items.layout_notes(made.layout)
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)


@pytest.mark.slow
def test_a_stamp_names_the_legend_and_a_page_without_one_needs_none(network, project, tmp_path):
    network.fault({"match": OF_LEGENDS, "action": FAULTS["status"]})
    made = composed(network, project)
    done = layout_export.export_layouts(made.layout, tmp_path / "stamped.pdf", "pdf",
                                        ExportOptions(DPI, stamp_incomplete=True))
    assert "MAPA INCOMPLETO" in pdf_text(tmp_path / "stamped.pdf") and "Miradores" in done.problems[0]
    made.layout.itemById(layout_items.LEGEND).setVisibility(False)
    layout_export.export_pdf(made.layout, tmp_path / "without.pdf", DPI)


def test_each_page_of_a_series_of_scales_has_the_legend_of_its_scale(network, project, tmp_path):
    made = composed(network, project, guide=("curvas_nivel", "pistas_caminos"))
    plans = atlas.scale_plans(made.plan, (25_000.0, 75_000.0, 110_000.0))
    layouts = atlas.build_and_wait(project, plans, [made.layers] * 3, made.plan.title, seconds=60)
    texts = []
    for number, layout in enumerate(layouts):
        layout_export.export_layouts(layout, tmp_path / f"{number}.pdf", "pdf", ExportOptions(DPI))
        texts.append(pdf_text(tmp_path / f"{number}.pdf"))
    # classes that the service draws up to 1:60 000 and 1:85 000
    assert ["Curva intermedia (20 m)" in text for text in texts] == [True, False, False]
    assert ["Camino" in text for text in texts] == [True, True, False]
    assert [" ".join(text.split()).count(f"– 1:{scale} ({number} de 3)") > 0 for number, (scale, text) in enumerate(
        zip(("25 000", "75 000", "110 000"), texts), 1)] == [True] * 3, "the title of each says its scale"
