"""Field for the address that the page's QR code leads to: none, the record's page in its catalogue, or one typed."""

from __future__ import annotations

from enum import Enum
from typing import Optional

from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ...app.maps.map_controller import MapController
from ...app.window import Notifier, Prompts
from ...core.addresses import is_web_address, without_secrets
from ...core.custommap.model import MapRole
from ...core.i18n import tr
from ...core.pages.qr_code import FEATURE, MAX_LINK
from ...core.text import inert
from ..widgets.form_widgets import fill_layout, narrow_combo_box, set_item_enabled
from ..widgets.labels import PlainLabel
from ..widgets.theme import make_muted
from .page_form import PageForm

_TOOLTIP = Qt.ItemDataRole.ToolTipRole


class LinkChoice(str, Enum):
    """Choice of the address that a QR code leads to."""

    NONE = "none"
    RECORD = "record"
    ADDRESS = "address"


class PageLinkField(PageForm):
    """List of what the QR code leads to, and below it a field for an address of one's own.

    ``changed`` carries the address, "" for no code. An address is carried when its field is left.
    """

    feature = FEATURE

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._link = self._record_page = ""
        #: an address was chosen and none is typed yet
        self._awaits_address = False
        self.choice = narrow_combo_box(tr("QR code"))
        for label, choice in ((tr("No QR code"), LinkChoice.NONE),
                              (tr("Record’s page in the catalogue"), LinkChoice.RECORD),
                              (tr("Address…"), LinkChoice.ADDRESS)):
            self.choice.addItem(label, choice)
        self.choice.currentIndexChanged.connect(lambda _index: self._chosen())
        self.address = QLineEdit()
        self.address.setMaxLength(MAX_LINK)
        self.address.setPlaceholderText("https://")
        self.address.setAccessibleName(tr("Address of the QR code"))
        self.address.editingFinished.connect(self._typed)
        self.note = PlainLabel(wraps=True)
        make_muted(self.note)
        fill_layout(QVBoxLayout(self), self.choice, self.address, self.note, spacing=2)
        self._map: Optional[MapController] = None
        self.show_link("", "")

    @classmethod
    def label(cls) -> str:
        return tr("&QR code")

    def buddy(self) -> QWidget:
        return self.choice

    def show_value(self, value: str) -> None:
        self.show_link(value, self._record_page)

    def attach(self, map_controller: MapController, notifier: Notifier, prompts: Prompts) -> None:
        self._map = map_controller

    def refresh(self) -> None:
        """Offer the page of the base's record, else of the first that has one."""
        if self._map is None:
            return
        session = self._map.session
        pages = (session.catalogue_page(item.entry.record_id or "") for item in sorted(
            self._map.items, key=lambda item: item.role is not MapRole.BASE))
        self.show_link(self._link, without_secrets(next((page for page in pages if page), "")))

    def show_link(self, link: str, record_page: str) -> None:
        """Show the page's address without a signal. ``record_page`` is the address of the map's record, or ""."""
        if link != self._link:
            self._awaits_address = False
        self._link, self._record_page = link, record_page
        choice = LinkChoice.NONE
        if link:
            choice = LinkChoice.RECORD if link == record_page else LinkChoice.ADDRESS
        elif self._awaits_address:
            choice = LinkChoice.ADDRESS
        self.choice.blockSignals(True)
        self.choice.setCurrentIndex(self.choice.findData(choice))
        self.choice.blockSignals(False)
        row = self.choice.findData(LinkChoice.RECORD)
        set_item_enabled(self.choice, row,
                         "" if record_page else tr("No record of the map is in a catalogue with pages."))
        if record_page:
            self.choice.setItemData(row, inert(record_page), _TOOLTIP)
        self.choice.setToolTip(inert(link or tr("A QR code on the map leads to this address.")))
        self.address.setVisible(choice is LinkChoice.ADDRESS)
        if not self.address.hasFocus() or not self._awaits_address:
            self.address.setText(link)
        self._show_note("")

    def _chosen(self) -> None:
        choice = self.choice.currentData()
        self._awaits_address = choice is LinkChoice.ADDRESS
        if choice is LinkChoice.ADDRESS:
            self.address.show()
            # the list takes the focus back when it closes
            QTimer.singleShot(0, self.address.setFocus)
            return
        self._carry(self._record_page if choice is LinkChoice.RECORD else "")

    def _typed(self) -> None:
        typed = self.address.text().strip()
        if typed and not is_web_address(typed):
            self._show_note(tr("Type a web address that begins with http or https."))
            return
        self._awaits_address = False
        self._carry(without_secrets(typed))

    def _carry(self, link: str) -> None:
        changed = link != self._link
        self.show_link(link, self._record_page)
        if changed:
            self.changed.emit(link)

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))
