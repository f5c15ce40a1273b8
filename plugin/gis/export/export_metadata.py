"""The metadata that an exported file carries: title, authors, keywords, credits and licences of the map's layers."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, List, Sequence

from qgis.core import QgsAbstractMetadataBase, QgsLayoutItemLabel, QgsMapLayer, QgsPrintLayout, QgsProject

from ...core.i18n import tr
from ..credits.credit_lines import credits_of_layers
from ..layouts import layout_items as ids


@contextmanager
def temporary_project_metadata(layout: QgsPrintLayout, layers: Sequence[QgsMapLayer]) -> Iterator[None]:
    """Let the project describe this map of ``layers`` while it is exported: the exporter takes title, authors and
    keywords from there.
    """
    project: QgsProject = layout.project()
    own, dirty = project.metadata(), project.isDirty()
    changed = project.metadata()
    label = ids.find_item(layout, ids.TITLE, QgsLayoutItemLabel)
    changed.setTitle(label.currentText() if label is not None else layout.name())
    changed.setAuthor("; ".join(_authors(layers)) or own.author())
    changed.setAbstract("; ".join([*credits_of_layers(layers), *_licences(layers)]))
    changed.setKeywords({tr("keywords"): list(dict.fromkeys(
        word for layer in layers for words in layer.metadata().keywords().values() for word in words))})
    project.setMetadata(changed)
    try:
        yield
    finally:
        project.setMetadata(own)
        project.setDirty(dirty)


def _authors(layers: Sequence[QgsMapLayer]) -> List[str]:
    """The organisations behind the layers, each once."""
    contacts: List[QgsAbstractMetadataBase.Contact] = [
        contact for layer in layers for contact in layer.metadata().contacts()]
    return list(dict.fromkeys(contact.organization or contact.name for contact in contacts
                              if contact.organization or contact.name))


def _licences(layers: Sequence[QgsMapLayer]) -> List[str]:
    return list(dict.fromkeys(licence for layer in layers for licence in layer.metadata().licenses()))
