"""QGIS Server for tests: workers of the real ``qgis_mapserv.fcgi`` on one loopback socket, with requests by FastCGI.

The workers have no plugin and no profile: what they draw is what any QGIS Server draws of the project.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple
from urllib.parse import urlencode

import fastcgi

PROGRAM = Path(os.environ.get("QGIS_MAPSERV", "/usr/lib/cgi-bin/qgis_mapserv.fcgi"))
#: what leads to a QGIS that was built to another place (Makefile)
_BUILD_VARIABLES = ("QGIS_PREFIX_PATH", "LD_LIBRARY_PATH", "PYTHONPATH") if os.environ.get("QGIS_PREFIX") else ()


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
        self._socket = fastcgi.listening_socket()
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
        return _answer(fastcgi.ask(self._socket.getsockname(), variables, b"", seconds)[0])


def _answer(raw: bytes) -> Answer:
    head, _, body = raw.partition(b"\r\n\r\n") if b"\r\n\r\n" in raw else raw.partition(b"\n\n")
    pairs: List[Tuple[str, str]] = [(name.strip().lower(), value.strip()) for name, _, value in
                                    (line.partition(":") for line in head.decode("latin-1").splitlines())]
    headers = dict(pairs)
    return Answer(int(headers.get("status", "200").split()[0]), headers, body)
