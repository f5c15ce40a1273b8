"""CRS objects first created in a worker thread stay valid after that thread has ended."""

from __future__ import annotations

import threading
import time

from qgis.core import QgsCoordinateReferenceSystem, QgsProject
from qgis.PyQt.QtCore import QCoreApplication

from plugin.gis.runtime import crs_ownership, tasks
from tests.slowness import patience


def used_in_a_thread(code, before):
    """The CRS as a thread has it that is gone afterwards; ``before`` is called in that thread first."""
    made = []

    def work():
        before(code)
        crs = QgsCoordinateReferenceSystem(code)
        crs.toWkt()
        made.append(crs)

    thread = threading.Thread(target=work)
    thread.start()
    end = time.monotonic() + patience()
    while thread.is_alive() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)
    assert not thread.is_alive() and made[0].isValid()
    return made[0]


def test_a_crs_that_the_main_thread_owns_outlives_the_worker(qgis_app):
    crs = used_in_a_thread("EPSG:25828", lambda code: crs_ownership.claim_crs([code, "", "NO:SUCH"]))
    project = QgsProject.instance()
    project.setCrs(crs)
    for each in (crs, project.crs(), QgsCoordinateReferenceSystem("EPSG:25828")):
        assert "UTM zone 28N" in each.toWkt()


def test_the_systems_of_most_layers_belong_to_the_main_thread_before_any_work(qgis_app, monkeypatch):
    monkeypatch.setattr(crs_ownership, "_claimed", set())
    claimed = tasks.run_and_wait(lambda feedback: set(crs_ownership._claimed), 30)
    assert claimed == {"EPSG:4326", "EPSG:3857"}
