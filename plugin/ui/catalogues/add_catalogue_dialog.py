"""Dialog that adds a catalogue by its address."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional

from qgis.gui import QgsAuthConfigSelect
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...app.phrases import catalogue_kind_label
from ...core.addresses import AddressSecret, separate_secrets
from ...core.catalogues.detection import DetectedCatalogue
from ...core.catalogues.model import Source, SourceKind
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert, printable
from ...gis.catalogues import federated_search
from ...gis.catalogues.catalogue_client import with_login
from ...gis.network.authentication_store import save_login
from ...gis.network.origin_settings import OriginLogin
from ...gis.runtime import tasks
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import FittedDialog, dialog_button_box, is_web_address
from ..widgets.error_actions import login_removed_text
from ..widgets.form_widgets import busy_bar
from ..widgets.labels import PlainLabel
from ..widgets.messages import DetailsDialog

_SourceRole = int(Qt.ItemDataRole.UserRole)


class AddCatalogueDialog(FittedDialog):
    """Detects the catalogues at an address and lets the person choose among them. Not modal.

    ``sources_chosen`` carries the sources to add, ``open_requested`` the address of a document that can be opened.
    """

    sources_chosen = pyqtSignal(list)
    open_requested = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None, detected: Optional[DetectedCatalogue] = None) -> None:
        super().__init__(parent, columns=62, lines=20)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Add a catalogue"))
        self._job: Optional[tasks.Job] = None
        self._detail = ""
        self._openable_address = ""
        self._build()
        if detected is not None:
            self.address.setText(detected.sources[0].address)
            self._show_detected(detected)
        else:
            clipboard = QGuiApplication.clipboard().text().strip()
            if is_web_address(clipboard):
                self.address.setText(clipboard)
                self.address.selectAll()
            self._show_status(tr("CSW 2.0.2 and 3.0.0, OGC API Records and GeoNetwork are detected automatically."))

    def _build(self) -> None:
        label = PlainLabel(tr("&Address of the catalogue: its page, its service or its capabilities"))
        label.setWordWrap(True)
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://…")
        self.address.setClearButtonEnabled(True)
        label.setBuddy(self.address)
        self.detect_button = QPushButton(tr("&Detect"))
        self.detect_button.setToolTip(tr("Detect the catalogue at this address"))
        self.detect_button.clicked.connect(lambda _checked=False: self.detect())
        login = PlainLabel(tr("Lo&gin, if required"))
        self.login = QgsAuthConfigSelect()
        self.login.setAccessibleName(tr("Authentication configuration"))
        login.setBuddy(self.login)
        self.status_label = PlainLabel()
        self.status_label.setWordWrap(True)
        self.status_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(tr("Details…"))
        self.details.clicked.connect(
            lambda _checked=False: DetailsDialog(self.status_label.text(), self._detail, self).show())
        self._secret: Optional[AddressSecret] = None
        self.save_login_button = QPushButton(tr("Save it in QGIS…"))
        self.save_login_button.setAutoDefault(False)
        self.save_login_button.clicked.connect(lambda _checked=False: self._save_login())
        self.save_login_button.hide()
        self.progress_bar = busy_bar(8)
        self.source_list = QListWidget()
        self.source_list.setAccessibleName(tr("Catalogues at this address"))
        self.source_list.setToolTip(tr("Space selects, F2 renames"))
        self.source_list.itemChanged.connect(lambda _item: self._update_buttons())
        self.buttons = dialog_button_box(self, GuideTopic.CATALOGUES)
        self.add_button = self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        first = QHBoxLayout()
        first.addWidget(self.address, 1)
        first.addWidget(self.detect_button)
        status_row = QHBoxLayout()
        status_row.addWidget(self.status_label, 1)
        status_row.addWidget(self.save_login_button)
        status_row.addWidget(self.details)
        layout = QVBoxLayout(self)
        layout.addWidget(label)
        layout.addLayout(first)
        layout.addWidget(login)
        layout.addWidget(self.login)
        layout.addLayout(status_row)
        layout.addWidget(self.progress_bar)
        layout.addWidget(self.source_list, 1)
        layout.addStretch(0)
        layout.addWidget(self.buttons)
        self.address.textChanged.connect(lambda _text: self._on_address_edited())
        self._on_address_edited()

    # -- detecting

    def detect(self) -> None:
        """Detect the catalogues at the address in a task. A login in the address is set apart first."""
        address, secret = separate_secrets(self.address.text().strip())
        if secret is not None:
            self.address.setText(address)
            self._secret = secret
            self.save_login_button.show()
            self._show_status(login_removed_text(address))
            return
        self._cancel_job()
        self.source_list.clear()
        self._show_status(tr("Contacting…"))
        self.progress_bar.show()
        self._job = federated_search.request_detection(self.address.text().strip(), self._show_detected,
                                                       self._on_failed, self, self.login.configId())

    def _save_login(self) -> None:
        secret, self._secret = self._secret, None
        self.save_login_button.hide()
        if secret is None:
            return
        try:
            self.login.setConfigId(save_login(secret))
        except CartoguideError as error:
            self._on_failed(error)
        else:
            self.detect()

    def _show_detected(self, detected: DetectedCatalogue) -> None:
        self.progress_bar.hide()
        self._openable_address = detected.sources[0].address if detected.sources[0].kind == SourceKind.FILE else ""
        if self._openable_address:
            self._show_status(f"{detected.description} {tr('It is not a catalogue, but it can be opened.')}")
        else:
            self._show_status(detected.description)
            several = all(source.kind == SourceKind.OGC_API for source in detected.sources)
            self.source_list.blockSignals(True)
            for number, source in enumerate(detected.sources):
                self.source_list.addItem(_source_item(source, several or number == 0))
            self.source_list.blockSignals(False)
            self.source_list.setCurrentRow(0)
        self.source_list.setVisible(bool(self.source_list.count()))
        self._update_buttons()
        self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: CartoguideError) -> None:
        self.progress_bar.hide()
        self._show_status(error.user_text, error.detail)
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_address_edited(self) -> None:
        """Drop what was detected at the former address, and the login that was found in it."""
        self._secret = None
        self.save_login_button.hide()
        self._cancel_job()
        self._openable_address = ""
        self.source_list.clear()
        self.source_list.hide()
        self.details.hide()
        self._update_buttons()

    def _show_status(self, text: str, detail: str = "") -> None:
        self.status_label.setText(text)
        self._detail = detail
        self.details.setVisible(bool(detail))
        self._update_buttons()

    def _update_buttons(self) -> None:
        self.detect_button.setEnabled(bool(self.address.text().strip()))
        self.add_button.setText(tr("Open") if self._openable_address else tr("Add"))
        ready = bool(self._openable_address or self.chosen_sources())
        self.add_button.setEnabled(ready)
        self.detect_button.setDefault(not ready)
        self.add_button.setDefault(ready)

    # -- choosing

    def chosen_sources(self) -> List[Source]:
        """Return the checked sources with the names that the person gave them."""
        items = [self.source_list.item(row) for row in range(self.source_list.count())]
        login = OriginLogin(self.address.text().strip(), self.login.configId())
        return [
            with_login(replace(item.data(_SourceRole), title=_edited_title(item)), login) for item in items
            if item.checkState() == Qt.CheckState.Checked
        ]

    def _accept(self) -> None:
        if self._openable_address:
            self.open_requested.emit(self._openable_address)
        elif self.chosen_sources():
            self.sources_chosen.emit(self.chosen_sources())
        self.close()

    def _cancel_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.progress_bar.hide()

    def closeEvent(self, event: object) -> None:  # noqa: N802
        """Qt: cancel the detection."""
        self._cancel_job()
        super().closeEvent(event)


def _source_item(source: Source, on: bool) -> QListWidgetItem:
    item = QListWidgetItem(f"{printable(source.display_name)} ({catalogue_kind_label(source)})")
    item.setData(_SourceRole, source)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
    item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
    item.setToolTip(inert(f"{catalogue_kind_label(source)}\n{source.address}"))
    return item


def _edited_title(item: QListWidgetItem) -> str:
    """Return the edited name of a source, without the kind that its item shows behind it."""
    source: Source = item.data(_SourceRole)
    written = item.text().strip()
    return source.title if written in ("", f"{source.display_name} ({catalogue_kind_label(source)})") else written[:200]
