"""The custom map's document as it travels inside the map that was made of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Optional, Tuple

from ..addresses import with_changed_parameters, with_changed_texts
from ..custommap import own_sources
from ..custommap.model import CustomMap, OwnLayer
from ..snapshot.snapshot_sources import with_relative_paths
from ..sources.kinds import kind_of
from ..text import escaped, unescaped

_ABSOLUTE = re.compile(r"(?:[\\/]|[A-Za-z]:[\\/])")
#: the beginning of a path that leads out of its folder: the root of a disk, a share, the home folder, a folder above
_OUTSIDE = r"(?:file:/{0,3})?(?:[\\/]{1,2}|[A-Za-z]:[\\/]|~[\\/]|\.\.[\\/])"
#: a text that is a path as a whole, and a path between quotation marks: both may have blanks
_WHOLE_PATH = re.compile(rf"""\s*{_OUTSIDE}[^"'<>|\n]*[\\/]([^"'<>|\\/\n]+)""", re.IGNORECASE)
_QUOTED_PATH = re.compile(rf"""(["']){_OUTSIDE}[^"'\n]*[\\/]([^"'\\/\n]+)\1""", re.IGNORECASE)
#: the folders of a path in any text. Pictures in base64 have slashes too, and so have addresses
_FOLDER = r"""[^\s"'<>|;,&()\\/*+=]+[\\/]"""
_FOLDERS = re.compile(
    rf"""(?:(?<![\w/\\.:<+%*~)\]]){_OUTSIDE}|(?<=:)(?<!base64:)/(?!/))(?:{_FOLDER})+""", re.IGNORECASE)
#: the value of an attribute, and the text of an element
_XML_TEXT = re.compile(r"""(=")([^"<]*)(?=")|(>)([^<>]+)(?=<)""")
#: what a connection string says of the server and of the person who logs in
_SERVER = re.compile(r"""(?<![\w-])(?:host|hostaddr|hostname|port|user|username|uid|server|service|authcfg)=
                         (?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s;,|&'"]*)[;,\s]*""", re.IGNORECASE | re.VERBOSE)
#: drivers of GDAL in whose connection strings the server has no name, such as OCI:user@host
_SERVER_DRIVER = re.compile(r"(OCI|MongoDB\w*|HANA|ODBC|MSSQL|MySQL):.*", re.IGNORECASE | re.DOTALL)


def published_document(custom_map: CustomMap, file: Path, centre: Optional[Tuple[float, float]],
                       scale: Optional[float]) -> CustomMap:
    """Return the document for the published map ``file``, with the centre (lon, lat) and the scale of its page.

    A published map is handed out, so it names no folder of the computer that made it, no server of a database and
    nobody who logs in there: files and snapshots beside or below it are relative to it, of other files the name
    remains, in styles as well, and other snapshots are left out. A reader has to locate what is missing.
    """
    document = with_relative_paths(custom_map, file)
    if centre is not None and scale:
        document = replace(document, extent=None, centre=centre, scale=scale)
    if document.snapshot is not None and _ABSOLUTE.match(document.snapshot.path):
        document = replace(document, snapshot=None)
    document = own_sources.with_changed_files(document, lambda path: _name_of(path) if _ABSOLUTE.match(path) else path)
    return replace(document, own_layers=tuple(map(_published_layer, document.own_layers)),
                   extra=with_changed_texts(document.extra, without_folders))


def _name_of(path: str) -> str:
    return PurePosixPath(path).name if path.startswith("/") else PureWindowsPath(path).name


def _published_layer(own: OwnLayer) -> OwnLayer:
    """Return an own layer without the folders and the servers that its source and its style name."""
    source, origin = own.source, own.origin
    if kind_of(origin).names_server:
        source = with_changed_parameters(_without_server(source), _without_server)
    # a description in the source may name files of both
    if not origin.type.is_web or source.lstrip().startswith("<"):
        source = with_changed_parameters(without_folders(source), without_folders)
    return replace(own, source=source or own.provider, style=_style_without_folders(own.style),
                   extra=with_changed_texts(own.extra, without_folders))


def _without_server(source: str) -> str:
    return _SERVER_DRIVER.sub(r"\1:", _SERVER.sub("", source)).strip()


def without_folders(text: str) -> str:
    """Return a text in which of each path to elsewhere the name of the file remains."""
    whole = _WHOLE_PATH.fullmatch(text)
    return whole[1] if whole is not None else _FOLDERS.sub("", _QUOTED_PATH.sub(r"\1\2\1", text))


def _style_without_folders(style: str) -> str:
    """Return a style (QML) whose values and texts name no folders."""
    def change(match: re.Match[str]) -> str:
        start, value = match[1] or match[3], match[2] if match[1] else match[4]
        if "/" not in value and "\\" not in value:
            return match[0]
        plain = unescaped(value)
        clean = without_folders(plain)
        return match[0] if clean == plain else start + escaped(clean)

    return _XML_TEXT.sub(change, style)
