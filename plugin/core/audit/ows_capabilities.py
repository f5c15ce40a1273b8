"""Titles, providers and terms of WFS, WCS and WMTS, read from their capabilities.

WFS 1.0.0 (OGC 02-058), 1.1.0 (04-094) and 2.0 (09-025r2), WCS 1.0.0 (03-065r6) to 2.0 (09-110r4), WMTS 1.0.0
(07-057r7), with the common parts of OWS Common (06-121r3).
"""

from __future__ import annotations

from typing import Any, Iterator, List, Sequence

from .. import safe_xml
from ..addresses import is_web_address
from ..errors import UnreadableDocument
from ..i18n import tr
from ..text import fold, single_line
from .audit_row import ProviderInfo

_XLINK = "{http://www.w3.org/1999/xlink}href"
_ROOTS = ("capabilities", "wfs_capabilities", "wcs_capabilities")
#: elements that describe one layer of the service, with the elements that name it
_LAYER_ELEMENTS = ("featuretype", "coverageofferingbrief", "coveragesummary", "layer")
_NAME_ELEMENTS = ("name", "identifier", "coverageid")


def read_ows_info(data: bytes, name: str = "", layers: Sequence[str] = ()) -> ProviderInfo:
    """Return title, provider, fees and constraints of a service, with the metadata links of its layers ``layers``.

    Elements are found by their local names, since each version has its own namespaces. Raises UnreadableDocument for
    any other document.
    """
    root = safe_xml.parse(data, name)
    if _local(root) not in _ROOTS:
        raise UnreadableDocument(tr("{name} is not a capabilities document.", name=name or tr("The document")))
    about = _child(root, "serviceidentification", "service")
    provider = _child(root, "serviceprovider")
    party = _child(about, "responsibleparty")
    owner = _text(provider, "providername") or _text(party, "organisationname", "organizationname", "individualname")
    site = _child(provider, "providersite")
    title = _text(about, "title", "label")
    return ProviderInfo(title=title, owner=owner, fees=_text(about, "fees"), access=_text(about, "accessconstraints"),
                        url=(site.get(_XLINK) or "") if site is not None else "",
                        documents=tuple(dict.fromkeys(_metadata_links(root, layers))),
                        origin=tr("capabilities: provider") if owner else "")


def _metadata_links(root: Any, layers: Sequence[str]) -> Iterator[str]:
    """Yield the metadata addresses of the named layers, whose prefix may differ from that of the document."""
    names = {fold(layer.split(":")[-1]) for layer in layers}
    for element in root.iter():
        if not isinstance(element.tag, str) or _local(element) not in _LAYER_ELEMENTS:
            continue
        own = _text(element, *_NAME_ELEMENTS)
        if fold(own.split(":")[-1]) not in names:
            continue
        for link in element:
            if isinstance(link.tag, str) and _local(link) in ("metadataurl", "metadata", "metadatalink"):
                address = single_line(link.get(_XLINK) or link.text or "")
                if is_web_address(address):
                    yield address


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _child(parent: Any, *names: str) -> Any:
    """Return the first child with one of the local names, in the order of the names, or None."""
    children: List[Any] = [] if parent is None else [item for item in parent if isinstance(item.tag, str)]
    return next((child for name in names for child in children if _local(child) == name), None)


def _text(parent: Any, *names: str) -> str:
    element = _child(parent, *names)
    return single_line("".join(element.itertext())) if element is not None else ""
