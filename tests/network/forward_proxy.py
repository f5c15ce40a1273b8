"""A real forward proxy (tinyproxy) on loopback for one ``with`` block, with or without a login."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import List, Optional, Tuple

PROGRAM = shutil.which("tinyproxy") or "/usr/sbin/tinyproxy"


class ForwardProxy:
    """``host`` and ``port`` are where it answers; ``requests`` what it was asked to carry."""

    host = "127.0.0.1"

    def __init__(self, login: Optional[Tuple[str, str]] = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="cartoguide-proxy-"))
        self._log = self._folder / "log"
        with socket.socket() as free:
            free.bind((self.host, 0))
            self.port = free.getsockname()[1]
        lines = [f"Port {self.port}", f"Listen {self.host}", f"Allow {self.host}", f'LogFile "{self._log}"',
                 f'PidFile "{self._folder / "pid"}"', "LogLevel Connect", "Timeout 60", "MaxClients 50"]
        if login:
            lines.append(f"BasicAuth {login[0]} {login[1]}")
        (self._folder / "conf").write_text("\n".join(lines) + "\n", encoding="ascii")

    @property
    def requests(self) -> List[str]:
        """The request lines that came, in their order; those that were turned away for want of a login too."""
        text = self._log.read_text("utf-8", "replace") if self._log.is_file() else ""
        return [line.split("): ", 1)[1] for line in text.splitlines() if "Request (file descriptor" in line]

    def __enter__(self) -> ForwardProxy:
        self._process = subprocess.Popen([PROGRAM, "-d", "-c", str(self._folder / "conf")], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with socket.socket() as knock:
                if knock.connect_ex((self.host, self.port)) == 0:
                    return self
            time.sleep(0.02)
        raise RuntimeError("the proxy did not start")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)
        shutil.rmtree(self._folder, ignore_errors=True)
