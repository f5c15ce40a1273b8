"""A loopback server in its own thread for one ``with`` block. A handler class decides its responses."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _IPv6Server(ThreadingHTTPServer):
    address_family = socket.AF_INET6


class LoopbackServer:
    """``url`` is its address; ``stopping`` is set at the end of the block, for handlers that wait."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], host: str = "127.0.0.1") -> None:
        self.stopping = threading.Event()
        # else the body of an answer waits until the client has confirmed its headers: 40 ms for each request
        handler.disable_nagle_algorithm = True
        self._http = (_IPv6Server if ":" in host else ThreadingHTTPServer)((host, 0), handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that leave are no error
        named = f"[{host}]" if ":" in host else host
        self.url = f"http://{named}:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self):  # type: ignore[no-untyped-def]
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
