"""Link checks of a record: working, failing and moved links, in a job that can be cancelled."""

from __future__ import annotations

import pytest
from odd_server import OddServer

from plugin.core.records.model.record import (
    ConnectPoint,
    Constraint,
    OnlineResource,
    Operation,
    Overview,
    Record,
    ResourceKind,
)
from plugin.core.review.checks import Severity
from plugin.gis.checks import link_check


@pytest.fixture
def odd():
    with OddServer() as server:
        yield server


def linked(*urls, **more):
    return Record("iso19139", id="a", online=tuple(OnlineResource(url) for url in urls), **more)


def findings(record, wait_until):
    results, failures = [], []
    link_check.start_link_check(record, results.append, failures.append)
    wait_until(lambda: results or failures)
    assert not failures
    return {finding.value: (finding.rule, finding.severity) for finding in results[0]}


def test_links_that_answer_are_not_found(odd, wait_until):
    assert findings(linked(f"{odd.url}/ok", f"{odd.url}/huge"), wait_until) == {}


def test_dead_links_are_found_with_the_reason(odd, wait_until):
    gone, nowhere = f"{odd.url}/status/404", "http://nobody.invalid/mapas"
    found = findings(linked(gone, nowhere, f"{odd.url}/status/403", f"{odd.url}/status/500"), wait_until)
    assert found == {
        gone: ("links.dead", Severity.ERROR), nowhere: ("links.dead", Severity.ERROR),
        f"{odd.url}/status/403": ("links.refused", Severity.NOTE),
        f"{odd.url}/status/500": ("links.dead", Severity.ERROR)}


def test_every_link_of_the_record_is_asked_once(odd, wait_until):
    url = f"{odd.url}/ok"
    record = linked(url, url, "ftp://nobody.invalid/", "no address", overviews=(Overview(url),),
                    other_constraints=(Constraint("CC", url),))
    assert findings(record, wait_until) == {}
    assert odd.count("/ok") == 1


def test_a_service_is_asked_for_its_capabilities_once(network, wait_until):
    endpoint = network.endpoints["guide"]
    record = Record("iso19139", kind=ResourceKind.SERVICE, service_type="OGC:WMS",
                    online=(OnlineResource(endpoint, "OGC:WMS-1.3.0-http-get-map"),),
                    operations=(Operation("GetMap", (), (ConnectPoint(endpoint[:-1]), ConnectPoint(endpoint))),))
    assert findings(record, wait_until) == {}
    assert network.count("GetCapabilities") == 1


def test_a_service_that_answers_with_a_page_is_dead(odd, wait_until):
    url = f"{odd.url}/ok?"
    record = Record("iso19139", kind=ResourceKind.SERVICE, service_type="OGC:WMS",
                    online=(OnlineResource(url, "OGC:WMS"),))
    assert findings(record, wait_until) == {url: ("links.dead", Severity.ERROR)}


def test_a_check_that_is_given_up_calls_nobody(odd, wait_until):
    called = []
    job = link_check.start_link_check(linked(f"{odd.url}/hang", f"{odd.url}/ok"), called.append, called.append)
    wait_until(lambda: odd.count("/hang"))
    job.cancel()
    ended = []
    job.ended.connect(lambda: ended.append(True))
    wait_until(lambda: ended)
    assert called == [] and odd.count("/ok") == 0


def test_progress_names_the_host_that_is_asked(odd, wait_until):
    told, results = [], []
    link_check.start_link_check(linked(f"{odd.url}/ok"), results.append, results.append,
                     progress=lambda percent, host: told.append((percent, host)))
    wait_until(lambda: results)
    assert told and told[0][1] == odd.url.partition("//")[2]


def test_https_is_tried_where_it_may_answer(odd, wait_until, monkeypatch):
    """The server here speaks no https: nothing is proposed, and the http link stays sound."""
    monkeypatch.setattr(link_check, "is_public_http", lambda url: url.startswith("http:"))
    assert findings(linked(f"{odd.url}/ok"), wait_until) == {}
    assert odd.count("/ok") == 1


def test_a_link_that_is_sent_to_another_server_has_moved(odd, wait_until):
    elsewhere = f"{odd.url.replace('127.0.0.1', 'localhost')}/ok"
    url = f"{odd.url}/to?url={elsewhere}"
    assert findings(linked(url), wait_until) == {url: ("links.moved", Severity.WARNING)}
