"""Preflight rules for a map that shows its snapshot."""

from __future__ import annotations

from plugin.core.custommap.model import CustomMap, LayerPlan, MapEntry, MapExtent, Plan, SnapshotSource
from plugin.core.custommap.preflight import PreflightContext, PrintFrame, preflight_findings
from plugin.core.custommap.preflight.rules_snapshot import RULES
from plugin.core.snapshot.model import COMPLETE, RasterFormat, SnapshotManifest

KEPT = SnapshotManifest("m", COMPLETE, "2026-11-22T00:00:00+00:00", "EPSG:25830", (0, 0, 1, 1),
                        (-3.6, 38.3, -3.4, 38.45), 300, (25000.0, 50000.0), RasterFormat.GPKG)
PAGE = MapExtent(-3.6, 38.3, -3.4, 38.45)


def found(scale=25000.0, dpi=300, extent=PAGE, local=True, snapshot=KEPT):
    copy = SnapshotSource("x.gpkg", "x") if local else None
    layer = LayerPlan("http://h/wms?", "a", "", "image/png", "EPSG:25830", "Roads", snapshot_source=copy)
    case = PreflightContext(CustomMap(base=MapEntry("http://h/wms?", "Guide")), Plan("m", "EPSG:25830", (layer, )),
                            frame=PrintFrame(scale, 200, 100, extent), dpi=dpi, snapshot=snapshot)
    return [(finding.rule, finding.severity.name) for finding in preflight_findings(case, RULES)]


def test_a_page_that_the_snapshot_was_taken_for_has_no_findings():
    assert found() == found(50000.0) == found(50000.0, 96) == []
    assert found(1.0, local=False, snapshot=None) == [], "a live map is none of these rules' business"


def test_each_shortcoming_is_told():
    assert found(local=False) == [("offline-live", "WARNING")]
    assert found(extent=MapExtent(-3.7, 38.3, -3.4, 38.45)) == [("offline-area", "ERROR")]
    assert found(10000.0) == [("offline-coarse", "WARNING")] == found(25000.0, 600)
    assert found(40000.0) == [("offline-scale", "NOTE")]
