"""A record, or layers of its service, dragged out of the dock and dropped on QGIS's map: added with credit and all."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Sequence

from qgis.core import QgsMimeDataUtils
from qgis.gui import QgsCustomDropHandler, QgsMapCanvas
from qgis.PyQt.QtCore import QMimeData

PROVIDER = "cartoguide"
#: what the text of dragged layers begins with; a record's is its identifier
_LAYERS_PREFIX = "cartoguide-layers:"


class DroppedLayers(NamedTuple):
    """Layers of one service: its endpoint, and their names, bottom first."""

    endpoint: str
    names: tuple[str, ...]


def record_mime_data(record_id: str, title: str) -> QMimeData:
    """A record as QGIS's windows take it, bound to Cartoguide's own handler: a bare layer would lose its credit."""
    return _mime_data(record_id, title)


def layers_mime_data(endpoint: str, names: Sequence[str], title: str) -> QMimeData:
    """Layers of the service at ``endpoint`` as QGIS's windows take them."""
    return _mime_data(layers_drag_text(endpoint, names), title)


def layers_drag_text(endpoint: str, names: Sequence[str]) -> str:
    """Layers of the service at ``endpoint`` as the text that is dragged."""
    import json  # not when QGIS starts

    return _LAYERS_PREFIX + json.dumps({"endpoint": endpoint, "layers": list(names)})


def dragged_uris(data: QMimeData) -> list[str]:
    """The texts of all that ``data`` holds of ours: identifiers of records, and layers."""
    return [uri.uri for uri in QgsMimeDataUtils.decodeUriList(data)
            if uri.layerType == "custom" and uri.providerKey == PROVIDER]


def parse_dropped_layers(text: str) -> Optional[DroppedLayers]:
    """The layers that a dropped text means; None where it is a record's identifier."""
    if not text.startswith(_LAYERS_PREFIX):
        return None
    import json

    try:
        told = json.loads(text[len(_LAYERS_PREFIX):])
        return DroppedLayers(str(told["endpoint"]), tuple(str(name) for name in told["layers"]))
    except (ValueError, KeyError, TypeError):
        return None


def _mime_data(text: str, title: str) -> QMimeData:
    uri = QgsMimeDataUtils.Uri()
    uri.layerType, uri.providerKey, uri.name, uri.uri = "custom", PROVIDER, title, text
    return QgsMimeDataUtils.encodeUriList([uri])


class RecordDropHandler(QgsCustomDropHandler):
    """To be registered with QGIS; ``dropped`` gets the text of what was dropped."""

    def __init__(self, on_dropped: Callable[[str], None]) -> None:
        super().__init__()
        self._on_dropped = on_dropped

    def customUriProviderKey(self) -> str:  # noqa: N802
        """QGIS: which dropped things are meant for this handler."""
        return PROVIDER

    def handleCustomUriDrop(self, uri: QgsMimeDataUtils.Uri) -> None:  # noqa: N802
        """QGIS: a record was dropped on the window or the layer tree."""
        self._on_dropped(uri.uri)

    def canHandleCustomUriCanvasDrop(self, uri: QgsMimeDataUtils.Uri, _canvas: QgsMapCanvas) -> bool:  # noqa: N802
        """QGIS: whether the map takes what is dragged over it."""
        return bool(uri.providerKey == PROVIDER)

    def handleCustomUriCanvasDrop(self, uri: QgsMimeDataUtils.Uri, _canvas: QgsMapCanvas) -> bool:  # noqa: N802
        """QGIS: a record was dropped on the map."""
        self._on_dropped(uri.uri)
        return True
