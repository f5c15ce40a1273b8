"""The person's catalogues: which are searched, what they are called, their logins; removal can be undone. Not modal."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Tuple

from qgis.PyQt.QtCore import Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QAction,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from ..core.sources.model import Source
from ..gis.source_list import SourceList, name_of
from . import guide
from .buttons import dialog_button, speak
from .flow_layout import FlowLayout
from .source_words import kind_words

_SOURCE = int(Qt.ItemDataRole.UserRole)


class CataloguesDialog(QDialog):
    """Space searches a catalogue or no longer, F2 renames, Del removes. Adding, logins and harvests are asked for."""

    add_asked = pyqtSignal()
    login_asked = pyqtSignal(object)
    harvest_asked = pyqtSignal(object)

    def __init__(self, sources: SourceList, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Catalogues"))
        self.resize(520, 320)
        self._sources = sources
        self._removed: List[Tuple[Source, int]] = []
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Catalogues"))
        self.tree.setHeaderLabels([tr("Searched"), tr("Kind"), tr("Address")])
        self.tree.setRootIsDecorated(False)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        header = self.tree.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(0, 220)
        self.tree.itemChanged.connect(self._changed)
        self.tree.currentItemChanged.connect(lambda *_: self._allow())
        self.empty = QLabel(tr("No catalogue yet. Add one by its address: a CSW, an OGC API Records or a GeoNetwork."))
        self.empty.setWordWrap(True)
        self.add = dialog_button(tr("&Add…"), self.add_asked.emit)
        self.rename = dialog_button(tr("&Rename"), self._rename)
        self.login = dialog_button(tr("&Login…"), lambda: self.login_asked.emit(self._current()))
        self.harvest = dialog_button(tr("&Harvest…"), lambda: self.harvest_asked.emit(self._current()))
        self.harvest.setToolTip(tr("Take its records into your own, to have them without a network"))
        self.remove = dialog_button(tr("Re&move"), self._remove)
        self.undo = dialog_button(tr("&Undo"), self._undo)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        speak(self.buttons)
        guide.help_with(self, guide.CATALOGUES, self.buttons)
        self.buttons.rejected.connect(self.close)
        self._lay_out()
        for keys, run in ((QKeySequence.StandardKey.Delete, self._remove), (QKeySequence.StandardKey.Undo, self._undo)):
            action = QAction(self.tree)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(lambda _checked=False, run=run: run())
            self.tree.addAction(action)
        # not while Qt is still busy with the line whose change this may be
        self._refill = QTimer(self)
        self._refill.setSingleShot(True)
        self._refill.setInterval(0)
        self._refill.timeout.connect(self.fill)
        sources.changed.connect(self._refill.start)
        self.fill()

    def _lay_out(self) -> None:
        actions = QWidget()
        flow = FlowLayout(actions)
        for button in (self.add, self.rename, self.login, self.harvest, self.remove):
            flow.addWidget(button)
        undo = QHBoxLayout()
        undo.addWidget(self.told, 1)
        undo.addWidget(self.undo)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.empty)
        layout.addWidget(actions)
        layout.addLayout(undo)
        layout.addWidget(self.buttons)
        self._tell("")

    def fill(self) -> None:
        """Show the list as it is now; the chosen line stays."""
        chosen = self._current()
        self.tree.blockSignals(True)
        self.tree.clear()
        for source in self._sources.sources():
            item = QTreeWidgetItem([source.shown, kind_words(source), source.key])
            item.setData(0, _SOURCE, source)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked if self._sources.is_on(source) else Qt.CheckState.Unchecked)
            words = [source.key, tr("The network’s own catalogue") if self._sources.is_own(source) else "",
                     tr("With a login") if source.authcfg else ""]
            item.setToolTip(0, "\n".join(word for word in words if word))
            self.tree.addTopLevelItem(item)
            if chosen is not None and name_of(source) == name_of(chosen):
                self.tree.setCurrentItem(item)
        if self.tree.currentItem() is None and self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))
        self.tree.blockSignals(False)
        self.empty.setVisible(not self.tree.topLevelItemCount())
        if self._sources.problem is not None:
            self._tell(self._sources.problem.user_text)
        self._allow()

    def _current(self) -> Optional[Source]:
        item = self.tree.currentItem()
        return item.data(0, _SOURCE) if item is not None else None

    def _allow(self) -> None:
        source = self._current()
        for button in (self.rename, self.login, self.harvest):
            button.setEnabled(source is not None)
        own = source is not None and self._sources.is_own(source)
        self.remove.setEnabled(source is not None and not own)
        self.remove.setToolTip(tr("The network’s own catalogue stays; switch it off instead") if own else "")

    def _changed(self, item: QTreeWidgetItem, column: int) -> None:
        source: Source = item.data(0, _SOURCE)
        title = item.text(0).strip()[:200]
        if column == 0 and title != source.shown:
            self._sources.change(replace(source, title=title))
        elif column == 0:
            self._sources.switch(source, item.checkState(0) == Qt.CheckState.Checked)
        else:
            self.fill()

    def _rename(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
            self.tree.editItem(item, 0)

    def _remove(self) -> None:
        source = self._current()
        if source is None or not self.remove.isEnabled():
            return
        self._removed.append((source, self._sources.remove(source)))
        self._tell(tr("“{name}” was removed. Its records stay.", name=source.shown))

    def _undo(self) -> None:
        if self._removed:
            source, place = self._removed.pop()
            self._sources.put_back(source, place)
            self._tell(tr("“{name}” is back.", name=source.shown))

    def _tell(self, words: str) -> None:
        self.told.setText(words)
        self.undo.setVisible(bool(self._removed))
