"""Network profiles: a publisher's family of services, its catalogue, and the records bundled with it.

A profile may come from anybody. Its records are regular files in its own folder, within limits of number and size.
It is JSON alone, or a zip:

    network.json        the profile, whose "records" name files below
    records/….xml       the records, byte for byte
"""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Collection, Dict, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import urlsplit

from . import json_document, safe_xml
from .errors import CartoguideError, InvalidDocument, UnreadableDocument, too_large
from .files import atomic_write, plain_file_name
from .i18n import tr
from .json_document import JsonNode
from .json_fields import by_name, choice, json_object, matching, member, object_of, read_object, string, write_object
from .records.input import packages
from .resources import RESOURCES
from .trust.files import UnusableFile, inside, is_local_path, open_regular, read_regular

FORMAT = "cartoguide-network"
VERSION = 1
#: names in a zip or folder
PROFILE_NAME, RECORDS_FOLDER = "network.json", "records"
#: CRS of a profile that names none: ETRS89 / UTM zone 30N
DEFAULT_CRS = "EPSG:25830"
BUNDLED_PROFILE = RESOURCES / "networks" / "junta-de-andalucia.json"

#: the most records of a profile, and bytes of all of them
MAX_RECORDS, MAX_RECORDS_BYTES = 10_000, 256_000_000
_MAX_PREFIX_LENGTH = 60
#: characters of a path that an error shows
_MAX_SHOWN = 120


class CatalogueType(str, Enum):
    """Types of a network's catalogue."""

    GEONETWORK = "geonetwork"
    CSW = "csw"
    OGCAPI_RECORDS = "ogcapi-records"
    NONE = "none"


def _address_problem(address: str) -> str:
    try:
        parts = urlsplit(address)
        is_valid = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        is_valid = False
    return "" if is_valid and not re.search(r"[\s\x00-\x1f\"'<>]", address) else tr(
        "must be a web address (http or https), without a login")


def _prefix_problem(prefix: str) -> str:
    return "" if re.fullmatch(rf"[\w.~-]{{0,{_MAX_PREFIX_LENGTH}}}", prefix) else tr(
        "must be at most {most} letters, digits, “-”, “_”, “.” or “~”", most=_MAX_PREFIX_LENGTH)


def _language_problem(code: str) -> str:
    return "" if re.fullmatch(r"[a-z]{2,3}", code) else tr("must be a code of two or three lower-case letters")


@json_object
class NetworkCatalogue:
    """Catalogue with the records of a network.

    ``url`` is the root of a GeoNetwork, the address of a CSW, or a landing page of OGC API Records. ``language`` is the
    code of the language in GeoNetwork's addresses: ISO 639-2, such as "spa", or two letters.
    """

    type: CatalogueType = member(choice(CatalogueType), default=CatalogueType.NONE)
    url: str = member(string(), default="", sparse=True)
    language: str = member(string(problem=_language_problem), default="spa")

    def as_read(self, node: JsonNode) -> NetworkCatalogue:
        """Return the catalogue. Raises InvalidDocument for one without a web address."""
        if self.type is CatalogueType.NONE:
            return replace(self, url="")
        problem = _address_problem(node.text("url"))
        if problem:
            raise node.error("url", problem)
        return self


@json_object
class NetworkProfile:
    """Network with its services and records.

    ``base_url`` has no trailing slash, and ``service_prefix`` is the prefix of the services' names ("node" in JSON).
    ``services`` maps a key chosen by the profile ("guide") to an address with the placeholders {base_url} and {node}.
    ``records`` are the paths of the bundled records, which lie in the profile's folder. They are not checked for
    existence.
    """

    id: str = member(string())
    title: str = member(string(), absent="")
    base_url: str = member(string(problem=_address_problem, clean=lambda address: address.rstrip("/")))
    service_prefix: str = member(string(problem=_prefix_problem), name="node", absent="")
    catalogue: NetworkCatalogue = member(object_of(NetworkCatalogue), default=NetworkCatalogue())
    services: Mapping[str, str] = member(by_name(string(), MAX_RECORDS), default={})
    records: Tuple[Path, ...] = ()
    #: CRS of the network's maps, as authority:code (EPSG:25830)
    crs: str = member(matching(re.compile(r"[A-Z]{2,10}:[0-9A-Za-z]{1,12}"), DEFAULT_CRS), default=DEFAULT_CRS)

    def endpoint(self, key: str) -> str:
        """Return the address of a service with its placeholders filled. Raises KeyError if the profile lacks ``key``.
        """
        return self.services[key].replace("{base_url}", self.base_url).replace("{node}", self.service_prefix)

    @property
    def endpoints(self) -> Dict[str, str]:
        """Return every service's address by its key."""
        return {key: self.endpoint(key) for key in self.services}


def read_profile(data: bytes, folder: Path, name: str = "", root: Optional[Path] = None) -> NetworkProfile:
    """Return the profile in ``data``.

    The paths of records are relative to ``folder``, and a folder stands for its XML files. They lie in ``root``, which
    is ``folder`` with None, also once links are followed. ``name`` is the name of the document in error messages.
    Raises UnreadableDocument if ``data`` cannot be read as JSON, and InvalidDocument (with the JSON pointer) if it is
    not a network profile, or names a file elsewhere.
    """
    document = json_document.load(data, name or tr("The network profile"))
    document.check_format(FORMAT, VERSION, tr("is not “{format}”, so this is not a network profile", format=FORMAT))
    profile = read_object(NetworkProfile, document)
    return replace(profile, title=profile.title or profile.id,
                   records=tuple(_record_files(document, folder, root or folder)))


def read_profile_file(path: Path) -> NetworkProfile:
    """Return the profile in a file. Raises CartoguideError if it cannot be read."""
    try:
        data = read_regular(path, json_document.MAX_BYTES)
    except UnusableFile as error:
        raise UnreadableDocument(tr("The network profile {name} cannot be read. Choose another one in the "
                                    "settings, or leave the setting empty to use the bundled one.", name=path.name),
                                 error.detail) from error
    return read_profile(data, path.parent, path.name, records_root(path))


def records_root(path: Path) -> Path:
    """Return the folder in which the records of the profile at ``path`` lie: its own, or the plugin's resources."""
    return RESOURCES if path == BUNDLED_PROFILE else path.parent


def read_record_files(profile: NetworkProfile) -> Iterator[Tuple[Path, Union[bytes, CartoguideError]]]:
    """Yield the files of a profile's records with their bytes, or with the error that prevented reading.

    No more than ``MAX_RECORDS_BYTES`` of them are read.
    """
    total = 0
    for path in profile.records:
        try:
            data = read_regular(path, safe_xml.MAX_BYTES)
        except CartoguideError as error:
            yield path, error
            continue
        total += len(data)
        if total > MAX_RECORDS_BYTES:
            yield path, too_large(tr("The network profile"), MAX_RECORDS_BYTES)
            return
        yield path, data


def bundled_profile() -> NetworkProfile:
    """Return the profile that comes with the plugin. Raises CartoguideError if it cannot be read."""
    try:
        # a file of the plugin's own
        data = BUNDLED_PROFILE.read_bytes()
    except OSError as error:
        raise UnreadableDocument(tr("The bundled network profile cannot be read. Reinstall the plugin."),
                                 str(error)) from error
    return read_profile(data, BUNDLED_PROFILE.parent, BUNDLED_PROFILE.name, records_root(BUNDLED_PROFILE))


def with_overrides(profile: NetworkProfile, base_url: str = "", service_prefix: str = "", catalogue_type: str = "",
                   catalogue_url: str = "") -> NetworkProfile:
    """Return the profile with the values of the settings. An empty setting keeps the value of the profile.

    Raises InvalidDocument for an address that is not http(s), an invalid prefix, or an unknown type of catalogue.
    """
    values = write_object(profile)
    changes = {"base_url": base_url.strip(), "node": service_prefix.strip()}
    of_catalogue = {"type": catalogue_type.strip(), "url": catalogue_url.strip()}
    for written, changed in ((values, changes), (values["catalogue"], of_catalogue)):
        written.update((name, value) for name, value in changed.items() if value)
    return replace(read_object(NetworkProfile, JsonNode(values, "", tr("The network's settings"))),
                   records=profile.records)


def starter_record_id(endpoint: str) -> str:
    """Return the identifier of a starter record: SHA-1 of the endpoint's path, in 40 lowercase hexadecimal digits.

    The path is the part between the host and ``?``, with its leading slash, exactly as written, in UTF-8. Raises
    ValueError if ``endpoint`` cannot be parsed.
    """
    path = urlsplit(endpoint.strip()).path
    # not a secret, and ``rebase`` may pass lone surrogates in place of bytes that are not UTF-8
    return hashlib.sha1(path.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def rebase(record: bytes, old: NetworkProfile, new: NetworkProfile) -> bytes:
    """Return a record of network ``old`` with the addresses of network ``new``, and the identifiers derived from them.

    Only addresses that begin with the old base and prefix and are followed by “?” are changed, and the identifiers that
    ``starter_record_id`` derives from those addresses. ``record`` is XML in an ASCII-compatible encoding. All other
    bytes stay the same.
    """
    if (old.base_url, old.service_prefix) == (new.base_url, new.service_prefix):
        return record
    old_prefix, new_prefix = _name_start(old), _name_start(new)
    # each address is looked at once, whatever follows it: an expression that looks for its end again at each base
    # address within would hold all threads for hours
    pattern = re.compile(rb"""%s(?P<folder>/(?:[^\s"'<>?#/]*/)*)(?P<name>[^\s"'<>?#/]*)""" %
                         re.escape(old.base_url.encode()))
    new_identifiers: Dict[bytes, bytes] = {}

    def move_address(match: re.Match[bytes]) -> bytes:
        """Return the new address, and remember the identifiers of both."""
        name = match["name"][len(old_prefix):]
        if not name or not match["name"].startswith(old_prefix) or record[match.end():match.end() + 1] != b"?":
            return match.group()
        address = new.base_url.encode() + match["folder"] + new_prefix + name
        old_id = starter_record_id(match.group().decode("utf-8", "surrogateescape"))
        new_id = starter_record_id(address.decode("utf-8", "surrogateescape"))
        new_identifiers[old_id.encode()] = new_id.encode()
        return address

    moved = pattern.sub(move_address, record)
    if not new_identifiers:
        return record
    return re.sub(b"|".join(map(re.escape, new_identifiers)), lambda match: new_identifiers[match.group()], moved)


def _name_start(profile: NetworkProfile) -> bytes:
    """Return what the names of the services begin with."""
    return f"{profile.service_prefix}_".encode() if profile.service_prefix else b""


def _record_files(document: JsonNode, folder: Path, root: Path) -> List[Path]:
    """Return the files that a profile lists. Raises InvalidDocument for one that is elsewhere."""
    files: Dict[Path, None] = {}
    for number, named in enumerate(document.texts("records", MAX_RECORDS)):
        pointer, path = f"records/{number}", folder / named
        # by its letters first: the look at a path elsewhere may ask another computer
        if not is_local_path(named) or not _is_named_inside(path, root):
            raise _elsewhere(document, pointer, named)
        for file in sorted(path.glob("*.xml")) if path.is_dir() else (path,):
            if not inside(file, root):
                raise _elsewhere(document, pointer, named if file == path else f"{named}/{file.name}")
            files[file] = None
        if len(files) > MAX_RECORDS:
            raise document.error(pointer, tr("is one file too many: a profile has at most {count}", count=MAX_RECORDS))
    return list(files)


def _is_named_inside(path: Path, root: Path) -> bool:
    named, outer = Path(os.path.abspath(path)), Path(os.path.abspath(root))
    return named == outer or outer in named.parents


def _elsewhere(document: JsonNode, pointer: str, path: str) -> InvalidDocument:
    return document.error(pointer, tr("is “{path}”, which is not a file in the profile’s own folder. Copy it there",
                                      path=path[:_MAX_SHOWN]))


@dataclass(frozen=True)
class ProfileFile:
    """Profile with the bytes of its records by name, which replace the ``records`` of the profile."""

    profile: NetworkProfile
    records: Mapping[str, bytes]


def profile_json(profile: NetworkProfile, records: Tuple[str, ...] = ()) -> bytes:
    return json_document.dump({"format": FORMAT, "version": VERSION, **write_object(profile), "records": list(records)})


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
