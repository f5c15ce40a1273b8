"""Every place where a login is chosen for a request or a layer is known, and says what it is for."""

from __future__ import annotations

import ast
from typing import Iterator

import pytest

from tests.unit.repository.sources import SOURCES, functions, tree

#: functions and methods that choose or apply a login, or send requests past the client
_CALLS = ("OriginLogin", "authcfg_for", "saved_authcfg", "set_authcfg", "allow_login", "layer_uri", "data_uri",
          "updateNetworkRequest", "updateNetworkReply", "updateDataSourceUriItems", "setAuthCfg", "setAuthConfigId",
          "QgsBlockingNetworkRequest", "QgsFileDownloader", "QgsNetworkContentFetcher",
          "QgsNetworkContentFetcherTask")
#: arguments that carry one
_KEYWORDS = ("login", "authcfg")

_CHOSEN = "the catalogue's own, as the person chose it and the list of catalogues keeps it with the address"
_LAYERS_OWN = "the layer's own, bound to the address in its source"
_DECISION = "the decision itself: a login for a layer whose addresses may all have it"
#: source and function → what is done there, and why the login fits the address
PLACES = {
    ("core/catalogues/source_list.py", "csw_source"): ({"authcfg="}, "the same catalogue at the same origin"),
    ("core/custommap/planner.py", "_EntryPlanner._plan_layer"): ({"authcfg="}, "as the choice of the address has it"),
    ("gis/catalogues/catalogue_client.py", "fetcher"): ({"OriginLogin"}, _CHOSEN),
    ("gis/catalogues/catalogue_client.py", "fetcher.send"): ({"login="}, _CHOSEN),
    ("gis/catalogues/catalogue_client.py", "with_login"): ({"authcfg="}, "at the origin of the login alone"),
    ("gis/catalogues/catalogue_list.py", "CatalogueList.add"): ({"authcfg="}, "for a catalogue with the same address"),
    ("gis/catalogues/federated_search.py", "request_detection"): (
        {"authcfg="}, "the person's choice for the address that is tried"),
    ("gis/catalogues/federated_search.py", "request_detection.work"): (
        {"OriginLogin"}, "the person's choice, bound to the address that is tried"),
    ("gis/pixels/fetch.py", "_Run._send"): ({"login="}, _LAYERS_OWN),
    ("gis/layers/wms_layers.py", "_change_layer"): ({"layer_uri"}, "from a plan that settle_addresses returned"),
    ("gis/layers/wms_layers.py", "_make_live_layer"): ({"layer_uri"}, "from a plan that settle_addresses returned"),
    ("gis/layers/wms_layers.py", "_make_snapshot_layer_in_main_thread"): (
        {"layer_uri"}, "from a plan whose address choose_map_address chose; switch_to_live examines it again"),
    ("gis/sources/arcgis.py", "_features"): ({"login="}, _LAYERS_OWN),
    ("gis/sources/feature_services.py", "login_of"): ({"OriginLogin"}, _LAYERS_OWN),
    ("gis/sources/feature_services.py", "sent_headers"): (
        {"'Authorization'"}, "the name and password in the layer's own source, sent by headers_at to its host alone"),
    ("gis/sources/wms.py", "layer_uri"): ({"'authcfg'"}, "the plan's, which choose_map_address chose"),
    ("gis/network/origin_settings.py", "save_login"): ({"set_authcfg"}, "for the address that the login stood in"),
    ("gis/network/client.py", "fetch"): ({"authcfg_for"}, "for the address of the request"),
    ("gis/network/http_exchange.py", "_MainThreadTransfer._authorise"): (
        {"updateNetworkRequest"}, "as fetch computed it, and redirects are not followed here"),
    ("gis/network/http_exchange.py", "_MainThreadTransfer._send"): ({"updateNetworkReply"}, "as fetch computed it"),
    ("gis/network/origin_settings.py", ""): ({"OriginLogin"}, "the value that stands for none"),
    ("gis/network/origin_settings.py", "authcfg_for"): ({"saved_authcfg"}, "for the address that is asked about"),
    ("gis/operations/identification.py", "_fetch_answer"): ({"login="}, _LAYERS_OWN),
    ("gis/operations/response_layers.py", "_login_of_data"): (
        {"authcfg_for"}, "refused where an address in the capabilities must not have it"),
    ("gis/operations/response_layers.py", "_make_data_layer"): ({"data_uri"}, "as _login_of_data allows it"),
    ("gis/operations/response_layers.py", "data_uri"): ({"'authcfg'"}, "as _login_of_data allows it"),
    ("gis/services/map_addresses.py", "_astray"): ({"authcfg_for"}, _DECISION),
    ("gis/services/map_addresses.py", "_tried_choice"): ({"authcfg_for"}, _DECISION),
    ("gis/services/map_addresses.py", "_with_address"): ({"authcfg="}, _DECISION),
    ("gis/services/map_addresses.py", "_without_login"): ({"authcfg_for", "authcfg="}, _DECISION),
    ("gis/services/map_addresses.py", "choose_map_address"): ({"authcfg_for", "authcfg="}, _DECISION),
    ("gis/services/map_addresses.py", "has_legend_elsewhere"): ({"authcfg_for"}, _DECISION),
    ("gis/services/map_addresses.py", "sends_login_astray"): ({"authcfg_for", "OriginLogin"}, _DECISION),
    ("gis/pixels/fetch.py", "_save"): ({"authcfg_for"}, "the one that the answer came with, and nothing is sent"),
    ("gis/sources/wms.py", "requested_by"): ({"OriginLogin"}, _LAYERS_OWN),
    ("gis/services/map_addresses.py", "settle_addresses"): ({"authcfg="}, "none, where the service cannot be read"),
    ("gis/own_layers/opening.py", "_first_answer"): ({"login="}, "none, for an address that somebody else chose"),
    ("processing/harvest_source.py", "_single_catalogue"): (
        {"OriginLogin"}, "the parameter, bound to the address that was given or the catalogue that was named"),
    ("processing/inputs.py", "resolve_catalogues"): ({"authcfg="}, "the parameter, for the address that was given"),
    ("ui/catalogues/catalogues_dialog.py", "AddCatalogueDialog.chosen_sources"): (
        {"OriginLogin"}, "the person's choice, bound to the address that was typed"),
    ("ui/catalogues/catalogue_controller.py", "CatalogueController.ask_login"): (
        {"authcfg="}, "the person's choice in the dialog about this catalogue"),
    ("ui/widgets/error_actions.py", "LoginConsentDialog.__init__"): ({"allow_login"}, "after the person has agreed"),
    ("ui/widgets/error_actions.py", "LoginDialog.__init__"): ({"saved_authcfg"}, "shown in the dialog, and not sent"),
    ("ui/widgets/error_actions.py", "LoginDialog.accept"): ({"set_authcfg"}, "the person's choice for this address"),
}


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).split(".")[-1]


def uses_of_logins(node: ast.AST) -> Iterator[str]:
    """What one function does with logins, without the functions inside of it."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        part = waiting.pop()
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        waiting += ast.iter_child_nodes(part)
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and _is_login(part.slice):
            yield ast.unparse(part.slice)
        if not isinstance(part, ast.Call):
            continue
        if _name(part) in _CALLS:
            yield _name(part)
        yield from (f"{keyword.arg}=" for keyword in part.keywords if keyword.arg in _KEYWORDS)
        if _name(part) in ("setParam", "setRawHeader") and part.args and _is_login(part.args[0]):
            yield ast.unparse(part.args[0])


def _is_login(name: ast.expr) -> bool:
    shown = ast.unparse(name).lower()
    return any(word in shown for word in ("authcfg", "authorization", "username", "password", "http-header", "cookie"))


def all_uses() -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for source in SOURCES:
        places = [("", tree(source)), *((function.name, function.node) for function in functions(source))]
        for name, node in places:
            uses = set(uses_of_logins(node))
            if uses:
                found[(source.removeprefix("plugin/"), name)] = uses
    return found


def test_every_place_that_chooses_a_login_is_in_the_table():
    assert all_uses() == {place: uses for place, (uses, _reason) in PLACES.items()}


def test_every_entry_of_the_table_says_why_the_login_fits():
    assert [place for place, (_uses, reason) in PLACES.items() if len(reason) < 20] == []


@pytest.mark.parametrize("code, uses", [
    ("fetch(request, login=other)", {"login="}),
    ("client.fetch(request, feedback=feedback)", set()),
    ("OriginLogin(request.url, found)", {"OriginLogin"}),
    ("uri.setParam('authcfg', authcfg_for(address))", {"'authcfg'", "authcfg_for"}),
    ("request.setRawHeader(b'Authorization', value)", {"b'Authorization'"}),
    ("QgsBlockingNetworkRequest()", {"QgsBlockingNetworkRequest"}),
    ("uri.setParam('url', address)", set()),
    ("parameters['authcfg'] = authcfg_for(address)", {"'authcfg'", "authcfg_for"}),
    ("parameters['authcfg'] == other['url']", set()),
])
def test_a_place_that_is_missing_would_be_found(code, uses):
    assert set(uses_of_logins(ast.parse(code))) == uses


def test_requests_take_no_login_but_one_that_is_bound_to_its_origin():
    """``fetch`` computes the login from the address, so that a wrong pair of both cannot be written."""
    [fetch] = [function.node for function in functions("plugin/gis/network/client.py") if function.name == "fetch"]
    arguments = {argument.arg: ast.unparse(argument.annotation) for argument in
                 (*fetch.args.args, *fetch.args.kwonlyargs)}
    assert arguments.pop("login") == "Optional[OriginLogin]"
    assert not [name for name in arguments if "auth" in name]
