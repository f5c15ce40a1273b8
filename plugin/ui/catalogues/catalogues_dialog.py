"""Dialogs with the person's catalogues, of adding one and of harvesting one."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.gui import QgsAuthConfigSelect
from qgis.PyQt.QtCore import Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication, QKeySequence
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QAction,
    QCheckBox,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...app.phrases import catalogue_kind_label, local_filter_note, query_summary
from ...core.addresses import AddressSecret, separate_secrets
from ...core.catalogues.detection import DetectedCatalogue
from ...core.catalogues.model import CatalogueQuery, Source, SourceKind
from ...core.catalogues.source_list import SuggestedCatalogue
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import escaped, inert, printable
from ...gis.catalogues import federated_search
from ...gis.catalogues.catalogue_client import with_login
from ...gis.catalogues.catalogue_list import CatalogueList, source_key
from ...gis.catalogues.harvest import EVERYTHING
from ...gis.network.origin_settings import OriginLogin, save_login
from ...gis.runtime import tasks
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.buttons import dialog_button
from ..widgets.dialogs import FittedDialog, dialog_button_box, is_web_address
from ..widgets.error_actions import login_removed_text
from ..widgets.flow_layout import FlowLayout
from ..widgets.form_widgets import busy_bar, fill_layout
from ..widgets.labels import LinkLabel, PlainLabel
from ..widgets.messages import DetailsDialog
from ..widgets.rich_text import open_link

_SourceRole = int(Qt.ItemDataRole.UserRole)
#: a SuggestedCatalogue in the row of a catalogue that is not in the list yet
_SuggestionRole = _SourceRole + 1


class CataloguesDialog(FittedDialog):
    """Switches catalogues on and off (Space), renames (F2) and removes them (Del, with undo). Not modal.

    Below the person's catalogues are suggested public ones, which are switched off. To switch one on adds it.

    ``add_requested``, ``login_requested`` and ``harvest_requested`` ask for the other dialogs.
    """

    add_requested = pyqtSignal()
    login_requested = pyqtSignal(object)
    harvest_requested = pyqtSignal(object)

    def __init__(self, sources: CatalogueList, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, columns=84, lines=22)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: catalogues"))
        self._sources = sources
        self._removed: List[Tuple[Source, int]] = []
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Catalogues"))
        self.tree.setHeaderLabels([tr("Searched"), tr("Type"), tr("Address")])
        self.tree.setRootIsDecorated(False)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        header = self.tree.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.tree.itemChanged.connect(self._on_item_changed)
        self.tree.currentItemChanged.connect(lambda *_: self._update_buttons())
        self.empty = PlainLabel(
            tr("No catalogue yet. Add one by its address: a CSW, an OGC API Records or a GeoNetwork."), wraps=True)
        self.add = dialog_button(tr("&Add…"), self.add_requested.emit)
        self.rename = dialog_button(tr("&Rename"), self._rename)
        self.login = dialog_button(tr("&Login…"), lambda: self.login_requested.emit(self._current_source()))
        self.harvest = dialog_button(tr("&Harvest…"), lambda: self.harvest_requested.emit(self._current_source()))
        self.harvest.setToolTip(tr("Save its records locally, for use without a network"))
        self.remove = dialog_button(tr("Re&move"), self._remove)
        self.undo = dialog_button(tr("&Undo"), self._undo)
        self.terms_label = LinkLabel()
        self.terms_label.linkActivated.connect(open_link)
        self.status_label = PlainLabel(wraps=True)
        self.buttons = dialog_button_box(self, GuideTopic.CATALOGUES, QDialogButtonBox.StandardButton.Close)
        self._build_layout()
        for keys, run in ((QKeySequence.StandardKey.Delete, self._remove), (QKeySequence.StandardKey.Undo, self._undo)):
            action = QAction(self.tree)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(lambda _checked=False, run=run: run())
            self.tree.addAction(action)
        # later: Qt may still be handling the change of the row that caused this
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(0)
        self._refresh_timer.timeout.connect(self.refresh)
        sources.changed.connect(self._refresh_timer.start)
        self.refresh()

    def _build_layout(self) -> None:
        actions = QWidget()
        flow = FlowLayout(actions)
        for button in (self.add, self.rename, self.login, self.harvest, self.remove):
            flow.addWidget(button)
        undo = fill_layout(QHBoxLayout(), self.status_label, self.undo, wide=self.status_label)
        fill_layout(QVBoxLayout(self), self.tree, self.empty, self.terms_label, actions, undo, self.buttons,
                    wide=self.tree, margins=None)
        self._show_status("")

    def refresh(self) -> None:
        """Show the list as it is now. The current row stays."""
        chosen = self._current_source()
        self.tree.blockSignals(True)
        self.tree.clear()
        for source in self._sources.sources():
            item = QTreeWidgetItem([source.display_name, catalogue_kind_label(source), source.key])
            item.setData(0, _SourceRole, source)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0,
                               Qt.CheckState.Checked if self._sources.is_enabled(source) else Qt.CheckState.Unchecked)
            lines = [
                source.key,
                tr("The network’s own catalogue") if self._sources.is_network_catalogue(source) else "",
                tr("With a login") if source.authcfg else ""
            ]
            item.setToolTip(0, inert("\n".join(word for word in lines if word)))
            self.tree.addTopLevelItem(item)
            if chosen is not None and source_key(source) == source_key(chosen):
                self.tree.setCurrentItem(item)
        self._add_suggestions()
        if self.tree.currentItem() is None and self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))
        self.tree.blockSignals(False)
        self.tree.resizeColumnToContents(0)
        self.tree.setColumnWidth(0, min(320, self.tree.columnWidth(0)))
        self.empty.setVisible(not self.tree.topLevelItemCount())
        if self._sources.problem is not None:
            self._show_status(self._sources.problem.user_text)
        self._update_buttons()

    def _add_suggestions(self) -> None:
        """Add a row, which is switched off, for each suggested catalogue. Nothing is requested of them."""
        for suggestion in self._sources.suggestions():
            source = suggestion.source
            item = QTreeWidgetItem([f"{source.display_name} ({suggestion.area})", catalogue_kind_label(source),
                                    source.key])
            item.setData(0, _SuggestionRole, suggestion)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Unchecked)
            item.setToolTip(0, inert(tr("Suggested. It is not contacted before you switch it on")))
            self.tree.addTopLevelItem(item)

    def _current_source(self) -> Optional[Source]:
        item = self.tree.currentItem()
        return item.data(0, _SourceRole) if item is not None else None

    def _update_buttons(self) -> None:
        source = self._current_source()
        for button in (self.rename, self.login, self.harvest):
            button.setEnabled(source is not None)
        self._show_terms()
        own = source is not None and self._sources.is_network_catalogue(source)
        self.remove.setEnabled(source is not None and not own)
        self.remove.setToolTip(
            tr("The network’s own catalogue cannot be removed. Switch it off instead") if own else "")

    def _show_terms(self) -> None:
        """Show the owner and the terms of the current row's catalogue, if it is a suggested one."""
        item = self.tree.currentItem()
        suggestion: Optional[SuggestedCatalogue] = item.data(0, _SuggestionRole) if item is not None else None
        self.terms_label.setVisible(suggestion is not None)
        if suggestion is not None:
            link = f'<a href="{escaped(suggestion.terms_url)}">{escaped(tr("Terms of use"))}</a>'
            self.terms_label.setText(f"{escaped(suggestion.owner)}. {escaped(suggestion.terms)} {link}")

    def _on_item_changed(self, item: QTreeWidgetItem, column: int) -> None:
        suggestion: Optional[SuggestedCatalogue] = item.data(0, _SuggestionRole)
        if suggestion is not None:
            if item.checkState(0) == Qt.CheckState.Checked:
                self._sources.add([suggestion.source])
            return
        source: Source = item.data(0, _SourceRole)
        title = item.text(0).strip()[:200]
        if column == 0 and title != source.display_name:
            self._sources.update(replace(source, title=title))
        elif column == 0:
            self._sources.set_enabled(source, item.checkState(0) == Qt.CheckState.Checked)
        else:
            self.refresh()

    def _rename(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
            self.tree.editItem(item, 0)

    def _remove(self) -> None:
        source = self._current_source()
        if source is None or not self.remove.isEnabled():
            return
        self._removed.append((source, self._sources.remove(source)))
        self._show_status(tr("“{name}” removed. Its records remain.", name=source.display_name))

    def _undo(self) -> None:
        if self._removed:
            source, index = self._removed.pop()
            self._sources.restore(source, index)
            self._show_status(tr("“{name}” restored.", name=source.display_name))

    def _show_status(self, text: str) -> None:
        self.status_label.setText(text)
        self.undo.setVisible(bool(self._removed))


class HarvestDialog(FittedDialog):
    """``harvest_chosen`` carries the query and whether to start over. Not modal."""

    harvest_chosen = pyqtSignal(object, bool)

    def __init__(self, source: Source, query: CatalogueQuery, is_unfinished: Callable[[CatalogueQuery], bool],
                 parent: QWidget, unsent: Optional[Sequence[str]] = None) -> None:
        """``is_unfinished`` returns whether a harvest of a query can be resumed.

        ``unsent`` are the conditions of ``query`` that the catalogue does not support, or None before that is known.
        """
        super().__init__(parent, columns=58)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Harvest"))
        self._query, self._is_unfinished = query, is_unfinished
        intro_label = PlainLabel(
            tr(
                "Save records of {name} locally. They are then available without a network. Records that you have "
                "already are updated.", name=source.display_name), wraps=True)
        self.everything_radio = QRadioButton(tr("&All its records"))
        query_text = query_summary(query)
        self.search_radio = QRadioButton(tr("Results of this &search:"))
        self.search_radio.setAccessibleDescription(query_text)
        # the text of a radio button does not wrap
        self.query_label = PlainLabel(query_text, wraps=True)
        self.query_label.setIndent(24)
        self.filter_label = PlainLabel(self._filter_text(query, unsent), wraps=True)
        self.filter_label.setIndent(24)
        for widget in (self.search_radio, self.query_label):
            widget.setVisible(bool(query_text))
        (self.search_radio if query_text else self.everything_radio).setChecked(True)
        self.everything_radio.toggled.connect(lambda _on: self._update_texts())
        self.resume_label = PlainLabel(wraps=True)
        self.restart_box = QCheckBox(tr("&Start over"))
        self.buttons = dialog_button_box(self, GuideTopic.CATALOGUES)
        self.harvest_button = self.buttons.addButton(tr("Harvest"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        layout = QVBoxLayout(self)
        for widget in (intro_label, self.everything_radio, self.search_radio, self.query_label, self.filter_label,
                       self.resume_label, self.restart_box):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self._update_texts()

    @property
    def chosen_query(self) -> CatalogueQuery:
        return EVERYTHING if self.everything_radio.isChecked() else self._query

    @staticmethod
    def _filter_text(query: CatalogueQuery, unsent: Optional[Sequence[str]]) -> str:
        if unsent is not None:
            return local_filter_note(unsent)
        return tr("Filters the catalogue does not support are applied to its results here.") \
            if query.facets else ""

    def _update_texts(self) -> None:
        self.filter_label.setVisible(bool(self.filter_label.text()) and self.search_radio.isChecked())
        broken = self._is_unfinished(self.chosen_query)
        self.resume_label.setText(
            tr("This harvest was interrupted. It will resume after the last page saved.") if broken else "")
        self.resume_label.setVisible(broken)
        self.restart_box.setVisible(broken)
        self.restart_box.setChecked(False)
        self.fit_height()

    def _accept(self) -> None:
        self.harvest_chosen.emit(self.chosen_query, self.restart_box.isChecked())
        self.close()


class AddCatalogueDialog(FittedDialog):
    """Detects the catalogues at an address and lets the person choose among them. Not modal.

    ``sources_chosen`` carries the sources to add, ``open_requested`` the address of a document that can be opened.
    """

    sources_chosen = pyqtSignal(list)
    open_requested = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None, detected: Optional[DetectedCatalogue] = None) -> None:
        super().__init__(parent, columns=62, lines=20)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: add a catalogue"))
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
        label = PlainLabel(tr("&Address of the catalogue: its page, its service or its capabilities"), wraps=True)
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
        self.status_label = PlainLabel(wraps=True)
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
        first = fill_layout(QHBoxLayout(), self.address, self.detect_button, wide=self.address)
        status_row = fill_layout(QHBoxLayout(), self.status_label, self.save_login_button, self.details,
                                 wide=self.status_label)
        layout = fill_layout(QVBoxLayout(self), label, first, login, self.login, status_row, self.progress_bar,
                             self.source_list, wide=self.source_list, margins=None)
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
