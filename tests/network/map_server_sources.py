"""A real MapServer with features (WFS) and a coverage (WCS) of the park, which fails when it is told to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Tuple

from odd_server import OddServer
from source_server import EAST, FEATURES, NORTH, SOUTH, WEST, geotiff, place

PROGRAM = Path(os.environ.get("MAPSERV", "/usr/lib/cgi-bin/mapserv"))
#: features that an answer has at most
MOST = 100
_MAP = """MAP NAME "sources" EXTENT {west} {south} {east} {north} SIZE 100 100 UNITS dd PROJECTION "init=epsg:4326" END
WEB METADATA "ows_title" "Sources" "ows_onlineresource" "{url}/ms?" "ows_enable_request" "*"
 "ows_srs" "EPSG:4326 EPSG:3857 EPSG:25830" "wfs_maxfeatures" "{most}" END END
OUTPUTFORMAT NAME "GTiff" DRIVER "GDAL/GTiff" MIMETYPE "image/tiff" IMAGEMODE BYTE EXTENSION "tif" END
LAYER NAME "points" TYPE POINT STATUS ON CONNECTIONTYPE OGR CONNECTION "{folder}/points.geojson" DATA "points"
 PROJECTION "init=epsg:4326" END METADATA "ows_title" "Points" "gml_include_items" "all" "gml_featureid" "number"
 "wfs_srs" "EPSG:4326 EPSG:25830" END END
LAYER NAME "relief" TYPE RASTER STATUS ON DATA "{folder}/relief.tif" PROJECTION "init=epsg:4326" END
 METADATA "ows_title" "Relief" "wcs_label" "Relief" "wcs_rangeset_name" "r" "wcs_rangeset_label" "R" END END
END
"""


def available() -> bool:
    """Whether MapServer is on this machine."""
    return PROGRAM.exists()


class MapServerSources(OddServer):
    """``sources`` has provider and source of a layer of each kind, as ``SourceServer`` has them."""

    def __enter__(self) -> MapServerSources:
        super().__enter__()
        self._folder = Path(tempfile.mkdtemp(prefix="cartoguide-mapserver-"))
        features = [{"type": "Feature", "properties": {"number": number, "name": f"{number:04}"},
                     "geometry": {"type": "Point", "coordinates": place(number)}} for number in range(FEATURES)]
        (self._folder / "points.geojson").write_text(json.dumps(
            {"type": "FeatureCollection", "name": "points", "features": features}))
        (self._folder / "relief.tif").write_bytes(geotiff())
        (self._folder / "sources.map").write_text(_MAP.format(
            url=self.url, folder=self._folder, most=MOST, west=WEST, south=SOUTH, east=EAST, north=NORTH))
        (self._folder / "config").write_text('CONFIG ENV MS_MAP_PATTERN "." END END\n')
        self._answered: Dict[str, bytes] = {}
        self.files["/ms"] = self._ask
        wfs = f"pagingEnabled='true' url='{self.url}/ms'"
        self.sources: Dict[str, Tuple[str, str, str]] = {
            **{f"WFS {version}": ("vector", "WFS", f"{wfs} version='{version}' srsname='EPSG:{code}' typename='{name}'")
               for version, code, name in (("1.0.0", 4326, "points"), ("1.1.0", 25830, "points"),
                                           ("2.0.0", 4326, "ms:points"))},
            "WCS": ("raster", "wcs", f"cache=AlwaysNetwork&crs=EPSG:4326&format=GTiff&identifier=relief&version=1.0.0"
                                     f"&url={self.url}/ms")}
        return self

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _ask(self, request: Dict[str, Any]) -> bytes:
        """What MapServer answers, or answered before: each start of it takes a tenth of a second."""
        if (known := self._answered.get(request["query"])) is not None:
            return known
        done = subprocess.run([str(PROGRAM)], stdout=subprocess.PIPE, check=False, env={
            "MAPSERVER_CONFIG_FILE": str(self._folder / "config"), "MS_MAPFILE": str(self._folder / "sources.map"),
            "REQUEST_METHOD": "GET", "QUERY_STRING": request["query"], "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        self._answered[request["query"]] = answer = done.stdout.partition(b"\r\n\r\n")[2]
        return answer
