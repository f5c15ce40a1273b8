"""Capabilities without the layers that nobody asks for: QGIS's provider parses the document anew for every layer.

3,000 layers take it 300 ms each time; the few that are wanted, with their groups, take it a few.
"""

from __future__ import annotations

from typing import Collection

from lxml import etree

from ..model import xml_values
from .parser import parse_document


def prune_capabilities(data: bytes, names: Collection[str]) -> bytes:
    """The capabilities document with the layers called ``names`` (case matters) and the groups above them alone.

    All that these inherit stays, and so does everything that is no layer. UnreadableDocument for broken bytes.
    """
    root = parse_document(data)
    wanted = frozenset(names)
    # layers stand in Capability, in some documents in the root itself
    for parent in (root, *root):
        for child in [element for element in parent if _is_layer(element)]:
            _prune_layer(child, wanted)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def _prune_layer(layer: etree._Element, names: Collection[str]) -> bool:
    """Take out what is not wanted below ``layer``; whether it is wanted itself, or holds what is."""
    wanted = xml_values.child_text(layer, "Name") in names
    for child in [element for element in layer if _is_layer(element)]:
        if _prune_layer(child, names):
            wanted = True
        else:
            layer.remove(child)
    return wanted


def _is_layer(element: object) -> bool:
    return isinstance(element, etree._Element) and isinstance(element.tag,
                                                              str) and xml_values.local_name(element) == "Layer"
