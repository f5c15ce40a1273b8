"""Detection of services requested by http that also support https, on real servers with and without certificates."""

from __future__ import annotations

import subprocess

import pytest
from odd_server import OddServer
from qgis.core import QgsApplication, QgsAuthCertUtils
from qgis.PyQt.QtNetwork import QSslCertificate

from plugin.gis.export.preflight_requests import find_https_endpoints
from plugin.gis.runtime import tasks

#: this machine by a name: numbers have no certificate
HOST = "localhost"
CAPABILITIES = (b'<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Name>WMS</Name>'
                b"</Service></WMS_Capabilities>")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of HOST that it signed itself, with its key."""
    folder = tmp_path_factory.mktemp("secure")
    key, own, both = folder / "key.pem", folder / "own.pem", folder / "both.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", own, "-days",
                    "2", "-subj", "/CN=localhost", "-addext", f"subjectAltName=DNS:{HOST}"], check=True,
                   capture_output=True)
    both.write_bytes(key.read_bytes() + own.read_bytes())
    return both


@pytest.fixture
def trusted(qgis_app, certificate):
    # QGIS's own store, as a person adds it to in the options: from 3.40 on QGIS does not ask Qt's
    manager, own = QgsApplication.authManager(), QSslCertificate.fromPath(str(certificate))[0]
    assert manager.storeCertAuthority(own)
    manager.storeCertTrustPolicy(own, QgsAuthCertUtils.CertTrustPolicy.Trusted)
    manager.rebuildCaCertsCache()
    manager.rebuildTrustedCaCertsCache()
    yield certificate
    manager.removeCertTrustPolicy(own)
    manager.removeCertAuthority(own)
    manager.rebuildCaCertsCache()
    manager.rebuildTrustedCaCertsCache()


def secure(*endpoints):
    return tasks.run_and_wait(lambda feedback: find_https_endpoints(endpoints, feedback), 60)


def by_http(server, path):
    port = server.url.rpartition(":")[2]
    return f"http://{HOST}:{port}{path}?"


def test_only_a_service_that_really_answers_by_https_is_told(qgis_app, trusted):
    with OddServer(str(trusted)) as server, OddServer() as plain:
        server.files["/wms"] = CAPABILITIES
        good, missing, error = (by_http(server, path) for path in ("/wms", "/gone", "/status/500"))
        plain.files["/wms"] = CAPABILITIES
        assert secure(good, missing, error, good, by_http(plain, "/wms"), plain.url + "/wms?", server.url + "/wms?"
                      ) == (good,)
        assert server.count("/wms") == 1, "each is asked once, and what is https already not at all"
        assert plain.count("/wms") == 0, "nothing is asked by http, and no address of numbers at all"


def test_a_certificate_that_nobody_trusts_is_no_https(qgis_app, certificate):
    with OddServer(str(certificate)) as server:
        server.files["/wms"] = CAPABILITIES
        assert secure(by_http(server, "/wms")) == ()
        assert server.requests == []
