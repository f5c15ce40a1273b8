"""Table of features: one row for each feature, or one row for each attribute of a single feature."""

from __future__ import annotations

from typing import List, Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from qgis.PyQt.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from ...core.featureinfo.features import IdentifiedFeature, as_tsv, attribute_names
from ...core.i18n import tr
from ...core.text import inert

#: greatest height of a table in pixels, beyond which it scrolls
_MAX_HEIGHT = 320
_MAX_COLUMN_WIDTH = 220


class FeatureTable(QTableWidget):
    """Table of a layer's features. Ctrl+C copies the selected row as tab-separated values.

    ``row_selected`` is emitted when another row is selected.
    """

    row_selected = pyqtSignal()

    def __init__(self, layer: str, features: Sequence[IdentifiedFeature], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.features: List[IdentifiedFeature] = list(features)
        self.single = len(self.features) == 1
        self.setAccessibleName(tr("Features of {layer}", layer=layer))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(self.single)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        names = attribute_names(self.features)
        if self.single:
            self._fill_cells([tr("Attribute"), tr("Value")], [[name, self.features[0].value(name)] for name in names])
            self.verticalHeader().hide()
            self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        else:
            self._fill_cells(names, [[feature.value(name) for name in names] for feature in self.features])
        self.resizeColumnsToContents()
        for column in range(self.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column), _MAX_COLUMN_WIDTH))
        self.itemSelectionChanged.connect(self.row_selected)
        self._fit_height()

    def _fill_cells(self, heads: List[str], rows: List[List[str]]) -> None:
        self.setColumnCount(len(heads))
        self.setHorizontalHeaderLabels(heads)
        self.setRowCount(len(rows))
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                item = QTableWidgetItem(value)
                item.setToolTip(inert(value if len(value) > 20 else ""))
                self.setItem(row, column, item)

    def _fit_height(self) -> None:
        """Set the height to that of all rows up to a limit, so that the panel scrolls and not every table in it."""
        if self.single:
            self.resizeRowsToContents()
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()))
        bar = 0 if self.single else self.horizontalScrollBar().sizeHint().height()
        height = min(self.horizontalHeader().sizeHint().height() + rows + bar + 2 * self.frameWidth() + 2, _MAX_HEIGHT)
        self.setFixedHeight(height)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        """Qt: wrap long values of a single feature."""
        super().resizeEvent(event)
        if self.single:
            self._fit_height()

    def selected_feature(self) -> IdentifiedFeature:
        """Return the selected feature, or the first one if none is selected."""
        row = self.currentRow()
        return self.features[0 if self.single or row < 0 else row]

    def selected_row_text(self) -> str:
        """Return the selected row as tab-separated values."""
        row = max(0, self.currentRow())
        if self.single:
            cells = [self.item(row, column) for column in range(self.columnCount())]
            return "\t".join(" ".join(cell.text().split()) for cell in cells if cell is not None) + "\n"
        return as_tsv([self.selected_feature()], heading=False) if self.features else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: copy the selected row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_row_text())
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: allow a narrow table."""
        return QSize(200, super().sizeHint().height())


def feature_tables(groups: Sequence[tuple[str, Sequence[IdentifiedFeature]]], parent: QWidget) -> List[FeatureTable]:
    tables = [FeatureTable(layer, features, parent) for layer, features in groups]
    for table in tables:
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    return tables
