"""Guarantees of the test environment inside QGIS."""

from __future__ import annotations

from qgis.core import Qgis, QgsApplication, QgsNetworkAccessManager, QgsProject, QgsSettings, QgsVectorLayer
from qgis.PyQt.QtCore import qVersion

from plugin.core import i18n


def test_settings_and_cache_lie_in_a_folder_of_this_run(qgis_app):
    assert "cartoguide-tests-" in QgsApplication.qgisSettingsDirPath()
    assert "cartoguide-tests-" in QgsSettings().fileName()


def test_something_is_left_behind(qgis_app):
    QgsSettings().setValue("cartoguide/profile", "left behind")
    QgsProject.instance().addMapLayer(QgsVectorLayer("Point", "left behind", "memory"))
    i18n.set_translator(lambda text, n: "left behind")
    QgsNetworkAccessManager.setTimeout(1)


def test_nothing_of_the_test_before_is_left(project):
    assert not QgsSettings().contains("cartoguide/profile")
    assert project.mapLayers() == {}
    assert i18n.tr("Open") == "Open"
    assert QgsNetworkAccessManager.timeout() == 60_000


def test_the_counts_say_which_qgis_and_qt_they_are_of(load_tool):
    said = load_tool("tools/test").versions()
    assert said.startswith(f"QGIS {Qgis.version().split('-')[0]}, Qt {qVersion()}, PyQt ")
