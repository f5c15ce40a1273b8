"""Network profiles as files that travel: JSON alone, or a zip with the records that come with the network.

    network.json        the profile; its "records" name files below
    records/….xml       the records, byte for byte
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Collection, Dict, List, Mapping, Tuple

from . import json_document
from .atomic_write import atomic_write
from .errors import InvalidDocument, UnreadableDocument
from .i18n import tr
from .network_profile import FORMAT, VERSION, NetworkProfile, read_profile
from .records.input import packages

PROFILE_NAME = "network.json"
RECORDS_FOLDER = "records"


@dataclass(frozen=True)
class ProfileFile:
    """A profile with its records' bytes by their names; the profile's own ``records`` do not count."""

    profile: NetworkProfile
    records: Mapping[str, bytes]


def profile_json(profile: NetworkProfile, records: Tuple[str, ...] = ()) -> bytes:
    """``profile`` as JSON, its records by the paths given."""
    content: Dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "id": profile.id, "title": profile.title, "base_url": profile.base_url,
        "node": profile.node, "crs": profile.crs,
        "catalogue": {"type": profile.catalogue.type, "url": profile.catalogue.url,
                      "language": profile.catalogue.language},
        "services": dict(profile.services), "records": list(records)}
    if profile.catalogue.type == "none":
        del content["catalogue"]["url"]
    return json_document.dump(content)


def with_record_bytes(profile: NetworkProfile) -> ProfileFile:
    """``profile`` with the bytes of those of its records that can be read."""
    found: Dict[str, bytes] = {}
    for path in profile.records:
        if path.is_file():
            found[unique_record_path(path.name, found)] = path.read_bytes()
    return ProfileFile(profile, found)


def unique_record_path(name: str, used: Collection[str]) -> str:
    """``name`` below the folder of records, in characters that every computer's files have, not one of ``taken``."""
    stem = re.sub(r"[^\w.-]+", "-", name.rsplit("/", 1)[-1].removesuffix(".xml")).strip(".-") or "record"
    found, number = f"{RECORDS_FOLDER}/{stem}.xml", 1
    while found in used:
        number += 1
        found = f"{RECORDS_FOLDER}/{stem}-{number}.xml"
    return found


def load(path: Path) -> ProfileFile:
    """The profile in a JSON file, with its records, or in a zip that ``save`` wrote.

    CartoguideError where it is neither, breaks the format, or unpacks out of all proportion.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableDocument(tr("{name} could not be read.", name=path.name), str(error)) from error
    if not data.startswith(b"PK"):
        return with_record_bytes(read_profile(data, path.parent, path.name))
    found: Dict[str, bytes] = {}
    for group in packages.read_entries(data, path.name):
        for name, content in group:
            if isinstance(content, bytes) and (name == PROFILE_NAME or name.startswith(f"{RECORDS_FOLDER}/")):
                found[name] = content
    if PROFILE_NAME not in found:
        raise InvalidDocument(tr("{name} holds no network profile ({wanted}).", name=path.name, wanted=PROFILE_NAME))
    profile = read_profile(found.pop(PROFILE_NAME), path.parent, f"{path.name}!{PROFILE_NAME}")
    return ProfileFile(profile, found)


def save(content: ProfileFile, path: Path) -> None:
    """Write the profile to ``path``: as a zip with its records, else alone. CartoguideError as whole_file."""
    if path.suffix.lower() != ".zip":
        with atomic_write(path) as stream:
            stream.write(profile_json(content.profile))
        return
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(PROFILE_NAME, profile_json(content.profile, tuple(content.records)))
        for name, record in content.records.items():
            archive.writestr(name, record)


def unpack(content: ProfileFile, folder: Path) -> Path:
    """Put the profile and its records into ``folder``; gives the profile's path. CartoguideError as whole_file."""
    (folder / RECORDS_FOLDER).mkdir(parents=True, exist_ok=True)
    for old in (folder / RECORDS_FOLDER).glob("*.xml"):
        old.unlink()
    names: List[str] = []
    for name in content.records:
        names.append(unique_record_path(name, names))
        with atomic_write(folder / names[-1]) as stream:
            stream.write(content.records[name])
    with atomic_write(folder / PROFILE_NAME) as stream:
        stream.write(profile_json(content.profile, tuple(names)))
    return folder / PROFILE_NAME
