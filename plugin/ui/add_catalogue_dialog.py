"""Adding a catalogue by its address: what is there is found out, and what shall be searched is chosen. Not modal."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional

from qgis.gui import QgsAuthConfigSelect
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.sources.detect import Detected
from ..core.sources.model import FILE, OGCAPI, Source
from ..gis import sources, tasks
from . import guide
from .address_dialog import is_address
from .buttons import speak
from .messages import DetailsDialog
from .source_words import kind_words

_SOURCE = int(Qt.ItemDataRole.UserRole)


class AddCatalogueDialog(QDialog):
    """``chosen`` carries the sources to be added; ``document`` an address that is no catalogue but can be opened."""

    chosen = pyqtSignal(list)
    document = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None, detected: Optional[Detected] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Add a catalogue"))
        self.resize(440, 340)
        self._job: Optional[tasks.Job] = None
        self._detail = ""
        self._document = ""
        self._build()
        if detected is not None:
            self.address.setText(detected.sources[0].address)
            self._show(detected)
        else:
            clipboard = QGuiApplication.clipboard().text().strip()
            if is_address(clipboard):
                self.address.setText(clipboard)
                self.address.selectAll()
            self._say(tr("CSW 2.0.2 and 3.0.0, OGC API Records and GeoNetwork are recognised by themselves."))

    def _build(self) -> None:
        label = QLabel(tr("&Address of the catalogue: its page, its service or its capabilities"))
        label.setWordWrap(True)
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://…")
        self.address.setClearButtonEnabled(True)
        label.setBuddy(self.address)
        self.look = QPushButton(tr("&Look"))
        self.look.setToolTip(tr("Ask the address what it is"))
        self.look.clicked.connect(lambda _checked=False: self.start())
        login = QLabel(tr("Lo&gin, where it needs one"))
        self.login = QgsAuthConfigSelect()
        self.login.setAccessibleName(tr("Authentication configuration"))
        login.setBuddy(self.login)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(tr("Details…"))
        self.details.clicked.connect(lambda _checked=False: DetailsDialog(self.said.text(), self._detail, self).show())
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setMaximumHeight(8)
        self.found = QListWidget()
        self.found.setAccessibleName(tr("Catalogues at this address"))
        self.found.setToolTip(tr("Space chooses, F2 renames"))
        self.found.itemChanged.connect(lambda _item: self._allow())
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        speak(self.buttons)
        guide.help_with(self, guide.CATALOGUES, self.buttons)
        self.add = self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.close)
        first = QHBoxLayout()
        first.addWidget(self.address, 1)
        first.addWidget(self.look)
        told = QHBoxLayout()
        told.addWidget(self.said, 1)
        told.addWidget(self.details)
        layout = QVBoxLayout(self)
        layout.addWidget(label)
        layout.addLayout(first)
        layout.addWidget(login)
        layout.addWidget(self.login)
        layout.addLayout(told)
        layout.addWidget(self.busy)
        layout.addWidget(self.found, 1)
        layout.addStretch(0)
        layout.addWidget(self.buttons)
        self.address.textChanged.connect(lambda _text: self._edited())
        self._edited()

    # -- looking

    def start(self) -> None:
        """Ask the address what it is."""
        self._stop()
        self.found.clear()
        self._say(tr("Asking…"))
        self.busy.show()
        self._job = sources.recognise(self.address.text().strip(), self._show, self._failed, self,
                                      self.login.configId())

    def _show(self, detected: Detected) -> None:
        self.busy.hide()
        self._document = detected.sources[0].address if detected.sources[0].kind == FILE else ""
        if self._document:
            self._say(f"{detected.said} {tr('It is no catalogue, but it can be opened.')}")
        else:
            self._say(detected.said)
            several = all(source.kind == OGCAPI for source in detected.sources)
            self.found.blockSignals(True)
            for number, source in enumerate(detected.sources):
                self.found.addItem(_item(source, several or number == 0))
            self.found.blockSignals(False)
            self.found.setCurrentRow(0)
        self.found.setVisible(bool(self.found.count()))
        self._allow()
        self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _failed(self, error: CartoguideError) -> None:
        self.busy.hide()
        self._say(error.user_text, error.detail)
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def _edited(self) -> None:
        """Another address: what was found no longer counts."""
        self._stop()
        self._document = ""
        self.found.clear()
        self.found.hide()
        self.details.hide()
        self._allow()

    def _say(self, words: str, detail: str = "") -> None:
        self.said.setText(words)
        self._detail = detail
        self.details.setVisible(bool(detail))
        self._allow()

    def _allow(self) -> None:
        self.look.setEnabled(bool(self.address.text().strip()))
        self.add.setText(tr("Open") if self._document else tr("Add"))
        ready = bool(self._document or self.wanted())
        self.add.setEnabled(ready)
        self.look.setDefault(not ready)
        self.add.setDefault(ready)

    # -- choosing

    def wanted(self) -> List[Source]:
        """The chosen sources, by the names that they were given."""
        items = [self.found.item(row) for row in range(self.found.count())]
        return [replace(item.data(_SOURCE), title=_title(item), authcfg=self.login.configId())
                for item in items if item.checkState() == Qt.CheckState.Checked]

    def _accept(self) -> None:
        if self._document:
            self.document.emit(self._document)
        elif self.wanted():
            self.chosen.emit(self.wanted())
        self.close()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy.hide()

    def closeEvent(self, event: object) -> None:  # noqa: N802
        """Qt: nobody waits for an answer any more."""
        self._stop()
        super().closeEvent(event)


def _item(source: Source, on: bool) -> QListWidgetItem:
    item = QListWidgetItem(f"{source.shown} ({kind_words(source)})")
    item.setData(_SOURCE, source)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
    item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
    item.setToolTip(f"{kind_words(source)}\n{source.address}")
    return item


def _title(item: QListWidgetItem) -> str:
    """The name without the kind that stands behind it as long as nobody has changed it."""
    source: Source = item.data(_SOURCE)
    written = item.text().strip()
    return source.title if written in ("", f"{source.shown} ({kind_words(source)})") else written[:200]
