"""The sources' syntax trees, which all of these tests share."""

from __future__ import annotations

import gc
from typing import Iterator

import pytest

from tests.unit.repository import sources


@pytest.fixture(autouse=True, scope="package")
def trees() -> Iterator[None]:
    """The collector would look through the trees again and again, and they are no garbage until the last test."""
    gc.disable()
    yield
    sources.forget()
    gc.enable()
