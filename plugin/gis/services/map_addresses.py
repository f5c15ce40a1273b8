"""The address that a service's maps are requested from, chosen by where its login may be sent.

QGIS sends one authentication configuration with all requests of a WMS layer, to whatever addresses the capabilities
name. So a layer gets a login only where all of these addresses may have it. Where the capabilities name another host,
the address that has the login is tried first: most servers answer there too. A login that is needed elsewhere is sent
only with consent.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Dict, List, Optional, Sequence, Tuple

from ...core.addresses import is_web_address
from ...core.custommap.model import LayerPlan, LoginUse
from ...core.custommap.planner import GetMapAddress, choose_getmap_address
from ...core.custommap.preview_image import PreviewContent, preview_request
from ...core.errors import Cancelled, CartoguideError, LoginWithheld, NotCapabilities, ServiceError, UnexpectedResponse
from ...core.i18n import tr
from ...core.request import Request, Response
from ...core.sources.layer_source import WmsSource
from ...core.sources.source_text import encoded_pairs, encoded_parameters, encoded_source, layer_names
from ...core.wms.model.service import Service
from ...core.wms.requests.urls import url_prefix
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.client import RequestLimits, fetch
from ..network.origin_settings import OriginLogin, authcfg_for, login_state, origin, origin_address
from ..runtime import compat
from ..runtime.tasks import Feedback
from .service_cache import ServiceCache

#: pixels of a trial's image
_TRIAL_SIDE = 64
_TRIAL_SECONDS = 30.0
_MAX_TRIAL_BYTES = 4 * 1024 * 1024
#: statuses that say nothing about whether an address serves maps: a wrong login, or a server that is overloaded
_UNDECIDED_STATUSES = (401, 403, 407, 429)
_SERVER_ERROR = 500
#: by address, and whether the advertised ones are ignored for it: "" if maps are drawn, the address that they are
#: redirected to, or ``_REFUSED``
_trials: Dict[Tuple[str, bool], str] = {}
_trials_lock = threading.Lock()
_REFUSED = "refused"
#: parameters of a source with which QGIS does not use the addresses in the capabilities
_IGNORING = ("IgnoreGetMapUrl", "IgnoreGetFeatureInfoUrl")
#: operations that a layer of QGIS requests from its own address, or never
_OTHER_OPERATIONS = ("GetCapabilities", "GetLegendGraphic", "DescribeLayer", "GetStyles", "PutStyles")


def choose_map_address(endpoint: str, service: Service) -> GetMapAddress:
    """Return the address for a service's maps, with the login that every request of its layers may carry.

    Raises InvalidRequest where the endpoint is not a web address.
    """
    chosen = choose_getmap_address(endpoint, service)
    home = url_prefix(endpoint)
    requested = (chosen.url, *(() if chosen.ignore_advertised else _advertised(service)))
    if not any(map(authcfg_for, (home, *requested))):
        return chosen
    is_one_login = all(authcfg_for(address) == authcfg_for(chosen.url) for address in requested)
    candidates = (*((chosen.url,) if is_one_login else ()), home,
                  *(() if chosen.ignore_advertised else _advertised_map_address(service)))
    for candidate in dict.fromkeys(candidates):
        is_as_chosen = is_one_login and candidate == chosen.url
        if not authcfg_for(candidate) or _astray(candidate, chosen.ignore_advertised if is_as_chosen else True):
            continue
        if is_as_chosen:
            return replace(chosen, authcfg=authcfg_for(candidate))
        others = [address for address in requested if origin(address) != origin(candidate)]
        note = tr("The service names {hosts} for its operations. Its maps are requested from {host}, because the login "
                  "for it is sent to no other host.", hosts=", ".join(dict.fromkeys(map(_shown_origin, others))),
                  host=origin_address(candidate)) if others else chosen.note
        return GetMapAddress(candidate, True, note, authcfg_for(candidate), LoginUse.KEPT if others else None)
    return _without_login(chosen, home, requested)


def _without_login(chosen: GetMapAddress, home: str, requested: Sequence[str]) -> GetMapAddress:
    """Return the choice for layers that get no login, because one of their addresses must not have it."""
    holder = next(address for address in (home, *requested) if authcfg_for(address))
    redirect = _astray(holder, chosen.ignore_advertised)
    target = next((address for address in requested if authcfg_for(address) != authcfg_for(holder)),
                  redirect if is_web_address(redirect) else holder)
    note = tr("The service’s maps come from {target}. The login for {host} is not sent there, so they are requested "
              "without a login and may be missing.", target=_shown_origin(target), host=origin_address(holder))
    return replace(chosen, note=note, authcfg="", login_use=LoginUse.WITHHELD, login_address=holder,
                   login_target=target)


def address_of_requests(endpoint: str, service: Service) -> str:
    """Return the address for requests of this plugin in place of the advertised ones, or an empty text for those.

    Raises InvalidRequest where the endpoint is not a web address.
    """
    address = choose_map_address(endpoint, service)
    return address.url if address.ignore_advertised else ""


def choice_state() -> Tuple[object, ...]:
    """Return what ``choose_map_address`` depends on besides its arguments, as a value to be compared."""
    with _trials_lock:
        return login_state(), tuple(sorted(_trials.items()))


def settle_addresses(layers: Sequence[LayerPlan], cache: ServiceCache,
                     feedback: Feedback) -> Tuple[List[LayerPlan], List[LoginWithheld]]:
    """Return the layers with addresses and logins that were tried, and the logins that they do not get.

    A small map is requested from each address with a login, once in a session. One that serves no maps, or redirects
    them to a host that must not have the login, where QGIS would follow with it, is not used. For worker threads.
    Raises Cancelled.
    """
    if not login_state():
        return list(layers), []
    choices: Dict[str, GetMapAddress] = {}
    withheld: Dict[str, LoginWithheld] = {}
    settled = []
    for plan in layers:
        source = plan.wms
        if plan.entry is None or source is None or plan.snapshot_source is not None:
            settled.append(plan)
            continue
        endpoint = plan.entry.endpoint
        try:
            if endpoint not in choices:
                choices[endpoint] = _tried_choice(source, endpoint, cache, feedback)
                error = _withheld_login(choices[endpoint], plan.service_title or endpoint)
                withheld.update({} if error is None else {endpoint: error})
            settled.append(replace(plan, source=_with_address(source, choices[endpoint])))
        except Cancelled:
            raise
        except CartoguideError:
            # whoever makes the layer reports that its service fails
            settled.append(replace(plan, source=replace(source, authcfg="")))
    return settled, list(withheld.values())


def _tried_choice(source: WmsSource, endpoint: str, cache: ServiceCache, feedback: Feedback) -> GetMapAddress:
    """Return the choice for the service of a layer, each of whose addresses was tried. Raises CartoguideError."""
    service = cache.get_or_fetch(endpoint, feedback)
    while True:
        choice = choose_map_address(endpoint, service)
        key = choice.url, choice.ignore_advertised
        with _trials_lock:
            is_known = key in _trials
        if not choice.authcfg or is_known:
            break
        outcome = _try(_with_address(source, choice), endpoint, service, cache, feedback)
        if outcome is None:
            break
        with _trials_lock:
            _trials[key] = outcome
    if choice.authcfg and not choice.ignore_advertised and origin(choice.url) != origin(endpoint):
        # QGIS reads the capabilities of that address, which may name yet others
        named = _advertised(cache.get_or_fetch(choice.url, feedback))
        if any(authcfg_for(address) != choice.authcfg for address in named):
            return replace(choice, ignore_advertised=True)
    return choice


def _with_address(source: WmsSource, address: GetMapAddress) -> WmsSource:
    """Return the source of a layer with the address that was chosen for its service."""
    if (address.url, address.authcfg) == (source.address, source.authcfg):
        ignoring = source.ignore_operation_addresses or address.ignore_advertised
        return replace(source, ignore_operation_addresses=ignoring)
    return replace(source, address=address.url, authcfg=address.authcfg, dimension_values=(),
                   ignore_operation_addresses=address.ignore_advertised)


def _withheld_login(address: GetMapAddress, title: str) -> Optional[LoginWithheld]:
    """Return the error that offers to send the login, or None where the choice withholds none."""
    if address.login_use is not LoginUse.WITHHELD:
        return None
    return LoginWithheld(tr("“{title}”: the login for {host} is not sent to {target}, from where the service’s maps "
                            "come. They may be missing.", title=title, host=origin_address(address.login_address),
                            target=_shown_origin(address.login_target)),
                         f"{address.login_address}\n{address.login_target}", address.login_address,
                         address.login_target)


def has_legend_elsewhere(name: str, authcfg: str, service: Service) -> bool:
    """Return whether QGIS's own legend of a layer would send its login to a host that must not have it."""
    layer, operation = service.layer(name), service.operation("GetLegendGraphic")
    addresses = [legend.url for style in (layer.styles if layer is not None else ()) for legend in style.legends]
    addresses += operation.named_addresses if operation is not None else ()
    return bool(authcfg) and any(authcfg_for(address) != authcfg for address in addresses)


def sends_login_astray(source: str, service: Service, has_qgis_legend: bool) -> bool:
    """Return whether a WMS layer with this source sends its login to a host that must not have it.

    With ``has_qgis_legend`` that includes the request for its legend.
    """
    parameters = encoded_parameters(source)
    authcfg = parameters.get("authcfg", "")
    if has_qgis_legend and any(has_legend_elsewhere(name, authcfg, service) for name in layer_names(source)):
        return True
    if not authcfg or parameters.keys() >= set(_IGNORING):
        return False
    login = OriginLogin(parameters.get("url", ""), authcfg)
    return any(authcfg_for(address, login) != authcfg for address in _advertised(service))


def with_login_kept(source: str) -> str:
    """Return the source of a WMS layer with all requests to the address in it."""
    kept = [(name, value) for name, value in encoded_pairs(source) if name not in _IGNORING]
    return encoded_source([*kept, *((name, "1") for name in _IGNORING)])


def forget_trials() -> None:
    """Let every address be tried anew."""
    with _trials_lock:
        _trials.clear()


def _try(source: WmsSource, endpoint: str, service: Service, cache: ServiceCache, feedback: Feedback) -> Optional[str]:
    """Return the outcome of a trial as ``_trials`` has it, or None if it decides nothing. Raises Cancelled."""
    try:
        if origin(source.address) != origin(endpoint):
            # the layer will read its capabilities there, with the login of that host
            service = cache.get_or_fetch(source.address, feedback)
            if service.layer(source.name) is None:
                return _REFUSED
        content = PreviewContent((source.name,), (source.style,), source.dimension_values)
        address = source.address if source.ignore_operation_addresses else ""
        request, _size = preview_request(service, content, (), source.crs, _TRIAL_SIDE, _TRIAL_SIDE, address)
        limits = RequestLimits.from_settings(max_total=_TRIAL_SECONDS, max_bytes=_MAX_TRIAL_BYTES, retries=0)
        return _outcome(source, request, fetch(request, limits=limits, feedback=feedback))
    except Cancelled:
        raise
    except (NotCapabilities, ServiceError, UnexpectedResponse):
        return _REFUSED
    except CartoguideError:
        return None


def _outcome(source: WmsSource, request: Request, response: Response) -> Optional[str]:
    if origin(response.url) != origin(request.url):
        return response.url if compat.qt_follows_redirects() else ""
    if response.status in _UNDECIDED_STATUSES or response.status >= _SERVER_ERROR:
        return None
    try:
        check_response(response, ExpectedContent.IMAGE)
    except CartoguideError:
        return _REFUSED if source.ignore_operation_addresses else ""
    return ""


def _astray(address: str, ignoring: bool) -> str:
    """Return why an address must not be used with its login, or an empty text.

    With ``ignoring`` the addresses in the capabilities are not used beside it.
    """
    with _trials_lock:
        outcome = _trials.get((address, ignoring), "")
    if is_web_address(outcome) and authcfg_for(outcome) == authcfg_for(address):
        return ""
    return outcome


def _advertised(service: Service) -> Tuple[str, ...]:
    """Return every address that QGIS may send the requests of a layer to, other than those of legends.

    Where a document names several for one operation, QGIS does not take the same one as this plugin. A layer's
    capabilities are requested from its own address.
    """
    return tuple(dict.fromkeys(
        address for name, info in service.operations.items() if name.split(":")[-1] not in _OTHER_OPERATIONS
        for address in (*info.named_addresses, info.get or "") if address))


def _advertised_map_address(service: Service) -> Tuple[str, ...]:
    info = service.operation("GetMap")
    return (url_prefix(info.get),) if info is not None and info.get and is_web_address(info.get) else ()


def _shown_origin(address: str) -> str:
    """Return the origin of an address for display, or the beginning of another text."""
    return origin_address(address) if is_web_address(address) else address[:80]
