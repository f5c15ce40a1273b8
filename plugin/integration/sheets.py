"""The properties of the browser's items: a record's sheet, and what a layer says of itself."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtWidgets import QWidget

from ..core.i18n import tr
from ..core.wms.model import Layer
from ..ui.metadata_tab import MetadataTab
from ..ui.rich_text import RichText, fact_table, link, paragraphs
from ..ui.words import scale_words

if TYPE_CHECKING:
    from .desk import Desk, Sheet


class RecordSheet(MetadataTab):
    """All fields of a record, its terms among them; read in a task."""

    def __init__(self, desk: Desk, identifier: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.show_body(f"<p>{escape(tr('Reading the record…'))}</p>")
        desk.sheet(identifier, self._came, self)

    def _came(self, sheet: Optional[Sheet]) -> None:
        if sip.isdeleted(self):
            return
        if sheet is None:
            self.show_body(f"<p>{escape(tr('This record is not there any more.'))}</p>")
        else:
            self.show_record(*sheet)


class LayerSheet(RichText):
    """Title, name, abstract and what can be asked of one layer."""

    def __init__(self, layer: Layer, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("What the service says of the layer"), parent)
        styles = ", ".join(style.title or style.name for style in layer.styles)
        facts = fact_table((
            (tr("Name"), escape(layer.name or "")),
            (tr("Keywords"), escape(", ".join(layer.keywords))),
            (tr("Scales"), escape(scale_words(layer.scale_range))),
            (tr("Styles"), escape(styles)),
            (tr("Coordinate reference systems"), escape(", ".join(layer.crs))),
            (tr("Credit"), escape((layer.attribution.title or "") if layer.attribution else "")),
            (tr("Metadata"), "<br>".join(link(document.url) for document in layer.metadata_urls))))
        self.show_body(f"<h2>{escape(layer.title or layer.name or '')}</h2>{paragraphs(layer.abstract or '')}{facts}")
