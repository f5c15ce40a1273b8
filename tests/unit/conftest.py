"""Unit tests run without QGIS: where it is not loaded for other tests, it cannot be imported at all."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import Any

from hypothesis import HealthCheck, settings

from tests.examples import examples

FORBIDDEN = {"qgis", "PyQt5", "PyQt6", "processing"}


class _NoQgis(MetaPathFinder):
    """Refuses QGIS and Qt, so that a pure test cannot lean on them by accident."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        if fullname.split(".")[0] in FORBIDDEN:
            raise ImportError(f"{fullname} is not for unit tests")


if "qgis" not in sys.modules:
    sys.meta_path.insert(0, _NoQgis())

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None, max_examples=examples(100),
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")
