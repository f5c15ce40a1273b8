"""Settings of the plugin, each declared with key, type, default and description."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Tuple, Type

from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QStandardPaths

from ...core.i18n import tr

PREFIX = "cartoguide/"
#: key of the folder of the QGIS profile that the paths in the settings were chosen in
_QGIS_PROFILE = PREFIX + "qgis_profile"


@dataclass(frozen=True)
class Setting:
    """Declaration of a setting: its key below ``cartoguide/``, Python type, default and description.

    ``choices`` are the allowed values, or empty for any. ``minimum`` and ``maximum`` bound numbers. ``help`` is a
    function, because the translator does not exist yet when this module is imported. ``is_path`` marks the absolute
    path of a file or folder, which may be in the QGIS profile, ``is_path_list`` a JSON list of such paths.
    """

    key: str
    type: Type[Any]
    default: Any
    help: Callable[[], str]
    choices: Tuple[Any, ...] = ()
    minimum: float = float("-inf")
    maximum: float = float("inf")
    is_path: bool = False
    is_path_list: bool = False

    def allows(self, value: Any) -> bool:
        """Return True if ``value`` is allowed for this setting."""
        if type(value) is not self.type:
            return False
        if self.choices and value not in self.choices:
            return False
        return not isinstance(value, (int, float)) or self.minimum <= value <= self.maximum


_DECLARED = (
    Setting("profile", str, "", lambda: tr("File of the network profile. If empty, the bundled profile."),
            is_path=True),
    Setting("base_url", str, "", lambda: tr("Base URL of the network. If empty, the URL in the profile.")),
    Setting("node", str, "", lambda: tr("Prefix of the network's service names. If empty, the prefix in the "
                                        "profile.")),
    Setting("catalogue_type", str, "", lambda: tr("Catalogue type. If empty, the type in the profile."),
            choices=("", "csw", "geonetwork", "ogcapi-records")),
    Setting("catalogue_url", str, "", lambda: tr("URL of the catalogue. If empty, the URL in the profile.")),
    Setting("sources", str, "", lambda: tr("The saved catalogues, as JSON. Logins are ids in QGIS's authentication "
                                           "database.")),
    Setting("sources_off", str, "", lambda: tr("The saved catalogues that are excluded from searches, as JSON.")),
    Setting("search_catalogues", bool, False, lambda: tr("Search the catalogues too while typing.")),
    Setting("load_thumbnails", bool, False, lambda: tr("Load the overview images of all records in the list, not only "
                                                       "of those that are opened.")),
    Setting("store/path", str, "", lambda: tr("File of the record library. If empty, a file in the QGIS profile."),
            is_path=True),
    Setting("credit_pattern", str, "", lambda: tr("Pattern of the credit line. If empty, the built-in pattern.")),
    Setting("canvas_credit", bool, False, lambda: tr("Show the credits on the map canvas, for screenshots.")),
    Setting("first_byte_timeout", float, 10.0, lambda: tr("Seconds to wait for a server's first byte."), minimum=0.1,
            maximum=600.0),
    Setting("total_timeout", float, 120.0, lambda: tr("Total timeout of a request, in seconds."), minimum=0.1,
            maximum=3600.0),
    Setting("max_answer_mb", int, 64, lambda: tr("Maximum size of a response, in megabytes."), minimum=1,
            maximum=1024),
    Setting("retries", int, 1, lambda: tr("Number of retries of a GET request if the connection fails."), minimum=0,
            maximum=5),
    # QGIS's default expiration of capabilities
    Setting("capabilities_hours", float, 24.0,
            lambda: tr("Hours after which the capabilities of a service are requested again. Reload always requests"
                       " them."),
            minimum=0.0, maximum=8760.0),
    # Qt and browsers open at most six connections to one server
    Setting("parallel_requests", int, 6,
            lambda: tr("Maximum number of simultaneous requests to one server."), minimum=1,
            maximum=6),
    Setting("welcomed", bool, False, lambda: tr("Set when the welcome message was closed.")),
    Setting("last_folder", str, "", lambda: tr("The last folder used."), is_path=True),
    Setting("paper", str, "A4", lambda: tr("Paper of a new custom map."), choices=("A4", "A3", "A2", "A1", "A0")),
    Setting("orientation", str, "landscape", lambda: tr("Orientation of a new custom map."),
            choices=("landscape", "portrait")),
    Setting("template", str, "guide", lambda: tr("Layout template of a new custom map.")),
    Setting("templates_folder", str, "", lambda: tr("Folder of your own layout templates (.qpt). If empty, the "
                                                    "folder in the QGIS profile."), is_path=True),
    Setting("logos", str, "", lambda: tr("Files of the logos on maps, as JSON: your own first, then those of partners, "
                                         "at most four."), is_path_list=True),
    Setting("own_colours", str, "", lambda: tr("Colours of the theme “Own colours”, as JSON: that of title and "
                                               "headings, and that of the line below the title.")),
    Setting("check_before_export", bool, True,
            lambda: tr("Request each service's image at print size before exporting.")),
    Setting("snapshot_requests", int, 2000, lambda: tr("Maximum number of requests of one snapshot."), minimum=1,
            maximum=100_000),
    Setting("snapshot_mb", int, 2000, lambda: tr("Maximum size of a snapshot, in megabytes."), minimum=1,
            maximum=1_000_000),
    Setting("recent_maps", str, "", lambda: tr("The custom maps saved or opened most recently, as JSON."),
            is_path_list=True),
    Setting("export_dpi", int, 300, lambda: tr("Resolution of exported maps, in dots per inch."), minimum=72,
            maximum=1200),
)

SETTINGS: Mapping[str, Setting] = {setting.key: setting for setting in _DECLARED}


def get(name: str) -> Any:
    """Return the value of the setting ``name``, or its default if the stored value is not valid."""
    setting = SETTINGS[name]
    store = QgsSettings()
    if not store.contains(PREFIX + name):
        return setting.default
    if setting.is_path or setting.is_path_list:
        _adopt_paths(store)
    return _converted(setting, store.value(PREFIX + name))


def last_folder() -> str:
    """Return the last folder used, at first that of the person's documents: QGIS may have been started in one of
    programs, which takes no files.
    """
    return str(get("last_folder")) or QStandardPaths.writableLocation(
        QStandardPaths.StandardLocation.DocumentsLocation)


def set(name: str, value: Any) -> None:
    """Save ``value``. Raises ValueError if it is not allowed, which is a programming error."""
    setting = SETTINGS[name]
    if setting.type is float and type(value) is int:
        value = float(value)
    if not setting.allows(value):
        raise ValueError(f"{name} cannot be {value!r}")
    store = QgsSettings()
    if setting.is_path or setting.is_path_list:
        _adopt_paths(store)
    store.setValue(PREFIX + name, value)


def reset(name: str) -> None:
    """Remove the stored value, so that the default applies."""
    QgsSettings().remove(PREFIX + SETTINGS[name].key)


def _adopt_paths(store: QgsSettings) -> None:
    """Replace paths in the QGIS profile that this one was copied from by paths in this one. Runs once for a profile.

    QGIS 4 begins with a copy of QGIS 3's profile, whose settings name files in the old folder. A path that is chosen
    later stays, also one in the other profile: two versions of QGIS can share a record library.
    """
    profile = QgsApplication.qgisSettingsDirPath()
    if str(store.value(_QGIS_PROFILE, "") or "") == profile:
        return
    for setting in _DECLARED:
        stored = store.value(PREFIX + setting.key) if setting.is_path or setting.is_path_list else None
        if not isinstance(stored, str):
            continue
        adopted = _adopted_list(stored, Path(profile)) if setting.is_path_list else _adopted(stored, Path(profile))
        if adopted != stored:
            store.setValue(PREFIX + setting.key, adopted)
    store.setValue(_QGIS_PROFILE, profile)


def _adopted(path: str, profile: Path) -> str:
    """Return the path of the copy in ``profile`` of what is at ``path`` in another QGIS profile, else ``path``."""
    copied = _copy_in_profile(path, profile)
    return path if copied is None else str(copied)


def _adopted_list(stored: str, profile: Path) -> str:
    """Return a JSON list of paths with those in another QGIS profile replaced, see :func:`_adopted`."""
    import json

    from ...core.json_document import stored_list

    paths = stored_list(stored)
    adopted = [_adopted(path, profile) if isinstance(path, str) else path for path in paths]
    return stored if adopted == paths else json.dumps(adopted, ensure_ascii=False)


def _copy_in_profile(path: str, profile: Path) -> Optional[Path]:
    """Return the file of ``profile`` that is a copy of the one at ``path`` in another QGIS profile, or None."""
    if "\0" in path:
        return None
    parts = Path(path).parts
    for at in range(2, len(parts)):
        # …/QGIS/QGIS3/profiles/NAME/cartoguide/…
        if parts[at] == "cartoguide" and parts[at - 2] == "profiles":
            copy = profile.joinpath(*parts[at:])
            if Path(*parts[:at]) != profile and copy.exists():
                return copy
    return None


def _converted(setting: Setting, stored: Any) -> Any:
    """Return the stored value, which is text in INI files, as the type of the setting, or the default."""
    value: Any = stored
    try:
        if setting.type is bool:
            value = {"true": True, "1": True, "false": False, "0": False}[str(stored).lower()]
        elif setting.type in (int, float):
            value = setting.type(stored)
        elif not isinstance(stored, str):
            return setting.default
    except (TypeError, ValueError, KeyError):
        return setting.default
    return value if setting.allows(value) else setting.default
