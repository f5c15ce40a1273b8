"""What the tests on PyQt6 share."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest


@pytest.fixture(scope="session")
def pyqt6():
    """PyQt6, without which a test is skipped."""
    try:
        version("PyQt6")
    except PackageNotFoundError:
        pytest.skip("PyQt6 is not installed")
