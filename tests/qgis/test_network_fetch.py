"""The network client against good and misbehaving servers."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
from base64 import b64encode
from dataclasses import replace

import pytest
from odd_server import OddServer
from qgis.core import QgsApplication, QgsAuthMethodConfig, QgsFeedback, QgsNetworkAccessManager
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QTimer
from qgis.PyQt.QtNetwork import QNetworkReply, QSslCertificate, QSslConfiguration

from plugin.core.errors import Cancelled, NetworkFailure
from plugin.core.request import HttpMethod, Request
from plugin.gis.network import http_exchange, qgis_http_cache
from plugin.gis.network.client import RequestLimits, fetch
from plugin.gis.network.http_exchange import CachePolicy
from plugin.gis.network.origin_settings import (
    OriginLogin,
    RedirectRisk,
    allow_login,
    allow_redirect,
    revoke_login,
    revoke_redirect,
    set_authcfg,
)
from plugin.gis.runtime.compat import task_pool
from tests.qgis.waiting import handle_events
from tests.slowness import patience, slowness

GET, POST = HttpMethod.GET, HttpMethod.POST
#: for servers that answer, on a machine that may hold both of them up
PATIENT = RequestLimits(first_byte=60, total=90, max_bytes=1_000_000, retries=0)
#: for servers that do not
QUICK = replace(PATIENT, first_byte=0.5, total=2.0)


@pytest.fixture
def odd():
    with OddServer() as server:
        yield server


def in_thread(work):
    """The result of ``work`` done in another thread while this one keeps the event loop turning."""
    box = {}

    def run():
        try:
            box["value"] = work()
        except BaseException as error:
            box["error"] = error

    thread = threading.Thread(target=run)
    thread.start()
    end = time.monotonic() + patience()
    while thread.is_alive() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)
    assert not thread.is_alive(), "the work never ended"
    if "error" in box:
        raise box["error"]
    return box["value"]


def get(url, limits=PATIENT, **more):
    return in_thread(lambda: fetch(Request(GET, url), limits=limits, **more))


def failure_of(url, limits=PATIENT, **more) -> NetworkFailure:
    with pytest.raises(NetworkFailure) as caught:
        get(url, limits, **more)
    assert caught.value.user_text
    return caught.value


def test_an_answer_comes_with_status_headers_body_and_address(qgis_app, odd):
    response = get(odd.url + "/ok")
    assert (response.status, response.body, response.url) == (200, b"fine", odd.url + "/ok")
    assert response.content_type == "text/plain"
    assert 0 <= response.seconds < 10 * slowness()


def test_fetching_on_the_main_thread_is_a_programming_error(qgis_app, odd):
    with pytest.raises(RuntimeError):
        fetch(Request(GET, odd.url + "/ok"))
    assert odd.requests == []


def test_headers_and_qgis_user_agent_travel(qgis_app, odd):
    body = json.loads(in_thread(lambda: fetch(Request(GET, odd.url + "/echo", {"X-Odd": "yes"}), limits=PATIENT)).body)
    assert body["headers"]["X-Odd"] == "yes"
    assert "QGIS" in body["headers"]["User-Agent"]


def test_a_body_is_posted_with_its_content_type(qgis_app, odd):
    request = Request(POST, odd.url + "/echo", {"Content-Type": "text/xml"}, "<a>é</a>".encode())
    body = json.loads(in_thread(lambda: fetch(request, limits=PATIENT)).body)
    assert (body["method"], body["body"], body["headers"]["Content-Type"]) == ("POST", "<a>é</a>", "text/xml")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 502])
def test_an_error_status_is_an_answer(qgis_app, odd, status):
    response = get(f"{odd.url}/status/{status}")
    assert (response.status, response.body) == (status, b"<html>no</html>")


def test_a_server_that_never_answers_is_given_up_at_the_first_byte_limit(qgis_app, odd):
    started = time.monotonic()
    problem = failure_of(odd.url + "/hang", QUICK)
    assert problem.kind == "timeout"
    assert 0.4 < time.monotonic() - started < 10 * slowness()
    assert "127.0.0.1" in problem.user_text


def test_a_dripping_answer_is_given_up_at_the_total_limit(qgis_app, odd):
    started = time.monotonic()
    assert failure_of(odd.url + "/drip", RequestLimits(60, 2.0, 1_000_000, 0)).kind == "too-slow"
    assert 1.9 < time.monotonic() - started < 10 * slowness()


def test_a_slow_body_within_the_limits_is_read_although_its_first_byte_limit_is_past(qgis_app, odd):
    problem = failure_of(odd.url + "/drip", RequestLimits(2.0, 60, 60, 0))
    assert problem.kind == "too-large", "bytes kept coming, so neither time-out may strike first"


@pytest.mark.parametrize("path", ["/huge", "/stream"])
def test_an_answer_that_is_too_large_is_refused_while_it_comes(qgis_app, odd, path):
    started = time.monotonic()
    assert failure_of(odd.url + path).kind == "too-large"
    assert time.monotonic() - started < 10 * slowness()


def test_a_cut_answer_is_never_taken_for_a_whole_one(qgis_app, odd):
    assert failure_of(odd.url + "/cut").kind == "closed"


def test_a_refused_connection_is_said_so(qgis_app):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert failure_of(f"http://127.0.0.1:{port}/ok").kind == "refused"


def test_an_unknown_host_is_said_so(qgis_app):
    problem = failure_of("http://nowhere.invalid/wms?", PATIENT)
    assert problem.kind == "dns"
    assert "nowhere.invalid" in problem.user_text


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/a", "data:text/plain,a", "/etc/passwd", ""])
def test_only_http_is_opened(qgis_app, url):
    assert failure_of(url).kind == "scheme"


@pytest.mark.parametrize("url", ["http://", "http://[::1/a", "https:///a"])
def test_a_broken_address_is_said_so(qgis_app, url):
    assert failure_of(url).kind == "address"


def test_a_password_in_an_address_is_not_repeated_in_words(qgis_app):
    problem = failure_of("http://someone:secret@nowhere.invalid/wms?")
    assert "secret" not in problem.user_text + problem.detail


def test_redirects_are_followed_to_the_end(qgis_app, odd):
    response = get(odd.url + "/hop/4")
    assert (response.body, response.url) == (b"fine", odd.url + "/ok")


@pytest.mark.parametrize("path", ["/loop", "/hop/30"])
def test_redirects_without_end_are_given_up(qgis_app, odd, path):
    assert failure_of(odd.url + path).kind == "redirect"
    assert len(odd.requests) < 15


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/a", "javascript:alert(1)"])
def test_redirects_to_other_schemes_are_refused(qgis_app, odd, target):
    problem = failure_of(f"{odd.url}/to?url={target}")
    assert problem.kind == "redirect"
    assert target in problem.user_text


@pytest.mark.parametrize(("status", "method"), [(302, "POST"), (307, "POST"), (303, "GET")])
def test_a_redirected_post_keeps_its_body_but_303_asks_by_get(qgis_app, odd, status, method):
    request = Request(POST, f"{odd.url}/to/{status}?url=/echo", {"Content-Type": "text/plain"}, b"a=b")
    body = json.loads(in_thread(lambda: fetch(request, limits=PATIENT)).body)
    assert (body["method"], body["body"]) == (method, "a=b" if method == "POST" else "")


def test_credentials_do_not_follow_a_redirect_to_another_origin(qgis_app, odd):
    with OddServer() as other:
        sent = {"Authorization": "Basic YTpi", "X-Api-Key": "secret", "Accept-Language": "eo"}
        request = Request(GET, f"{odd.url}/to?url={other.url}/echo", sent)
        headers = json.loads(in_thread(lambda: fetch(request, limits=PATIENT)).body)["headers"]
    assert "Authorization" not in headers and "X-Api-Key" not in headers
    assert headers["Accept-Language"] == "eo"


def test_a_get_is_tried_again_when_the_connection_breaks_and_when_the_server_is_busy(qgis_app, odd):
    again = replace(PATIENT, retries=1)
    for path in ("/flaky/close/1", "/flaky/503/1", "/flaky/429/1"):
        assert get(odd.url + path, again).body == b"fine"


def test_a_reply_that_is_taken_away_is_asked_for_again(qgis_app, odd, monkeypatch):
    send, sent = http_exchange._MainThreadTransfer._send, []

    def sent_and_lost(transfer, load):
        sent.append(send(transfer, load))
        if len(sent) == 1:
            QTimer.singleShot(0, lambda: sip.delete(sent[0]))
        return sent[-1]

    # an answer that comes at once may be there before the reply is taken away
    slow, patient = f"{odd.url}/slow/0.3", PATIENT

    monkeypatch.setattr(http_exchange._MainThreadTransfer, "_send", sent_and_lost)
    # which is no answer of the server, so that it is not counted among those
    assert get(slow, replace(patient, retries=0)).status == 200
    assert len(sent) == 2
    sent.clear()
    with pytest.raises(NetworkFailure):
        in_thread(lambda: fetch(Request(POST, slow, {"Content-Type": "text/plain"}, b"a"), limits=patient))
    assert len(sent) == 1


def test_a_post_is_never_sent_twice(qgis_app, odd):
    request = Request(POST, odd.url + "/flaky/503/1", {"Content-Type": "text/plain"}, b"a")
    response = in_thread(lambda: fetch(request, limits=replace(PATIENT, retries=3)))
    assert response.status == 503
    assert odd.count("/flaky/503/1") == 1


def test_a_busy_server_that_asks_for_a_long_pause_is_left_in_peace(qgis_app, odd):
    started = time.monotonic()
    assert get(odd.url + "/busy/3600", replace(PATIENT, retries=3)).status == 503
    assert odd.count("/busy/3600") == 1
    assert time.monotonic() - started < 20 * slowness(), "it waited as long as the server asked for"


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_cancelling_takes_effect_at_once(qgis_app, odd, path):
    feedback = QgsFeedback()
    moment = []

    def cancel():
        moment.append(time.monotonic())
        feedback.cancel()

    QTimer.singleShot(300, cancel)
    with pytest.raises(Cancelled):
        get(odd.url + path, replace(PATIENT, total=120), feedback=feedback)
    assert time.monotonic() - moment[0] < 20 * slowness()


def test_a_held_window_is_not_the_servers_slowness(qgis_app, odd):
    factor = slowness()
    QTimer.singleShot(50, lambda: time.sleep(3.5 * factor))
    assert get(odd.url + "/slow/0.3", RequestLimits(2.0 * factor, 3.0 * factor, 1000, 0)).body == b"late"


def test_cancelling_does_not_wait_for_a_held_window(qgis_app, odd):
    feedback = QgsFeedback()
    ended = []

    def work():
        try:
            fetch(Request(GET, odd.url + "/hang"), limits=PATIENT, feedback=feedback)
        except Cancelled:
            ended.append(time.monotonic())

    thread = threading.Thread(target=work)
    thread.start()
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        handle_events()
    asked = time.monotonic()
    feedback.cancel()
    thread.join(patience())  # the event loop stands still meanwhile
    assert ended and ended[0] - asked < 20


def test_no_request_is_sent_when_cancelled_before(qgis_app, odd):
    feedback = QgsFeedback()
    feedback.cancel()
    with pytest.raises(Cancelled):
        get(odd.url + "/ok", feedback=feedback)
    assert odd.requests == []


def test_one_host_gets_a_limited_number_of_requests_at_a_time(qgis_app, odd):
    limits = replace(PATIENT, parallel=2)
    threads = [threading.Thread(target=fetch, args=(Request(GET, odd.url + "/slow/0.2"),), kwargs={"limits": limits})
               for _ in range(6)]

    def all_of_them():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    in_thread(all_of_them)
    assert odd.count("/slow/0.2") == 6
    assert odd.most_at_once == 2


def test_many_threads_at_one_address_do_not_take_the_cache_from_one_another(qgis_app, odd):
    """Half of them give up while others store what they got: this crashed the process."""
    answers = []

    def work(number):
        for turn in range(12):
            feedback = QgsFeedback()
            if (number + turn) % 2:
                threading.Timer(0.03, feedback.cancel).start()
            try:
                answers.append(
                    fetch(Request(GET, odd.url + "/slow/0.05"), limits=replace(PATIENT, parallel=8),
                          feedback=feedback, cache_policy=CachePolicy.REFRESH).body)
            except Cancelled:
                answers.append(None)

    def all_of_them():
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    in_thread(all_of_them)
    assert answers.count(None) >= 40
    assert answers.count(b"late") >= 40


def test_hundreds_of_exchanges_in_one_thread_leave_nothing_behind_that_harms_the_next(qgis_app, odd):
    answers = in_thread(lambda: [fetch(Request(GET, odd.url + "/ok"), limits=PATIENT).body for _ in range(200)])
    assert answers == [b"fine"] * 200


def test_waiting_requests_give_their_place_in_the_thread_pool_back(qgis_app, odd):
    pool = task_pool()
    before = pool.activeThreadCount()
    get(odd.url + "/ok")
    assert pool.activeThreadCount() == before


def test_an_answer_that_may_be_kept_is_asked_for_once_and_refreshed_on_demand(qgis_app, odd):
    first = get(odd.url + "/cached").body
    assert get(odd.url + "/cached").body == first
    assert odd.count("/cached") == 1
    assert get(odd.url + "/cached", cache_policy=CachePolicy.REFRESH).body != first


@pytest.mark.parametrize(("age", "cache_policy"), [(0, CachePolicy.NORMAL), (600, CachePolicy.REFRESH)])
def test_an_error_is_not_hidden_behind_a_stored_answer(qgis_app, odd, age, cache_policy):
    """Qt would give the stored body with the error's behind it, as one 200 that never ends."""
    assert get(f"{odd.url}/turning/{age}").body == b"fine" * 1000
    response = get(f"{odd.url}/turning/{age}", cache_policy=cache_policy)
    assert (response.status, response.body) == (500, b"broken")


def test_a_revalidated_answer_is_whole(qgis_app, odd):
    for _ in range(2):
        response = get(odd.url + "/tagged")
        assert (response.status, response.body) == (200, b"tagged")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A fresh self-signed certificate for localhost, key and certificate in one file."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate, both = folder / "key.pem", folder / "certificate.pem", folder / "both.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                   check=True, capture_output=True)
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both


def test_a_certificate_that_is_not_trusted_is_never_waved_through(qgis_app, certificate):
    with OddServer(str(certificate)) as server:
        problem = failure_of(server.url + "/ok", PATIENT)
        assert server.requests == []
    assert problem.kind == "tls"
    assert "certificate" in problem.detail.lower()
    assert "self-signed" in problem.user_text or "self signed" in problem.user_text


def test_a_redirect_from_https_to_http_is_refused(qgis_app, certificate, odd):
    before = QSslConfiguration.defaultConfiguration()
    trusting = QSslConfiguration.defaultConfiguration()
    trusting.setCaCertificates(trusting.caCertificates() + QSslCertificate.fromPath(str(certificate)))
    QSslConfiguration.setDefaultConfiguration(trusting)
    try:
        with OddServer(str(certificate)) as server:
            assert get(server.url + "/ok", PATIENT).body == b"fine"
            problem = failure_of(f"{server.url}/to?url={odd.url}/ok", PATIENT)
            assert get(f"{odd.url}/to?url={server.url}/ok", PATIENT).body == b"fine"
            assert odd.count("/ok") == 0
            # what a person agrees to holds for this server and this target, and no further
            allow_redirect(problem.url, problem.insecure_target, RedirectRisk.INSECURE)
            assert get(f"{server.url}/to?url={odd.url}/ok", PATIENT).body == b"fine"
            with OddServer() as third:
                other = failure_of(f"{server.url}/to?url={third.url}/ok", PATIENT)
                assert third.requests == []
            revoke_redirect(server.url, RedirectRisk.INSECURE)
            assert failure_of(f"{server.url}/to?url={odd.url}/ok", PATIENT).insecure_target
    finally:
        QSslConfiguration.setDefaultConfiguration(before)
    assert problem.kind == other.kind == "redirect"
    assert odd.count("/ok") == 1
    assert odd.url in problem.user_text


@pytest.fixture
def login(qgis_app):
    """A stored authentication configuration: name and password."""
    manager = QgsApplication.authManager()
    assert manager.masterPasswordIsSet() or manager.setMasterPassword("tests only", True)
    config = QgsAuthMethodConfig("Basic")
    config.setName("test network")
    config.setConfig("username", "someone")
    config.setConfig("password", "secret")
    assert manager.storeAuthenticationConfig(config)
    known = config.id() or next(iter(manager.availableAuthMethodConfigs()))
    yield known
    manager.removeAuthenticationConfig(known)


def _authorization(response):
    return json.loads(response.body)["headers"].get("Authorization")


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_a_request_does_not_end_while_qgis_asks_for_a_login(qgis_app, odd, is_cancelled):
    """QGIS holds the reply behind its dialog, and died where that was deleted meanwhile."""
    manager, feedback, seen, watch = QgsNetworkAccessManager.instance(), QgsFeedback(), [], QTimer()
    factor = slowness()

    def ask(*_):
        """Stand for QGIS's dialog, which is open for longer than the request may take."""
        reply = next(one for one in manager.findChildren(QNetworkReply) if one.url().path() == "/login")
        loop = QEventLoop()
        if is_cancelled:
            feedback.cancel()
        QTimer.singleShot(int(1500 * factor), loop.quit)
        loop.exec()
        seen.append(sip.isdeleted(reply))

    def connect_last():
        if odd.requests:
            watch.stop()
            manager.requestRequiresAuth.connect(ask)

    watch.timeout.connect(connect_last)
    watch.start(5)
    try:
        if is_cancelled:
            with pytest.raises(Cancelled):
                get(f"{odd.url}/login", QUICK, feedback=feedback)
        else:
            assert get(f"{odd.url}/login", replace(QUICK, first_byte=0.5 * factor, total=60.0 * factor)).status == 401
        assert seen == [False]
    finally:
        manager.requestRequiresAuth.disconnect(ask)


def test_a_servers_authentication_configuration_goes_to_that_server_alone(qgis_app, odd, login):
    set_authcfg(odd.url + "/any/path?", login)
    with OddServer() as other:
        assert _authorization(get(odd.url + "/echo")) == "Basic " + b64encode(b"someone:secret").decode()
        assert _authorization(get(odd.url + "/echo", login=OriginLogin(other.url, login))) is not None
        assert _authorization(get(other.url + "/echo", login=OriginLogin(odd.url, login))) is None
        assert _authorization(get(other.url + "/echo")) is None
        assert _authorization(get(f"{odd.url}/to?url={other.url}/echo")) is None
        allow_login(odd.url, other.url)
        assert _authorization(get(f"{odd.url}/to?url={other.url}/echo")) is not None
        revoke_login(other.url)
        assert _authorization(get(f"{odd.url}/to?url={other.url}/echo")) is None
    set_authcfg(odd.url, "")
    assert _authorization(get(odd.url + "/echo")) is None


def test_an_authentication_configuration_that_is_gone_is_said_so(qgis_app, odd, login):
    assert failure_of(odd.url + "/echo", login=OriginLogin(odd.url, "nosuch1")).kind == "auth"
    assert odd.requests == []


def test_an_answer_to_one_login_is_not_given_to_another(qgis_app, odd, login):
    url = odd.url + "/cached"
    own = OriginLogin(odd.url, login)
    with_login = get(url, login=own).body
    assert get(url, login=own).body == with_login and odd.count("/cached") == 1
    without = get(url).body
    assert without != with_login and get(url).body == without and odd.count("/cached") == 2
    assert get(url, login=own).body not in (with_login, without)
    private = get(url, cache_policy=CachePolicy.PRIVATE).body
    assert get(url, login=own).body != private and odd.count("/cached") == 4


def test_the_login_of_an_entry_is_read_whatever_the_case_of_its_name(qgis_app, monkeypatch):
    """Qt from 6.8 on gives the names of headers in small letters. A server cannot choose it."""
    url = "http://127.0.0.1:1/entry"
    for name in (b"X-Cartoguide-Login", b"x-cartoguide-login"):
        monkeypatch.setattr(qgis_http_cache, "_LOGIN_HEADER", name)
        headers = [(name, b"another"), (b"cache-control", b"max-age=60")]
        assert qgis_http_cache.save_response(url, headers, b"picture", "abc1234")
        assert qgis_http_cache.insert_document(f"{url}/2", b"picture", authcfg="abc1234")
        monkeypatch.undo()
        for entry in (url, f"{url}/2"):
            assert qgis_http_cache.is_fresh(entry, "abc1234") and not qgis_http_cache.is_fresh(entry, "")
