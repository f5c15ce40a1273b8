"""Error messages for unexpected HTTP responses, with advice on what to do."""

from __future__ import annotations

import struct
import zlib

import pytest
from odd_server import OddServer
from qgis.core import QgsApplication, QgsAuthMethodConfig
from qgis.PyQt.QtWidgets import QPushButton

from plugin.core.errors import CartoguideError, NetworkFailure, ServiceError, UnexpectedResponse
from plugin.core.request import HttpMethod, Request
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
LOGIN_PAGE = b"<html><title>Acceso</title><form><input name=u><INPUT class='a' type = 'password'></form></html>"


def png(width=20, height=10):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = zlib.compress(b"".join(b"\0" + b"\x10" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) \
        + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def server():
    with OddServer() as odd_server:
        yield odd_server


def error_of_response(server, status, media, body, expected="image", size=(20, 10)):
    """Return the error that the plugin raises for a response, or None."""
    server.answers["/wms"] = (status, media, body)

    def work(feedback):
        check_response(fetch(Request(HttpMethod.GET, server.url + "/wms"), feedback=feedback), expected, size)

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
    (200, "text/html", LOGIN_PAGE, UnexpectedResponse, "page to log in", None),
    (301, "text/html", b"", UnexpectedResponse, "sent no document", None),
    (200, "image/png", png()[:60], UnexpectedResponse, "incomplete", None),
    (200, "image/png", b"no image at all", UnexpectedResponse, "no image at all", None),
    (200, "image/png", b"", UnexpectedResponse, "empty response", None),
    (200, "image/png", png(40, 10), UnexpectedResponse, "40 × 10", None),
    (200, "application/octet-stream", png(), None, "", None),
])
def test_a_response_is_judged_by_its_content_not_by_its_media_type(qgis_app, server, status, media, body, kind, words,
                                                                   code):
    error = error_of_response(server, status, media, body)
    if kind is None:
        assert error is None
        return
    assert type(error) is kind
    assert words in error.user_text and "<" not in error.user_text
    assert server.url[7:] in error.user_text, "it says which server"
    assert f"HTTP {status}" in error.detail
    if code is not None:
        assert error.code == code


def test_bytes_that_are_no_text_are_not_read_as_text(qgis_app, server):
    packed = zlib.compress(b"NOMBRE;Guarrizas\n" * 50)
    assert "something other than text" in error_of_response(server, 200, "text/plain", packed, "text/plain").user_text
    for sound in ("Río Guarrizas\r\n\tnivel".encode(), "Río".encode("utf-16"), "河川".encode("big5"),
                  "川".encode("iso2022_jp")):
        assert error_of_response(server, 200, "text/plain", sound, "text/plain") is None


@pytest.mark.parametrize(("status", "body", "words"), [(401, PAGE, "Volvemos pronto"),
                                                       (403, REPORT_OWS, "disco lleno")])
def test_a_login_error_offers_the_authentication_configurations_of_qgis(qgis_app, qtbot, server, status, body, words):
    manager = QgsApplication.authManager()
    assert manager.masterPasswordIsSet() or manager.setMasterPassword("tests only", True)
    config = QgsAuthMethodConfig("Basic")
    config.setName("red")
    config.setConfig("username", "someone")
    config.setConfig("password", "secret")
    assert manager.storeAuthenticationConfig(config)
    config_id = config.id() or next(iter(manager.availableAuthMethodConfigs()))
    try:
        error = error_of_response(server, status, "text/html", body)
        assert words in error.user_text
        row, retries = ErrorActionRow(), []
        qtbot.addWidget(row)
        row.show_actions(error, lambda: retries.append(True))
        row.buttons[0].click()
        dialog = row.findChild(LoginDialog)
        dialog.auth_select.setConfigId(config_id)
        dialog.accept()
        assert retries == [True]
        assert authcfg_for(server.url + "/any?") == config_id
        error_of_response(server, 200, "image/png", png())
        assert server.requests[-1]["headers"]["Authorization"].startswith("Basic ")
        assert authcfg_for("http://127.0.0.1:1/") == ""
    finally:
        manager.removeAuthenticationConfig(config_id)


def test_a_redirect_to_http_is_followed_only_with_consent(qgis_app, qtbot, server):
    error = NetworkFailure("no", "", "redirect", "https://a.invalid/wms?", f"{server.url}/wms?")
    message = InlineMessage()
    qtbot.addWidget(message)
    messages = Messages(None, message)
    messages.show_error(error)
    message.details.click()
    dialog = message.findChildren(type(actions_for_error(error)[0].run(message, None)))[0]
    from plugin.gis.network.origin_settings import RedirectRisk, is_redirect_allowed, revoke_redirect

    dialog.reject()
    assert not is_redirect_allowed("https://a.invalid/other", server.url, RedirectRisk.INSECURE)
    again = actions_for_error(error)[0].run(message, None)
    assert [button.isDefault() for button in again.findChildren(QPushButton)].count(True) == 1
    again.accept()
    assert is_redirect_allowed("https://a.invalid/other", server.url, RedirectRisk.INSECURE)
    assert not is_redirect_allowed("https://a.invalid:8443/", server.url, RedirectRisk.INSECURE)
    revoke_redirect("https://a.invalid", RedirectRisk.INSECURE)
