"""The shape of a kind of source. A kind has only those of its parts that it needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Callable, Iterator, List, Mapping, Optional, Pattern, Protocol, Sequence, Tuple
from urllib.parse import unquote, urlsplit

from ..addresses import host_and_port, is_web_address
from ..errors import Cancelled, CartoguideError, UnexpectedResponse, UnreadableDocument
from ..request import HttpMethod, Request
from ..trust.contents import followed_links
from ..wms.requests.urls import host_and_path, query_parameters, with_parameters
from ..wms.responses.layer_descriptions import data_addresses
from ..wms.responses.response_validation import ExpectedContent
from .identity import by_address
from .layer_source import LayerSource, SourceType


class SourceProof(str, Enum):
    """The ways in which a layer is known to be complete on an exported page.

    QGIS reports success for a map on which tiles or features are missing. Of a layer that is watched the export itself
    fetches all that the page needs, and refuses a map that lacks a part. Files and databases of this computer are read
    without a request. Nobody watches anything else.
    """

    WATCHED = "watched"
    LOCAL = "local"
    UNCHECKED = "unchecked"


@dataclass(frozen=True)
class ProviderInfo:
    """Title, provider, credit and terms of a source other than a WMS, as it describes itself.

    ``credit`` is an attribution to be shown word for word. ``credit_stated`` is True if the source itself states it.
    ``origin`` is a translated text that names the place it was read from. ``documents`` are addresses of metadata.
    ``others`` are the descriptions behind this one, such as that of the service behind its collection: what they say of
    use counts as much. ``unread`` says of documents that may state terms why they could not be read. ``description`` is
    what a source says of its data, which some demand a credit in and nowhere else.
    """

    title: str = ""
    owner: str = ""
    credit: str = ""
    fees: str = ""
    access: str = ""
    licence: str = ""
    licence_url: str = ""
    url: str = ""
    credit_stated: bool = False
    origin: str = ""
    documents: Tuple[str, ...] = ()
    others: Tuple[ProviderInfo, ...] = ()
    unread: Tuple[str, ...] = ()
    description: str = ""

    def all(self) -> Iterator[ProviderInfo]:
        """Yield this description and those behind it."""
        yield self
        for other in self.others:
            yield from other.all()

    @property
    def gaps(self) -> Tuple[str, ...]:
        """The reasons why documents of this description and of those behind it could not be read."""
        return tuple(dict.fromkeys(reason for info in self.all() for reason in info.unread))


class Documents(Protocol):
    """Documents of services by their addresses, such as descriptions and capabilities."""

    def read(self, address: str, content: ExpectedContent) -> bytes:
        """Return the body of the document at ``address``. Raises CartoguideError for an error, and Cancelled."""


@dataclass(frozen=True)
class FirstRequest:
    """The request for the document that QGIS asks a server for first, and what its answer must be."""

    request: Request
    expected: ExpectedContent


@dataclass(frozen=True)
class SentRequest:
    """An address that QGIS has requested, taken apart.

    ``place`` is its host and path, ``segments`` are the decoded parts of the path, and ``parameters`` those of its
    query by their names in capitals.
    """

    address: str
    place: str
    segments: Tuple[str, ...]
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, address: str) -> SentRequest:
        """Return the parts of ``address``. Raises ValueError for a text that cannot be divided."""
        return cls(address, host_and_path(address), tuple(map(unquote, urlsplit(address).path.split("/"))),
                   {name.upper(): value for name, value in query_parameters(address)})

    def is_operation(self, name: str, layers: Sequence[str], *parameters: str) -> bool:
        """Return whether it is the operation ``name`` of an OGC service for a layer among ``layers``.

        The layer is the value of the first of ``parameters`` that is there. The prefixes of XML names do not count.
        """
        asked = next((self.parameters[key] for key in parameters if key in self.parameters), "")
        return self.parameters.get("REQUEST", "").lower() == name.lower() and (
            asked.rpartition(":")[2] in {layer.rpartition(":")[2] for layer in layers})

    def is_below(self, address: str, *ends: str) -> bool:
        """Return whether it lies below the service at ``address``, in one of the resources that are named ``ends``."""
        return self.place.startswith(host_and_path(address).rstrip("/")) and any(end in self.segments for end in ends)


@dataclass(frozen=True)
class LayerSourceKind:
    """One kind of source.

    ``read`` returns the source of a layer of this kind from the provider's name (in lower case) and the source text in
    QGIS, or None if it is of another one. ``identity`` returns the names of a source, for a layer of this id in a
    project in this folder: it is the same as another where both have one name.
    """

    type: SourceType
    read: Callable[[str, str], Optional[LayerSource]]
    identity: Callable[[LayerSource, str, str], Tuple[str, ...]] = by_address
    #: how a layer of this source is known to be complete on a page
    proof: Callable[[LayerSource], SourceProof] = lambda _source: SourceProof.UNCHECKED
    #: whether the answer to a request is a part of what a layer of this source shows: an image, a tile or features
    draws: Callable[[LayerSource, SentRequest], bool] = lambda _source, _request: False
    #: True if such an answer is an image
    draws_images: bool = False
    #: what the service says of credit and terms. Raises CartoguideError and Cancelled
    terms: Optional[Callable[[LayerSource, Documents], ProviderInfo]] = None
    #: True if each layer of a service has terms of its own
    described_by_layer: bool = False
    #: True if its source may name a server that is on no web address, such as that of a database
    names_server: bool = False
    #: True if an answer names the address of the next page of features
    has_pages: bool = False
    #: from the service's address. Without it nothing is requested before the layer is drawn
    first_request: Optional[Callable[[str], FirstRequest]] = None
    #: raises CartoguideError for an answer that QGIS would take for a description. With the host's name for people
    check_first_answer: Optional[Callable[[bytes, str], object]] = None
    #: the addresses in the first answer, at this address, that QGIS requests next, or None if it cannot be read
    next_addresses: Optional[Callable[[bytes, str], Optional[Sequence[str]]]] = None
    #: other addresses in the first answer, of legends for example
    named_addresses: Optional[Callable[[bytes], Sequence[str]]] = None


def fetched_from(*providers: str) -> Callable[[LayerSource], SourceProof]:
    """Return the proof of a kind that the export fetches itself if a layer is of one of these providers of QGIS."""
    return lambda source: SourceProof.WATCHED if source.provider.lower() in providers and is_web_address(
        source.address) else SourceProof.UNCHECKED


@lru_cache(maxsize=256)
def _tile_addresses(template: str) -> Pattern[str]:
    return re.compile("[^/?&]*".join(map(re.escape, re.split(r"\{[^}]*\}", template))))


def draws_tiles(source: LayerSource, request: SentRequest) -> bool:
    """Return whether a request is that of a tile of a source that is a template, or the address of a service."""
    template = re.sub("%7B", "{", re.sub("%7D", "}", source.address, flags=re.IGNORECASE), flags=re.IGNORECASE)
    if "{" not in template:
        return request.is_below(template, "tile")
    return _tile_addresses(template).match(request.address) is not None


def capabilities_request(service: str) -> Callable[[str], FirstRequest]:
    """Return the first request to a service of OWS Common (06-121r3), such as "WFS"."""
    return lambda address: FirstRequest(Request(HttpMethod.GET, with_parameters(
        address, {"SERVICE": service, "REQUEST": "GetCapabilities"})), ExpectedContent.XML)


def json_request(**parameters: str) -> Callable[[str], FirstRequest]:
    """Return the first request to a service that describes itself in JSON."""
    return lambda address: FirstRequest(Request(
        HttpMethod.GET, with_parameters(address, parameters) if parameters else address,
        headers={"Accept": "application/json"}), ExpectedContent.JSON)


def addresses_of_operations(answer: bytes, address: str) -> Optional[Sequence[str]]:
    """Return the addresses of operations and collections in the answer at ``address``, or None for other JSON."""
    if answer.lstrip()[:1] == b"<":
        return data_addresses(answer)
    return followed_links(answer, address) if answer else ()


def first_info(addresses: Sequence[str], read: Callable[[bytes, str], ProviderInfo], documents: Documents,
               guessed: bool = False, every: bool = False) -> ProviderInfo:
    """Return the first description with a credit, else the first that can be read, with the others that were read.

    No more are read behind one with a credit, unless ``every``. Those that failed are ``unread``. Without any, the
    error of the last address is raised. Addresses that are ``guessed`` need not exist: an empty description is
    returned instead, in which only servers that failed are named.
    """
    found: List[ProviderInfo] = []
    problems: List[CartoguideError] = []
    for address in addresses:
        try:
            found.append(read(documents.read(address, ExpectedContent.JSON), host_and_port(address)))
        except Cancelled:
            raise
        except CartoguideError as error:
            problems.append(error)
            continue
        if found[-1].credit and not every:
            break
    if guessed:
        problems = [] if found else [error for error in problems if not _says_absent(error)]
    elif problems and not found:
        raise problems[-1]
    found.sort(key=lambda info: not info.credit)
    first = found[0] if found else ProviderInfo()
    return replace(first, others=(*first.others, *found[1:]), unread=tuple(error.user_text for error in problems))


def _says_absent(error: CartoguideError) -> bool:
    """Return whether a server has answered that it has no such document, or with another one."""
    return isinstance(error, UnreadableDocument) or isinstance(error, UnexpectedResponse) and (
        error.status < 500 and error.status != 429)


def read_or_gap(read: Callable[[], ProviderInfo]) -> ProviderInfo:
    """Return a description, or an empty one with the reason why it could not be read. Raises Cancelled."""
    try:
        return read()
    except Cancelled:
        raise
    except CartoguideError as error:
        return ProviderInfo(unread=(error.user_text,))
