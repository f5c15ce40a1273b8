"""A record that is dragged out of the list and dropped on QGIS's map: it is added like any other, credit and all."""

from __future__ import annotations

from typing import Callable

from qgis.core import QgsMimeDataUtils
from qgis.gui import QgsCustomDropHandler, QgsMapCanvas
from qgis.PyQt.QtCore import QMimeData

PROVIDER = "cartoguide"


def record_mime(record_id: str, title: str) -> QMimeData:
    """A record as QGIS's windows take it, bound to Cartoguide's own handler: a bare layer would lose its credit."""
    uri = QgsMimeDataUtils.Uri()
    uri.layerType, uri.providerKey, uri.name, uri.uri = "custom", PROVIDER, title, record_id
    return QgsMimeDataUtils.encodeUriList([uri])


class RecordDropHandler(QgsCustomDropHandler):
    """To be registered with QGIS; ``dropped`` gets the identifier of the record."""

    def __init__(self, dropped: Callable[[str], None]) -> None:
        super().__init__()
        self._dropped = dropped

    def customUriProviderKey(self) -> str:  # noqa: N802
        """QGIS: which dropped things are meant for this handler."""
        return PROVIDER

    def handleCustomUriDrop(self, uri: QgsMimeDataUtils.Uri) -> None:  # noqa: N802
        """QGIS: a record was dropped on the window or the layer tree."""
        self._dropped(uri.uri)

    def canHandleCustomUriCanvasDrop(self, uri: QgsMimeDataUtils.Uri, _canvas: QgsMapCanvas) -> bool:  # noqa: N802
        """QGIS: whether the map takes what is dragged over it."""
        return bool(uri.providerKey == PROVIDER)

    def handleCustomUriCanvasDrop(self, uri: QgsMimeDataUtils.Uri, _canvas: QgsMapCanvas) -> bool:  # noqa: N802
        """QGIS: a record was dropped on the map."""
        self._dropped(uri.uri)
        return True
