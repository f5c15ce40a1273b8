"""HTTP requests passed to MapServer by FastCGI, and its responses passed back."""

from __future__ import annotations

import os
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

import fastcgi

MAPSERV = os.environ.get("MAPSERV", "/usr/lib/cgi-bin/mapserv")
PARALLEL = 4
"""Workers at most, each with one request at a time."""
SECONDS = 120

Headers = List[Tuple[str, str]]


class Answer(NamedTuple):
    """Status, headers, body."""

    status: int
    headers: Headers
    body: bytes


class _Worker:
    """One MapServer that takes request after request: starting it and opening PROJ's database cost more than a map."""

    def __init__(self, work: Path) -> None:
        self._socket = fastcgi.listening_socket()
        environment = {
            "MAPSERVER_CONFIG_FILE": str(work / "mapserver.conf"),
            "PATH": "/usr/bin:/bin",
            "HOME": str(work),
            "LC_ALL": "C.UTF-8",
        }
        # it ends with this process, however that ends
        self._process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", MAPSERV], env=environment, cwd=work,
                                         stdin=self._socket, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, variables: Dict[str, str], body: bytes) -> Answer:
        """Return the answer to one request. Raises OSError if the worker ended or took too long."""
        return _split(*fastcgi.ask(self._socket.getsockname(), variables, body, SECONDS))

    def end(self) -> None:
        """End the worker."""
        self._process.kill()
        self._process.wait()
        self._socket.close()


class Bridge:
    """Runs MapServer for one work folder (where mapserver.conf is)."""

    def __init__(self, work: Path, host: str, port: int) -> None:
        self.work, self.host, self.port = work, host, port
        self._slots = threading.BoundedSemaphore(PARALLEL)
        self._idle: List[_Worker] = []
        # a worker would end with the thread that started it
        self._starter = ThreadPoolExecutor(1)

    def run(
        self, mapfile: Path, path: str, query: str, method: str = "GET", body: bytes = b"", content_type: str = ""
    ) -> Answer:
        """Answer of MapServer; 502 if it failed or took over two minutes."""
        variables = {
            "REQUEST_METHOD": method,
            "QUERY_STRING": query,
            "SCRIPT_NAME": path,
            "SERVER_NAME": self.host,
            "SERVER_PORT": str(self.port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "MS_MAPFILE": str(mapfile),
        }
        if method == "POST":
            variables["CONTENT_LENGTH"] = str(len(body))
            variables["CONTENT_TYPE"] = content_type
        else:
            body = b""
        with self._slots:
            try:
                worker = self._idle.pop()
            except IndexError:
                worker = self._starter.submit(_Worker, self.work).result()
            try:
                answer = worker.ask(variables, body)
            except OSError as error:
                worker.end()
                return Answer(502, [("Content-Type", "text/plain")], str(error).encode())
            self._idle.append(worker)
            return answer


def _split(output: bytes, errors: bytes) -> Answer:
    head, mark, body = output.partition(b"\r\n\r\n")
    if not mark:
        head, mark, body = output.partition(b"\n\n")
    if not mark:
        return Answer(502, [("Content-Type", "text/plain")], b"MapServer gave no answer. " + errors[-2000:])
    status = 200
    headers: Headers = []
    for line in head.decode("latin-1").splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == "status":
            status = int(value.split()[0])
        elif value:
            headers.append((name.strip(), value.strip()))
    return Answer(status, headers, body)
