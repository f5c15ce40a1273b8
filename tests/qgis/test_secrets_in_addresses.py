"""Logins and keys in addresses: no file, message or copy has them, and QGIS's store takes them on request."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import pytest
from odd_server import OddServer
from qgis.core import QgsApplication, QgsProject, QgsRasterLayer
from qgis.PyQt.QtWidgets import QDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton

from plugin.core.addresses import separate_secrets
from plugin.core.custommap.document import read_document, write_document
from plugin.core.errors import CartoguideError, NetworkFailure
from plugin.core.records import read
from plugin.core.request import HttpMethod, Request, as_curl_command, as_http_message
from plugin.core.review.report.record_sheet import sheet_html
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms import terms_for
from plugin.gis.network.client import RequestLimits, fetch
from plugin.gis.network.origin_settings import authcfg_for, save_login, set_authcfg
from plugin.gis.runtime import log, tasks
from plugin.gis.sources.wms import layer_uri
from plugin.ui.catalogues.catalogues_dialog import AddCatalogueDialog

WORD = "n0tToBeSeen"
#: one for each way in which an address carries a secret
ADDRESSES = [f"http://ana:{WORD}@127.0.0.1:9/wms?", f"http://127.0.0.1:9/wms?user=ana&password={WORD}&map=a",
             *(f"http://127.0.0.1:9/wms?map=a&{name}={WORD}"
               for name in ("token", "apikey", "access_token", "authkey"))]


@pytest.fixture
def planted(repository):
    """A record that has every one of the addresses, as links, in its abstract and as the service's address."""
    text = (repository / "resources" / "records" / "precipitation.xml").read_text(encoding="utf-8")
    links = "".join("<gmd:onLine><gmd:CI_OnlineResource><gmd:linkage>"
                    f"<gmd:URL>{address.replace('&', '&amp;')}</gmd:URL></gmd:linkage>"
                    "<gmd:protocol><gco:CharacterString>OGC:WMS</gco:CharacterString></gmd:protocol>"
                    "</gmd:CI_OnlineResource></gmd:onLine>" for address in ADDRESSES)
    # the service of an opened record is loaded, and tests stay on this machine
    text = text.replace("www.juntadeandalucia.es", "127.0.0.1:9")
    changed = text.replace("</gmd:MD_DigitalTransferOptions>", links + "</gmd:MD_DigitalTransferOptions>", 1)
    assert changed != text
    return changed


@pytest.fixture
def master_password(qgis_app):
    manager = QgsApplication.authManager()
    assert manager.masterPasswordIsSet() or manager.setMasterPassword("tests only", True)
    before = set(manager.availableAuthMethodConfigs())
    yield manager
    for added in set(manager.availableAuthMethodConfigs()) - before:
        manager.removeAuthenticationConfig(added)


def files_with_the_word(*folders):
    """Every file below ``folders`` that contains the word, in UTF-8 or in UTF-16."""
    marks = (WORD.encode(), WORD.encode("utf-16-le"))
    return [path for folder in folders for path in Path(folder).rglob("*")
            if path.is_file() and any(mark in path.read_bytes() for mark in marks)]


def result_of(work, wait_until):
    box = []
    tasks.start("test", lambda _feedback: work(), box.append, box.append)
    wait_until(lambda: box)
    return box[0]


def test_no_file_has_the_secrets_of_opened_records_and_addresses(open_dock, planted, tmp_path, wait_until):
    dock = open_dock()
    messages = []
    QgsApplication.messageLog().messageReceived.connect(lambda text, tag, level: messages.append(text))
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "a.xml").write_text(planted, encoding="utf-8")
    (inside / "b.xml").write_text(planted.replace('encoding="UTF-8"', 'encoding="UTF-16"'), encoding="utf-16")
    count = dock.model.rowCount()
    dock.session.open_paths([str(inside / "a.xml"), str(inside / "b.xml")])
    wait_until(lambda: not dock.session.loading, 30)
    dock.session.open_text(planted)
    wait_until(lambda: not dock.session.loading, 30)
    for address in ADDRESSES:
        dock.session.open_text(address)
        wait_until(lambda: not dock.session.loading, 30)
        assert any("contained a login or a key" in text for _, text in dock.messages.history)
    wait_until(lambda: dock.view.record is not None)
    wait_until(lambda: not tasks._jobs, 60)  # the import into the library has written what it writes
    assert dock.model.rowCount() >= count
    QgsProject.instance().write(str(tmp_path / "p.qgs"))
    profile = Path(QgsApplication.qgisSettingsDirPath())
    opened = read(planted.encode())[0]
    (tmp_path / "sheet.html").write_text(sheet_html([(opened, terms_for(opened))]), encoding="utf-8")
    assert len(opened.addresses_with_secrets) >= 2
    assert list(profile.rglob("*"))
    assert [path for path in files_with_the_word(profile, tmp_path) if inside not in path.parents] == []
    assert not [text for text in messages if WORD in text]
    assert not [text for _, text in dock.messages.history if WORD in text]
    shown = [part.text() for kind in (QLabel, QLineEdit, QPushButton) for part in dock.findChildren(kind)]
    shown += [part.toPlainText() for part in dock.findChildren(QPlainTextEdit)]
    assert not [text for text in shown if WORD in text]


@pytest.mark.parametrize("address", ADDRESSES)
def test_documents_copies_errors_and_layers_have_no_secrets(qgis_app, address, tmp_path):
    document = {"format": "cartoguide-custommap", "version": 1, "title": "a",
                "overlays": [{"endpoint": address, "layers": ["a"]}]}
    written = write_document(read_document(json.dumps(document).encode()))
    assert WORD.encode() not in written and b"127.0.0.1:9/wms?" in written
    request = Request(HttpMethod.GET, address)
    uri = layer_uri(WmsSource(address, "a", "", "image/png", "EPSG:25830"))
    layer = QgsRasterLayer(uri, "a", "wms")
    QgsProject.instance().addMapLayer(layer)
    assert QgsProject.instance().write(str(tmp_path / "p.qgs"))
    failure = NetworkFailure(f"no {address}", f"at {address}", url=address)
    texts = [as_curl_command(request), as_http_message(request), uri, failure.user_text, failure.detail, str(failure),
             repr(failure), failure.url, repr(separate_secrets(address))]
    assert not [text for text in texts[:-1] if WORD in text]
    assert files_with_the_word(tmp_path) == []
    received = []
    QgsApplication.messageLog().messageReceived.connect(lambda text, tag, level: received.append(text))
    log.info(f"a {address}")
    log.warning(f"b {address}")
    assert len(received) >= 2 and not [text for text in received if WORD in text]


@pytest.mark.parametrize(("query", "header", "value"), [
    ("login", "Authorization", "Basic " + b64encode(f"ana:{WORD}".encode()).decode()),
    (f"user=ana&password={WORD}", "Authorization", "Basic " + b64encode(f"ana:{WORD}".encode()).decode()),
    (f"access_token={WORD}", "Authorization", f"Bearer {WORD}"),
    (f"token={WORD}", "X-Esri-Authorization", f"Bearer {WORD}"),
    (f"apikey={WORD}", "X-API-Key", WORD)])
def test_a_saved_login_is_sent_to_its_server_and_no_other(master_password, wait_until, query, header, value):
    known = master_password.authMethodsKeys()
    with OddServer() as server, OddServer() as other:
        address = (server.url.replace("://", f"://ana:{WORD}@") + "/echo" if query == "login"
                   else f"{server.url}/echo?{query}")
        clean, secret = separate_secrets(address)
        if header in ("X-API-Key", "Authorization") and secret.keys and "APIHeader" not in known:
            with pytest.raises(CartoguideError, match="cannot send the key"):
                save_login(secret)
            return
        identifier = save_login(secret)
        assert authcfg_for(clean) == identifier

        def sent(url):
            response = result_of(lambda: fetch(Request(HttpMethod.GET, url), limits=RequestLimits(60, 90, 10000, 0)),
                                 wait_until)
            return {name.lower(): text for name, text in json.loads(response.body)["headers"].items()}

        assert sent(clean)[header.lower()].strip() == value
        assert header.lower() not in sent(f"{other.url}/echo")
        set_authcfg(clean, "")
    # the store is encrypted
    assert files_with_the_word(QgsApplication.qgisSettingsDirPath()) == []


def test_the_login_in_a_catalogues_address_is_offered_to_qgis(master_password, qtbot, wait_until):
    with OddServer() as server:
        dialog = AddCatalogueDialog()
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.address.setText(server.url.replace("://", f"://ana:{WORD}@") + "/csw")
        dialog.detect_button.click()
        assert dialog.address.text() == f"{server.url}/csw" and server.requests == []
        assert "contained a login" in dialog.status_label.text()
        assert dialog.save_login_button.isVisible()
        dialog.save_login_button.click()
        assert authcfg_for(server.url) == dialog.login.configId() != ""
        wait_until(lambda: server.requests)
        assert server.requests[0]["headers"]["Authorization"].startswith("Basic ")
        wait_until(lambda: not dialog.progress_bar.isVisible())
        assert not [part.windowTitle() for part in dialog.findChildren(QDialog) if WORD in part.windowTitle()]
        set_authcfg(server.url, "")
        dialog.close()


def test_the_login_in_an_entered_address_is_offered_to_qgis(open_dock, master_password, wait_until):
    dock = open_dock()
    dock.session.open_text(ADDRESSES[0])
    wait_until(lambda: not dock.session.loading, 30)
    dock.dialogs.offer_to_save_login(separate_secrets(ADDRESSES[0])[1])
    dock.messages._inline.details.click()
    assert authcfg_for("http://127.0.0.1:9/")
    set_authcfg("http://127.0.0.1:9/", "")
