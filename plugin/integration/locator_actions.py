"""The actions of the plugin that the locator finds by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, List

from ..core.i18n import tr

if TYPE_CHECKING:
    from .record_commands import RecordCommands


@dataclass(frozen=True)
class LocatorAction:
    """An action of the plugin: key, label, synonyms to find it by, and the function that runs it."""

    key: str
    label: str
    synonyms: str
    run: Callable[[RecordCommands], None]


def locator_actions() -> List[LocatorAction]:
    """Return all actions, the most used ones first."""
    return [
        LocatorAction("dock", tr("Show Cartoguide’s dock"), tr("panel records search"),
                      lambda commands: commands.show_dock()),
        LocatorAction("search", tr("Search records…"), tr("find catalogue"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.focus_search())),
        LocatorAction("catalogues", tr("Search the catalogues"), "CSW GeoNetwork OGC API",
                      lambda commands: commands.run_in_dock(lambda dock: dock.search_catalogues())),
        LocatorAction("files", tr("Open records…"), tr("files XML zip import"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_files())),
        LocatorAction("address", tr("Open an address…"), tr("link URL service record"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_address())),
        LocatorAction("credits", tr("Credits of this project…"), tr("attribution licence audit"),
                      lambda commands: commands.show_credits()),
        LocatorAction("identify", tr("Identify on all services"), "GetFeatureInfo identify",
                      lambda commands: commands.start_identify()),
        LocatorAction("health", tr("Check services…"), tr("status down answer"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_health())),
        LocatorAction("layout", tr("Layout of the custom map"), tr("print compose"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_layout())),
        LocatorAction("export", tr("Export the custom map as PDF…"), tr("print"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.export_map())),
        LocatorAction("settings", tr("Settings of Cartoguide…"), tr("options network profile"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_settings())),
    ]
