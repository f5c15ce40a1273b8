"""Widgets with the properties of the browser's items: the fields of a record, the description of a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from qgis.PyQt import sip
from qgis.PyQt.QtWidgets import QWidget

from ..app.phrases import scale_range_text
from ..core.i18n import tr
from ..core.text import escaped
from ..core.wms.model.service import Layer
from ..ui.record.metadata_tab import MetadataTab
from ..ui.widgets.rich_text import RichTextView, html_link, html_paragraphs, html_table

if TYPE_CHECKING:
    from ..core.terms.model import RecordWithTerms
    from .record_commands import RecordCommands


class RecordProperties(MetadataTab):
    """All fields of a record and its terms, loaded in a task."""

    def __init__(self, commands: RecordCommands, identifier: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.show_html(f"<p>{escaped(tr('Reading the record…'))}</p>")
        commands.load_record(identifier, self._on_loaded, self)

    def _on_loaded(self, record_and_terms: Optional[RecordWithTerms]) -> None:
        if sip.isdeleted(self):
            return
        if record_and_terms is None:
            self.show_html(f"<p>{escaped(tr('This record no longer exists.'))}</p>")
        else:
            self.show_record(*record_and_terms)


class LayerProperties(RichTextView):
    """Title, name, abstract, styles and CRSs of a layer."""

    def __init__(self, layer: Layer, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Description of the layer by its service"), parent)
        styles = ", ".join(style.title or style.name for style in layer.styles)
        facts = html_table(((tr("Name"), escaped(layer.name or "")),
                            (tr("Keywords"), escaped(", ".join(layer.keywords))),
                            (tr("Scales"), escaped(scale_range_text(layer.scale_range))),
                            (tr("Styles"), escaped(styles)),
                            (tr("Coordinate reference systems"), escaped(", ".join(layer.crs))),
                            (tr("Credit"), escaped((layer.attribution.title or "") if layer.attribution else "")),
                            (tr("Metadata"), "<br>".join(html_link(document.url) for document in layer.metadata_urls))))
        self.show_html(
            f"<h2>{escaped(layer.title or layer.name or '')}</h2>{html_paragraphs(layer.abstract or '')}{facts}")
