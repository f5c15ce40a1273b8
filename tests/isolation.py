"""A QGIS of its own for a tool: nothing is read from the person's profile, and nothing is left in it."""

from __future__ import annotations

import os
from pathlib import Path

_VARIABLES = {"XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
              "XDG_RUNTIME_DIR": "runtime"}


def isolate(folder: Path) -> None:
    """Point this process and those it starts to ``folder`` for caches and settings, off the screen and past any proxy.

    Call it before QGIS is imported.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for variable, name in _VARIABLES.items():
        (folder / name).mkdir(mode=0o700, exist_ok=True)
        os.environ[variable] = str(folder / name)
    # a profile's folder that the process which started this one was given: QGIS 3.40 prefers it to any other
    os.environ.pop("QGIS_CUSTOM_CONFIG_PATH", None)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
