"""One place asks a layer of QGIS for its provider: everybody else asks for the layer's source."""

from __future__ import annotations

import ast
from typing import Iterator

from tests.unit.repository.sources import everywhere, nodes

_DOOR = "plugin/gis/runtime/drawn_source.py"


def test_one_place_asks_a_layer_for_its_provider():
    def find(source: str) -> Iterator[str]:
        for node in nodes(source) if source.startswith("plugin/") else ():
            if isinstance(node, ast.Attribute) and node.attr == "providerType":
                yield f"{source}:{node.lineno}" if source != _DOOR else source

    assert everywhere(find) == [_DOOR]


def test_only_the_kinds_of_sources_know_the_names_of_providers():
    """The rules for what a foreign document names, in ``core/trust``, are a table by their names."""
    def find(source: str) -> Iterator[str]:
        for node in nodes(source) if source.startswith("plugin/") and "/sources/" not in source else ():
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "provider" \
                    and any(isinstance(part, ast.Constant) and isinstance(part.value, str)
                            for other in node.comparators for part in ast.walk(other)):
                yield f"{source}:{node.lineno}"

    assert everywhere(find) == []


def test_encoded_sources_are_read_and_written_in_one_place():
    """QGIS's own class reads some as its providers do not, and writes ``%2B`` so that they request ``+``."""
    assert everywhere(lambda source: (
        f"{source}:{node.lineno}" for node in nodes(source) if source.startswith("plugin/")
        and isinstance(node, ast.Attribute) and node.attr in ("setEncodedUri", "encodedUri"))) == []
