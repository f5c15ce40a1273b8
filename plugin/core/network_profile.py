"""Network profiles: a publisher's family of services, its catalogue, and the records bundled with it.

A profile may come from anybody. Its records are regular files in its own folder, within limits of number and size.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import urlsplit

from . import json_document, safe_xml
from .errors import CartoguideError, InvalidDocument, UnreadableDocument, too_large
from .i18n import tr
from .resources import RESOURCES
from .trust.files import UnusableFile, inside, is_local_path, read_regular

FORMAT = "cartoguide-network"
VERSION = 1
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


@dataclass(frozen=True)
class NetworkCatalogue:
    """Catalogue with the records of a network.

    ``url`` is the root of a GeoNetwork, the address of a CSW, or a landing page of OGC API Records. ``language`` is the
    code of the language in GeoNetwork's addresses: ISO 639-2, such as "spa", or two letters.
    """

    type: CatalogueType = CatalogueType.NONE
    url: str = ""
    language: str = "spa"


@dataclass(frozen=True)
class NetworkProfile:
    """Network with its services and records.

    ``base_url`` has no trailing slash, and ``service_prefix`` is the prefix of the services' names ("node" in JSON).
    ``services`` maps a key chosen by the profile ("guide") to an address with the placeholders {base_url} and {node}.
    ``records`` are the paths of the bundled records, which lie in the profile's folder. They are not checked for
    existence.
    """

    id: str
    title: str
    base_url: str
    service_prefix: str
    catalogue: NetworkCatalogue = NetworkCatalogue()
    services: Mapping[str, str] = field(default_factory=dict)
    records: Tuple[Path, ...] = ()
    #: CRS of the network's maps, as authority:code (EPSG:25830)
    crs: str = DEFAULT_CRS

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
    if document.text("format", "") != FORMAT:
        raise document.error("format", tr("is not “{format}”, so this is not a network profile", format=FORMAT))
    if document.number("version", 1, 1_000_000) > VERSION:
        raise document.error("version", tr("is newer than this version of Cartoguide supports. Update Cartoguide"))
    services_node = document.child("services")
    return NetworkProfile(
        id=document.text("id"),
        title=document.text("title", document.text("id")),
        base_url=_read_address(document, "base_url").rstrip("/"),
        service_prefix=_read_service_prefix(document),
        catalogue=_read_catalogue(document),
        services={key: services_node.text(key) for key in services_node.value} if services_node else {},
        records=tuple(_record_files(document, folder, root or folder)),
        crs=_read_crs(document))


def _read_catalogue(root: json_document.JsonNode) -> NetworkCatalogue:
    catalogue_node = root.child("catalogue")
    if not catalogue_node:
        return NetworkCatalogue()
    kind = catalogue_node.enum_member("type", CatalogueType, CatalogueType.NONE)
    url = "" if kind is CatalogueType.NONE else _read_address(catalogue_node, "url")
    language = catalogue_node.text("language", "spa")
    if not re.fullmatch(r"[a-z]{2,3}", language):
        raise catalogue_node.error("language", tr("must be a code of two or three lower-case letters"))
    return NetworkCatalogue(kind, url, language)


def _read_crs(root: json_document.JsonNode) -> str:
    code = root.text("crs", DEFAULT_CRS)
    if not re.fullmatch(r"[A-Z]{2,10}:[0-9A-Za-z]{1,12}", code):
        problem = tr("must be written like “{example}”, not “{value}”", example=DEFAULT_CRS, value=code[:60])
        raise root.error("crs", problem)
    return code


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
    values = {
        "base_url": base_url.strip() or profile.base_url,
        "node": service_prefix.strip() or profile.service_prefix,
        "type": catalogue_type.strip() or profile.catalogue.type.value,
        "url": catalogue_url.strip() or profile.catalogue.url}
    overrides = json_document.JsonNode(values, "", tr("The network's settings"))
    kind = overrides.enum_member("type", CatalogueType, CatalogueType.NONE)
    url = "" if kind is CatalogueType.NONE else _read_address(overrides, "url")
    catalogue = replace(profile.catalogue, type=kind, url=url)
    return replace(profile, base_url=_read_address(overrides, "base_url").rstrip("/"),
                   service_prefix=_read_service_prefix(overrides), catalogue=catalogue)


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


def _read_address(json_node: json_document.JsonNode, key: str) -> str:
    address = json_node.text(key)
    try:
        parts = urlsplit(address)
        is_valid = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        is_valid = False
    if not is_valid or re.search(r"[\s\x00-\x1f\"'<>]", address):
        raise json_node.error(key, tr("must be a web address (http or https), without a login"))
    return address


def _read_service_prefix(json_node: json_document.JsonNode) -> str:
    prefix = json_node.text("node", "")
    if not re.fullmatch(rf"[\w.~-]{{0,{_MAX_PREFIX_LENGTH}}}", prefix):
        raise json_node.error("node", tr("must be at most {most} letters, digits, “-”, “_”, “.” or “~”",
                                         most=_MAX_PREFIX_LENGTH))
    return prefix


def _record_files(document: json_document.JsonNode, folder: Path, root: Path) -> List[Path]:
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


def _elsewhere(document: json_document.JsonNode, pointer: str, path: str) -> InvalidDocument:
    return document.error(pointer, tr("is “{path}”, which is not a file in the profile’s own folder. Copy it there",
                                      path=path[:_MAX_SHOWN]))
