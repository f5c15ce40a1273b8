"""Network profiles: a publisher's family of services, its catalogue, and the records bundled with it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Dict, List, Mapping, Tuple
from urllib.parse import urlsplit

from . import json_document
from .errors import UnreadableDocument
from .i18n import tr
from .resources import RESOURCES

FORMAT = "cartoguide-network"
VERSION = 1
#: CRS of a profile that names none: ETRS89 / UTM zone 30N
DEFAULT_CRS = "EPSG:25830"
CATALOGUE_TYPES = ("geonetwork", "csw", "ogcapi-records", "none")
BUNDLED_PROFILE = RESOURCES / "networks" / "junta-de-andalucia.json"

_MAX_RECORDS = 10_000


@dataclass(frozen=True)
class NetworkCatalogue:
    """Catalogue with the records of a network.

    ``url`` is the root of a GeoNetwork, the address of a CSW, or a landing page of OGC API Records. ``language`` is the
    ISO 639-2 code in GeoNetwork's addresses.
    """

    type: str = "none"
    url: str = ""
    language: str = "spa"


@dataclass(frozen=True)
class NetworkProfile:
    """Network with its services and records.

    ``base_url`` has no slash at its end, and ``node`` is the prefix of the services' names. ``services`` are addresses
    by key, with the placeholders {base_url} and {node}. ``records`` are files, which may be missing.
    """

    id: str
    title: str
    base_url: str
    node: str
    catalogue: NetworkCatalogue = NetworkCatalogue()
    services: Mapping[str, str] = field(default_factory=dict)
    records: Tuple[Path, ...] = ()
    #: CRS of the network's maps as a code
    crs: str = DEFAULT_CRS

    def endpoint(self, key: str) -> str:
        """Return the address of a service with its placeholders filled. Raises KeyError if the profile lacks ``key``.
        """
        return self.services[key].replace("{base_url}", self.base_url).replace("{node}", self.node)

    @property
    def endpoints(self) -> Dict[str, str]:
        """Return every service's address by its key."""
        return {key: self.endpoint(key) for key in self.services}


def read_profile(data: bytes, folder: Path, name: str = "") -> NetworkProfile:
    """Return the profile in ``data``. The paths of records are relative to ``folder``, and a folder stands for its XML
    files.

    Raises UnreadableDocument if it is not JSON, InvalidDocument with the JSON pointer if it breaks the format.
    """
    root = json_document.load(data, name or tr("The network profile"))
    if root.text("format", "") != FORMAT:
        raise root.error("format", tr("must be “{format}”: this is not a network profile", format=FORMAT))
    if root.number("version", 1, 1_000_000) > VERSION:
        raise root.error("version", tr("was written by a newer version of Cartoguide; update Cartoguide"))
    catalogue = root.child("catalogue")
    services = root.child("services")
    found = NetworkCatalogue()
    if catalogue:
        kind = catalogue.one_of("type", CATALOGUE_TYPES, "none")
        found = NetworkCatalogue(kind, "" if kind == "none" else _read_address(catalogue, "url"),
                                 catalogue.text("language", "spa"))
        if not re.fullmatch(r"[a-z]{2,3}", found.language):
            raise catalogue.error("language", tr("must be a code of two or three letters"))
    return NetworkProfile(id=root.text("id"), title=root.text("title", root.text("id")),
                          base_url=_read_address(root,
                                                 "base_url").rstrip("/"), node=_read_node_prefix(root), catalogue=found,
                          services={key: services.text(key) for key in services.value} if services else {},
                          records=tuple(_record_files(root.texts("records", _MAX_RECORDS),
                                                      folder)), crs=_read_crs(root))


def _read_crs(root: json_document.JsonNode) -> str:
    code = root.text("crs", DEFAULT_CRS)
    if not re.fullmatch(r"[A-Z]{2,10}:[0-9A-Za-z]{1,12}", code):
        raise root.error("crs",
                         tr("must be written like “{example}”, not “{value}”", example=DEFAULT_CRS, value=code[:60]))
    return code


def read_profile_file(path: Path) -> NetworkProfile:
    """Return the profile in a file. Raises CartoguideError if it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableDocument(tr("The network profile {name} cannot be read. Choose another one in the "
                                    "settings, or leave the setting empty to use the bundled one.", name=path.name),
                                 str(error)) from error
    return read_profile(data, path.parent, path.name)


def bundled_profile() -> NetworkProfile:
    """Return the profile that comes with the plugin. Raises CartoguideError if it cannot be read."""
    return read_profile_file(BUNDLED_PROFILE)


def with_overrides(profile: NetworkProfile, base_url: str = "", node: str = "", catalogue_type: str = "",
                   catalogue_url: str = "") -> NetworkProfile:
    """Return the profile with the values of the settings. An empty setting keeps the value of the profile.

    Raises InvalidDocument for an address that is not http(s), an invalid node name, or an unknown type of catalogue.
    """
    overrides = json_document.JsonNode(
        {"base_url": base_url.strip() or profile.base_url, "node": node.strip() or profile.node,
         "type": catalogue_type.strip() or profile.catalogue.type,
         "url": catalogue_url.strip() or profile.catalogue.url}, "", tr("The network's settings"))
    kind = overrides.one_of("type", CATALOGUE_TYPES, "none")
    catalogue = replace(profile.catalogue, type=kind, url="" if kind == "none" else _read_address(overrides, "url"))
    return replace(profile, base_url=_read_address(overrides, "base_url").rstrip("/"),
                   node=_read_node_prefix(overrides), catalogue=catalogue)


def endpoint_id(address: str) -> str:
    """Return the identifier of a starter record: SHA-1 of the endpoint's path, in 40 lowercase hexadecimal digits.

    The path is the part between the host and ``?``, with its leading slash, exactly as written, in UTF-8.
    """
    path = urlsplit(address.strip()).path
    return hashlib.sha1(path.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def rebase(record: bytes, old: NetworkProfile, new: NetworkProfile) -> bytes:
    """Return a record of network ``old`` with the addresses of network ``new``, and with the identifiers made from
    them.

    Only addresses with the base and node of the old network are changed. ``record`` is XML in an encoding that contains
    ASCII (UTF-8, ISO 8859). All other bytes stay the same.
    """
    if (old.base_url, old.node) == (new.base_url, new.node):
        return record
    base, node = re.escape(old.base_url.encode()), re.escape(old.node.encode()) + b"_" if old.node else b""
    pattern = re.compile(base + rb"(/(?:[^\s\"'<>?#]*/)?)" + node + rb"([^\s\"'<>?#/]+)(?=\?)")
    identifiers: Dict[bytes, bytes] = {}

    def moved(match: re.Match[bytes]) -> bytes:
        prefix = f"{new.node}_".encode() if new.node else b""
        address = new.base_url.encode() + match.group(1) + prefix + match.group(2)
        before, after = (endpoint_id(text.decode("utf-8", "surrogateescape")) for text in (match.group(), address))
        identifiers[before.encode()] = after.encode()
        return address

    changed = pattern.sub(moved, record)
    if not identifiers:
        return record
    return re.sub(b"|".join(map(re.escape, identifiers)), lambda match: identifiers[match.group()], changed)


def _read_address(node: json_document.JsonNode, key: str) -> str:
    address = node.text(key)
    try:
        parts = urlsplit(address)
        sound = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:
        sound = False
    if not sound or re.search(r"[\s\x00-\x1f\"'<>]", address):
        raise node.error(key, tr("must be a web address (http or https), without a user name"))
    return address


def _read_node_prefix(node: json_document.JsonNode) -> str:
    prefix = node.text("node", "")
    if not re.fullmatch(r"[\w.~-]{0,60}", prefix):
        raise node.error("node", tr("must be letters, digits, “-”, “_” or “.”"))
    return prefix


def _record_files(paths: Tuple[str, ...], folder: Path) -> List[Path]:
    found: List[Path] = []
    for relative in paths:
        path = folder / relative
        found.extend(sorted(path.glob("*.xml")) if path.is_dir() else [path])
    return list(dict.fromkeys(found))
