"""QGIS Server for tests: workers of the real ``qgis_mapserv.fcgi`` on one loopback socket, with requests by FastCGI.

The workers have no plugin and no profile: what they draw is what any QGIS Server draws of the project.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple
from urllib.parse import urlencode

PROGRAM = Path(os.environ.get("QGIS_MAPSERV", "/usr/lib/cgi-bin/qgis_mapserv.fcgi"))
#: what leads to a QGIS that was built to another place (Makefile)
_BUILD_VARIABLES = ("QGIS_PREFIX_PATH", "LD_LIBRARY_PATH", "PYTHONPATH") if os.environ.get("QGIS_PREFIX") else ()
#: FastCGI's record types and its one role here (FastCGI specification 1.0, 8)
_BEGIN, _END, _PARAMS, _STDIN, _STDOUT, _STDERR = 1, 3, 4, 5, 6, 7
_RESPONDER = 1


class Answer(NamedTuple):
    """Status, headers (lower-case names), body."""

    status: int
    headers: Dict[str, str]
    body: bytes


def available() -> bool:
    """Whether QGIS Server is on this machine."""
    return PROGRAM.exists()


class QgisServer:
    """``workers`` processes that take requests from one socket, as behind nginx; ``ask`` sends one request."""

    def __init__(self, workers: int = 1, **settings: str) -> None:
        self._home = tempfile.mkdtemp(prefix="cartoguide-server-")
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(16)
        environment = {
            **{name: os.environ[name] for name in _BUILD_VARIABLES},
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": self._home,
            "QT_QPA_PLATFORM": "offscreen", "QGIS_OPTIONS_PATH": self._home, "QGIS_CUSTOM_CONFIG_PATH": self._home,
            "XDG_CACHE_HOME": self._home, "XDG_RUNTIME_DIR": self._home, "NO_PROXY": "*", "no_proxy": "*",
            "QGIS_PLUGINPATH": self._home, "QGIS_SERVER_LOG_STDERR": "1", "QGIS_SERVER_LOG_LEVEL": "1", **settings}
        self.log = Path(self._home) / "log"
        self._workers: List[subprocess.Popen[bytes]] = []
        for _ in range(workers):
            with self.log.open("ab") as log:
                # a listening socket as standard input is how FastCGI programs are started (2.2)
                self._workers.append(subprocess.Popen([str(PROGRAM)], stdin=self._socket, stdout=subprocess.DEVNULL,
                                                      stderr=log, env=environment))

    def __enter__(self) -> QgisServer:
        return self

    def __exit__(self, *_: Any) -> None:
        for worker in self._workers:
            worker.kill()
            worker.wait()
        self._socket.close()
        shutil.rmtree(self._home, ignore_errors=True)

    def ask(self, seconds: float = 240.0, **parameters: str) -> Answer:
        """The answer to one GET with these parameters."""
        query = urlencode(parameters)
        variables = {
            "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "GET", "QUERY_STRING": query, "SCRIPT_NAME": "/ogc",
            "REQUEST_URI": f"/ogc?{query}", "SERVER_NAME": "maps.test", "SERVER_PORT": "80", "HTTP_HOST": "maps.test",
            "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1"}
        packed = b"".join(_pair(name.encode(), value.encode()) for name, value in variables.items())
        with socket.create_connection(self._socket.getsockname(), timeout=seconds) as connection:
            connection.sendall(_record(_BEGIN, struct.pack(">HB5x", _RESPONDER, 0)) + _record(_PARAMS, packed)
                               + _record(_PARAMS, b"") + _record(_STDIN, b""))
            return _answer(_read_all(connection))


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content


def _pair(name: bytes, value: bytes) -> bytes:
    return b"".join(struct.pack(">B", len(text)) if len(text) < 128 else struct.pack(">I", len(text) | 0x80000000)
                    for text in (name, value)) + name + value


def _read_all(connection: socket.socket) -> bytes:
    """What the program wrote to its standard output, until its request ends."""
    body = bytearray()
    stream = connection.makefile("rb")
    while head := stream.read(8):
        _version, kind, _number, length, padding = struct.unpack(">BBHHBx", head)
        content = stream.read(length)
        stream.read(padding)
        if kind == _STDOUT:
            body += content
        elif kind == _END:
            break
    return bytes(body)


def _answer(raw: bytes) -> Answer:
    head, _, body = raw.partition(b"\r\n\r\n") if b"\r\n\r\n" in raw else raw.partition(b"\n\n")
    pairs: List[Tuple[str, str]] = [(name.strip().lower(), value.strip()) for name, _, value in
                                    (line.partition(":") for line in head.decode("latin-1").splitlines())]
    headers = dict(pairs)
    return Answer(int(headers.get("status", "200").split()[0]), headers, body)
