"""Several layouts as the pages of one PDF, and the layouts of a series: one for each scale, or for each feature."""

from __future__ import annotations

from typing import Sequence

from qgis.core import QgsAbstractLayoutIterator, QgsLayout, QgsPrintLayout


class LayoutPages(QgsAbstractLayoutIterator):
    """Hands QgsLayoutExporter one layout after the other, each as a page of the same file."""

    def __init__(self, layouts: Sequence[QgsPrintLayout]) -> None:
        super().__init__()
        self._layouts = list(layouts)
        self._index = -1

    def layout(self) -> QgsLayout:
        """QGIS: the layout of this page."""
        return self._layouts[max(self._index, 0)]

    def beginRender(self) -> bool:  # noqa: N802
        """QGIS: from the start."""
        self._index = -1
        return True

    def endRender(self) -> bool:  # noqa: N802
        """QGIS: nothing to clean up."""
        return True

    def count(self) -> int:
        """QGIS: how many pages there are."""
        return len(self._layouts)

    def next(self) -> bool:
        """QGIS: on to the next page; whether there is one."""
        self._index += 1
        return self._index < len(self._layouts)

    def filePath(self, base_file_path: str, _extension: str) -> str:  # noqa: N802
        """QGIS: all pages are in one file."""
        return base_file_path
