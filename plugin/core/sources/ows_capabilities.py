"""Titles, providers and terms of WFS, WCS and WMTS, read from their capabilities.

WFS 1.0.0 (OGC 02-058), 1.1.0 (04-094) and 2.0 (09-025r2), WCS 1.0.0 (03-065r6) to 2.0 (09-110r4), WMTS 1.0.0
(07-057r7), with the common parts of OWS Common (06-121r3).
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Sequence

from .. import safe_xml
from ..addresses import host_and_port, is_web_address
from ..errors import UnreadableDocument
from ..i18n import tr
from ..text import fold, single_line
from ..wms.requests.urls import with_parameters
from ..wms.responses.response_validation import ExpectedContent
from .attribution_text import joined_attributions
from .layer_source import LayerSource
from .source_kind import Documents, ProviderInfo

_XLINK = "{http://www.w3.org/1999/xlink}href"
_ROOTS = ("capabilities", "wfs_capabilities", "wcs_capabilities")
#: elements that describe one layer of the service, with the elements that name it
_LAYER_ELEMENTS = ("featuretype", "coverageofferingbrief", "coveragesummary", "layer")
_NAME_ELEMENTS = ("name", "identifier", "coverageid")


def ows_terms(service: str) -> Callable[[LayerSource, Documents], ProviderInfo]:
    """Return a function that reads the capabilities of a service of this kind, such as "WFS" (OWS Common, 06-121r3)."""
    def terms(source: LayerSource, documents: Documents) -> ProviderInfo:
        parameters = {"SERVICE": service, "REQUEST": "GetCapabilities"}
        if service == "WMTS":
            parameters["VERSION"] = "1.0.0"
        # the address of a RESTful service is that of its capabilities and needs no parameters
        is_document = service == "WMTS" and "capabilities" in source.address.lower()
        address = source.address if is_document else with_parameters(source.address, parameters)
        return read_ows_info(documents.read(address, ExpectedContent.XML), host_and_port(source.address), source.names)
    return terms


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
    contact = _child(provider, "servicecontact")
    owner = _text(provider, "providername") or _text(
        party, "organisationname", "organizationname", "individualname") or _text(contact, "individualname")
    site = _child(provider, "providersite")
    named = list(_layers(root, layers))
    # vendors take the element over from WMS (06-042 7.2.4.6.11)
    attributions = [element for parent in (root, about, *named) for element in _children(parent, "attribution")]
    credit, link = joined_attributions([_text(element, "title") or _whole_text(element) for element in attributions])
    address = site.get(_XLINK) if site is not None else None
    return ProviderInfo(title=_text(about, "title", "label"), owner=owner, credit=credit, fees=_texts(about, "fees"),
                        access=_texts(about, "accessconstraints"), url=address or link, credit_stated=bool(credit),
                        documents=tuple(dict.fromkeys(_metadata_links(named))),
                        description="\n".join(filter(None, (_text(one, "abstract") for one in (about, *named)))),
                        origin=tr("capabilities: Attribution") if credit else
                        tr("capabilities: provider") if owner else "")


def _layers(root: Any, layers: Sequence[str]) -> Iterator[Any]:
    """Yield the elements of the named layers, whose prefix may differ from that of the document."""
    names = {fold(layer.split(":")[-1]) for layer in layers}
    for element in root.iter("*") if names else ():
        if _local(element) in _LAYER_ELEMENTS and fold(_text(element, *_NAME_ELEMENTS).split(":")[-1]) in names:
            yield element


def _metadata_links(layers: Sequence[Any]) -> Iterator[str]:
    """Yield the metadata addresses of layers."""
    for link in (link for layer in layers for link in _children(layer, "metadataurl", "metadata", "metadatalink")):
        address = single_line(link.get(_XLINK) or link.text or "")
        if is_web_address(address):
            yield address


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _child(parent: Any, *names: str) -> Any:
    """Return the first child with one of the local names, in the order of the names, or None."""
    children: List[Any] = [] if parent is None else [item for item in parent if isinstance(item.tag, str)]
    return next((child for name in names for child in children if _local(child) == name), None)


def _children(parent: Any, *names: str) -> List[Any]:
    return [] if parent is None else [item for item in parent.iterchildren("*") if _local(item) in names]


def _text(parent: Any, *names: str) -> str:
    element = _child(parent, *names)
    return _whole_text(element) if element is not None else ""


def _texts(parent: Any, *names: str) -> str:
    """Return the texts of all elements of a name, each on a line: OWS Common allows several AccessConstraints."""
    return "\n".join(dict.fromkeys(filter(None, map(_whole_text, _children(parent, *names)))))


def _whole_text(element: Any) -> str:
    return single_line("".join(element.itertext()))
