"""The openings of own layers: what is left of one after it has ended."""

from __future__ import annotations

import gc

from qgis.PyQt.QtCore import QTimer

from plugin.app.maps.layer_builds import OwnLayerOpenings
from plugin.app.maps.map_state import OwnItem
from plugin.gis.own_layers import opening
from plugin.gis.own_layers.references import refer_to
from tests.qgis.test_own_layers import own_points


def test_the_limit_of_time_of_an_opening_ends_with_it(qgis_app, wait_until, tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "OPENING_SECONDS", 0.3)
    own = refer_to(own_points(tmp_path))
    openings, opened, failed = OwnLayerOpenings(), [], []
    openings.opened.connect(lambda item, layer: opened.append(layer))
    openings.failed.connect(lambda item, error: failed.append(error))
    given_up = []
    give_up = OwnLayerOpenings._give_up
    monkeypatch.setattr(OwnLayerOpenings, "_give_up",
                        lambda self, *arguments: (given_up.append(arguments), give_up(self, *arguments)))
    threshold = gc.get_threshold()
    # Python collects at every chance, also while a timer calls its slot
    gc.set_threshold(1)
    try:
        for _ in range(5):
            openings.add(OwnItem(own))
        wait_until(lambda: not openings.running, 20)
        ended = []
        QTimer.singleShot(600, lambda: ended.append(True))
        wait_until(lambda: bool(ended), 20)
    finally:
        gc.set_threshold(*threshold)
    assert len(opened) + len(failed) == 5
    assert len(given_up) == len(failed), "no limit of time outlives its opening"
