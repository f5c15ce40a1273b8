"""HTTP requests passed to MapServer's CGI, and its responses passed back."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path
from typing import List, NamedTuple, Tuple

MAPSERV = os.environ.get("MAPSERV", "/usr/lib/cgi-bin/mapserv")
PARALLEL = 4
"""CGI processes at a time."""

Headers = List[Tuple[str, str]]


class Answer(NamedTuple):
    """Status, headers, body."""

    status: int
    headers: Headers
    body: bytes


class Bridge:
    """Runs MapServer for one work folder (where mapserver.conf is)."""

    def __init__(self, work: Path, host: str, port: int) -> None:
        self.work, self.host, self.port = work, host, port
        self._slots = threading.BoundedSemaphore(PARALLEL)

    def run(
        self, mapfile: Path, path: str, query: str, method: str = "GET", body: bytes = b"", content_type: str = ""
    ) -> Answer:
        """Answer of MapServer; 502 if it failed or took over two minutes."""
        environment = {
            "REQUEST_METHOD": method,
            "QUERY_STRING": query,
            "SCRIPT_NAME": path,
            "SERVER_NAME": self.host,
            "SERVER_PORT": str(self.port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "MAPSERVER_CONFIG_FILE": str(self.work / "mapserver.conf"),
            "MS_MAPFILE": str(mapfile),
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.work),
            "LC_ALL": "C.UTF-8",
        }
        if method == "POST":
            environment["CONTENT_LENGTH"] = str(len(body))
            environment["CONTENT_TYPE"] = content_type
        with self._slots:
            try:
                done = subprocess.run(
                    [MAPSERV], env=environment, cwd=self.work, input=body, capture_output=True, timeout=120
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                return Answer(502, [("Content-Type", "text/plain")], str(error).encode())
        return _split(done.stdout, done.stderr)


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
