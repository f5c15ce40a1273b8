"""Network profiles as files: JSON alone, or a zip with the records of the network.

    network.json        the profile, whose "records" name files below
    records/….xml       the records, byte for byte
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Collection, Dict, List, Mapping, Tuple

from . import json_document
from .errors import InvalidDocument, too_large
from .files import atomic_write, plain_file_name
from .i18n import tr
from .network_profile import (
    FORMAT,
    MAX_RECORDS,
    MAX_RECORDS_BYTES,
    VERSION,
    CatalogueType,
    NetworkProfile,
    read_profile,
    read_record_files,
    records_root,
)
from .records.input import packages
from .trust.files import UnusableFile, open_regular, read_regular

PROFILE_NAME = "network.json"
RECORDS_FOLDER = "records"


@dataclass(frozen=True)
class ProfileFile:
    """Profile with the bytes of its records by name, which replace the ``records`` of the profile."""

    profile: NetworkProfile
    records: Mapping[str, bytes]


def profile_json(profile: NetworkProfile, records: Tuple[str, ...] = ()) -> bytes:
    content: Dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "id": profile.id, "title": profile.title, "base_url": profile.base_url,
        "node": profile.service_prefix, "crs": profile.crs,
        "catalogue": {"type": profile.catalogue.type.value, "url": profile.catalogue.url,
                      "language": profile.catalogue.language},
        "services": dict(profile.services), "records": list(records)}
    if profile.catalogue.type is CatalogueType.NONE:
        del content["catalogue"]["url"]
    return json_document.dump(content)


def with_record_bytes(profile: NetworkProfile) -> ProfileFile:
    """Return ``profile`` with the bytes of its records that exist. Raises CartoguideError if one cannot be read."""
    records: Dict[str, bytes] = {}
    for path, data in read_record_files(profile):
        if isinstance(data, bytes):
            records[unique_record_path(path.name, records)] = data
        elif not (isinstance(data, UnusableFile) and data.is_missing):
            raise data
    return ProfileFile(profile, records)


def unique_record_path(name: str, used: Collection[str]) -> str:
    """Return a path in the folder of records for ``name`` that is portable and not in ``used``."""
    stem = plain_file_name(name.rsplit("/", 1)[-1].removesuffix(".xml"), "record")
    path, number = f"{RECORDS_FOLDER}/{stem}.xml", 1
    while path in used:
        number += 1
        path = f"{RECORDS_FOLDER}/{stem}-{number}.xml"
    return path


def load(path: Path) -> ProfileFile:
    """Return the profile of a JSON file with its records, or of a zip written by ``save``.

    Raises CartoguideError if it is neither, breaks the format, or unpacks to far more than expected.
    """
    with open_regular(path) as stream:
        is_zip = stream.read(2) == b"PK"
    data = read_regular(path, MAX_RECORDS_BYTES if is_zip else json_document.MAX_BYTES)
    if not is_zip:
        return with_record_bytes(read_profile(data, path.parent, path.name, records_root(path)))
    files: Dict[str, bytes] = {}
    total = 0
    for group in packages.read_entries(data, path.name):
        for name, content in group:
            if isinstance(content, bytes) and (name == PROFILE_NAME or name.startswith(f"{RECORDS_FOLDER}/")):
                total += len(content)
                if total > MAX_RECORDS_BYTES or len(files) > MAX_RECORDS:
                    raise too_large(path.name, MAX_RECORDS_BYTES)
                files[name] = content
    if PROFILE_NAME not in files:
        raise InvalidDocument(
            tr("{name} does not contain a network profile ({wanted}).", name=path.name, wanted=PROFILE_NAME))
    # the records are those of the zip, whatever the profile names beside it
    profile = read_profile(files.pop(PROFILE_NAME), path.parent, f"{path.name}!{PROFILE_NAME}")
    return ProfileFile(profile, files)


def save(content: ProfileFile, path: Path) -> None:
    """Write the profile to ``path``, as a zip with its records or as JSON. Raises CartoguideError if that fails."""
    if path.suffix.lower() != ".zip":
        with atomic_write(path) as stream:
            stream.write(profile_json(content.profile))
        return
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(PROFILE_NAME, profile_json(content.profile, tuple(content.records)))
        for name, record in content.records.items():
            archive.writestr(name, record)


def unpack(content: ProfileFile, folder: Path) -> Path:
    """Write the profile and its records into ``folder``. Return the path of the profile. Raises CartoguideError if that
    fails.
    """
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
