"""Catalogues as a parameter: by title, by address, or those that the person has."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ..core.i18n import tr
from .algorithm import CartoguideAlgorithm
from .choices import open_choice

if TYPE_CHECKING:
    from ..core.sources.model import Source
    from ..gis.tasks import Feedback

CATALOGUE = "CATALOGUE"
ALL, NETWORK = "all", "network"


def add_catalogue(algorithm: CartoguideAlgorithm, words: str, default: str = "") -> None:
    """The parameter that names catalogues."""
    own = () if default else (("", tr("The records that I keep")), (ALL, tr("All catalogues that are switched on")))
    offered = (*own, (NETWORK, tr("The network’s own catalogue")))
    algorithm.add(open_choice(CATALOGUE, tr("Catalogue"), offered, default), words)


def catalogues(named: str, feedback: Feedback, login: str = "") -> List[Source]:
    """The catalogues that are meant; what is at an address is found out by asking, so in worker threads only.

    ``login`` is an authentication configuration, for asking there. CartoguideError where there is none.
    """
    from ..core.errors import CartoguideError
    from ..core.records.links import is_web_address
    from ..core.sources.detect import detect
    from ..core.sources.model import REMOTE, Source
    from ..core.text import fold
    from ..gis.source_fetch import fetcher
    from ..gis.source_list import SourceList

    known = SourceList()
    listed = known.sources()
    if known.problem is not None:
        raise known.problem
    if fold(named) == ALL:
        found = known.switched_on()
        if not found:
            raise CartoguideError(tr("No catalogue is switched on. Name one, or its address."))
        return found
    if fold(named) == NETWORK:
        found = [source for source in listed if known.is_own(source)]
        if not found:
            raise CartoguideError(tr("The network has no catalogue that can be asked. Set its address in the "
                                     "settings."))
        return found
    by_name = [source for source in listed
               if named in (source.address, source.key) or fold(source.title) == fold(named)]
    if by_name:
        return by_name[:1]
    if not is_web_address(named):
        raise CartoguideError(tr("You have no catalogue called “{name}”. Give its address, “network” or “all”.",
                                 name=named))
    at_address = detect(named, fetcher(Source(named, "csw2", authcfg=login), feedback, afresh=True)).sources
    found = [source for source in at_address if source.kind in REMOTE]
    if not found:
        raise CartoguideError(tr("{address} holds records, but is no catalogue. Use “Read records” for it.",
                                 address=named), named)
    return found[:1]
