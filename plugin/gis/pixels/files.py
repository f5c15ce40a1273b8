"""Files that layers read from the web: fetched as a whole, judged, and read from a folder while the page is drawn."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional, Tuple

from qgis.core import (
    QgsMapLayer,
    QgsMapSettings,
    QgsRasterLayer,
    QgsReadWriteContext,
    QgsVectorLayer,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtXml import QDomDocument

from ...core.errors import CartoguideError
from ...core.preflight import TrialRequest
from ..runtime.conversions import rectangle_box
from ..sources.layer_kind import ServedFiles
from .request import LayerRequest, uncopied


@dataclass(frozen=True)
class FileRequest(LayerRequest):
    """The files of a layer that a map needs, as names and addresses. They are written into a folder of this name, which
    is the layer's, or that of all maps with the same files.

    With ``error`` it is not known which they are.
    """

    source: Optional[ServedFiles] = field(default=None, compare=False, repr=False)
    files: Tuple[Tuple[str, str], ...] = ()
    folder: str = ""
    error: Optional[CartoguideError] = field(default=None, compare=False)

    @property
    def is_needed(self) -> bool:
        """True if the map needs a file."""
        return bool(self.files) or self.error is not None


@dataclass(frozen=True)
class FetchedFile:
    """Result of one request: the bytes of the file, or its error. ``path`` is where it was written.

    With ``is_unproved`` it is larger than any answer, and left to QGIS.
    """

    request: FileRequest
    url: str
    path: Path
    error: Optional[CartoguideError] = None
    is_unproved: bool = False
    seconds: float = 0.0
    size: int = 0
    attempts: int = 1

    @property
    def detail(self) -> str:
        """Address and technical detail of the error."""
        return f"{self.url}\n{self.error.detail}".strip() if self.error else ""

    def to_trial_request(self) -> TrialRequest:
        """Return the result for the preflight's rules."""
        return TrialRequest(
            self.request.title, self.request.service, None, (0, 0), self.seconds, self.size,
            self.error.user_text if self.error else "", self.detail, pages=(self.request.page, ),
            count=None if self.is_unproved else self.size)


def file_request(settings: QgsMapSettings, layer: QgsMapLayer, source: ServedFiles, service: str, address: str,
                 page: int) -> FileRequest:
    """Return what one drawing needs of a layer. Main thread only."""
    files: Tuple[Tuple[str, str], ...] = ()
    error: Optional[CartoguideError] = None
    try:
        files = tuple(source.needed(settings))
    except CartoguideError as problem:
        error = problem.with_traceback(None)
    folder = uuid.uuid5(uuid.NAMESPACE_URL, f"{layer.id()} {files if source.differs_by_map else ''}").hex
    return FileRequest(layer, settings, layer.id(), layer.name(), service, source.login, source.headers, page, address,
                       source=source, files=files, folder=folder, error=error)


def file_layer(layer: QgsMapLayer, source: ServedFiles, folder: Path) -> QgsMapLayer:
    """Return a layer that reads the files in ``folder`` in place of ``layer``, with its id and style. Main thread only.

    Raises CartoguideError if QGIS does not open them.
    """
    provider, text = source.source(folder)
    if isinstance(layer, QgsVectorTileLayer):
        copy = QgsVectorTileLayer(text, layer.name())
    elif isinstance(layer, QgsRasterLayer):
        copy = QgsRasterLayer(text, layer.name(), provider, QgsRasterLayer.LayerOptions(False))
    else:
        copy = QgsVectorLayer(text, layer.name(), provider, QgsVectorLayer.LayerOptions(False))
    document, context = QDomDocument(), QgsReadWriteContext()
    element = document.createElement("maplayer")
    is_written = copy.isValid() and layer.writeLayerXml(element, document, context)
    # some versions of QGIS open the source that is written, whatever they are told
    replace_text(element, "datasource", text)
    if not is_written or not copy.readLayerXml(element, context, QgsMapLayer.ReadFlag.FlagDontResolveLayers) or (
            not copy.isValid()):
        # the traceback of the error would hold the unfinished copy, whose later end could end the process
        del copy
        raise uncopied(layer)
    copy.setCrs(layer.crs())
    if layer.project() is not None:
        copy.resolveReferences(layer.project())
    return copy


def is_same_data(copy: QgsMapLayer, layer: QgsMapLayer) -> bool:
    """Return whether a copy lies where ``layer`` lies, and has its fields."""
    tolerance = 1e-6 * max(layer.extent().width(), layer.extent().height(), 1e-9)
    if not isinstance(layer, QgsVectorLayer):
        sides = zip(rectangle_box(copy.extent()), rectangle_box(layer.extent()))
        near = (abs(one - other) <= tolerance for one, other in sides)
        return bool(all(near) and copy.bandCount() == layer.bandCount())
    return bool(copy.geometryType() == layer.geometryType() and [one.name() for one in copy.fields()] == [
        one.name() for one in layer.fields()])


def replace_text(element: object, name: str, text: str) -> None:
    """Replace the text of an element's child, as QGIS writes it for a layer."""
    child = element.firstChildElement(name)  # type: ignore[attr-defined]
    new = child.ownerDocument().createElement(name)
    new.appendChild(child.ownerDocument().createTextNode(text))
    element.replaceChild(new, child)  # type: ignore[attr-defined]
