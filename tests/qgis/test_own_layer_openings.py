"""The openings of own layers: what is left of one after it has ended."""

from __future__ import annotations

import gc
from dataclasses import replace
from urllib.parse import quote

import pytest
from qgis.core import QgsCoordinateTransformContext, QgsMapLayerFactory
from qgis.PyQt.QtCore import QTimer

from plugin.app.maps.layer_builds import OwnLayerOpenings
from plugin.app.maps.map_state import OwnItem
from plugin.gis.own_layers import opening
from plugin.gis.own_layers.references import refer_to
from plugin.gis.runtime import main_thread, tasks
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


@pytest.mark.parametrize("provider, on_main_thread", [("ogr", False), ("virtual", True)])
def test_a_layer_that_asks_the_project_is_made_on_the_main_thread(qgis_app, tmp_path, monkeypatch, provider,
                                                                  on_main_thread):
    """The virtual provider reads the project's variables as it opens: in a thread that ended QGIS now and then."""
    own = replace(refer_to(own_points(tmp_path)), style="", entries_below=0)
    if provider == "virtual":
        source = f"?layer=ogr:{quote(own.source, safe='')}:p&query=select%20*%20from%20p"
        own = replace(own, provider=provider, source=source)
    made, create = [], QgsMapLayerFactory.createLayer
    monkeypatch.setattr(QgsMapLayerFactory, "createLayer",
                        lambda *given: (made.append(main_thread.is_main()), create(*given))[1])
    layer = tasks.run_and_wait(lambda feedback: opening.make_layer(own, QgsCoordinateTransformContext(), feedback), 60)
    assert layer.isValid() and layer.featureCount() > 0
    assert made == [on_main_thread]
