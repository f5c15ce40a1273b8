"""Sources of legend responses: the network, or the snapshot that a layer shows."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback

from ...core.custommap.model import LayerPlan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.json_document import stored_object
from ...core.request import Request, Response
from ...core.snapshot.manifest import is_safe_path, read_file
from ...core.wms.requests.urls import host_and_path, query_parameters
from ..network.client import fetch

LEGEND_INDEX = "legends/index.json"
RequestSender = Callable[[Request], Response]
#: bytes above which a response is not accepted as a legend
_MAX_BYTES = 64_000_000
_QueryKey = Tuple[Tuple[str, str], ...]


def legend_request_sender(plans: Sequence[LayerPlan], feedback: Optional[QgsFeedback]) -> RequestSender:
    """Return a function that carries the legend requests of ``plans``.

    Layers that show a snapshot are answered from it and never from a server. The function raises CartoguideError if the
    snapshot does not hold the response.
    """
    archives = [
        LegendArchive(Path(folder))
        for folder in dict.fromkeys(plan.snapshot_source.folder for plan in plans if plan.snapshot_source is not None)
    ]
    in_snapshots = [plan for plan in plans if plan.snapshot_source is not None]
    snapshot_services = {host_and_path(plan.address) for plan in in_snapshots}
    snapshot_services |= {host_and_path(plan.wms.legend_url) for plan in in_snapshots
                          if plan.wms is not None and plan.wms.legend_url}

    def send(request: Request) -> Response:
        for archive in archives:
            saved_response = archive.find(request.url)
            if saved_response is not None:
                return saved_response
        if host_and_path(request.url) in snapshot_services:
            raise CartoguideError(tr("The snapshot does not contain it."), request.url)
        return fetch(request, feedback=feedback)

    return send


class LegendArchive:
    """Legend responses saved in a snapshot, by address.

    If the requested scale was not saved, the response for the nearest scale is used.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._responses: Dict[_QueryKey, Tuple[str, int, str]] = {}
        self._keys_by_scale: Dict[_QueryKey, List[Tuple[float, _QueryKey]]] = {}
        for url, file, status, media_type in read_legend_index(folder):
            if not is_safe_path(file):
                continue
            key, bare, scale = _query_keys(url)
            self._responses[key] = (file, status, media_type)
            self._keys_by_scale.setdefault(bare, []).append((scale, key))

    def find(self, url: str) -> Optional[Response]:
        """Return the saved response, or None."""
        key, bare, scale = _query_keys(url)
        entry = self._responses.get(key)
        if entry is None:
            nearest = sorted((abs(saved - scale), other) for saved, other in self._keys_by_scale.get(bare, ()))
            entry = self._responses[nearest[0][1]] if nearest else None
        if entry is None:
            return None
        try:
            return Response(entry[1], {"content-type": entry[2]}, read_file(self._folder, entry[0], _MAX_BYTES), url)
        except CartoguideError:
            return None


def _query_keys(url: str) -> Tuple[_QueryKey, _QueryKey, float]:
    """Return the request as a key, the key without its scale, and the scale."""
    values = sorted((name.upper(), value) for name, value in query_parameters(url))
    service = ("", host_and_path(url))
    scale = next((value for name, value in values if name == "SCALE"), "")
    without_scale = (service, *((name, value) for name, value in values if name != "SCALE"))
    return (service, *values), without_scale, float(scale) if scale.replace(".", "", 1).isdigit() else 0.0



def read_legend_index(folder: Path) -> List[Tuple[str, str, int, str]]:
    """Return (address, file, status, media type) of every saved legend response, or an empty list."""
    try:
        index = stored_object(read_file(folder, LEGEND_INDEX, _MAX_BYTES))
        found = [(str(item["url"]), str(item["file"]), int(item["status"]), str(item["media_type"]))
                 for item in index["answers"]]
    except (CartoguideError, ValueError, KeyError, TypeError, OverflowError):
        return []
    return [entry for entry in found if is_safe_path(entry[1])]
