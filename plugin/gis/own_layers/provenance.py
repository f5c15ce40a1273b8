"""Recognition of what this QGIS profile saved itself: its key, and the seals of documents.

Templates in the person's own template folder count as the profile's too, see ``layouts.templates``.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

from qgis.core import QgsApplication

from ...core.custommap import foreign_maps
from ...core.custommap.document import write_document
from ...core.custommap.model import CustomMap
from ...core.errors import CartoguideError
from ...core.files import atomic_write
from ...core.snapshot.snapshot_sources import with_absolute_paths, with_relative_paths
from ...core.trust.files import read_regular
from ...core.trust.provenance import KEY_BYTES
from ..runtime import log


def sealed_bytes(custom_map: CustomMap, file: Path) -> bytes:
    """Return the document of a map that this profile saves at ``file`` (an absolute path), with its seal."""
    # paths as the document will have them when it is opened there
    relative = with_relative_paths(custom_map, file)
    seal = sealed(with_absolute_paths(relative, file)).seal
    return write_document(replace(relative, seal=seal))


def sealed(custom_map: CustomMap) -> CustomMap:
    """Return the map with the seal of this profile. Paths must be absolute."""
    return foreign_maps.sealed(custom_map, _profile_key()) if foreign_maps.names_anything(custom_map) else custom_map


def recognised(custom_map: CustomMap) -> CustomMap:
    """Return a map that was read, trusted if this profile saved it or it names nothing. Paths must be absolute."""
    return foreign_maps.recognised(custom_map, _profile_key() if custom_map.seal else b"")


def _profile_key() -> bytes:
    """Return the key of this profile, which is made when it is first needed. Empty if it can be neither read nor made.

    Without a key documents are saved without a seal, so that they are asked about when they are opened again.
    """
    path = Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "profile.key"
    try:
        key = read_regular(path, KEY_BYTES) if path.exists() else b""
        if len(key) != KEY_BYTES:
            key = secrets.token_bytes(KEY_BYTES)
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path, private=True) as stream:
                stream.write(key)
        return key
    except (CartoguideError, OSError) as error:
        log.warning(f"The key of the profile cannot be used: {error}")
        return b""
