"""The dialogs that several parts of the plugin show, and the button box of all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List, Optional, Sequence

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QCoreApplication, QIdentityProxyModel, Qt, pyqtSignal
from qgis.PyQt.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ...core import i18n
from ...core.custommap.foreign_maps import Consent, ForeignMap, NamedThing
from ...core.i18n import tr
from ...core.text import inert, printable
from ...gis.runtime import settings
from ...gis.runtime.guide_pages import GuideTopic
from . import guide
from .buttons import translate_buttons
from .form_widgets import fill_layout, wrapped_label
from .labels import PlainLabel

#: the most characters of a collection's name
_MAX_LENGTH = 80
#: the part of the screen that a dialog takes at most when it opens: the window manager adds a title and a frame
_SHARE_OF_SCREEN = 0.95
#: letters that the dialog for a name is wide
_NAME_LETTERS = 44


def dialog_button_box(dialog: QDialog, help_topic: GuideTopic,
                      *standard: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """Return a button box for ``dialog`` with the ``standard`` buttons (Cancel if none is given) and Help.

    The buttons have the plugin's own translations. Help and F1 open the page ``help_topic`` of the user guide. A button
    that rejects, such as Cancel or Close, closes the dialog.
    """
    buttons = QDialogButtonBox()
    for button in standard or (QDialogButtonBox.StandardButton.Cancel,):
        buttons.addButton(button)
    translate_buttons(buttons)
    guide.install_help(dialog, help_topic, buttons)
    buttons.rejected.connect(dialog.close)
    return buttons


def is_web_address(text: str) -> bool:
    """Return True if ``text`` is one web address and nothing else."""
    address = text.strip()
    return address.lower().startswith(("http://", "https://")) and len(address.split()) == 1 and len(address) > 9


class FittedDialog(QDialog):
    """Dialog that opens as wide as ``columns`` letters, and as high as its texts and ``lines`` lines need.

    A size in pixels would cut wrapped texts where the font of QGIS is large.
    """

    def __init__(self, parent: Optional[QWidget], columns: int, lines: int = 0) -> None:
        super().__init__(parent)
        self._columns, self._lines = columns, lines
        self._is_fitted = False

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: take the size once the widgets have the font of QGIS, before Qt places the dialog by its size."""
        if not self._is_fitted and not event.spontaneous():
            self._is_fitted = True
            for widget in self.findChildren(QWidget):
                widget.ensurePolished()
            self._fit(max(self.width_for(self._columns), self.minimumSizeHint().width()),
                      self._lines * self.fontMetrics().lineSpacing())
        super().showEvent(event)

    def width_for(self, columns: int) -> int:
        """Return the width of so many letters in pixels, as far as the screen has it."""
        width = columns * self.fontMetrics().averageCharWidth()
        screen = self.screen()
        if screen is not None:
            width = min(width, round(_SHARE_OF_SCREEN * screen.availableGeometry().width()))
        return int(width)

    def fit_height(self) -> None:
        """Adapt the height to the texts at the present width: wrapped labels would be cut."""
        self._fit(self.width(), 0)

    def _fit(self, width: int, least: int) -> None:
        """Take this width, and the height that the texts need then, ``least`` pixels at least, up to the screen's.

        In one step: a window manager may answer the first of two when the second is over.
        """
        layout, screen = self.layout(), self.screen()
        needed = 0
        if layout is not None:
            layout.activate()
            needed = layout.totalHeightForWidth(width)
            if not layout.hasHeightForWidth():
                needed = layout.totalSizeHint().height()
        height = max(self.minimumHeight(), least, needed)
        if screen is not None:
            height = min(height, round(_SHARE_OF_SCREEN * screen.availableGeometry().height()))
        self.resize(width, height)


class AddressDialog(FittedDialog):
    """Dialog for the address of a record, a catalogue, a map service or a document. Not modal.

    The text on the clipboard is filled in if it is an address.
    """

    chosen = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, columns=66)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Open an address"))
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://…")
        self.address.setClearButtonEnabled(True)
        label = PlainLabel(tr("&Address of a record (its page or its XML), of a catalogue, or of a map service"),
                           wraps=True)
        label.setBuddy(self.address)
        clipboard = QGuiApplication.clipboard().text().strip()
        if is_web_address(clipboard):
            self.address.setText(clipboard)
            self.address.selectAll()
        self.buttons = dialog_button_box(self, GuideTopic.RECORDS)
        self.open_button = self.buttons.addButton(tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        self.address.textChanged.connect(lambda text: self.open_button.setEnabled(is_web_address(text)))
        self.open_button.setEnabled(is_web_address(self.address.text()))
        layout = fill_layout(QVBoxLayout(self), label, self.address, margins=None)
        layout.addStretch(1)
        layout.addWidget(self.buttons)

    def _accept(self) -> None:
        self.chosen.emit(self.address.text().strip())
        self.close()


def open_name_dialog(parent: Optional[QWidget], title: str, name: str,
                     on_accepted: Callable[[str], object]) -> QInputDialog:
    """Open a dialog for the name of a collection.

    ``on_accepted`` is called with the name, white space reduced to single blanks. It is not called for an empty name.
    """
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(tr("Name of the collection:"))
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(lambda text: on_accepted(_normalise(text)) if _normalise(text) else None)
    dialog.open()
    # the dialog is as wide as its field: else the title of its window is cut off
    for field in dialog.findChildren(QLineEdit):
        field.setMinimumWidth(_NAME_LETTERS * field.fontMetrics().averageCharWidth())
    for box in dialog.findChildren(QDialogButtonBox):
        translate_buttons(box)
    return dialog


def _normalise(name: str) -> str:
    return " ".join(name.split())[:_MAX_LENGTH]


#: letters in a line of the dialogs, and lines of text in all their lists together and in each of them
_COLUMNS, _ROWS, _LEAST_ROWS = 72, 14, 4


def _paragraph(text: str) -> QLabel:
    """Return a text of several lines that is as high as it needs at its width."""
    label = wrapped_label(text)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    return label


class _ListingDialog(FittedDialog):
    """Dialog with a text and lists below it."""

    def __init__(self, title: str, text: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, _COLUMNS)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._lists: List[QListWidget] = []
        self._column = QVBoxLayout(self)
        self._column.addWidget(_paragraph(text))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: make the lists as high as their rows, and no higher than all of them have room for on the screen."""
        super().showEvent(event)
        shown = [widget for widget in self._lists if widget.count()]
        for widget in shown:
            last = widget.visualItemRect(widget.item(widget.count() - 1)).bottom() + 1
            most = max(_LEAST_ROWS, _ROWS // len(shown)) * widget.fontMetrics().lineSpacing()
            widget.setFixedHeight(min(last, most) + 2 * widget.frameWidth())
        self.fit_height()

    def _texts(self, heading: str, texts: Sequence[str]) -> QListWidget:
        """Add a list below a heading, hidden where it is empty, and return it."""
        widget = QListWidget()
        widget.setAccessibleName(heading)
        widget.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        widget.setWordWrap(True)
        widget.setTextElideMode(Qt.TextElideMode.ElideNone)
        widget.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for text in texts:
            widget.addItem(QListWidgetItem(printable(text)))
        self._lists.append(widget)
        label = PlainLabel(heading, wraps=True)
        for part in (label, widget):
            part.setVisible(bool(texts))
            self._column.addWidget(part)
        return widget


class ForeignMapDialog(_ListingDialog):
    """Lists all that a foreign map names. Enter opens the map without it.

    The third answer, that the person made the map, stands apart from the others.
    """

    def __init__(self, title: str, foreign: ForeignMap, done: Callable[[Consent], object],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(
            tr("Map of somebody else"),
            tr("“{title}” was not saved by this QGIS profile. It names files, servers or databases beside its map "
               "services. Open them only if you know whom it is from.", title=printable(title)), parent)
        self._done = done
        near = [thing for thing in foreign.things if not thing.is_elsewhere]
        elsewhere = [thing for thing in foreign.things if thing.is_elsewhere]
        layout = self._column
        self.near_list = self._list(tr("Files beside or below the map, servers and databases:"), near)
        self.elsewhere_list = self._list(tr("Files elsewhere on this computer:"), elsewhere)
        self.elsewhere_check_box = QCheckBox(tr("Open the files elsewhere too"))
        self.elsewhere_check_box.setVisible(bool(elsewhere))
        layout.addWidget(self.elsewhere_check_box)
        refused = [tr("“{layer}”: {reason}", layer=layer.name, reason=layer.problem) for layer in foreign.refused]
        self.refused_list = self._texts(tr("Layers that are not opened in any case:"), refused)
        self._add_own_answer(foreign.is_whole)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS, QDialogButtonBox.StandardButton.Cancel)
        self.without_button = self.buttons.addButton(tr("Open the map without them"),
                                                     QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button = self.buttons.addButton(tr("Open them"), QDialogButtonBox.ButtonRole.YesRole)
        self.open_button.setAutoDefault(False)
        self.without_button.setDefault(True)
        self.without_button.clicked.connect(lambda: self._answer(Consent.NONE))
        self.open_button.clicked.connect(lambda: self._answer(
            Consent.ELSEWHERE_TOO if self.elsewhere_check_box.isChecked() else Consent.LISTED))
        # without a tick nothing would be opened where all files lie elsewhere
        self.elsewhere_check_box.toggled.connect(lambda on: self.open_button.setEnabled(bool(near) or on))
        self.open_button.setEnabled(bool(near))
        self.open_button.setVisible(foreign.needs_consent)
        layout.addStretch()
        layout.addWidget(self.buttons)
        self.without_button.setFocus()

    def _add_own_answer(self, is_offered: bool) -> None:
        frame = QFrame()
        frame.setFrameShape(QFrame.Shape.StyledPanel)
        inner = QVBoxLayout(frame)
        inner.addWidget(_paragraph(
            tr("Did you make this map yourself, on another computer, in another folder or with a former version? Then "
               "it can be opened as your own, with its styles and with layers that are not opened otherwise.")))
        self.own_button = QPushButton(tr("I made this map myself…"))
        # Enter never means this
        self.own_button.setAutoDefault(False)
        self.own_button.clicked.connect(lambda: self._answer(Consent.OWN))
        inner.addWidget(self.own_button, 0, Qt.AlignmentFlag.AlignLeft)
        frame.setVisible(is_offered)
        self._column.addWidget(frame)

    def _list(self, heading: str, things: Sequence[NamedThing]) -> QListWidget:
        return self._texts(heading, [f"{thing.reference.text} · {thing.use}" for thing in things])

    def _answer(self, consent: Consent) -> None:
        self.close()
        self._done(consent)


class OwnMapDialog(_ListingDialog):
    """Asks the person who says that a map is their own once more, with what the rules for foreign maps refuse.

    Enter goes back to the question before, and so does closing it.
    """

    def __init__(self, title: str, left_out: Sequence[str], done: Callable[[bool], object],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(
            tr("Open as your own map?"),
            tr("“{title}” will be opened as if you had saved it here. The files, servers, databases and expressions "
               "that it names are used without any check. If somebody else made it, it can read files of this computer "
               "and send them away.", title=printable(title)), parent)
        self._done, self._is_own = done, False
        self.left_out_list = self._texts(tr("The rules for maps of somebody else would keep out:"), left_out)
        if not left_out:
            self._column.addWidget(_paragraph(
                tr("The rules for maps of somebody else would keep nothing out of it: it can be opened with them just "
                   "as well.")))
        self.buttons = dialog_button_box(self, GuideTopic.MAPS, QDialogButtonBox.StandardButton.Cancel)
        self.back_button = self.buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.back_button.setText(tr("Back"))
        self.own_button = self.buttons.addButton(tr("I made it: open all of it"),
                                                 QDialogButtonBox.ButtonRole.DestructiveRole)
        self.own_button.setAutoDefault(False)
        self.own_button.clicked.connect(self._confirm)
        self.back_button.setDefault(True)
        self._column.addStretch()
        self._column.addWidget(self.buttons)
        self.back_button.setFocus()

    def _confirm(self) -> None:
        self._is_own = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Qt: give the answer, however the dialog was closed."""
        super().closeEvent(event)
        done, self._done = self._done, lambda _is_own: None
        done(self._is_own)

    def reject(self) -> None:
        """Qt: Escape closes the dialog as Back does."""
        self.close()


def open_foreign_map_dialog(parent: QWidget, title: str, foreign: ForeignMap,
                            done: Callable[[Consent], object]) -> QDialog:
    """Show the dialog without blocking, and return it. ``done`` gets the answer, and nothing after Cancel."""
    dialog = ForeignMapDialog(title, foreign, done, parent)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()
    return dialog


def open_own_map_dialog(parent: QWidget, title: str, left_out: Sequence[str],
                        done: Callable[[bool], object]) -> QDialog:
    """Show the dialog without blocking, and return it. ``done`` gets the answer, False also where it is closed."""
    dialog = OwnMapDialog(title, left_out, done, parent)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()
    return dialog


class _FileColumns(QIdentityProxyModel):
    """Files of a dialog with the plugin's translations of the columns."""

    def headerData(self, section: int, orientation: Qt.Orientation,  # noqa: N802
                   role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        titles = (tr("Name"), tr("Size"), tr("Type"), tr("Date modified"))
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole and section < len(titles):
            return titles[section]
        return super().headerData(section, orientation, role)


def translated_file_dialog(parent: QWidget, title: str, start: str, filters: str,
                           mode: QFileDialog.FileMode, saves: bool = False) -> Optional[QFileDialog]:
    """Return a dialog of files in the language of the plugin, or None where Qt has it in that language by itself.

    Qt's own translations are not installed on every computer.
    """
    if i18n.language() == "en" or QCoreApplication.translate("QFileDialog", "Look in:") != "Look in:":
        return None
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(mode)
    if saves:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    if filters:
        dialog.setNameFilters(filters.split(";;"))
    place = Path(start)
    is_folder = not start or place.is_dir()
    dialog.setDirectory(str(place if is_folder else place.parent))
    if not is_folder:
        dialog.selectFile(place.name)
    if mode == QFileDialog.FileMode.Directory:
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
    labels = QFileDialog.DialogLabel
    dialog.setLabelText(labels.LookIn, tr("Look in:"))
    dialog.setLabelText(labels.FileName, tr("File &name:"))
    dialog.setLabelText(labels.FileType, tr("Files of type:"))
    dialog.setLabelText(labels.Accept, tr("&Save") if saves else tr("&Open"))
    dialog.setLabelText(labels.Reject, tr("Cancel"))
    dialog.setProxyModel(_FileColumns(dialog))
    return dialog


def _chosen_files(dialog: QFileDialog) -> List[str]:
    """Show a dialog until it is closed, and return the files that were chosen in it."""
    try:
        return dialog.selectedFiles() if dialog.exec() else []
    finally:
        dialog.deleteLater()


def existing_files(parent: QWidget, title: str, folder: str, filters: str) -> List[str]:
    """Return the files that the person chose, or an empty list."""
    dialog = translated_file_dialog(parent, title, folder, filters, QFileDialog.FileMode.ExistingFiles)
    return _chosen_files(dialog) if dialog is not None else list(
        QFileDialog.getOpenFileNames(parent, title, folder, filters)[0])


def existing_file(parent: QWidget, title: str, folder: str, filters: str) -> str:
    """Return the file that the person chose, or ""."""
    dialog = translated_file_dialog(parent, title, folder, filters, QFileDialog.FileMode.ExistingFile)
    return "".join(_chosen_files(dialog)[:1]) if dialog is not None else str(
        QFileDialog.getOpenFileName(parent, title, folder, filters)[0])


def existing_folder(parent: QWidget, title: str, folder: str) -> str:
    """Return the folder that the person chose, or ""."""
    dialog = translated_file_dialog(parent, title, folder, "", QFileDialog.FileMode.Directory)
    return "".join(_chosen_files(dialog)[:1]) if dialog is not None else str(
        QFileDialog.getExistingDirectory(parent, title, folder))


def new_file(parent: QWidget, title: str, start: str, filters: str) -> str:
    """Return where the person wants to save a file, or "". A file that is there already is a question of the dialog."""
    dialog = translated_file_dialog(parent, title, start, filters, QFileDialog.FileMode.AnyFile, saves=True)
    return "".join(_chosen_files(dialog)[:1]) if dialog is not None else str(
        QFileDialog.getSaveFileName(parent, title, start, filters)[0])


class DialogPrompts:
    """Implements ``plugin.app.window.Prompts``. Its dialogs are windows of ``parent``."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def open_files(self, title: str, filters: str) -> List[str]:
        paths = existing_files(self._parent, title, settings.last_folder(), filters)
        if paths:
            settings.set("last_folder", str(Path(paths[0]).parent))
        return paths

    def open_file(self, title: str, filters: str) -> Optional[Path]:
        path = existing_file(self._parent, title, settings.last_folder(), filters)
        return self._chosen(path)

    def open_folder(self, title: str) -> Optional[str]:
        path = existing_folder(self._parent, title, settings.last_folder())
        if path:
            settings.set("last_folder", path)
        return path or None

    def save_file(self, title: str, name: str, filters: str, remember: bool = True,
                  in_project: bool = False) -> Optional[Path]:
        """Return where to save a file that is called ``name`` by default, or None."""
        project_folder = QgsProject.instance().absolutePath() if in_project else ""
        start = str(Path(project_folder or settings.last_folder()) / name)
        path = new_file(self._parent, title, start, filters)
        return self._chosen(path, remember)

    def ask_name(self, title: str, name: str, done: Callable[[str], object]) -> None:
        open_name_dialog(self._parent, title, name, done)

    def choose(self, title: str, label: str, items: Sequence[str], current: int,
               done: Callable[[int], object]) -> QInputDialog:
        dialog = QInputDialog(self._parent)
        dialog.setWindowTitle(title)
        dialog.setLabelText(inert(label))
        dialog.setOkButtonText(tr("OK"))
        dialog.setCancelButtonText(tr("Cancel"))
        dialog.setComboBoxItems(list(items))
        dialog.setTextValue(items[current])
        dialog.textValueSelected.connect(lambda chosen: done(list(items).index(chosen)))
        dialog.open()
        return dialog

    def confirm_foreign(self, title: str, foreign: ForeignMap, done: Callable[[Consent], object]) -> QDialog:
        """Ask once what a foreign map may open, without blocking. ``done`` gets the answer, nothing after Cancel."""
        return open_foreign_map_dialog(self._parent, title, foreign, done)

    def confirm_own(self, title: str, left_out: Sequence[str], done: Callable[[bool], object]) -> QDialog:
        """Ask whether the person made a map, without blocking. ``done`` gets the answer, False also after Cancel."""
        return open_own_map_dialog(self._parent, title, left_out, done)

    @staticmethod
    def _chosen(path: str, remember: bool = True) -> Optional[Path]:
        if not path:
            return None
        if remember:
            settings.set("last_folder", str(Path(path).parent))
        return Path(path)
