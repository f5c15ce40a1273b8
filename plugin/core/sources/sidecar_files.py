"""Credits and records of local files: QGIS metadata (``.qmd``) and documents beside them, GeoPackages, MBTiles."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

from .. import safe_xml
from ..errors import CartoguideError
from ..i18n import tr
from ..records import read
from ..records.model.record import Record
from ..text import single_line
from ..trust.files import UnusableFile, check_kind, read_regular
from .attribution_text import attribution_text
from .source_kind import ProviderInfo

#: largest metadata document that is read
_MAX_BYTES = 4 * 1024 * 1024
#: instructions of SQLite after which a query is given up: steps of so many
_MAX_STEPS, _STEP_SIZE = 200, 10_000
#: ends of the names of metadata documents, beside the file's own name and its stem
_SUFFIXES = (".xml", "_metadata.xml", ".metadata.xml", ".iso.xml", ".iso19139.xml")


@dataclass(frozen=True)
class SidecarFindings:
    """The record and the description found beside a file, with the name of the file that they were read from."""

    record: Optional[Record] = None
    info: Optional[ProviderInfo] = None
    name: str = ""


def find_sidecar(path: str) -> SidecarFindings:
    """Return what the files beside ``path`` say about it. Never raises: an unreadable document is passed over."""
    file = Path(path)
    try:
        if not path or not file.exists():
            return SidecarFindings()
        for candidate in metadata_files(file):
            found = _read_document(candidate)
            if found is not None:
                return found
    except (OSError, ValueError):
        return SidecarFindings()
    if file.suffix.lower() == ".gpkg":
        return SidecarFindings(read_geopackage_record(file), name=file.name)
    info = read_mbtiles_info(file) if file.suffix.lower() == ".mbtiles" else None
    return SidecarFindings(info=info, name=file.name) if info is not None else SidecarFindings()


def metadata_files(file: Path) -> Iterator[Path]:
    """Yield the paths at which the metadata of ``file`` may be, QGIS's own first."""
    yield file.with_suffix(".qmd")
    names = dict.fromkeys(name + suffix for suffix in _SUFFIXES for name in (file.name, file.stem))
    for name in names:
        yield file.with_name(name)


def read_qmd_info(data: bytes, name: str = "") -> ProviderInfo:
    """Return title, rights, licences and fees of QGIS's metadata (the root ``qgis``). Raises UnreadableDocument."""
    root = safe_xml.parse(data, name)

    def texts(tag: str) -> List[str]:
        return [single_line(element.text or "") for element in root.findall(tag) if single_line(element.text or "")]

    rights = "; ".join(dict.fromkeys(texts("rights")))
    constraints = [single_line(element.text or "") for element in root.findall("constraints")]
    return ProviderInfo(title=next(iter(texts("title")), ""), credit=rights, fees=next(iter(texts("fees")), ""),
                        access="; ".join(text for text in constraints if text), licence="; ".join(texts("license")),
                        credit_stated=bool(rights), origin=_origin(name) if rights else "")


def find_qmd(file: Path) -> ProviderInfo:
    """Return what QGIS's metadata in ``file`` say, nothing if there are none that can be read."""
    found = _read_document(file) if file.is_file() else None
    return found.info if found is not None and found.info is not None else ProviderInfo()


def read_mbtiles_info(file: Path) -> Optional[ProviderInfo]:
    """Return title and attribution of MBTiles (1.3, metadata table), or None if they cannot be read."""
    rows = _query(file, "SELECT name, value FROM metadata WHERE name IN ('name', 'attribution') LIMIT 10")
    values = {str(name): str(value) for name, value in rows}
    if not values:
        return None
    credit, link = attribution_text(values.get("attribution"))
    return ProviderInfo(title=attribution_text(values.get("name"))[0], credit=credit, url=link,
                        credit_stated=bool(credit), origin=_origin(file.name) if credit else "")


def read_geopackage_record(file: Path) -> Optional[Record]:
    """Return the first metadata record saved in a GeoPackage (OGC 12-128r18, F.8), or None."""
    for _, text in _query(file, "SELECT id, metadata FROM gpkg_metadata WHERE mime_type LIKE '%xml%' AND "
                          "length(metadata) < 4194304 ORDER BY id LIMIT 20"):
        data = text.encode("utf-8", "replace") if isinstance(text, str) else bytes(text or b"")
        try:
            records = read(data, file.name)
        except CartoguideError:
            continue
        if records:
            return records[0]
    return None


def _query(file: Path, statement: str) -> List[Tuple[Any, Any]]:
    """Return the rows of a query of an SQLite file, which is not changed. Empty if it is none or lacks the table."""
    try:
        check_kind(file)
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            # a file may define an endless view under the table's name
            steps = iter(range(_MAX_STEPS))
            database.set_progress_handler(lambda: next(steps, None) is None, _STEP_SIZE)
            return list(database.execute(statement))
    except (sqlite3.Error, ValueError, UnusableFile):
        return []


def _read_document(file: Path) -> Optional[SidecarFindings]:
    """Return the findings of one document, or None if it is not metadata."""
    try:
        data = read_regular(file, _MAX_BYTES)
        if file.suffix.lower() == ".qmd":
            return SidecarFindings(info=read_qmd_info(data, file.name), name=file.name)
        records = read(data, file.name)
    except CartoguideError:
        return None
    return SidecarFindings(record=records[0], name=file.name) if records else None


def _origin(name: str) -> str:
    return tr("the file {name}", name=name)
