"""qgis.gui: widgets are Qt's plain ones, the rest does nothing."""

from __future__ import annotations

import re
import sys
import types
from typing import Any, List

from PyQt6.QtWidgets import QLineEdit, QWidget

from .nothing import Nothing, _Kind

_WIDGETS = ("Button", "Widget", "Select", "ComboBox", "Edit", "Bar", "Canvas")


class _Plain(QWidget):
    """A widget of QGIS's: it can be laid out and shown, what else it is asked for is nothing."""

    def __init__(self, *_arguments: Any, **_names: Any) -> None:
        super().__init__()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class QgsFileWidget(_Plain):
    """A path in a line."""

    StorageMode = Nothing.StorageMode

    def __init__(self, *_arguments: Any) -> None:
        super().__init__()
        self._line = QLineEdit(self)

    def lineEdit(self) -> QLineEdit:  # noqa: N802
        """Where the path stands."""
        return self._line

    def filePath(self) -> str:  # noqa: N802
        """The path."""
        return self._line.text()

    def setFilePath(self, path: str) -> None:  # noqa: N802
        """Another path."""
        self._line.setText(path)

    @staticmethod
    def splitFilePaths(paths: str) -> List[str]:  # noqa: N802
        """The paths of several files, each in quotation marks."""
        return re.findall(r'"([^"]*)"', paths) or [paths]


class QgsColorButton(_Plain):
    """A colour, at first none."""

    def isNull(self) -> bool:  # noqa: N802
        """No colour was chosen."""
        return True


class _Gui(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (_Plain,), {}) if name.endswith(_WIDGETS) else _Kind(name, (Nothing,), {})
        setattr(self, name, made)
        return made


sys.modules[__name__].__class__ = _Gui
