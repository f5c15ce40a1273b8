"""Every place where a login is chosen for a request or a layer is known, and says what it is for."""

from __future__ import annotations

import ast
from typing import Iterator

import pytest

from tests.unit.repository.sources import SOURCES, functions, tree

#: functions and methods that choose or apply a login (the third argument of QGIS's own ones included)
_CALLS = ("OriginLogin", "authcfg_for", "saved_authcfg", "set_authcfg", "allow_login", "layer_uri", "data_uri",
          "updateNetworkRequest", "updateNetworkReply", "updateDataSourceUriItems", "setAuthCfg", "setAuthConfigId",
          "QgsBlockingNetworkRequest", "QgsFileDownloader", "QgsNetworkContentFetcher",
          "QgsNetworkContentFetcherTask")
#: arguments that carry one
_KEYWORDS = ("login", "authcfg")

#: source and function → what is called there, and why the login fits the address
PLACES = {
    ("gis/catalogues/catalogue_client.py", "fetcher"): (
        {"OriginLogin"}, "the login that the person chose for a catalogue, bound to the catalogue's address"),
    ("gis/catalogues/catalogue_client.py", "fetcher.send"): (
        {"login="}, "fetch uses it at the catalogue's origin alone"),
    ("gis/catalogues/catalogue_list.py", "CatalogueList.add_sources"): (
        {"authcfg="}, "the choice of the person in the dialog, kept with the catalogue"),
    ("gis/catalogues/federated_search.py", "start_detection"): (
        {"authcfg="}, "the choice of the person for the address that is tried"),
    ("gis/catalogues/federated_search.py", "start_detection.work"): (
        {"authcfg="}, "the same, for the catalogues at that address"),
    ("gis/export/prefetch.py", "_fetch_image.send"): (
        {"login="}, "the layer's own, bound to the address in its source"),
    ("gis/export/request_matching.py", "_monitored_layer"): (
        {"OriginLogin"}, "the layer's own, bound to the address in its source"),
    ("gis/operations/canvas_services.py", "_wms_source"): (
        {"OriginLogin"}, "the layer's own, bound to the address in its source"),
    ("gis/operations/identification.py", "_fetch_answer"): (
        {"login="}, "the layer's own, bound to the address in its source"),
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
