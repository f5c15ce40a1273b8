"""Drag and drop of records and layers from the dock to QGIS's windows, where they are added with their credit."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Sequence

from qgis.core import QgsMimeDataUtils
from qgis.gui import QgsCustomDropHandler, QgsMapCanvas
from qgis.PyQt.QtCore import QMimeData

PROVIDER = "cartoguide"
#: prefix of the text of dragged layers; the text of a record is its identifier
_LAYERS_PREFIX = "cartoguide-layers:"


class DroppedLayers(NamedTuple):
    """Layers of one service: its endpoint, and the layer names, bottom first."""

    endpoint: str
    names: tuple[str, ...]


def record_mime_data(record_id: str, title: str) -> QMimeData:
    """Return the drag data of a record for QGIS's windows.

    They are bound to Cartoguide's own drop handler because a plain layer would lose its credit.
    """
    return _mime_data(record_id, title)


def layers_mime_data(endpoint: str, names: Sequence[str], title: str) -> QMimeData:
    """Return the drag data of layers of the service at ``endpoint`` for QGIS's windows."""
    return _mime_data(layers_drag_text(endpoint, names), title)


def layers_drag_text(endpoint: str, names: Sequence[str]) -> str:
    """Return the text that stands for layers of the service at ``endpoint`` in drag data."""
    import json  # not when QGIS starts

    return _LAYERS_PREFIX + json.dumps({"endpoint": endpoint, "layers": list(names)})


def dragged_uris(data: QMimeData) -> list[str]:
    """Return Cartoguide's texts in ``data``: identifiers of records, and texts that stand for layers."""
    return [uri.uri for uri in QgsMimeDataUtils.decodeUriList(data)
            if uri.layerType == "custom" and uri.providerKey == PROVIDER]


def parse_dropped_layers(text: str) -> Optional[DroppedLayers]:
    """Return the layers that a dropped text stands for, or None if it is the identifier of a record."""
    if not text.startswith(_LAYERS_PREFIX):
        return None
    from ...core.json_document import stored_object  # not when QGIS starts

    values = stored_object(text[len(_LAYERS_PREFIX):])
    try:
        return DroppedLayers(str(values["endpoint"]), tuple(str(name) for name in values["layers"]))
    except (KeyError, TypeError):
        return None


def _mime_data(text: str, title: str) -> QMimeData:
    uri = QgsMimeDataUtils.Uri()
    uri.layerType, uri.providerKey, uri.name, uri.uri = "custom", PROVIDER, title, text
    return QgsMimeDataUtils.encodeUriList([uri])


class RecordDropHandler(QgsCustomDropHandler):
    """Drop handler to be registered with QGIS, which calls ``on_dropped`` with the dropped text."""

    def __init__(self, on_dropped: Callable[[str], None]) -> None:
        super().__init__()
        self._on_dropped = on_dropped

    def customUriProviderKey(self) -> str:  # noqa: N802
        """QGIS: return the key of the drag data that this handler accepts."""
        return PROVIDER

    def handleCustomUriDrop(self, uri: QgsMimeDataUtils.Uri) -> None:  # noqa: N802
        """QGIS: handle a drop on the window or on the layer tree."""
        self._on_dropped(uri.uri)

    def canHandleCustomUriCanvasDrop(self, uri: QgsMimeDataUtils.Uri, _canvas: QgsMapCanvas) -> bool:  # noqa: N802
        """QGIS: return True if the canvas accepts what is dragged over it."""
        return bool(uri.providerKey == PROVIDER)

    def handleCustomUriCanvasDrop(self, uri: QgsMimeDataUtils.Uri, _canvas: QgsMapCanvas) -> bool:  # noqa: N802
        self._on_dropped(uri.uri)
        return True
