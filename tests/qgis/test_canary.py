"""Somebody else's map shows a map, and does nothing else: it reads, sends, tells and holds nothing.

Each row of ``hostile_documents`` is opened in a window of a QGIS of its own, with everything agreed to that is asked,
drawn and exported. A private file, an environment variable, a variable of the person's, a layer of the open project and
a login have words that stand nowhere else. The row passes if no private file was opened, none of these words left in a
request, a picture, a page or a file, no request was sent that nobody agreed to, the window was not held, and everything
ended within 30 s.

This is a slice: of the maps one in EVERY is drawn and exported, of the others only those are drawn that have layers,
what two rows show alike is shown by one of them, and of files and addresses, which one list of sources refuses
(tests/unit/trust), one in EVERY is opened, as is one in EVERY of the maps whose servers are refused. Of logins, which
the same list refuses, and of styles, which tests/qgis/test_foreign_styles.py draws, one in SOME is. ``make canary``
opens, draws and exports all of them, and holds the window to 50 ms of own work. The suite only finds documents that
hold it for as long as they please: what 50 ms of work are depends on the machine and on what runs beside.
"""

from __future__ import annotations

import base64
import ctypes
import getpass
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Iterator, NamedTuple

import pytest
from netserve.faults import one_colour_png
from odd_server import OddServer
from qgis.PyQt.QtGui import QColor, QImage

from tests.qgis import hostile_documents as hostile
from tests.qgis.canary_window import ANSWER, LIMIT
from tests.qgis.print_maps import pixels
from tests.slowness import slowness
from tests.tools import network_faults

ALL = bool(os.environ.get("CARTOGUIDE_CANARY"))
#: milliseconds of own work that the window may be held
HELD = 50.0 if ALL else 500.0
#: how often a document that did nothing else is opened again: caches and clocks are slower beside other processes
MORE_TRIES = 4
#: maps that one QGIS opens
OPENED_BY_ONE = 100
#: seconds after which a QGIS that does not answer is ended. It says itself what took longer than LIMIT
MOST = LIMIT + 15
#: seconds after which the plugin waits no longer for a file, nearly
GIVEN_UP = 25.0
WORDS = {"private file": hostile.FILE, "environment": hostile.ENVIRONMENT, "person's variable": hostile.VARIABLE,
         "layer of the project": hostile.LAYER, "login's name": hostile.USER, "login's password": hostile.PASSWORD}
SECRETS = {"layer name": hostile.LAYER_NAME, "layer": hostile.LAYER, "variable name": hostile.VARIABLE_NAME,
           "variable": hostile.VARIABLE, "environment name": hostile.ENVIRONMENT_NAME, "authcfg": hostile.AUTHCFG,
           "user": hostile.USER, "password": hostile.PASSWORD}
#: what the headless export opens: one of each way to leak, every other one in the suite
HEADLESS = ("virtual layer over a private file, in JSON", "file elsewhere", "login of another server, xyz",
            "login of another server, wfs", "label with: environment variable", "file on the web",
            "wfs of a server that is silent", "expressions in texts",
            "template elsewhere with expressions")[::1 if ALL else 2]


class Opened(NamedTuple):
    """What came of a row: what the window says of itself, and what was noticed outside of it."""

    answer: dict[str, Any]
    requests: list[str]
    elsewhere: list[str]
    opened: list[str]
    ground: hostile.Ground
    out: Path
    former: dict[str, bytes]


class Connections:
    """A port of this machine that notes who connects, and what a client of a database says first."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _address = self._socket.accept()
            except OSError:
                return
            self.seen.append(b"connection")
            with client:
                client.settimeout(2)
                try:
                    said = client.recv(9999)
                    if said[4:8] == struct.pack(">I", 80877103):
                        # no TLS, so that it goes on
                        client.sendall(b"N")
                        said = client.recv(9999)
                    self.seen.append(said)
                    # a password, in plain letters
                    client.sendall(b"R" + struct.pack(">II", 8, 3))
                    self.seen.append(client.recv(9999))
                except OSError:
                    pass

    def close(self) -> None:
        """Take no more connections."""
        # wakes the thread, which would wait in the socket, and keep the port, for ever
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class OpenedFiles:
    """The files of a folder that anybody on this machine opens (inotify)."""

    _OPEN, _DIRECTORY = 0x20, 0x40000000

    def __init__(self, folder: Path) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self._handle = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if library.inotify_add_watch(self._handle, os.fsencode(folder), self._OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def close(self) -> list[str]:
        """Return the names of those that were opened, and watch no longer."""
        names = []
        while select.select([self._handle], [], [], 0.05)[0]:
            data, place = os.read(self._handle, 65536), 0
            while place < len(data):
                _watch, mask, _cookie, length = struct.unpack_from("iIII", data, place)
                name = data[place + 16:place + 16 + length].rstrip(b"\0").decode()
                if not mask & self._DIRECTORY:
                    names.append(name)
                place += 16 + length
        os.close(self._handle)
        return sorted(set(names))


class Canary:
    """Opens rows in a QGIS of its own, which is started again where one did not end."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._number, self._opened = folder, 0, 0
        self._process: subprocess.Popen[str] | None = None
        self._errors: Any = None

    def open(self, row: hostile.Row, how: str = "window", agree: bool = True, whole: bool = True) -> Opened:
        """Build a row and open it. Where not ``whole``, it need not be exported, nor drawn if it has no layers."""
        self._number += 1
        place = self._folder / str(self._number)
        for name in ("open", "private", "out"):
            (place / name).mkdir(parents=True)
        connections = Connections()
        with OddServer() as server, OddServer() as login_server:
            ground = hostile.Ground(place / "open", place / "private", server.url, login_server.url, connections.port)
            hostile.lay_out(ground)
            furnish(server, server.url)
            # the service is where the login is, its images are not
            login_server.files["/wms"] = re.sub(
                "<GetMap>.*?</GetMap>", lambda found: found[0].replace(login_server.url, server.url),
                network_faults.capabilities(login_server.url), flags=re.DOTALL).encode()
            path = row.build(ground)
            server.files.update(row.served(ground))
            former = hostile.private_files(ground)
            watched = OpenedFiles(ground.private)
            answer = self._ask({"path": str(path), "out": str(place / "out"), "agree": agree, "how": how,
                                "whole": whole, "secrets": SECRETS, "private": str(ground.private),
                                "server": server.url, "login_server": login_server.url}, connections.port)
            opened = watched.close()
            connections.close()
            requests = [f"{seen['method']} {seen['path']}?{seen['query']} {seen['headers']} {seen['body']}"
                        for seen in server.requests]
            requests += [f"database: {said!r}" for said in connections.seen]
            elsewhere = [f"{seen['path']}?{seen['query']}" for seen in login_server.requests]
        found = Opened(answer, requests, elsewhere, opened, ground, place / "out", former)
        if leaks(row, found, agree):
            # what it began may go on in the next row
            self.end()
        return found

    def _ask(self, order: dict[str, Any], port: int) -> dict[str, Any]:
        # read whenever such a database is opened
        service_file = self._folder / "pg_service.conf"
        service_file.write_text(hostile.service_file(port), "utf-8")
        if self._process is None:
            self._start(service_file)
        answer = self._answer(order, MOST)
        if answer is None:
            self.end()
            return {"unfinished": ["the window"], "held": 1000 * MOST, "asked": [], "said": [], "drawn": "",
                    "layers": []}
        return answer

    def _start(self, service_file: Path) -> None:
        folder = self._folder / f"qgis-{self._number}"
        folder.mkdir()
        self._errors = (folder / "errors.txt").open("w", encoding="utf-8")
        environment = {**os.environ, hostile.ENVIRONMENT_NAME: hostile.ENVIRONMENT, "PGSERVICEFILE": str(service_file),
                       "PGPASSWORD": hostile.PASSWORD}
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("canary_window.py")), str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._errors, text=True, env=environment,
            start_new_session=True)
        first = {name: folder / name for name in ("open", "private", "out")}
        for path in first.values():
            path.mkdir()
        sound = hostile.sound_file(hostile.Ground(first["open"], first["private"], "", "", 0))
        # the first map imports what the others use
        assert self._answer({"path": str(sound), "out": str(first["out"]), "agree": True, "secrets": SECRETS,
                             "login_server": "http://127.0.0.1:9"}, 120), (folder / "errors.txt").read_text()

    def _answer(self, order: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """The answer to an order, or None where none comes in time or the process ended."""
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({**order, "limit": LIMIT * slowness()}) + "\n")
        self._process.stdin.flush()
        timer = threading.Timer(seconds * slowness(), lambda: os.killpg(self._process.pid, signal.SIGKILL))
        timer.start()
        try:
            for line in self._process.stdout:
                if line.startswith(ANSWER):
                    return dict(json.loads(line[len(ANSWER):]))
            return None
        finally:
            timer.cancel()

    def begin_anew_after(self, count: int) -> None:
        """Begin with a fresh QGIS where this one has opened so many maps."""
        self._opened += 1
        if self._opened > count:
            self._opened = 0
            self.end()

    def end(self) -> None:
        """End the QGIS, whatever holds it."""
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout, self._errors):
                if stream is not None:
                    stream.close()
            self._process = None


def furnish(server: OddServer, base: str) -> None:
    """Give the server what the layers of the rows ask for, so that they would be drawn."""
    tile = one_colour_png(64, 64, "#00a000")
    point = json.dumps({"type": "FeatureCollection", "features": []}).encode()

    def missing(kind: bytes) -> Any:
        return lambda _request: kind

    server.files.update({"/wms": lambda request: network_faults.capabilities(base).encode() if
                         "GETCAPABILITIES" in request["query"].upper() else tile, "/a.geojson": missing(point),
                         "/a.svg": missing(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
                         "/a.png": missing(tile)})


def leaks(row: hostile.Row, found: Opened, agree: bool = True) -> list[str]:
    """What a row learned, sent, told or held."""
    answer, problems = found.answer, []
    if found.opened:
        problems.append(f"private files were opened: {', '.join(found.opened)}")
    if found.requests and not (row.asks and agree):
        problems.append(f"{len(found.requests)} request(s) that nobody agreed to: {found.requests[0][:150]}")
    if found.elsewhere and not (row.both and agree):
        problems.append(f"{len(found.elsewhere)} request(s) to another server: {found.elsewhere[0][:150]}")
    if any(f"user\\x00{getpass.getuser()}\\x00" in request for request in found.requests):
        problems.append("the name of the person in a request")
    for request in found.requests:
        problems += [f"{name} in a request: {request[:150]}" for name, word in WORDS.items() if word in plain(request)]
        if "'Authorization'" in request:
            problems.append(f"a login in a request: {request[:150]}")
    if str(found.ground.folder) in answer["drawn"]:
        problems.append("the path of the folder on the map")
    shown = " ".join([answer["drawn"], *answer["said"], *answer.get("rows", ()), *answer["asked"], *answer["layers"]])
    problems += [f"{name} in the window" for name, word in WORDS.items() if word in shown]
    for path in sorted(found.out.iterdir()):
        text = written_text(path)
        problems += [f"{name} in {path.name}" for name, word in WORDS.items() if word in text]
        if path.suffix == ".png" and shows_leak(path):
            problems.append(f"the colour of a leak in {path.name}")
    now = hostile.private_files(found.ground)
    problems += [f"{name} was changed" for name in sorted(set(now) | set(found.former))
                 if now.get(name) != found.former.get(name)]
    problems += [f"the library learned: {what}" for what in answer.get("learned", ())]
    if not answer.get("knows", True):
        problems.append("the library has not the record that nothing may change")
    problems += [f"{what} did not end" for what in answer["unfinished"]]
    if not row.asks and answer.get("opened in", 0.0) > GIVEN_UP:
        problems.append("a file was given up, and is read on for ever")
    if answer["held"] > HELD:
        problems.append(f"the window was held for {answer['held']:.0f} ms")
    if len(answer["asked"]) > 1:
        problems.append(f"{len(answer['asked'])} questions")
    return list(dict.fromkeys(problems))


def plain(request: str) -> str:
    """A request with what it has in base64 unpacked."""
    packed = re.findall(r"Basic ([A-Za-z0-9+/=]+)", request)
    return request + "".join(base64.b64decode(one).decode("utf-8", "replace") for one in packed)


def written_text(path: Path) -> str:
    """What a written file says, as it is and as a reader shows it."""
    text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
    if path.suffix == ".pdf":
        text += subprocess.run(["pdftotext", "-raw", str(path), "-"], capture_output=True, check=False).stdout.decode()
    return text


def shows_leak(path: Path) -> bool:
    """Whether a picture has the colour that only a leak draws."""
    wanted = QColor(hostile.LEAK_COLOUR)
    seen = pixels(QImage(str(path)))[::3, ::3, :3]
    return bool((seen == (wanted.blue(), wanted.green(), wanted.red())).all(axis=2).any())


@pytest.fixture(scope="module")
def canary(qgis_app, tmp_path_factory) -> Iterator[Canary]:
    made = Canary(tmp_path_factory.mktemp("canary"))
    yield made
    made.end()


def opened_without_a_leak(canary: Canary, row: hostile.Row, how: str = "window", agree: bool = True,
                          whole: bool = True) -> Opened:
    canary.begin_anew_after(OPENED_BY_ONE)
    found = canary.open(row, how, agree, whole)
    problems = leaks(row, found, agree)
    if "the window did not end" in problems:
        # a QGIS that has opened many maps may end by itself: what this document does it does in a fresh one too
        canary.end()
        found = canary.open(row, how, agree, whole)
        problems = leaks(row, found, agree)
    for _ in range(MORE_TRIES):
        if not (len(problems) == 1 and "was held" in problems[0]) or found.answer["held"] > 10 * HELD:
            break
        # Python's collection of all objects is no doing of this document: it is not there every time
        found = canary.open(row, how, agree, whole)
        problems = leaks(row, found, agree)
    assert problems == [], "\n".join([*problems, *found.answer["said"], *found.answer["layers"]])
    return found


#: of how many maps one is exported, and drawn though it has no layers
EVERY = 8
#: of how many maps with a style or a login one is opened, and of how many of these with texts and colours one exported
SOME = 3
#: servers without end take half a minute each: the suite has two, ``make canary`` all of them
_SHORT = ("wfs of a server that never stops", "wms of a server that is silent")
#: in each container one payload, by each expression a label or a colour
_TURNS = ("virtual layer over a private file, in", "style that sends a variable, in"), ("label with:", "colour by:")


def chosen() -> list[str]:
    """The names of all rows, or of the slice of the suite."""
    left_out: set[str] = set()
    for pair in _TURNS:
        rows = [[name for name in hostile.ROWS if name.startswith(words)] for words in pair]
        left_out |= {names[number % 2] for number, names in enumerate(zip(*rows))}
    for alike, every in ((hostile.files, EVERY), (hostile.addresses, EVERY), (hostile.styles, SOME),
                         (hostile.logins, SOME)):
        names = [name for name in dict(alike()) if name not in left_out]
        left_out |= set(names) - set(names[::every])
    return [name for name in hostile.ROWS if ALL or (
        name not in left_out and (" of a server that " not in name or name in _SHORT))]


CHOSEN = chosen()
CHOSEN_SERVERS = [name for name in CHOSEN if hostile.ROWS[name].asks]
_STYLED = [name for name in CHOSEN if name.startswith(("label", "colour", "style that sends"))]
#: those about the page, and texts and colours of layers, which a page may take from elsewhere than a window
WHOLE = {*CHOSEN[::1 if ALL else EVERY], *dict(hostile.other_members()), *_STYLED[::1 if ALL else SOME]}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_hostile_map_learns_sends_tells_and_holds_nothing(canary, name):
    opened_without_a_leak(canary, hostile.ROWS[name], whole=name in WHOLE)


@pytest.mark.parametrize("name", CHOSEN_SERVERS[::1 if ALL else EVERY])
def test_a_map_whose_servers_are_refused_requests_nothing(canary, name):
    row = hostile.ROWS[name]
    if name == "service with a login whose images are elsewhere":
        pytest.skip("a service of the map, not an own layer")
    opened_without_a_leak(canary, row, agree=False, whole=name in WHOLE)


@pytest.mark.parametrize("name", HEADLESS)
def test_a_hostile_map_that_is_exported_headless_does_nothing_either(canary, name):
    found = opened_without_a_leak(canary, hostile.ROWS[name]._replace(asks=False), how="headless")
    assert found.requests == []


def test_sound_maps_of_others_open_as_ever(canary):
    """Without it, a window that opens nothing would pass."""
    found = opened_without_a_leak(canary, hostile.Row(hostile.sound_file))
    assert "NADA" in found.answer["drawn"] and found.answer["pdf"] == "written"
    # else nothing of it could be seen to change
    assert found.answer["knows"], "the bundled record was not found"
    found = opened_without_a_leak(canary, hostile.Row(hostile.sound_service, asks=True))
    assert any("/xyz/" in request for request in found.requests)


@pytest.mark.slow
def test_every_kind_of_leak_is_noticed(canary):
    """Without it, a judge that sees nothing would pass."""
    found = canary.open(hostile.Row(hostile.sound_file), how="leak")
    said = "\n".join(leaks(hostile.Row(hostile.sound_file), found))
    for words in ("canary.geojson", "private file in a request", "environment in a request",
                  "login's password in a request", "a login in a request", "1 request(s)",
                  "layer of the project in map.txt", "person's variable in the window", "a job did not end",
                  "the window was held"):
        assert words in said, said
