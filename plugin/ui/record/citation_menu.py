"""Submenu that copies citations as text, BibTeX or CSL-JSON."""

from __future__ import annotations

from typing import Callable

from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QMenu

from ...app.window import Notifier
from ...core.i18n import tr
from ...core.records.report.bibliography import CitationFormat


def add_citation_menu(menu: QMenu, citation: Callable[[CitationFormat], str], notifier: Notifier) -> QMenu:
    """Add "Copy citation" to a menu. ``citation`` returns what is copied when an entry is chosen."""

    def copy(citation_format: CitationFormat) -> None:
        text = citation(citation_format)
        QGuiApplication.clipboard().setText(text)
        if citation_format is CitationFormat.TEXT:
            notifier.notify(tr("Copied: “{credit}”", credit=text))
        else:
            notifier.notify(tr("The citation was copied as {name}.", name=citation_format.label))

    submenu = menu.addMenu(tr("Copy citation"))
    for citation_format in CitationFormat:
        submenu.addAction(citation_format.label, lambda chosen=citation_format: copy(chosen))
    return submenu
