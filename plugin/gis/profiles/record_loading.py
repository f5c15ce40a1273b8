"""Loading of records from the network profile, from an address, and from the network's catalogue."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject

from ...core import network_profile
from ...core.addresses import without_secrets
from ...core.catalogues.protocols import csw as endpoint_search
from ...core.catalogues.protocols import geonetwork_api
from ...core.distributions.record_distributions import wms_address
from ...core.errors import Cancelled, CartoguideError, NotCapabilities, UnreadableDocument
from ...core.i18n import tr
from ...core.network_profile import CatalogueType
from ...core.records import read
from ...core.records.model.record import Record
from ...core.request import HttpMethod, Request
from ...core.trust.files import UnusableFile, inside, is_regular
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.client import fetch
from ..runtime import settings, tasks
from ..runtime.i18n import record_language
from ..runtime.network_errors import host_of
from ..runtime.tasks import ErrorCallback

#: an image with the name of a bundled record's file, but with this suffix, is shown for records that name none
IMAGE_SUFFIX = ".png"


@dataclass(frozen=True)
class RecordLoadResult:
    """The records that were read, and an error for each document that could not be read.

    ``problem`` is set if the requested profile could not be read, and ``records`` are the bundled ones instead.
    ``images`` are the files of images that come with a network profile, by the identifier of their record.
    """

    records: Tuple[Record, ...] = ()
    failures: Tuple[CartoguideError, ...] = ()
    problem: Optional[CartoguideError] = None
    images: Mapping[str, Path] = field(default_factory=dict)


RecordsCallback = Callable[[RecordLoadResult], None]


def current_profile() -> network_profile.NetworkProfile:
    """Return the network profile in use, with the overrides of the settings.

    If the user's profile cannot be read, it is the bundled one. ``load_profile_records`` returns the error.
    """
    return _resolve_profiles()[1]


def request_profile_records(done: RecordsCallback, failed: ErrorCallback, owner: Optional[QObject] = None) -> tasks.Job:
    """Read the records of the network profile in a task, with addresses of the network in the settings.

    Sends no request.
    """
    return tasks.start(tr("Reading the network’s records"), load_profile_records, done, failed, owner)


def request_address(address: str, done: RecordsCallback, failed: ErrorCallback,
                    owner: Optional[QObject] = None) -> tasks.Job:
    """Fetch the records at an address in a task, see ``read_address``."""
    return tasks.start(tr("Reading a record of {host}", host=host_of(address)),
                       lambda feedback: read_address(address, feedback), done, failed, owner)


def request_refresh(records: Sequence[Record], done: RecordsCallback, failed: ErrorCallback,
                    owner: Optional[QObject] = None) -> tasks.Job:
    """Fetch the records of the services of ``records`` from the network's catalogue, in a task."""
    return tasks.start(tr("Querying the catalogue"), lambda feedback: _refresh(records, feedback), done, failed, owner)


def _resolve_profiles(
) -> Tuple[network_profile.NetworkProfile, network_profile.NetworkProfile, Optional[CartoguideError]]:
    """Return the saved profile, the profile with the overrides of the settings, and the error of reading it."""
    saved, problem = network_profile.bundled_profile(), None
    path = settings.get("profile")
    try:
        saved = network_profile.read_profile_file(Path(path)) if path else saved
    except CartoguideError as error:
        problem = CartoguideError(
            tr("{reason} Until then, the records bundled with Cartoguide are shown.", reason=error.user_text),
            error.detail)
    try:
        overridden = network_profile.with_overrides(saved, settings.get("base_url"), settings.get("node"),
                                                    settings.get("catalogue_type"), settings.get("catalogue_url"))
    except CartoguideError as error:
        return saved, saved, problem or error.with_traceback(None)
    return saved, overridden, problem


def load_profile_records(feedback: tasks.Feedback) -> RecordLoadResult:
    """Read the records of the network profile, see ``request_profile_records``. Raises Cancelled."""
    saved, overridden, problem = _resolve_profiles()
    records: List[Record] = []
    failures: List[CartoguideError] = []
    images: Dict[str, Path] = {}
    for path, data in network_profile.read_record_files(saved):
        feedback.raise_if_cancelled()
        try:
            if isinstance(data, CartoguideError):
                raise data
            in_file = read(network_profile.rebase(data, saved, overridden), path.name, record_language())
            records.extend(in_file)
            image = path.with_suffix(IMAGE_SUFFIX)
            if inside(image, path.parent) and is_regular(image):
                images.update((record.id, image) for record in in_file if record.id)
        except UnusableFile as error:
            failures.append(UnreadableDocument(
                tr("The network profile lists {name}, which cannot be read.", name=path.name), error.user_text))
        except CartoguideError as error:
            failures.append(error.with_traceback(None))
    return RecordLoadResult(tuple(records), tuple(failures), problem, images)


def read_address(address: str, feedback: tasks.Feedback) -> RecordLoadResult:
    """Fetch an address and read its records. Blocks.

    Accepts the page or API address of a GeoNetwork record, any supported document, and the capabilities of a map
    service. Raises CartoguideError, Cancelled.
    """
    address = without_secrets(address)
    request = geonetwork_api.record_request(address) or Request(HttpMethod.GET, address)
    response = fetch(request, feedback=feedback)
    check_response(response, ExpectedContent.ANY)
    try:
        # a user who enters the address of capabilities probably knows no record of the service
        records = read(response.body, host_of(address), record_language(), capabilities_as_record=True)
    except NotCapabilities as error:
        raise CartoguideError(error.user_text, f"{address}\n{error.detail}") from error
    if not records:
        raise CartoguideError(tr("{host} responded, but without a record. Check the address.", host=host_of(address)),
                              response.url)
    return RecordLoadResult(tuple(records))


def _refresh(records: Sequence[Record], feedback: tasks.Feedback) -> RecordLoadResult:
    catalogue = current_profile().catalogue
    if catalogue.type not in (CatalogueType.CSW, CatalogueType.GEONETWORK):
        raise CartoguideError(
            tr("The network has no catalogue that can be queried. Set its address in the settings."),
            f"{catalogue.type.value} {catalogue.url}")
    address = catalogue.url
    if catalogue.type is CatalogueType.GEONETWORK:
        address = geonetwork_api.csw_url(catalogue.url, catalogue.language)
    loaded: List[Record] = []
    failures: List[CartoguideError] = []
    for number, record in enumerate(records):
        feedback.raise_if_cancelled()
        feedback.report(100 * number / len(records), record.title or "")
        endpoint = wms_address(record)
        if endpoint is None:
            continue
        try:
            response = fetch(endpoint_search.endpoint_search_request(address, endpoint), feedback=feedback)
            check_response(response, ExpectedContent.XML)
            chosen = endpoint_search.choose_record(read(response.body, host_of(address), record_language()), endpoint)
        except Cancelled:
            raise
        except CartoguideError as error:
            failures.append(error.with_traceback(None))
            break
        if chosen is not None:
            loaded.append(chosen)
        else:
            failures.append(CartoguideError(
                tr("The catalogue has no record of the service of “{title}”.", title=record.title or endpoint),
                endpoint))
    return RecordLoadResult(tuple(loaded), tuple(failures))
