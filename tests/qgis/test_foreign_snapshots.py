"""Snapshots of somebody else: what they store of a service is of their own map, and weakens no duty."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsNetworkAccessManager, QgsProject

from plugin.core.box import Box
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import SnapshotDescriptions, StoredCredit
from plugin.core.custommap.planner import make_plan
from plugin.core.library.blob_cache import BlobKind
from plugin.core.library.collection_file import export_collection
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.core.records.model.record import is_starter
from plugin.core.request import HttpMethod, Request
from plugin.core.snapshot.snapshot_package import write_package
from plugin.core.snapshot.snapshot_sources import with_snapshot
from plugin.core.terms import terms_for
from plugin.core.terms.model import Decision
from plugin.gis.legends.archive import legend_request_sender
from plugin.gis.legends.legend_graphics import legend_key
from plugin.gis.legends.legend_store import LegendStore
from plugin.gis.library.record_library import RecordSource, find_map_records, record_at_endpoint
from plugin.gis.network import qgis_http_cache
from plugin.gis.runtime import settings, tasks
from plugin.gis.services import service_cache
from plugin.gis.services.service_cache import ServiceCache, capabilities_url
from plugin.gis.snapshots import snapshot_job
from plugin.gis.snapshots.snapshot_job import SnapshotOptions
from plugin.gis.snapshots.snapshot_packages import load_snapshot, unpack_snapshot
from tests.pairwise import some
from tests.qgis.algorithm_runs import registered_provider, run
from tests.qgis.print_maps import known_records, pdf_text, small_map
from tests.qgis.test_dock_offline import AREA, on_map, printed
from tests.slowness import patience

#: what the park guide's record asks for
CREDIT = "Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Mapa guía del Parque Natural Despeñaperros"
#: on a Spanish page whose snapshot has other terms
SAID = "Las condiciones guardadas en la instantánea del"
NO_CONDITIONS = "Sin condiciones. No se requiere citar la fuente"
FUTURE = "2099-01-01T00:00:00+00:00"
FREE_CREDIT = StoredCredit("", Decision.NO, "CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/")


def without_conditions(text: str) -> str:
    """A record's text that says that there are no conditions, in 2099."""
    constraint = r"(<(?:useLimitation|otherConstraints)>\s*<gco:CharacterString>)[^<]*"
    text = re.sub(constraint, rf"\g<1>{NO_CONDITIONS}", text)
    text = re.sub(r"(<dateStamp>\s*<gco:DateTime>)[^<]*", r"\g<1>2099-01-01T00:00:00", text)
    assert NO_CONDITIONS in text and "2099" in text
    return text


def poison(folder: Path) -> None:
    """Make a snapshot's record and capabilities say that there are no conditions, in 2099."""
    manifest = json.loads((folder / "snapshot.json").read_text("utf-8"))
    manifest["made"] = FUTURE
    for file in manifest["files"]:
        path = folder / file["path"]
        if file["role"] == "record":
            path.write_text(without_conditions(path.read_text("utf-8")), "utf-8")
        elif file["role"] == "capabilities":
            text = path.read_text("utf-8")
            text = re.sub(r"<(Fees|AccessConstraints)>[^<]*", r"<\1>none", text)
            path.write_text(re.sub(r"(<Service>.*?<Title>)[^<]*", r"\g<1>Servicio sin condiciones", text, count=1,
                                   flags=re.DOTALL), "utf-8")
        elif file["role"] == "document":
            document = read_document(path.read_bytes())
            path.write_bytes(write_document(replace(
                document, base=replace(document.base, credit=FREE_CREDIT),
                overlays=tuple(replace(entry, credit=FREE_CREDIT) for entry in document.overlays))))
        file["size"], file["sha256"] = path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "snapshot.json").write_text(json.dumps(manifest), "utf-8")


@pytest.fixture(scope="module")
def taken(qgis_app, network_for_session, tmp_path_factory):
    """The folder of a snapshot as it was taken, of both services."""
    network, folder = network_for_session, tmp_path_factory.mktemp("taken")
    known, area = known_records(network), Box(447000.0, 4242000.0, 463000.0, 4254000.0)
    wanted = SnapshotOptions(folder / "kept", area, (100000.0,), 72)
    document = small_map(network, known, extent=AREA)
    tasks.run_and_wait(lambda feedback: snapshot_job.take_snapshot(document, known, wanted, feedback, ServiceCache()),
                       patience(90))
    return folder / "kept"


@pytest.fixture
def snapshot(taken, tmp_path):
    """A copy of the snapshot of this test's own."""
    return Path(shutil.copytree(taken, tmp_path / "kept"))


@pytest.fixture
def hostile(snapshot):
    """The folder of the same snapshot with other terms, of 2099."""
    poison(snapshot)
    return snapshot


def packed(folder: Path) -> Path:
    path = folder.parent / "un mapa.cartoguide.zip"
    write_package(folder, path, lambda _percent, _text: None)
    return path


def known_to(dock, endpoint):
    """What a dock knows of a service: its record, terms and source, its saved and its current capabilities."""
    record = dock.session.record_for_endpoint(endpoint)
    store = dock.session.library.store()
    saved = store.blob_cache.load(BlobKind.CAPABILITIES, capabilities_url(endpoint))
    service = dock.session.services.get(endpoint)
    terms = terms_for(record)
    return (record.id, record.original, (terms.credit, terms.credit_required, terms.free, terms.licence),
            [copy.source for copy in store.find_copies(record.id)],
            None if saved is None else (saved.data, saved.fetched_at),
            None if service is None else service.original, sorted(store.sources()))


def saving_dock(network_dock):
    dock = network_dock()
    dock.session.services.save_to(lambda: dock.session.library.store().blob_cache)
    return dock


def open_in(dock, path, wait_until):
    if path.is_dir():
        dock.composer_controller.documents.open_file(path / "map.custommap.json")
    else:
        dock.record_actions.records.open_dropped([str(path)], ())
    wait_until(lambda: len(on_map(dock)) == 4 and not dock.composer_controller.map.adding, 60)
    wait_until(lambda: not tasks._jobs, 60)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "fetched"), some([
    ("folder", True), ("folder", False), ("package", False), ("package", True)], 2))
def test_a_foreign_snapshot_changes_nothing_that_the_library_knows(network_dock, network, wait_until, hostile, tmp_path,
                                                                   kind, fetched):
    path = hostile if kind == "folder" else packed(hostile)
    dock, endpoint = saving_dock(network_dock), network.endpoints["guide"]
    if fetched:
        dock.session.load_service(endpoint)
        wait_until(lambda: dock.session.services.get(endpoint) is not None, 30)
        wait_until(lambda: not tasks._jobs, 30)
    QgsNetworkAccessManager.instance().cache().clear()
    before = known_to(dock, endpoint)
    assert before[2][1] is Decision.YES
    begun = len(network.requests)
    open_in(dock, path, wait_until)
    assert [layer.providerType() for layer in on_map(dock)] == ["gdal"] * 4 and len(network.requests) == begun
    assert not qgis_http_cache.fresh_size(capabilities_url(endpoint)), "QGIS takes it for the service's own"
    text = printed(dock, tmp_path / "hostile.pdf", wait_until)
    assert CREDIT in text and SAID in text and "2099" not in text, "a date to come is today"
    finding, = found_in(dock)
    assert "stored in the snapshot" in finding.message
    assert known_to(dock, endpoint) == before
    # the live map that follows, its snapshot closed
    dock.composer_controller.offline.toggle_snapshot()
    wait_until(lambda: len(on_map(dock)) == 4 and all(layer.providerType() == "wms" for layer in on_map(dock))
               and not dock.composer_controller.map.adding, 60)
    if fetched:
        text = printed(dock, tmp_path / "live.pdf", wait_until)
        assert CREDIT in text and SAID not in text
    live = known_to(dock, endpoint)
    assert live[:4] == before[:4] and live[6] == before[6]
    assert b"sin condiciones" not in live[5] and dock.session.services.age(endpoint) < 60
    wait_until(lambda: not tasks._jobs, 30)
    dock.close_down()
    # the next session
    other = saving_dock(network_dock)
    after = known_to(other, endpoint)
    assert after[:4] == before[:4] and b"sin condiciones" not in (after[4] or (b"",))[0]
    service = tasks.run_and_wait(lambda feedback: other.session.services.get_or_fetch(endpoint, feedback), patience(30))
    assert "sin condiciones" not in service.title


def found_in(dock):
    """The findings that the preflight announces of the park guide's terms."""
    lists = []
    dock.composer_controller.preflight.findings_changed.connect(lambda found, _state: lists.append(found))
    dock.composer_controller.preflight.refresh()
    return [found for found in lists[-1] if found.rule == "offline-terms" and found.entry_index == 0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", some(["package", "folder"], 2))
def test_headless_a_map_from_a_foreign_snapshot_has_the_known_credit(network, project, hostile, tmp_path, monkeypatch,
                                                                     kind):
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    settings.set("profile", str(network.profile_path))
    document = hostile / "map.custommap.json"
    if kind == "package":
        package = packed(hostile)
        document = tasks.run_and_wait(lambda feedback: unpack_snapshot(package, tmp_path, feedback),
                                      patience(30)).document_path
    begun = len(network.requests)
    with registered_provider():
        made = run("exportcustommap", {"INPUT": str(document), "DPI": 72, "OUTPUT": str(tmp_path / "hostile.pdf")})
        assert len(network.requests) == begun
        text = pdf_text(tmp_path / "hostile.pdf")
        assert CREDIT in text and SAID in text and "2099" not in text
        assert "stored in the snapshot" in made["REMARKS"]
        live = tmp_path / "live.custommap.json"
        live.write_bytes(write_document(replace(read_document(document.read_bytes()), snapshot=None)))
        run("exportcustommap", {"INPUT": str(live), "DPI": 72, "OUTPUT": str(tmp_path / "live.pdf")})
    text = pdf_text(tmp_path / "live.pdf")
    assert CREDIT in text and SAID not in text


@pytest.mark.slow
def test_a_snapshot_of_one_s_own_needs_no_library_and_no_network(network, open_dock, wait_until, snapshot, tmp_path,
                                                                 monkeypatch):
    # another computer: neither the records nor the services are known there
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    dock = open_dock(before=lambda dock: setattr(dock.session, "services", ServiceCache()))
    endpoint = network.endpoints["guide"]
    assert dock.session.record_for_endpoint(endpoint) is None
    sources = sorted(dock.session.library.store().sources())
    begun = len(network.requests)
    open_in(dock, snapshot, wait_until)
    text = printed(dock, tmp_path / "own.pdf", wait_until)
    assert CREDIT in text and SAID not in text and len(network.requests) == begun
    items = dock.composer_controller.map.items
    assert not any(item.problem for item in items) and not found_in(dock)
    assert dock.session.record_for_endpoint(endpoint) is None
    assert sorted(dock.session.library.store().sources()) == sources


def lenient(record, tmp_path):
    """A file with another version of a record, without conditions."""
    path = tmp_path / "foreign" / record.name
    path.parent.mkdir(exist_ok=True)
    path.write_text(without_conditions(record.read_text("utf-8")), "utf-8")
    return path


@pytest.mark.parametrize("kind", ["file", "collection", "other identifier"])
def test_an_import_that_replaces_a_record_says_so_and_can_be_undone(network_dock, network, wait_until, tmp_path, kind):
    dock, endpoint = network_dock(), network.endpoints["guide"]
    before = known_to(dock, endpoint)
    path = lenient(network.records[1], tmp_path)
    if kind == "other identifier":
        path.write_text(path.read_text("utf-8").replace(before[0], "f" * 40), "utf-8")
    elif kind == "collection":
        other = RecordStore(tmp_path / "other" / "records.sqlite")
        record, = read(path.read_bytes(), path.name)
        new = replace(record, id="new", original=record.original.replace(before[0].encode(), b"new").replace(
            endpoint.encode(), b"http://127.0.0.1:1/other?"))
        other.save("there", "folder", "There", [(record, "a.xml"), (new, "b.xml")])
        other.collections.save("Sierra", [before[0], "new"])
        path = tmp_path / "sierra.zip"
        export_collection(other, "Sierra", str(path))
        other.close()
    dock.session.open_paths([str(path)])
    wait_until(lambda: not tasks._jobs, 30)
    if kind == "other identifier":
        # both records are in the list, and the stricter one counts where a map names neither
        assert dock.session.record("f" * 40) is not None and known_to(dock, endpoint)[:3] == before[:3]
        return
    wait_until(lambda: dock.messages.history, 30)
    told = dock.messages.history[-1][1]
    assert f"{int(kind == 'collection')} added to the library, 1 replaced in it." in told, dock.messages.history
    # of the record alone: the service asks for its credit all the same, once its capabilities are read
    assert terms_for(dock.session.record_for_endpoint(endpoint)).credit_required is not Decision.YES
    assert dock.note.details.text() == "Undo"
    dock.note.details.click()
    wait_until(lambda: dock.messages.history[-1][1] == "The import was undone.", 30)
    after = known_to(dock, endpoint)
    assert after[:3] == before[:3] and dock.session.record("new") is None
    assert "Sierra" not in dict(dock.session.library.store().collections.names())


def test_records_that_a_former_version_took_from_a_snapshot_count_no_more(network_dock, network, wait_until, tmp_path):
    dock, endpoint = network_dock(), network.endpoints["guide"]
    before = known_to(dock, endpoint)
    path = lenient(network.records[1], tmp_path)
    record, = read(path.read_bytes(), path.name)
    stranger = replace(record, id="stranger", original=record.original.replace(before[0].encode(), b"stranger"))
    dock.session.library.save(RecordSource("/somewhere/kept", "snapshot", "Un mapa"), [record, stranger])
    dock.session.reload_records()
    assert known_to(dock, endpoint)[1] != before[1]
    dock.close_down()
    other = network_dock()
    assert known_to(other, endpoint)[:3] == before[:3] and other.session.record("stranger") is None


@pytest.mark.parametrize("named", [False, True], ids=["credit", "another record"])
def test_a_foreign_document_weakens_no_credit(network_dock, network, wait_until, project, tmp_path, named):
    dock, known = network_dock(), known_records(network)
    document = small_map(network, known, extent=AREA, overlays=())
    if named:
        # a record of the library with other terms, of another service
        path = lenient(network.records[0], tmp_path)
        dock.session.open_paths([str(path)])
        wait_until(lambda: not tasks._jobs, 30)
    record_id = known[network.endpoints["precipitation" if named else "guide"]].id
    document = replace(document, base=replace(document.base, credit=FREE_CREDIT, record_id=record_id))
    path = tmp_path / "foreign.custommap.json"
    path.write_bytes(write_document(document))
    dock.composer_controller.documents.open_file(path)
    wait_until(lambda: len(on_map(dock)) == 2 and not dock.composer_controller.map.adding, 60)
    if named:
        assert CREDIT in printed(dock, tmp_path / "foreign.pdf", wait_until)
    assert any(CREDIT in line for line in dock.composer_controller.map.credit_lines())


@pytest.mark.parametrize("change", [lambda url: url.rstrip("?") + "?a=1&b=2",
                                    lambda url: re.sub(r"(:\d+)/", r"\1/x/..//", url)], ids=["parameters", "segments"])
def test_another_spelling_of_its_address_weakens_no_credit(network_dock, network, wait_until, project, tmp_path,
                                                           change):
    """A server answers the same with parameters that it does not know."""
    dock, known = network_dock(), known_records(network)
    document = small_map(network, known, extent=AREA, overlays=())
    endpoint = change(document.base.endpoint)
    document = replace(document, base=replace(document.base, credit=FREE_CREDIT, record_id=None, endpoint=endpoint))
    assert document.base.endpoint != network.endpoints["guide"]
    without_window = find_map_records(document, known.values(), None)
    assert terms_for(without_window[endpoint]).credit_required is Decision.YES
    path = tmp_path / "foreign.custommap.json"
    path.write_bytes(write_document(document))
    dock.composer_controller.documents.open_file(path)
    wait_until(lambda: len(on_map(dock)) == 2 and not dock.composer_controller.map.adding, 60)
    if "?a=1" in endpoint:
        assert CREDIT in printed(dock, tmp_path / "foreign.pdf", wait_until)
    assert any(CREDIT in line for line in dock.composer_controller.map.credit_lines())


def test_a_record_that_requires_no_credit_speaks_for_its_own_address_alone(network, tmp_path):
    """A parameter may choose another service, of which a free record of the shorter address says nothing."""
    known = known_records(network)
    document = small_map(network, known, extent=AREA, overlays=())
    endpoint = document.base.endpoint
    [free] = read(lenient(network.records[1], tmp_path).read_bytes(), "free.xml")
    assert terms_for(free).credit_required is not Decision.YES
    other = replace(document, base=replace(document.base, record_id=None, endpoint=endpoint.rstrip("?") + "?theme=a"))
    assert find_map_records(other, [free], None) == {}
    assert find_map_records(replace(document, base=replace(document.base, record_id=None)), [free], None) == {
        endpoint: free}
    assert find_map_records(other, [free, known[endpoint]], None) == {other.base.endpoint: known[endpoint]}


def test_a_record_of_the_network_profile_that_requires_a_credit_comes_before_one_that_does_not(network, tmp_path):
    """Also one that the catalogue's own is to replace: else any file with a record of that service would."""
    endpoint = network.endpoints["guide"]
    record = known_records(network)[endpoint]
    starter, = read(record.original.replace(b"<gmd:MD_Keywords>", b"<gmd:MD_Keywords><gmd:keyword><gco:CharacterString>"
                                            b"cartoguide:starter</gco:CharacterString></gmd:keyword>", 1).replace(
        b"<MD_Keywords>", b"<MD_Keywords><keyword><gco:CharacterString>cartoguide:starter</gco:CharacterString>"
        b"</keyword>", 1), "a.xml")
    assert is_starter(starter)
    free, = read(without_conditions(record.original.decode()).replace(record.id, "f" * 40).encode(), "b.xml")
    store = RecordStore(tmp_path / "records.sqlite")
    store.save("bundled", "bundled", "Bundled", [(starter, "a.xml")])
    store.save("there", "folder", "There", [(free, "b.xml")])
    assert record_at_endpoint(endpoint, store).id == record.id
    store.close()


@pytest.mark.parametrize("seed", some(range(3), 2))
def test_no_sequence_of_opening_fetching_and_restarting_loses_a_required_credit(network, hostile, tmp_path, seed):
    """In every order, what is saved and what a page would say stay those of the library and of the service."""
    records, document = known_records(network), replace(small_map(network, extent=AREA), overlays=())
    document = replace(document, base=replace(document.base, credit=FREE_CREDIT))
    endpoint = network.endpoints["guide"]
    store = RecordStore(tmp_path / "records.sqlite")
    store.save("bundled", "bundled", "Bundled", [(records[endpoint], "guide.xml")])
    cache, shown, chance, done = ServiceCache(lambda: store.blob_cache), None, random.Random(seed), []

    def fetch(refresh):
        asked = cache
        tasks.run_and_wait(lambda feedback: asked.get_or_fetch(endpoint, feedback, refresh), patience(30))

    def opened():
        asked = cache
        return tasks.run_and_wait(lambda _feedback: load_snapshot(hostile, asked), patience(30))

    try:
        for _ in range(12):
            done.append(chance.choice(["open", "close", "fetch", "refresh", "forget", "restart", "import"]))
            if done[-1] == "open":
                shown = opened()
            elif done[-1] == "close":
                shown = None
            elif done[-1] in ("fetch", "refresh"):
                fetch(done[-1] == "refresh")
            elif done[-1] == "forget":
                cache.forget(endpoint)
            elif done[-1] == "import":
                named = replace(records[endpoint], id="f" * 40)
                store.save("there", "folder", "There", [(named, "guide.xml")])
            else:
                cache, shown = ServiceCache(lambda: store.blob_cache), None
            saved = store.blob_cache.load(BlobKind.CAPABILITIES, capabilities_url(endpoint))
            assert saved is None or (b"sin condiciones" not in saved.data and saved.fetched_at < "2099"), done
            service = cache.get(endpoint)
            assert service is None or "sin condiciones" not in service.title, done
            found = find_map_records(document, (), store)
            assert terms_for(found[endpoint], service).credit_required is Decision.YES, done
            plan = make_plan(document, {endpoint: service} if service is not None else {}, found,
                             snapshot=shown.descriptions if shown is not None else SnapshotDescriptions())
            assert service is not None or shown is not None or not plan.layers, done
            for layer in plan.layers:
                assert layer.credit_required is Decision.YES and any(CREDIT in line for line in layer.rights), done
    finally:
        tasks.shutdown()
        store.close()


def test_the_legends_of_a_snapshot_answer_for_its_own_map_only(network, hostile):
    """A snapshot stores the answers to requests by their addresses: another map sends them to the server."""
    index = json.loads((hostile / "legends" / "index.json").read_text("utf-8"))["answers"]
    url = next(answer["url"] for answer in index if answer["media_type"].startswith("image/"))
    document = small_map(network, extent=AREA)
    services = tasks.run_and_wait(lambda feedback: ServiceCache().get_or_fetch_all(
        [entry.endpoint for entry in document.entries], feedback), patience(30))
    live = make_plan(document, services, known_records(network))
    shown = with_snapshot(live, tasks.run_and_wait(lambda _feedback: load_snapshot(hostile, ServiceCache()),
                                                   patience(30)))
    begun = network.count("GetLegendGraphic")
    send = legend_request_sender(shown.layers, None)
    assert tasks.run_and_wait(lambda _feedback: send(Request(HttpMethod.GET, url)), patience(30)).body
    assert network.count("GetLegendGraphic") == begun
    send_live = legend_request_sender(live.layers, None)
    assert tasks.run_and_wait(lambda _feedback: send_live(Request(HttpMethod.GET, url)), patience(30)).body
    assert network.count("GetLegendGraphic") == begun + 1
    # nor are they shown from memory
    memory = LegendStore()
    legends = tasks.run_and_wait(lambda feedback: memory.fetch(shown.layers, 1e5, feedback), patience(30))
    memory.remember(shown.layers, 1e5, legends)
    assert memory.find(shown.layers, 1e5) is not None and memory.known(legend_key(shown.layers[0]))
    assert memory.find(live.layers, 1e5) is None and memory.known(legend_key(live.layers[0])) is None
