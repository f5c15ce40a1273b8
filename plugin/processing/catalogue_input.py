"""Catalogues as a parameter: by title, by address, or those that the person has."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ..core.i18n import tr
from .algorithm import CartoguideAlgorithm
from .choices import editable_choice_parameter

if TYPE_CHECKING:
    from ..core.catalogues.model import Source
    from ..gis.runtime.tasks import Feedback

CATALOGUE = "CATALOGUE"
ALL_CATALOGUES, NETWORK_CATALOGUE = "all", "network"


def add_catalogue_parameter(algorithm: CartoguideAlgorithm, help_text: str, default: str = "") -> None:
    """The parameter that names catalogues."""
    own = () if default else (("", tr("The records that I keep")), (ALL_CATALOGUES,
                                                                    tr("All catalogues that are switched on")))
    offered = (*own, (NETWORK_CATALOGUE, tr("The network’s own catalogue")))
    algorithm.add_parameter(editable_choice_parameter(CATALOGUE, tr("Catalogue"), offered, default), help_text)


def resolve_catalogues(name_or_address: str, feedback: Feedback, authcfg: str = "") -> List[Source]:
    """The catalogues that are meant; what is at an address is found out by asking, so in worker threads only.

    ``login`` is an authentication configuration, for asking there. CartoguideError where there is none.
    """
    from ..core.catalogues.detection import detect_catalogue
    from ..core.catalogues.model import REMOTE, Source
    from ..core.errors import CartoguideError
    from ..core.records.model.endpoints import is_web_address
    from ..core.text import fold
    from ..gis.catalogues.catalogue_list import CatalogueList
    from ..gis.profiles.catalogue_client import fetcher

    known = CatalogueList()
    listed = known.sources()
    if known.problem is not None:
        raise known.problem
    if fold(name_or_address) == ALL_CATALOGUES:
        found = known.enabled_sources()
        if not found:
            raise CartoguideError(tr("No catalogue is switched on. Name one, or its address."))
        return found
    if fold(name_or_address) == NETWORK_CATALOGUE:
        found = [source for source in listed if known.is_network_catalogue(source)]
        if not found:
            raise CartoguideError(tr("The network has no catalogue that can be queried. Set its address in the "
                                     "settings."))
        return found
    by_name = [
        source for source in listed
        if name_or_address in (source.address, source.key) or fold(source.title) == fold(name_or_address)
    ]
    if by_name:
        return by_name[:1]
    if not is_web_address(name_or_address):
        raise CartoguideError(
            tr("You have no catalogue called “{name}”. Give its address, “network” or “all”.", name=name_or_address))
    at_address = detect_catalogue(
        name_or_address, fetcher(Source(name_or_address, "csw2", authcfg=authcfg), feedback, bypass_cache=True)).sources
    found = [source for source in at_address if source.kind in REMOTE]
    if not found:
        raise CartoguideError(
            tr("{address} holds records, but is no catalogue. Use “Read records” for it.", address=name_or_address),
            name_or_address)
    return found[:1]
