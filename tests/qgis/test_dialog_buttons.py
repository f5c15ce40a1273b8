"""Standard buttons have the plugin's translations, whatever Qt's own translations contain."""

from __future__ import annotations

from qgis.PyQt.QtCore import QEvent
from qgis.PyQt.QtWidgets import QApplication, QDialogButtonBox

from plugin.core import i18n
from plugin.gis.credits.map_phrases import crs_name
from plugin.ui.widgets.buttons import translate_buttons


def test_standard_buttons_speak_the_plugins_language(qgis_app):
    kinds = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(kinds.Ok | kinds.Cancel | kinds.RestoreDefaults)
    i18n.set_translator(lambda text, n: f"<{text}>")
    try:
        translate_buttons(box)
    finally:
        i18n.set_translator(None)
    words = [box.button(kind).text() for kind in (kinds.Ok, kinds.Cancel, kinds.RestoreDefaults)]
    assert words == ["<OK>", "<Cancel>", "<Restore defaults>"]
    assert box.button(kinds.Close) is None
    QApplication.sendEvent(box, QEvent(QEvent.Type.LanguageChange))
    QApplication.processEvents()
    assert box.button(kinds.Cancel).text() == "<Cancel>", "somebody installed a translator"


def test_spanish_maps_name_utm_zones_as_spanish_law_does():
    assert crs_name("es", "ETRS89 / UTM zone 30N") == "ETRS89 / UTM huso 30N"
    assert crs_name("en", "ETRS89 / UTM zone 30N") == "ETRS89 / UTM zone 30N"
    assert crs_name("es", "WGS 84") == "WGS 84"
