"""What the plugin does, as the locator offers it: by its words and by other words for the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, List

from ..core.i18n import tr

if TYPE_CHECKING:
    from ..main import CartoguidePlugin
    from ..ui.dock import CartoguideDock
    from .desk import Desk


@dataclass(frozen=True)
class Action:
    """Something that the plugin does: its key, its words, and what else people call it."""

    key: str
    words: str
    others: str = ""


def actions() -> List[Action]:
    """All of them, those that are used most first."""
    return [
        Action("dock", tr("Show Cartoguide’s dock"), tr("panel records search")),
        Action("search", tr("Search records…"), tr("find catalogue")),
        Action("catalogues", tr("Search the catalogues"), "CSW GeoNetwork OGC API"),
        Action("files", tr("Open records…"), tr("files XML zip import")),
        Action("address", tr("Open an address…"), tr("link URL service record")),
        Action("credits", tr("Credits of this project…"), tr("attribution licence audit")),
        Action("identify", tr("Ask all services what lies here"), "GetFeatureInfo identify"),
        Action("health", tr("Check services…"), tr("status down answer")),
        Action("layout", tr("Layout of the custom map"), tr("print compose")),
        Action("export", tr("Export the custom map as PDF…"), tr("print")),
        Action("settings", tr("Settings of Cartoguide…"), tr("options network profile")),
    ]


def run(key: str, plugin: CartoguidePlugin, desk: Desk) -> None:
    """Do what the action called ``key`` says."""
    from ..ui.composer import LAYOUT

    in_dock: Dict[str, Callable[[CartoguideDock], object]] = {
        "dock": lambda dock: None,
        "search": lambda dock: dock.focus_search(),
        "catalogues": lambda dock: dock.top.catalogues.setChecked(True),
        "files": lambda dock: dock.record_actions.open_files(),
        "address": lambda dock: dock.record_actions.open_address(),
        "health": lambda dock: dock.record_actions.open_health(),
        "layout": lambda dock: dock.composer.asked.emit(LAYOUT),
        "export": lambda dock: dock.composer.asked.emit("pdf"),
        "settings": lambda dock: dock.record_actions.open_settings(),
    }
    if key == "credits":
        plugin.show_credits()
    elif key == "identify" and plugin.identify_action is not None:
        plugin.identify_action.trigger()
    elif key in in_dock:
        desk.in_dock(in_dock[key])
