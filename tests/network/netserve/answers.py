"""Answers of MapServer kept in a folder, which several servers may share."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from pathlib import Path
from typing import Mapping, Optional

from .bridge import Answer

#: answers that no address stands in, so that they are those of every server with the same data and maps
_PICTURES = re.compile(r"(?i)(?:^|&)request=(?:getmap|getlegendgraphic)(?:&|$)")


class Answers:
    """What MapServer made of each mapfile and query. ``own``: what only one server's mapfiles have, and instead."""

    def __init__(self, folder: Path, own: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._own = folder, own

    def place(self, mapfile: Path, query: str) -> Path:
        """The file of an answer, which is there once it was written."""
        # a test may have written it anew
        text = mapfile.read_text("utf-8")
        if _PICTURES.search(query):
            for written, instead in self._own.items():
                text = text.replace(written, instead)
        return self._folder / hashlib.sha256(f"{text}\0{query}".encode()).hexdigest()

    def read(self, place: Path) -> Optional[Answer]:
        """The answer at a place, or None."""
        try:
            head, _, body = place.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        status, headers = json.loads(head)
        return Answer(status, [(name, value) for name, value in headers], body)

    def write(self, place: Path, answer: Answer) -> None:
        """Keep a good answer. It appears whole."""
        if answer.status == 200:
            part = place.with_name(f"{place.name}.{os.getpid()}-{threading.get_ident()}")
            part.write_bytes(json.dumps([answer.status, answer.headers]).encode() + b"\n" + answer.body)
            os.replace(part, place)
