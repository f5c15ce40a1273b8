"""Compatibility of pycsw 2.6 with newer systems.

Setuptools without pkg_resources: pycsw only asks it for its own version, and to refuse an OWSLib newer than 0.28.
OWSLib newer than 0.28: in its ISO 19139 reader the identifications are one list and keywords are objects; pycsw knows
the single identification, and keywords as dictionaries.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import metadata
from types import ModuleType, SimpleNamespace
from typing import Any, Iterator

from owslib import iso

_MD_Metadata = iso.MD_Metadata


class _OlderShape(_MD_Metadata):
    """A record whose parts have the names and kinds of OWSLib 0.28."""

    def __init__(self, md: Any = None) -> None:
        super().__init__(md)
        self.identificationinfo = self.identification
        for part in self.identificationinfo:
            part.keywords = [
                {"type": group.type, "thesaurus": group.thesaurus, "keywords": [word.name for word in group.keywords]}
                for group in part.keywords
            ]
        services = [part for part in self.identificationinfo if isinstance(part, iso.SV_ServiceIdentification)]
        self.serviceidentification = services[0] if services else None
        self.identification = self.identificationinfo[0] if self.identificationinfo else None


@contextmanager
def own_version() -> Iterator[None]:
    """pycsw can be imported inside: its version comes from its package, whatever Setuptools is installed."""
    before = sys.modules.get("pkg_resources")
    stand_in: Any = ModuleType("pkg_resources")
    stand_in.require = lambda name: [SimpleNamespace(version=metadata.version(name))]
    sys.modules["pkg_resources"] = stand_in
    try:
        yield
    finally:
        del sys.modules["pkg_resources"]
        if before is not None:
            sys.modules["pkg_resources"] = before


@contextmanager
def older_shape() -> Iterator[None]:
    """Records read inside have the shape that pycsw knows, whatever OWSLib is installed."""
    if hasattr(_MD_Metadata(), "identificationinfo"):
        yield
        return
    iso.MD_Metadata = _OlderShape
    try:
        yield
    finally:
        iso.MD_Metadata = _MD_Metadata
