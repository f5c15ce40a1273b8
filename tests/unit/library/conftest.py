"""Ground of the tests of the record library: an empty store. Lets them share small_records.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Iterator

import pytest

from plugin.core.library.record_store import RecordStore

sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RecordStore]:
    """An empty store in the test's own folder."""
    made = RecordStore(tmp_path / "records.sqlite")
    yield made
    made.close()
