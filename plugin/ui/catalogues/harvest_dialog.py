"""Dialog that asks which records of a catalogue to harvest."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QDialogButtonBox, QRadioButton, QVBoxLayout, QWidget

from ...app.phrases import local_filter_note, query_summary
from ...core.catalogues.model import CatalogueQuery, Source
from ...core.i18n import tr
from ...gis.catalogues.harvest import EVERYTHING
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import FittedDialog, dialog_button_box
from ..widgets.labels import PlainLabel


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
                "already are updated.", name=source.display_name))
        intro_label.setWordWrap(True)
        self.everything_radio = QRadioButton(tr("&All its records"))
        query_text = query_summary(query)
        self.search_radio = QRadioButton(tr("Results of this &search:"))
        self.search_radio.setAccessibleDescription(query_text)
        # the text of a radio button does not wrap
        self.query_label = PlainLabel(query_text)
        self.query_label.setWordWrap(True)
        self.query_label.setIndent(24)
        self.filter_label = PlainLabel(self._filter_text(query, unsent))
        self.filter_label.setWordWrap(True)
        self.filter_label.setIndent(24)
        for widget in (self.search_radio, self.query_label):
            widget.setVisible(bool(query_text))
        (self.search_radio if query_text else self.everything_radio).setChecked(True)
        self.everything_radio.toggled.connect(lambda _on: self._update_texts())
        self.resume_label = PlainLabel()
        self.resume_label.setWordWrap(True)
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
