"""The test network for tests: ``Network().start()`` runs serve.py as a process of its own, on loopback."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Optional
from urllib.request import Request, urlopen

HERE = Path(__file__).resolve().parent
MAPSERV = Path(os.environ.get("MAPSERV", "/usr/lib/cgi-bin/mapserv"))
#: the folder in which the networks of a whole run keep MapServer's answers
ANSWERS = "CARTOGUIDE_TEST_ANSWERS"

REFERENCE = {
    "endpoint": "facilities",
    "layer": "miradores",
    "code": "MI-000",
    "crs": "EPSG:25830",
    "x": 447500.0,
    "y": 4256500.0,
    "clearance": 2000.0,
}
"""A facility at exactly this place (east, north; metres), with no other within ``clearance`` metres.

Its symbol is drawn centred on it, so the middle of its pixels is the place.
"""


def available() -> bool:
    """Whether MapServer's CGI program is on this machine."""
    return MAPSERV.exists()


class Network:
    """The running network. ``with Network() as network:`` works too.

    ``remember``: MapServer is asked each thing once, in this network or, in a whole run of the tests, in any.
    """

    def __init__(self, node: str = "NODO", max_size: int = 4096, port: int = 0, workdir: Optional[str] = None,
                 remember: bool = False) -> None:
        self.node, self.max_size, self.port, self.remember = node, max_size, port, remember
        self._own = workdir is None
        self.workdir = Path(workdir or tempfile.mkdtemp(prefix="cartoguide-network-"))
        self.url = ""
        self.endpoints: Dict[str, str] = {}
        self._process: Optional[subprocess.Popen[bytes]] = None

    def start(self) -> Network:
        """Start the server and wait until it answers (the first time data are generated: about 15 s)."""
        command = [
            _python(),
            str(HERE / "serve.py"),
            "--json",
            "--watch-stdin",
            "--port",
            str(self.port),
            "--node",
            self.node,
            "--max-size",
            str(self.max_size),
            "--workdir",
            str(self.workdir),
            *(["--answers", os.environ.get(ANSWERS) or str(self.workdir / "answers")] if self.remember else []),
        ]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The test network did not start (exit status {self._process.wait()}).")
        said = json.loads(line)
        self.url, self.endpoints = said["url"], said["endpoints"]
        return self

    def stop(self) -> None:
        """End the server; nothing answers on its port afterwards."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None
        if self._own:
            shutil.rmtree(self.workdir, ignore_errors=True)

    def __enter__(self) -> Network:
        return self.start()

    def __exit__(self, *_: Any) -> None:
        self.stop()

    @property
    def profile_path(self) -> Path:
        """The network profile (JSON) of this server."""
        return self.workdir / "profile.json"

    @property
    def records(self) -> List[Path]:
        """The three service records that the profile names, in the order precipitation, guide, facilities."""
        return [self.workdir / path for path in json.loads(self.profile_path.read_text("utf-8"))["records"]]

    @property
    def editor_records(self) -> List[Path]:
        """The same records as a metadata editor writes them."""
        return [path.parent.parent / "records-editor" / path.name for path in self.records]

    @property
    def dataset_record(self) -> Path:
        """A dataset's record that links to the guide's WMS."""
        return self.workdir / "records-dataset" / "guide.xml"

    @property
    def requests(self) -> List[Dict[str, Any]]:
        """Every request since the last reset: method, path, query, parameters (upper-case names), endpoint, status …"""
        log: List[Dict[str, Any]] = json.loads(self._control("/__log"))
        return log

    def count(self, request: str, endpoint: str = "") -> int:
        """How many requests of this name (GetMap …) came, to one endpoint or all."""
        return sum(
            1
            for seen in self.requests
            if seen["request"].lower() == request.lower() and endpoint in ("", seen["endpoint"])
        )

    def reset(self) -> None:
        """Forget the requests and lift all faults."""
        self._control("/__reset")

    def fault(self, *faults: Dict[str, Any]) -> None:
        """Put these faults in force, instead of the former (netserve/faults.py tells their form)."""
        self._control("/__faults", json.dumps(faults).encode())

    def _control(self, path: str, body: Optional[bytes] = None) -> bytes:
        for attempt in range(3):
            try:
                with urlopen(Request(self.url + path, data=body), timeout=10) as answer:
                    content: bytes = answer.read()
                    return content
            except OSError:
                if attempt == 2:
                    raise
                time.sleep(0.2)
        raise AssertionError


def _python() -> str:
    """This Python where it can generate the data and run the catalogue, else the system's."""
    known = all(importlib.util.find_spec(name) is not None for name in ("numpy", "osgeo"))
    return sys.executable if known else os.environ.get("QGIS_PYTHON", "/usr/bin/python3")
