"""Error messages for unexpected HTTP responses, with advice on what to do."""

from __future__ import annotations

import struct
import zlib

import pytest
from odd_server import OddServer
from qgis.core import QgsApplication, QgsAuthMethodConfig
from qgis.PyQt.QtWidgets import QPushButton

from plugin.core.errors import CartoguideError, NetworkFailure, ServiceError, UnexpectedResponse
from plugin.core.request import Request
from plugin.core.wms.responses.response_validation import check_response
from plugin.gis.network.client import fetch
from plugin.gis.network.origin_settings import authcfg_for
from plugin.gis.runtime import tasks
from plugin.ui.widgets.error_actions import ErrorActionRow, LoginDialog, actions_for_error
from plugin.ui.widgets.messages import InlineMessage, Messages

REPORT_1_1 = b"""<?xml version="1.0"?><!DOCTYPE ServiceExceptionReport SYSTEM "http://x.invalid/e.dtd">
<ServiceExceptionReport version="1.1.1"><ServiceException code="LayerNotDefined">la capa no existe</ServiceException>
</ServiceExceptionReport>"""
REPORT_1_3 = b"""<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc"><ServiceException
code="InvalidCRS">fuera de servicio</ServiceException></ServiceExceptionReport>"""
REPORT_OWS = b"""<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="1.1.0"><ows:Exception
exceptionCode="NoApplicableCode" locator="map"><ows:ExceptionText>disco lleno</ows:ExceptionText></ows:Exception>
</ows:ExceptionReport>"""
PAGE = b"<html><head><title>Mantenimiento</title></head><body><script>x</script><h1>Volvemos pronto</h1></body></html>"


def png(width=20, height=10):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = zlib.compress(b"".join(b"\0" + b"\x10" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) \
        + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def odd():
    with OddServer() as server:
        yield server


def told(odd, status, media, body, expected="image", size=(20, 10)):
    """The error that an answer is told as, fetched and looked at as the plugin does."""
    odd.answers["/wms"] = (status, media, body)

    def work(feedback):
        check_response(fetch(Request("GET", odd.url + "/wms"), feedback=feedback), expected, size)

    try:
        tasks.run_and_wait(work, 20)
    except CartoguideError as error:
        return error
    return None


@pytest.mark.parametrize(("status", "media", "body", "kind", "words", "code"), [
    (200, "application/vnd.ogc.se_xml", REPORT_1_1, ServiceError, "la capa no existe", "LayerNotDefined"),
    (404, "text/xml", REPORT_1_3, ServiceError, "fuera de servicio", "InvalidCRS"),
    (500, "text/html", REPORT_OWS, ServiceError, "disco lleno", "NoApplicableCode"),
    (200, "text/html", PAGE, UnexpectedResponse, "Volvemos pronto", None),
    (503, "text/html", PAGE, UnexpectedResponse, "Mantenimiento", None),
    (200, "image/png", png()[:60], UnexpectedResponse, "incomplete", None),
    (200, "image/png", b"no image at all", UnexpectedResponse, "no image at all", None),
    (200, "image/png", b"", UnexpectedResponse, "empty response", None),
    (200, "image/png", png(40, 10), UnexpectedResponse, "40 × 10", None),
    (200, "application/octet-stream", png(), None, "", None),
])
def test_an_answer_is_told_by_what_it_is_not_by_what_it_is_called(qgis_app, odd, status, media, body, kind, words,
                                                                   code):
    error = told(odd, status, media, body)
    if kind is None:
        assert error is None
        return
    assert type(error) is kind
    assert words in error.user_text and "<" not in error.user_text
    assert f"HTTP {status}" in error.detail
    if code is not None:
        assert error.code == code


@pytest.mark.parametrize(("status", "body", "words"), [(401, PAGE, "Volvemos pronto"),
                                                       (403, REPORT_OWS, "disco lleno")])
def test_a_refused_access_leads_to_qgis_own_logins(qgis_app, qtbot, odd, status, body, words):
    manager = QgsApplication.authManager()
    assert manager.masterPasswordIsSet() or manager.setMasterPassword("tests only", True)
    config = QgsAuthMethodConfig("Basic")
    config.setName("red")
    config.setConfig("username", "someone")
    config.setConfig("password", "secret")
    assert manager.storeAuthenticationConfig(config)
    known = config.id() or next(iter(manager.availableAuthMethodConfigs()))
    try:
        error = told(odd, status, "text/html", body)
        assert words in error.user_text
        row, again = ErrorActionRow(), []
        qtbot.addWidget(row)
        row.show_actions(error, lambda: again.append(True))
        row.buttons[0].click()
        dialog = row.findChild(LoginDialog)
        dialog.auth_select.setConfigId(known)
        dialog.accept()
        assert again == [True]
        assert authcfg_for(odd.url + "/any?") == known
        told(odd, 200, "image/png", png())
        assert odd.requests[-1]["headers"]["Authorization"].startswith("Basic ")
        assert authcfg_for("http://127.0.0.1:1/") == ""
    finally:
        manager.removeAuthenticationConfig(known)


def test_an_insecure_redirect_is_followed_only_after_it_was_agreed_to(qgis_app, qtbot, odd):
    error = NetworkFailure("no", "", "redirect", "https://a.invalid/wms?", f"{odd.url}/wms?")
    note = InlineMessage()
    qtbot.addWidget(note)
    messages = Messages(None, note)
    messages.show_error(error)
    note.details.click()
    dialog = note.findChildren(type(actions_for_error(error)[0].run(note, None)))[0]
    from plugin.gis.network.origin_settings import RedirectRisk, is_redirect_allowed, revoke_redirect

    dialog.reject()
    assert not is_redirect_allowed("https://a.invalid/other", odd.url, RedirectRisk.INSECURE)
    again = actions_for_error(error)[0].run(note, None)
    assert [button.isDefault() for button in again.findChildren(QPushButton)].count(True) == 1
    again.accept()
    assert is_redirect_allowed("https://a.invalid/other", odd.url, RedirectRisk.INSECURE)
    assert not is_redirect_allowed("https://a.invalid:8443/", odd.url, RedirectRisk.INSECURE)
    revoke_redirect("https://a.invalid", RedirectRisk.INSECURE)
