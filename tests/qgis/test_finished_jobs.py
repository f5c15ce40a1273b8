"""Imports and harvests that have ended: nothing of them stays but the row that shows how they ended."""

from __future__ import annotations

import pytest
from made_catalogue import made
from qgis.PyQt.QtCore import QCoreApplication, QEvent
from scripted_catalogue import ScriptedCatalogue

from plugin.app.records.harvest_controller import HarvestJob
from plugin.app.records.import_jobs import ImportJob
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind


@pytest.fixture
def delete_what_is_due():
    def delete():
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
    return delete


def test_imports_that_have_ended_are_forgotten(network, open_dock, wait_until, delete_what_is_due):
    dock = open_dock()
    imports = dock.session.imports
    for path in (*network.records, network.records[0].parent / "missing.xml"):
        dock.session.open_paths([str(path)])
        wait_until(lambda: not imports.running)
    delete_what_is_due()
    assert imports.findChildren(ImportJob) == []


def test_a_harvest_is_forgotten_with_its_row(open_dock, wait_until, delete_what_is_due):
    dock = open_dock()
    with ScriptedCatalogue(made(20)) as server:
        for _ in range(3):
            dock.list_page.harvests.start(Source(f"{server.url}/csw", SourceKind.CSW_2, "Red"),
                                          CatalogueQuery(page_size=10))
            wait_until(lambda: not dock.list_page.harvests.running)
    delete_what_is_due()
    assert len(dock.job_rows.rows) == len(dock.list_page.harvests.findChildren(HarvestJob)) == 1
    dock.job_rows.remove(dock.job_rows.rows[0])
    delete_what_is_due()
    assert dock.list_page.harvests.findChildren(HarvestJob) == []
