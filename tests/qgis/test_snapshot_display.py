"""A map shown from its snapshot: the same page as from the live services, without any server."""

from __future__ import annotations

from dataclasses import replace

import pytest
from network import Network
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.model import SnapshotReference
from plugin.core.snapshot.manifest import RasterFormat
from plugin.gis.export import layout_export, map_pipeline
from plugin.gis.layouts import layout_items
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.runtime import tasks
from plugin.gis.runtime.conversions import rectangle_box
from plugin.gis.services import service_cache
from plugin.gis.snapshots import snapshot_job
from plugin.gis.snapshots.snapshot_job import SnapshotOptions
from tests.qgis.print_maps import known_records, pdf_text, small_map

np = pytest.importorskip("numpy")

DPI = 100


def pixels(path):
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return np.frombuffer(bytes(bits), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3].astype(np.int16)


def unlike(one, other, tolerance=60):
    """The share of one picture's pixels that have none like them within a pixel of their place in the other."""
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    height, width = one.shape[:2]
    nearest = np.full((height, width), 255)
    for down in range(3):
        for across in range(3):
            moved = padded[down:down + height, across:across + width]
            nearest = np.minimum(nearest, np.abs(one - moved).max(axis=2))
    return float((nearest > tolerance).mean())


def taken(network, layout, folder, scales, kind=RasterFormat.GPKG, **changes):
    """A snapshot of what the layout's map shows."""
    extent = layout.itemById(layout_items.MAP).extent()
    known = known_records(network)
    wanted = SnapshotOptions(folder, rectangle_box(extent), scales, DPI, kind)
    return tasks.run_and_wait(
        lambda feedback: snapshot_job.take_snapshot(small_map(network, known, **changes), known, wanted, feedback,
                                                    service_cache.ServiceCache()), 90)


@pytest.mark.slow
def test_the_page_from_a_snapshot_is_the_live_one_with_no_server_running(project, tmp_path):
    with Network(remember=True) as network:
        known, document = known_records(network), small_map(network)
        live = map_pipeline.compose_map(project, document, known, service_cache.ServiceCache(), 60)
        layout_export.export_png(live.layout, tmp_path / "live.png", DPI)
        layout_export.export_pdf(live.layout, tmp_path / "live.pdf", DPI)
        taken_so = {kind: taken(network, live.layout, tmp_path / kind.value, (40000.0, 80000.0), kind)
                    for kind in RasterFormat}
    for made in taken_so.values():
        project.clear()
        judge_page(project, tmp_path, replace(document, snapshot=SnapshotReference(str(made.folder), True)), known)


def judge_page(project, tmp_path, document, known):
    """The page of a document with a snapshot is the live one."""
    off = map_pipeline.compose_map(project, document, known, service_cache.ServiceCache(), 60)
    assert off.failures == () and layout_items.layout_notes(off.layout) == []
    assert all(layer.providerType() == "gdal" for layer in off.layers)
    layout_export.export_png(off.layout, tmp_path / "kept.png", DPI)
    layout_export.export_pdf(off.layout, tmp_path / "kept.pdf", DPI)
    one, other = pixels(tmp_path / "live.png"), pixels(tmp_path / "kept.png")
    assert one.shape == other.shape
    assert unlike(one, other) < 0.001 and unlike(other, one) < 0.001
    assert pdf_text(tmp_path / "kept.pdf") == pdf_text(tmp_path / "live.pdf")
    # beyond the snapshot the map would be blank, and such a map does not pass for finished
    item = off.layout.itemById(layout_items.MAP)
    extent = item.extent()
    extent.setXMinimum(extent.xMinimum() + extent.width() / 4)
    extent.setXMaximum(extent.xMaximum() + extent.width() / 3)
    item.setExtent(extent)
    with pytest.raises(IncompleteMap, match="does not cover"):
        layout_export.export_png(off.layout, tmp_path / "beyond.png", DPI)
    assert not (tmp_path / "beyond.png").exists()
