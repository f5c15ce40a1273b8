"""Redirects from a public server to this computer or its network, which are followed only with consent."""

from __future__ import annotations

import pytest
from odd_server import OddServer
from qgis.core import QgsNetworkAccessManager, QgsSettings
from qgis.PyQt.QtNetwork import QHostAddress
from qgis.PyQt.QtWidgets import QLabel

from plugin.core.errors import NetworkFailure
from plugin.core.request import HttpMethod, Request
from plugin.gis.network import client
from plugin.gis.network.client import RequestLimits, fetch
from plugin.gis.network.origin_settings import RedirectRisk, allowed_redirects, revoke_redirect
from plugin.gis.runtime import tasks
from plugin.ui.settings.settings_form import ConsentList
from plugin.ui.widgets.error_actions import RedirectConsentDialog, actions_for_error

PUBLIC = "http://maps.example.org"


@pytest.fixture
def public_server(qgis_app, requested_hosts):
    """A server on loopback that answers for every host: QGIS takes it for its proxy."""
    settings = QgsSettings()
    with OddServer() as server:
        host, _, port = server.url.rpartition("/")[2].partition(":")
        proxy = {"proxyEnabled": True, "proxyType": "HttpProxy", "proxyHost": host, "proxyPort": port}
        for key, value in proxy.items():
            settings.setValue(f"proxy/{key}", value)
        QgsNetworkAccessManager.instance().setupDefaultProxyAndCache()
        yield server
        settings.remove("proxy")
        QgsNetworkAccessManager.instance().setupDefaultProxyAndCache()
        revoke_redirect(PUBLIC, RedirectRisk.INTERNAL)
        requested_hosts.clear()  # none of them was contacted, the server above took every request


@pytest.fixture
def result_of(wait_until):
    """The result of ``work`` done in a task, or its error."""
    def run(work):
        box = []
        tasks.start("test", lambda _feedback: work(), box.append, box.append)
        wait_until(lambda: box)
        return box[0]

    return run


@pytest.fixture
def get(result_of):
    limits = RequestLimits(first_byte=60, total=90, retries=0)
    return lambda url: result_of(lambda: fetch(Request(HttpMethod.GET, url), limits=limits))


@pytest.mark.parametrize("target", ["http://127.0.0.1/ok", "http://localhost:8080/ok", "http://127.1/ok",
                                    "http://2130706433/ok", "http://[::1]/ok", "http://192.168.1.1/ok",
                                    "http://169.254.169.254/ok", "//10.0.0.1/ok", "http://intranet/ok"])
def test_a_public_server_does_not_lead_into_the_users_network(public_server, get, target):
    problem = get(f"{PUBLIC}/to?url={target}")
    assert isinstance(problem, NetworkFailure) and problem.kind == "redirect" and problem.internal_target
    assert "maps.example.org" in problem.user_text and "own network" in problem.user_text
    assert public_server.count("/ok") == 0, "the internal address was requested"


def test_redirects_among_public_and_among_internal_servers_are_followed(public_server, get):
    assert get(f"{PUBLIC}/to?url=http://other.example.org/ok").body == b"fine"
    assert get("http://intranet/to?url=http://10.0.0.1/ok").body == b"fine"


def test_the_consent_holds_for_one_server_and_one_target_until_it_is_revoked(public_server, get, qtbot):
    address = f"{PUBLIC}/to?url=http://10.0.0.1/ok"
    problem = get(address)
    again = []
    holder = QLabel()
    qtbot.addWidget(holder)
    dialog = actions_for_error(problem)[0].run(holder, lambda: again.append(True))
    assert isinstance(dialog, RedirectConsentDialog)
    assert "10.0.0.1" in " ".join(label.text() for label in dialog.findChildren(QLabel))
    dialog.accept()
    assert again == [True]
    assert get(address).body == b"fine"
    assert get(f"{PUBLIC}/to?url=http://10.0.0.2/ok").internal_target
    assert get("http://else.example.org/to?url=http://10.0.0.1/ok").internal_target
    listed = ConsentList()
    qtbot.addWidget(listed)
    assert [listed.list.item(row).text() for row in range(listed.list.count())] == [f"{PUBLIC} → http://10.0.0.1"]
    listed.revoke_button.click()
    listed.save()
    assert allowed_redirects(RedirectRisk.INTERNAL) == []
    assert get(address).internal_target


def test_a_public_name_of_an_internal_address_is_found_by_resolving_it(qgis_app, result_of, monkeypatch):
    class Resolved:
        """The answer of a name server; no public name leads to loopback on every machine."""

        def __init__(self, name):
            self._name = name

        @classmethod
        def fromName(cls, name):  # noqa: N802 - Qt's name
            return cls(name)

        def addresses(self):
            return [QHostAddress({"inside.example.org": "127.0.0.1", "lan.example.org": "10.1.1.1",
                                                   "out.example.org": "93.184.215.14"}[self._name])]


    monkeypatch.setattr(client, "QHostInfo", Resolved)

    def leads_inside(before, after):
        return result_of(lambda: client.leads_inside(f"http://{before}/", f"http://{after}/"))

    assert leads_inside("out.example.org", "inside.example.org") is True
    assert leads_inside("out.example.org", "out.example.org") is False
    assert leads_inside("lan.example.org", "inside.example.org") is False
