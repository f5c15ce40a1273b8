"""The service of bench_window.py, a process of its own: 3,000 layers, and all the ways to keep a client waiting.

    window_server.py        prints its address; ends with its standard input

/wms answers like any service, /maps with four layers and images after 0.3 s,
/later after 5 s, /hang never, /trickle/N a byte at a time for N s.
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from pathlib import Path
from typing import Any, Dict
from urllib.parse import parse_qsl

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "network"))

from odd_server import OddServer  # noqa: E402

TINY = bool(os.environ.get("CARTOGUIDE_BENCH_TINY"))
COUNT = 60 if TINY else 3000
LATE = 0.5 if TINY else 5.0
IMAGE_SECONDS = 0.3
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
<Service><Name>WMS</Name><Title>Un servicio grande</Title><OnlineResource xlink:href="{url}"/>
<Fees>Gratuito</Fees><AccessConstraints>none</AccessConstraints></Service><Capability><Request>
<GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get><OnlineResource xlink:href="{url}"/></Get></HTTP>
</DCPType></GetCapabilities>
<GetMap><Format>image/png</Format><DCPType><HTTP><Get>
<OnlineResource xlink:href="{url}"/></Get></HTTP></DCPType></GetMap>
</Request><Exception><Format>XML</Format></Exception>
<Layer><Name>todo</Name><Title>Todas las capas</Title><CRS>EPSG:3042</CRS><CRS>EPSG:25830</CRS><CRS>EPSG:4326</CRS>
<EX_GeographicBoundingBox><westBoundLongitude>-7.5</westBoundLongitude><eastBoundLongitude>-1.6</eastBoundLongitude>
<southBoundLatitude>35.9</southBoundLatitude><northBoundLatitude>38.8</northBoundLatitude></EX_GeographicBoundingBox>
"""
LAYER = """<Layer queryable="1"><Name>capa_{number}</Name><Title>Capa número {number} del año 2016</Title>
<Abstract>Lo que muestra la capa {number}, dicho en unas pocas palabras.</Abstract>
<KeywordList><Keyword>medio ambiente</Keyword><Keyword>capa {number}</Keyword></KeywordList><CRS>EPSG:3042</CRS>
<BoundingBox CRS="EPSG:25830" minx="100000" miny="3.975e+06" maxx="622000" maxy="4.29e+06"/>
<MetadataURL type="ISO19115:2003"><Format>text/xml</Format><OnlineResource xlink:href="{url}metadata={number}"/>
</MetadataURL><Style><Name>default</Name><Title>default</Title><LegendURL width="120" height="60">
<Format>image/png</Format><OnlineResource xlink:href="{url}legend={number}"/></LegendURL></Style></Layer>
"""


def capabilities(url: str, count: int = COUNT) -> bytes:
    """A capabilities document of the shape that MapServer writes, with ``count`` layers."""
    layers = "".join(LAYER.format(number=number, url=url) for number in range(count))
    return (HEAD.format(url=url) + layers + "</Layer></Capability></WMS_Capabilities>").encode()


def picture(query: str) -> bytes:
    """A PNG of half a green, as large as the request says, or of one pixel."""
    values = {name.upper(): value for name, value in parse_qsl(query)}
    width, height = int(values.get("WIDTH", 1)), int(values.get("HEIGHT", 1))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress((b"\0" + b"\0\x80\0\x80" * width) * height, 1)) + chunk(b"IEND", b""))


def main() -> None:
    """Serve until standard input ends."""
    with OddServer() as server:
        def answers(path: str, wait: float, count: int = COUNT, image_wait: float = 0.0) -> Any:
            document = capabilities(f"{server.url}{path}?", count)

            def answer(request: Dict[str, Any]) -> bytes:
                if "GetCapabilities" not in request["query"]:
                    server.stopping.wait(image_wait)
                    return picture(request["query"])
                server.stopping.wait(wait)
                return document

            return answer

        server.files["/wms"] = answers("/wms", 0)
        server.files["/later"] = answers("/later", LATE)
        server.files["/maps"] = answers("/maps", 0, 4, IMAGE_SECONDS)
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
