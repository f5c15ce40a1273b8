"""Images of records in a list: decides which are requested, which are only loaded from disk, and loads each once."""

from __future__ import annotations

from typing import Callable, Dict, Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...core.addresses import is_web_address
from ...core.catalogues.result_merging import RemoteHit
from ...core.errors import CartoguideError
from ...core.library.query import SearchHit
from ...gis.library.record_library import RecordLibrary
from ...gis.library.thumbnails import Thumbnails, read_image
from ...gis.runtime import settings


class RowImages(QObject):
    """Images of one list. ``loaded`` carries the address of an image that has arrived."""

    loaded = pyqtSignal(str)

    def __init__(self, library: Callable[[], RecordLibrary], parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._library = library
        self._images = Thumbnails(open_blob_cache=lambda: library().store().blob_cache)
        #: addresses of images that were looked up, and whether their servers were asked
        self._server_asked: Dict[str, bool] = {}
        #: images of bundled records by identifier, None for a file that cannot be read
        self._bundled: Dict[str, Optional[QImage]] = {}

    def thumbnail(self, hit: SearchHit) -> Optional[QImage]:
        """Return a result's thumbnail. Otherwise load it, emit ``loaded`` later and return None.

        It is requested from its server for a result of a catalogue that is being searched, or if the setting says so.
        Otherwise only a saved one is loaded: a list that is looked at asks no server. A bundled record that names no
        image has the one that is bundled with it.
        """
        if not hit.overview:
            return self._bundled_image(hit.identifier)
        return self.image(hit.overview, saved_only=not (isinstance(hit, RemoteHit) or settings.get("load_thumbnails")))

    def image(self, url: str, saved_only: bool = False) -> Optional[QImage]:
        """Return one of a record's images. Otherwise load it once, emit ``loaded`` later and return None.

        With ``saved_only`` no server is asked.
        """
        image = self._images.get(url)
        # what was not found among the saved ones is looked up again where its server may be asked
        is_looked_up = url in self._server_asked and (saved_only or self._server_asked[url])
        if image is None and not is_looked_up and is_web_address(url):
            self._server_asked[url] = not saved_only
            self._images.request(url, lambda _image: self.loaded.emit(url), _ignore_error, self, saved_only)
        return image

    def _bundled_image(self, identifier: str) -> Optional[QImage]:
        if identifier not in self._bundled:
            path = self._library().bundled_images.get(identifier)
            if path is None:
                return None
            try:
                self._bundled[identifier] = read_image(path)
            except CartoguideError:
                self._bundled[identifier] = None
        return self._bundled[identifier]


def _ignore_error(_error: CartoguideError) -> None:
    """Do nothing: a missing thumbnail is not an error for people."""
