"""Databases, temporary and virtual layers, and annotations: what no reference to a file or an address leads to."""

from __future__ import annotations

import re
from typing import Optional

from .files import file_proof
from .identity import by_layer, by_table
from .layer_source import LayerSource, SourceType
from .source_kind import LayerSourceKind, SourceProof
from .source_text import FILE_PROVIDERS

_DATABASES = frozenset(("postgres", "postgresraster", "mssql", "oracle", "hana", "db2", "spatialite", "grass"))
_MEMORY = frozenset(("memory", "mesh_memory"))
_DATABASE_DRIVER = re.compile(r"(?:PG|MySQL|MSSQL|OCI|MongoDB\w*):", re.IGNORECASE)


def _read_database(provider: str, source: str) -> Optional[LayerSource]:
    is_database = provider in _DATABASES or provider in FILE_PROVIDERS and _DATABASE_DRIVER.match(source)
    return LayerSource(SourceType.DATABASE) if is_database else None


def _read_memory(provider: str, source: str) -> Optional[LayerSource]:
    is_in_memory = provider in _MEMORY or provider in FILE_PROVIDERS and source.lower().startswith("/vsimem/")
    return LayerSource(SourceType.MEMORY) if is_in_memory else None


def _read_virtual(provider: str, _source: str) -> Optional[LayerSource]:
    return LayerSource(SourceType.VIRTUAL) if provider in ("virtual", "virtualraster") else None


def _local(_source: LayerSource) -> SourceProof:
    return SourceProof.LOCAL


def _memory_proof(source: LayerSource) -> SourceProof:
    return SourceProof.LOCAL if source.provider.lower() in _MEMORY else file_proof(source)


DATABASE = LayerSourceKind(SourceType.DATABASE, _read_database, by_table, _local, names_server=True)
MEMORY = LayerSourceKind(SourceType.MEMORY, _read_memory, by_layer, _memory_proof, names_server=True)
#: only QGIS knows of which layers they are made
VIRTUAL = LayerSourceKind(SourceType.VIRTUAL, _read_virtual, by_layer, names_server=True)
#: they have no provider
ANNOTATIONS = LayerSourceKind(SourceType.ANNOTATIONS, lambda _provider, _source: None, by_layer, _local)
