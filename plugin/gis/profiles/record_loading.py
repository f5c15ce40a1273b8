"""Where single records come from: the network profile, an address, the network's own catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject

from ...core import network_profile
from ...core.catalogues import endpoint_search, geonetwork_urls
from ...core.errors import Cancelled, CartoguideError, NotCapabilities, UnreadableDocument
from ...core.i18n import tr
from ...core.records import read
from ...core.records.model.endpoints import wms_endpoint as endpoint_of
from ...core.records.model.record import Record
from ...core.request import Request
from ...core.wms.responses.response_validation import check_response
from ..network.client import fetch
from ..runtime import settings, tasks
from ..runtime.i18n import record_language
from ..runtime.network_errors import host_of


@dataclass(frozen=True)
class RecordLoadResult:
    """What came of opening: the records that were read, and one error for each document that was not.

    ``problem``: what was asked for could not be read at all, and ``records`` are others in its place.
    """

    records: Tuple[Record, ...] = ()
    failures: Tuple[CartoguideError, ...] = ()
    problem: Optional[CartoguideError] = None


RecordsCallback = Callable[[RecordLoadResult], None]
ErrorCallback = Callable[[CartoguideError], None]


def current_profile() -> network_profile.NetworkProfile:
    """The network profile in use: the person's own or the bundled one, with what the settings say in its place.

    Where the person's own cannot be read it is the bundled one; ``read_profile_records`` tells.
    """
    return _resolve_profiles()[1]


def request_profile_records(done: RecordsCallback, failed: ErrorCallback, owner: Optional[QObject] = None) -> tasks.Job:
    """Read the records that come with the network profile, moved to the network that the settings name; no network."""
    return tasks.start(tr("Reading the network’s records"), load_profile_records, done, failed, owner, quiet=True)


def request_address(address: str, done: RecordsCallback, failed: ErrorCallback,
                    owner: Optional[QObject] = None) -> tasks.Job:
    """Fetch an address in a task and read it: a GeoNetwork record's of any kind, a document's, a map service's own."""
    return tasks.start(tr("Reading a record of {host}", host=host_of(address)),
                       lambda feedback: read_address(address, feedback), done, failed, owner)


def request_refresh(records: Sequence[Record], done: RecordsCallback, failed: ErrorCallback,
                    owner: Optional[QObject] = None) -> tasks.Job:
    """Ask the network's catalogue for its own records of the services that ``records`` lead to, in a task."""
    return tasks.start(tr("Querying the catalogue"), lambda feedback: _refresh(records, feedback), done, failed, owner)


def _resolve_profiles(
) -> Tuple[network_profile.NetworkProfile, network_profile.NetworkProfile, Optional[CartoguideError]]:
    """The profile as it is written, the same with what the settings say, and what kept another from being used."""
    written, problem = network_profile.bundled_profile(), None
    path = settings.get("profile")
    try:
        written = network_profile.read_profile_file(Path(path)) if path else written
    except CartoguideError as error:
        problem = CartoguideError(
            tr("{reason} Until then, the records bundled with Cartoguide are shown.", reason=error.user_text),
            error.detail)
    try:
        return written, network_profile.with_overrides(written, settings.get("base_url"), settings.get("node"),
                                                       settings.get("catalogue_type"),
                                                       settings.get("catalogue_url")), problem
    except CartoguideError as error:
        return written, written, problem or error.with_traceback(None)


def load_profile_records(feedback: tasks.Feedback) -> RecordLoadResult:
    """The same as ``read_profile_records`` within a task that is running already."""
    written, wanted, problem = _resolve_profiles()
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for path in written.records:
        feedback.raise_if_cancelled()
        try:
            data = network_profile.rebase(path.read_bytes(), written, wanted)
            records.extend(read(data, path.name, record_language()))
        except OSError as error:
            failures.append(UnreadableDocument(
                tr("The network profile lists {name}, which cannot be read.", name=path.name), str(error)))
        except CartoguideError as error:
            failures.append(error.with_traceback(None))
    return RecordLoadResult(tuple(records), tuple(failures), problem)


def read_address(address: str, feedback: tasks.Feedback) -> RecordLoadResult:
    """The same within a task that is running already."""
    request = geonetwork_urls.record_request(address) or Request("GET", address)
    response = fetch(request, feedback=feedback)
    check_response(response, "any")
    try:
        # capabilities count as a record of themselves: who gives their address knows of nothing better
        records = read(response.body, host_of(address), record_language(), capabilities_as_record=True)
    except NotCapabilities as error:
        raise CartoguideError(error.user_text, f"{address}\n{error.detail}") from error
    if not records:
        raise CartoguideError(tr("{host} responded, but without a record. Check the address.", host=host_of(address)),
                              response.url)
    return RecordLoadResult(tuple(records))


def _refresh(records: Sequence[Record], feedback: tasks.Feedback) -> RecordLoadResult:
    catalogue = current_profile().catalogue
    if catalogue.type not in ("csw", "geonetwork"):
        raise CartoguideError(tr("The network has no catalogue that can be queried. Set its address in the "
                                 "settings."),
                              f"{catalogue.type} {catalogue.url}")
    address = catalogue.url
    if catalogue.type == "geonetwork":
        address = geonetwork_urls.csw_url(catalogue.url, catalogue.language)
    found: List[Record] = []
    failures: List[CartoguideError] = []
    for number, record in enumerate(records):
        feedback.raise_if_cancelled()
        feedback.report(100 * number / len(records), record.title or "")
        endpoint = endpoint_of(record)
        if endpoint is None:
            continue
        try:
            response = fetch(endpoint_search.endpoint_search_request(address, endpoint), feedback=feedback)
            check_response(response, "xml")
            own = endpoint_search.choose_record(read(response.body, host_of(address), record_language()), endpoint)
        except Cancelled:
            raise
        except CartoguideError as error:
            failures.append(error.with_traceback(None))
            break
        if own is not None:
            found.append(own)
        else:
            failures.append(CartoguideError(
                tr("The catalogue has no record of the service of “{title}”.", title=record.title or endpoint),
                endpoint))
    return RecordLoadResult(tuple(found), tuple(failures))
