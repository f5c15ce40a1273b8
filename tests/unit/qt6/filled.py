"""Widgets of ``ui`` with something in them: what fills their rows is the plugin's own model, read from documents."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Dict, List

from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QWidget

SERVICE = Path(__file__).resolve().parents[1] / "fixtures" / "wms" / "network-1.3.0.xml"
ADDRESS = "http://127.0.0.1:1/wms"


def filled_widgets(records: List[object]) -> Dict[str, Callable[[], QWidget]]:
    """How to make each, by name; ``records`` are read ones."""
    return {"RecordListView with hits": records_in_list, "MapRows with rows": rows_of_map,
            "LayersPage with layers": layers, "LayerPick with layers": layer_pick,
            "OperationsPage with its form": lambda: operations(records[0]),
            "FeatureTable with features": features, "FeatureTable with one": lambda: features(1),
            "XmlTab with a document": document, "HarvestRows with lines": harvests,
            "FindingsPanel with findings": findings}


def service() -> object:
    """A service as the test network's own server describes it."""
    from plugin.core.wms import read_service

    return read_service(SERVICE.read_bytes())


def records_in_list() -> QWidget:
    """A hundred results, with pictures, one of them under the mouse."""
    from plugin.core.library.query import SearchHit
    from plugin.ui.results.record_list import RecordListView, ResultListModel

    picture = QImage(48, 32, QImage.Format.Format_RGB32)
    view = RecordListView()
    model = ResultListModel(lambda hit: hit.organisation, lambda hit: picture, view)
    view.setModel(model)
    model.set_hits([
        SearchHit(n, f"id-{n}", f"Title {n} of a record", "service", "view", 2020, "2020-01-01", "An office",
                  "CC BY 4.0", "yes", "yes", ADDRESS, "", False, (-9.0, 36.0, 3.0, 43.0)) for n in range(100)
    ], has_more=True)
    view.setCurrentIndex(model.index(1))
    view.highlight_row(2)
    model.mimeData([model.index(0), model.index(1)])
    return view


def rows_of_map() -> QWidget:
    """Three layers of a custom map."""
    from plugin.app.maps.map_state import MapRowState
    from plugin.core.custommap.model import MapRole
    from plugin.ui.composer.map_rows import MapRows

    view = MapRows()
    view.show_rows([
        MapRowState("Base map", MapRole.BASE),
        MapRowState("Roads", MapRole.OVERLAY, "three layers", 0.5),
        MapRowState("Rain", MapRole.OVERLAY, problem="no answer", is_series=True)
    ])
    return view


def layers() -> QWidget:
    """The tree of a service's layers."""
    from plugin.ui.service.layers_page import LayersPage

    view = LayersPage()
    view.show_service(service(), ADDRESS)
    view.tree.expandAll()
    view.tree.setCurrentIndex(view.tree.model().index(0, 0))
    return view


def layer_pick() -> QWidget:
    """Its tree is open."""
    from plugin.ui.service.layer_combo_box import LayerComboBox

    view = LayerComboBox("Layers")
    view.set_layers(service().root)
    return view


def operations(record: object) -> QWidget:
    """The form of a request."""
    from plugin.ui.service.operations_page import OperationsPage

    view = OperationsPage()
    view.show_record(record)
    view.show_service(record, service(), ADDRESS)
    view.open_form()
    return view


def features(count: int = 12) -> QWidget:
    """What a place was asked for."""
    from plugin.core.featureinfo.features import IdentifiedFeature
    from plugin.ui.identify import FeatureTable

    return FeatureTable("Roads",
                        [IdentifiedFeature("roads", (("name", f"Road {n}"), ("length", "12.5"))) for n in range(count)])


def document() -> QWidget:
    """A coloured document, with a word looked for."""
    from plugin.ui.widgets.xml_tab import XmlTab

    view = XmlTab(lambda data: None)
    view.show_document(SERVICE.read_bytes())
    view.search_field.setText("Layer")
    return view


def harvests() -> QWidget:
    """One goes on, one has ended."""
    from plugin.ui.dock.job_progress import JobRows

    view = JobRows()
    view.add("One", "one").show_running(40.0, "40 of 100")
    view.add("Another", "two").show_result("12 records, 1 unread", True, True, True)
    view.show()
    return view


def findings() -> QWidget:
    """What is wrong with a map, of every severity."""
    from plugin.core.custommap.map_findings import MapFinding, Severity
    from plugin.ui.composer.findings_panel import FindingsPanel

    view = FindingsPanel()
    view.show_findings([MapFinding("rule", severity, "What is wrong.", "What to do.", "Roads", 0, detail="why")
                        for severity in Severity])
    view.show_busy(True)
    return view
