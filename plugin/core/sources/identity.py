"""Identity of the sources of layers: the names by which two of them are known to be the same.

They stand on the layer, and are taken along with its style: they hold no keys.
"""

from __future__ import annotations

import hashlib
import re
from typing import Dict, Tuple

from ..addresses import without_secrets
from ..records.model.endpoints import normalise_endpoint
from .layer_source import LayerSource
from .source_text import encoded_parameters

#: readers that have their options in a query behind the file
_OPTIONS_IN_QUERY = frozenset(("delimitedtext", "gpx"))
#: one parameter of a connection string: table="schema"."table", name='quoted value' or name=value
_CONNECTION = re.compile(
    r"""(?<![\w-])(?:table=(?:"((?:[^"\\]|\\.)*)"\.)?"((?:[^"\\]|\\.)*)"|"""
    r"""([\w-]+)=(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]\S*)?))""", re.DOTALL)


def service_key(address: str) -> str:
    """Return one form for all spellings of a service's address, without keys and values of dimensions.

    Dimensions are those of WMS 1.3.0, annex C.
    """
    base, _, query = normalise_endpoint(without_secrets(address)).partition("?")
    kept = [part for part in query.split("&") if part and not re.match(r"(?:time|elevation|dim_[^=]*)=", part)]
    return f"{base}?{'&'.join(kept)}" if kept else base


def by_service(source: LayerSource, _layer_id: str, _folder: str) -> Tuple[str, ...]:
    """Name layers of a service, in whatever order, whose address is spelt in several ways."""
    return ("|".join((source.type.value, service_key(source.address), *sorted(source.names))),)


def by_address(source: LayerSource, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Name what is at an address, or without one as its source is written."""
    return ("|".join((source.type.value, without_secrets(source.address), *source.names)),) if source.address \
        else by_text(source, layer_id, folder)


def by_path(source: LayerSource, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Name a file in two ways: projects are moved with their data, and saved elsewhere.

    The first is for this layer alone. A file of another project may lie at the same place in its folder, and be given
    this layer's style.
    """
    if not source.path:
        return by_text(source, layer_id, folder)
    return tuple("|".join((source.type.value, name, _part_of_file(source)))
                 for name in _file_names(source.path, layer_id, folder))


def by_table(source: LayerSource, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Name a table by its database, as ``by_path`` does where that is a file, without filter, login and options.

    QGIS writes the whole source anew when a filter is set.
    """
    if source.by_gdal:
        before, _, after = source.text.partition("|")
        return (f"{source.type.value}|{_digest(before + _layer_in_file(after))}",)
    found = _connection_parameters(source.text)
    place = "|".join(found.get(name, "") for name in ("service", "host", "port", "schema", "table"))
    if not found.get("table"):
        return by_text(source, layer_id, folder)
    if source.provider.lower() == "spatialite":
        return tuple("|".join((source.type.value, name, _digest(place)))
                     for name in _file_names(found.get("dbname", ""), layer_id, folder))
    # an address in a database may hold a password
    return ("|".join((source.type.value, _digest(f"{found.get('dbname', '')}|{place}"))),)


def by_layer(source: LayerSource, layer_id: str, _folder: str) -> Tuple[str, ...]:
    """Name a layer that exists in its project only: QGIS writes its source anew with each change of its fields."""
    return (f"{source.type.value}|{layer_id}",)


def by_text(source: LayerSource, _layer_id: str, _folder: str) -> Tuple[str, ...]:
    """Name a source as it is written, without its filter."""
    return (f"{source.type.value}|{_digest(re.sub(r'(?:^| )sql=.*', '', source.text, flags=re.DOTALL))}",)


def _file_names(path: str, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Return the names of a file: from the project's folder on, if it lies in there, and by its whole path."""
    path, below = path.replace("\\", "/"), f"{folder}/"
    inside = f"{layer_id}|./{path[len(below):]}" if folder and path.startswith(below) else ""
    return tuple(name for name in (inside, _digest(path)) if name)


def _part_of_file(source: LayerSource) -> str:
    """Return the table or the variable in a file, without a filter and the options of opening it."""
    provider = source.provider.lower()
    if provider in _OPTIONS_IN_QUERY:
        # readers of text have columns and filter behind the file, and one of GPS data has the kind of its features
        return encoded_parameters(source.text.partition("?")[2]).get("type", "") if provider == "gpx" else ""
    before, _, after = source.text.partition(source.path)
    return before + after.partition("|")[0] + _layer_in_file(after)


def _layer_in_file(options: str) -> str:
    """Return the layer that a source of GDAL names behind its file.

    QGIS leaves out the number of the first layer where a filter is set.
    """
    table = re.search(r"(?:^|\|)(layername=[^|]*|layerid=[1-9][^|]*)", options)
    return table.group(1) if table else ""


def _connection_parameters(source: str) -> Dict[str, str]:
    """Return the parameters of a connection string, with schema and table apart. What follows is the filter."""
    found: Dict[str, str] = {}
    for schema, table, name, *values in _CONNECTION.findall(source):
        if name == "sql":
            break
        if table:
            found.setdefault("schema", schema)
            found.setdefault("table", table)
        else:
            found.setdefault(name, "".join(values))
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
