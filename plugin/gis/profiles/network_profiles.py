"""The person's own network profiles, in the QGIS profile: listed, imported, exported, saved, removed and put back."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import List, Tuple

from qgis.core import QgsApplication

from ...core import network_profile, network_profile_files
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime import settings


def profiles_folder() -> Path:
    """Where they are: a folder for each."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "networks"


def list_profiles() -> List[Tuple[str, str]]:
    """(title, path) of the person's own profiles, by title; one that cannot be read goes by its folder's name."""
    found = []
    for path in sorted(profiles_folder().glob(f"*/{network_profile_files.PROFILE_NAME}")):
        try:
            found.append((network_profile.read_profile_file(path).title, str(path)))
        except CartoguideError:
            found.append((path.parent.name, str(path)))
    return sorted(found, key=lambda one: one[0].casefold())


def load_profile(path: str) -> network_profile_files.ProfileFile:
    """The profile at ``path`` with its records, or the bundled one for an empty path; CartoguideError."""
    return network_profile_files.load(Path(path) if path else network_profile.BUNDLED_PROFILE)


def save_profile(content: network_profile_files.ProfileFile, path: str = "") -> str:
    """Save a profile among the person's own, over the one at ``path`` where that is one of them; gives its path."""
    if is_user_profile(path):
        return str(network_profile_files.unpack(content, Path(path).parent))
    name = re.sub(r"[^\w.-]+", "-", content.profile.id).strip("-.") or "network"
    place, number = profiles_folder() / name, 1
    while place.exists():
        number += 1
        place = profiles_folder() / f"{name}-{number}"
    return str(network_profile_files.unpack(content, place))


def is_user_profile(path: str) -> bool:
    """Whether the profile at ``path`` is one of the person's own, which may be changed."""
    return bool(path) and Path(path).parent.parent == profiles_folder()


def import_profile(path: str) -> str:
    """Take a profile (JSON, or a zip with records) among the person's own; gives its path there. CartoguideError."""
    return save_profile(load_profile(path))


def export_profile(path: str, target: str) -> None:
    """Write the profile at ``path`` (empty: the bundled one) to ``target``: .zip with its records, .json alone."""
    network_profile_files.save(load_profile(path), Path(target))


def remove_profile(path: str) -> network_profile_files.ProfileFile:
    """Take one of the person's own away; ``keep`` puts back what this gives.

    CartoguideError where it is not their own, or is the one in use.
    """
    if path == settings.get("profile"):
        raise CartoguideError(tr("This network is in use. Select another one and save the settings first."), path)
    if not is_user_profile(path):
        raise CartoguideError(tr("Only your own networks can be removed."), path)
    content = load_profile(path)
    shutil.rmtree(Path(path).parent)
    return content
