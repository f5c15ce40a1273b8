"""Credits of the tile services that describe themselves nowhere: the table of well-known tile hosts."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, List, Mapping, Optional
from urllib.parse import urlsplit

from ..i18n import tr
from ..resources import RESOURCES
from .source_kind import ProviderInfo

_SWITCH = re.compile(r"\{switch:([^,{}]*)(?:,[^{}]*)?\}")
#: where QGIS takes the heights of a view in 3D from, if its terrain is "online"
ONLINE_TERRAIN = "https://s3.amazonaws.com/elevation-tiles-prod/terrarium/"
TILE_HOSTS_FILE = RESOURCES / "tiles.json"


def one_server(address: str) -> str:
    """Return an address with the first of the servers that QGIS chooses from: ``{switch:a,b,c}``."""
    return _SWITCH.sub(r"\1", address)


def tile_host_info(address: str) -> Optional[ProviderInfo]:
    """Return the credit and licence that the publisher of a well-known tile host requires, or None for other hosts."""
    try:
        parts = urlsplit(one_server(address))
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    for entry in _tile_hosts():
        # a host of many publishers is listed with the folder of one
        if any((host == listed or host.endswith(f".{listed}")) and f"{parts.path}/".startswith(f"/{folder}")
               for listed, _slash, folder in (name.partition("/") for name in entry["hosts"])):
            return ProviderInfo(credit=entry["credit"],
                                licence=", ".join(filter(None, (entry["licence"], entry["licence_url"]))),
                                licence_url=entry["licence_url"], url=entry["url"],
                                origin=tr("the publisher’s website"))
    return None


@lru_cache(maxsize=1)
def _tile_hosts() -> List[Mapping[str, Any]]:
    return list(json.loads(TILE_HOSTS_FILE.read_text(encoding="utf-8"))["services"])
