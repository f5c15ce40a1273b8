"""The user's network profiles in the QGIS profile: list, import, export, save and remove."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import List, Tuple

from qgis.core import QgsApplication

from ...core import network_profile
from ...core.errors import CartoguideError
from ...core.files import plain_file_name
from ...core.i18n import tr
from ..runtime import settings


def profiles_folder() -> Path:
    """Return the folder of the user's profiles, which has a subfolder for each."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "networks"


def list_profiles() -> List[Tuple[str, str]]:
    """Return (title, path) of the user's profiles, sorted by title. An unreadable one has the name of its folder."""
    profiles = []
    for path in sorted(profiles_folder().glob(f"*/{network_profile.PROFILE_NAME}")):
        try:
            profiles.append((network_profile.read_profile_file(path).title, str(path)))
        except CartoguideError:
            profiles.append((path.parent.name, str(path)))
    return sorted(profiles, key=lambda profile: profile[0].casefold())


def load_profile(path: str) -> network_profile.ProfileFile:
    """Return the profile at ``path`` with its records, or the bundled one for an empty path.

    Raises CartoguideError if it cannot be read.
    """
    return network_profile.load(Path(path) if path else network_profile.BUNDLED_PROFILE)


def save_profile(content: network_profile.ProfileFile, path: str = "") -> str:
    """Save a profile as one of the user's, and return its path.

    It replaces the profile at ``path`` if that is one of the user's. Raises CartoguideError if it cannot be written.
    """
    if is_user_profile(path):
        return str(network_profile.unpack(content, Path(path).parent))
    name = plain_file_name(content.profile.id, "network")
    folder, number = profiles_folder() / name, 1
    while folder.exists():
        number += 1
        folder = profiles_folder() / f"{name}-{number}"
    return str(network_profile.unpack(content, folder))


def is_user_profile(path: str) -> bool:
    """Return True if the profile at ``path`` is one of the user's, which may be changed."""
    return bool(path) and Path(path).parent.parent == profiles_folder()


def import_profile(path: str) -> str:
    """Import a profile (JSON, or a zip file with records) and return its new path. Raises CartoguideError."""
    return save_profile(load_profile(path))


def export_profile(path: str, target: str) -> None:
    """Write the profile at ``path`` to ``target``, with its records (.zip) or without (.json). Raises CartoguideError.

    An empty path stands for the bundled profile.
    """
    network_profile.save(load_profile(path), Path(target))


def remove_profile(path: str) -> network_profile.ProfileFile:
    """Delete one of the user's profiles and return it, so that ``save_profile`` can restore it.

    Raises CartoguideError if it is not one of the user's, or if it is in use.
    """
    if path == settings.get("profile"):
        raise CartoguideError(tr("This network is in use. Select another one and save the settings first."), path)
    if not is_user_profile(path):
        raise CartoguideError(tr("Only your own networks can be removed."), path)
    content = load_profile(path)
    shutil.rmtree(Path(path).parent)
    return content
