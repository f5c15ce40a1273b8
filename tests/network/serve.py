#!/usr/bin/python3
"""Serves the test network on loopback until killed: ``serve.py [--port N] [--node NODE]``.

Needs the standard library, numpy and GDAL's Python module (for the data, once) and /usr/lib/cgi-bin/mapserv.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import make_data  # noqa: E402
from netserve.app import Handler, Server, State  # noqa: E402
from netserve.mapfiles import ENDPOINTS, endpoint_path  # noqa: E402

TEMPORARY = "cartoguide-network-"
"""How the names of folders begin that are taken away at the end."""


def data_root() -> Path:
    """Where generated data are kept: build/network of the repository, or the temporary folder if that is read-only."""
    root = HERE.parents[1] / "build" / "network"
    try:
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK):
            return root
    except OSError:
        pass
    return Path(tempfile.gettempdir()) / f"cartoguide-network-{os.getuid()}"


def main() -> None:
    """Parse the arguments, start, say where, serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--node", default="NODO")
    parser.add_argument("--max-size", type=int, default=4096)
    parser.add_argument("--workdir")
    parser.add_argument("--json", action="store_true", help="say where as one line of JSON")
    parser.add_argument("--watch-stdin", action="store_true", help="end when standard input is closed")
    parser.add_argument("--answers", type=Path, help="a folder for answers: MapServer is asked each thing once")
    options = parser.parse_args()
    work = Path(options.workdir or tempfile.mkdtemp(prefix=TEMPORARY))
    work.mkdir(parents=True, exist_ok=True)

    def leave(*_: Any) -> None:
        if work.name.startswith(TEMPORARY):
            shutil.rmtree(work, ignore_errors=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, leave)
    if options.watch_stdin:

        def watch() -> None:
            sys.stdin.buffer.read()
            leave()

        threading.Thread(target=watch, daemon=True).start()
    data = make_data.ensure(data_root())
    server = Server(("127.0.0.1", options.port), Handler)
    url = f"http://127.0.0.1:{server.server_address[1]}"
    server.state = State(work, data, url, options.node, options.max_size, options.answers)
    endpoints = {e.key: f"{url}{endpoint_path(options.node, e.suffix)}?" for e in ENDPOINTS}
    profile = work / "profile.json"
    if options.json:
        print(json.dumps({"url": url, "profile": str(profile), "endpoints": endpoints}), flush=True)
    else:
        print(f"{url}\n{profile}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
