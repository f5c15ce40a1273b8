"""What the plugin does, as the locator offers it: by its words and by other words for the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, List

from ..core.i18n import tr

if TYPE_CHECKING:
    from ..main import CartoguidePlugin
    from ..ui.dock.dock_widget import CartoguideDock
    from .record_commands import RecordCommands


@dataclass(frozen=True)
class LocatorAction:
    """Something that the plugin does: its key, its words, and what else people call it."""

    key: str
    label: str
    synonyms: str = ""


def locator_actions() -> List[LocatorAction]:
    """All of them, those that are used most first."""
    return [
        LocatorAction("dock", tr("Show Cartoguide’s dock"), tr("panel records search")),
        LocatorAction("search", tr("Search records…"), tr("find catalogue")),
        LocatorAction("catalogues", tr("Search the catalogues"), "CSW GeoNetwork OGC API"),
        LocatorAction("files", tr("Open records…"), tr("files XML zip import")),
        LocatorAction("address", tr("Open an address…"), tr("link URL service record")),
        LocatorAction("credits", tr("Credits of this project…"), tr("attribution licence audit")),
        LocatorAction("identify", tr("Ask all services what lies here"), "GetFeatureInfo identify"),
        LocatorAction("health", tr("Check services…"), tr("status down answer")),
        LocatorAction("layout", tr("Layout of the custom map"), tr("print compose")),
        LocatorAction("export", tr("Export the custom map as PDF…"), tr("print")),
        LocatorAction("settings", tr("Settings of Cartoguide…"), tr("options network profile")),
    ]


def run_action(key: str, plugin: CartoguidePlugin, desk: RecordCommands) -> None:
    """Do what the action called ``key`` says."""
    from ..ui.composer.composer_panel import LAYOUT

    in_dock: Dict[str, Callable[[CartoguideDock], object]] = {
        "dock": lambda dock: None, "search": lambda dock: dock.focus_search(),
        "catalogues": lambda dock: dock.search_bar.catalogues.setChecked(True),
        "files": lambda dock: dock.record_controller.open_files(),
        "address": lambda dock: dock.record_controller.open_address(),
        "health": lambda dock: dock.record_controller.open_health(),
        "layout": lambda dock: dock.composer.action_requested.emit(LAYOUT),
        "export": lambda dock: dock.composer.action_requested.emit("pdf"),
        "settings": lambda dock: dock.record_controller.open_settings(),
    }
    if key == "credits":
        plugin.show_credits()
    elif key == "identify" and plugin.identify_action is not None:
        plugin.identify_action.trigger()
    elif key in in_dock:
        desk.run_in_dock(in_dock[key])
