"""Field for the files of the logos on maps."""

from __future__ import annotations

import json
from typing import Optional

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtWidgets import QWidget

from ...core.i18n import tr
from ...core.json_document import stored_list


class LogosField(QgsFileWidget):
    """Lets the person choose several image files. Its value is a JSON list of their paths, "" for none."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setStorageMode(QgsFileWidget.StorageMode.GetMultipleFiles)
        self.setFilter(tr("Images") + " (*.svg *.png *.jpg *.jpeg *.webp)")
        self.lineEdit().setPlaceholderText(tr("none"))

    def set_files(self, value: str) -> None:
        paths = [path for path in stored_list(value) if isinstance(path, str)]
        self.setFilePath(" ".join(f'"{path}"' for path in paths))

    def files(self) -> str:
        paths = [path.strip() for path in QgsFileWidget.splitFilePaths(self.filePath()) if path.strip()]
        return json.dumps(paths, ensure_ascii=False) if paths else ""
