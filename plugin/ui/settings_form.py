"""The settings that people change, as a form: the same in the dock's window and in QGIS's options."""

from __future__ import annotations

from typing import Any, Callable, Optional

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from ..core.terms import PLACES, unknown_places
from ..gis import settings, store_move, tasks
from ..gis.shelf import Shelf, store_path
from .agreed_redirects import AgreedRedirects
from .settings_fields import field, groups, help_on, labels, show, value_of


class SettingsForm(QWidget):
    """``changed`` carries the names of the settings that were changed, once they are stored; ``told`` what came of it;
    ``ready`` whether what the form holds can be stored now.

    Another place for the record store is looked at first; what cannot be used is refused in words.
    """

    changed = pyqtSignal(list)
    told = pyqtSignal(str)
    ready = pyqtSignal(bool)

    def __init__(self, parent: Optional[QWidget] = None, shelf: Optional[Shelf] = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, QWidget] = {}
        self._shelf = shelf or Shelf()
        self._moving: Optional[tasks.Job] = None
        self.is_ready = True
        self.along = QCheckBox(tr("Take the re&cords along"))
        self.along.setToolTip(tr("Copies every record, collection and kept answer into the other store; the old file "
                                 "stays where it is"))
        self.along.setChecked(True)
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.hide()
        page = QWidget()
        inner = QVBoxLayout(page)
        for title, names in groups():
            inner.addWidget(self._group(title, names))
        self.redirects = AgreedRedirects()
        insecure = QGroupBox(tr("Insecure redirects"))
        QVBoxLayout(insecure).addWidget(self.redirects)
        inner.addWidget(insecure)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.problem)
        self._check()

    def _group(self, title: str, names: tuple[str, ...]) -> QGroupBox:
        group = QGroupBox(title)
        form = QFormLayout(group)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        words = labels()
        for name in names:
            made = self.fields[name] = field(name, self._check)
            made.setToolTip(help_on(name))
            called = words[name].replace("&", "")
            made.setAccessibleName(called)
            made.setAccessibleDescription(help_on(name))
            if isinstance(made, QgsFileWidget):
                # it is its parts that the keyboard leads to
                made.lineEdit().setAccessibleName(called)
                for browse in made.findChildren(QToolButton):
                    browse.setAccessibleName(tr("{setting}: choose…", setting=called))
            form.addRow(words[name], made)
            if name == "store/path":
                form.addRow(self.along)
        if "credit_pattern" in names:
            places = " ".join(f"{{{place}}}" for place in PLACES)
            hint = QLabel(tr("Places that are filled in: {places}", places=places))
            hint.setWordWrap(True)
            form.addRow(hint)
        return group

    def values(self) -> dict[str, Any]:
        """What the fields hold, by setting."""
        return {name: value_of(widget) for name, widget in self.fields.items()}

    def show_defaults(self) -> None:
        """Show every default; nothing is stored yet."""
        for name, widget in self.fields.items():
            show(widget, settings.SETTINGS[name].default)

    def store(self, done: Callable[[], None] = lambda: None) -> None:
        """Store what the form holds, then call ``done``; another record store is looked at first, beside QGIS."""
        path = self.values()["store/path"]
        if path == settings.get("store/path"):
            self._store()
            done()
            return
        self._say(tr("Looking at the record store…"), False)
        old, along = str(store_path()), self.along.isChecked()

        def moved(count: int) -> None:
            self._store()
            if along:
                self.told.emit(tr("%n record(s) are in the other store now. The old one is still there: {name}",
                                  n=count, name=old))
            done()

        self._moving = store_move.start(self._shelf, path, along, moved, lambda error: self._say(error.user_text, True),
                                        self, lambda _percent, words: self._say(words, False))

    def _check(self) -> None:
        """Say at once what cannot be stored."""
        if len(self.fields) < len(labels()) or (self._moving is not None and self._moving.running):
            return
        values = self.values()
        problem = ""
        for name in ("base_url", "catalogue_url"):
            if values[name] and not values[name].lower().startswith(("http://", "https://")):
                problem = tr("An address begins with http:// or https://.")
        unknown = unknown_places(values["credit_pattern"])
        if unknown:
            problem = tr("The credit pattern has a place that is not known: {place}.", place=", ".join(unknown))
        self.along.setEnabled(values["store/path"] != settings.get("store/path"))
        self._say(problem, not problem)

    def _say(self, words: str, ready: bool) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.is_ready = ready
        self.ready.emit(ready)

    def _store(self) -> None:
        self.redirects.store()
        changed = []
        for name, value in self.values().items():
            if value != settings.get(name):
                changed.append(name)
                if value == settings.SETTINGS[name].default:
                    settings.reset(name)
                else:
                    settings.set(name, value)
        if changed:
            self.changed.emit(changed)
