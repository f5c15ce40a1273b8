"""A loopback WMS that may demand a login and may name other hosts for its operations; it notes what it receives."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from http.server import BaseHTTPRequestHandler
from typing import Any, Dict, List, Optional
from urllib.parse import parse_qsl, urlsplit

from loopback import LoopbackServer

USER, PASSWORD = "someone", "secret"
BASIC = "Basic " + b64encode(f"{USER}:{PASSWORD}".encode()).decode()
#: the pixels of an image's stripes: those of the map are green and white
GREEN, WHITE = b"\x20\xa0\x40", b"\xff\xff\xff"

_CAPABILITIES = """<?xml version="1.0"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:sld="http://www.opengis.net/sld">
<Service><Name>WMS</Name><Title>Made service</Title><OnlineResource xlink:href="{own}"/></Service>
<Capability><Request>
<GetCapabilities><Format>text/xml</Format>{capabilities}</GetCapabilities>
<GetMap><Format>image/png</Format>{map}</GetMap>
<GetFeatureInfo><Format>text/plain</Format>{info}</GetFeatureInfo>
<sld:GetLegendGraphic><Format>image/png</Format>{legend}</sld:GetLegendGraphic>
<sld:DescribeLayer><Format>text/xml</Format>{describe}</sld:DescribeLayer>
</Request><Exception><Format>XML</Format></Exception>
<Layer><Title>Root</Title><CRS>EPSG:25830</CRS><CRS>EPSG:4326</CRS>
<EX_GeographicBoundingBox><westBoundLongitude>-4</westBoundLongitude><eastBoundLongitude>-3</eastBoundLongitude>
<southBoundLatitude>38</southBoundLatitude><northBoundLatitude>39</northBoundLatitude></EX_GeographicBoundingBox>
<BoundingBox CRS="EPSG:25830" minx="411000" miny="4205000" maxx="500000" maxy="4317000"/>
<Layer queryable="1"><Name>parks</Name><Title>Parks</Title>
<Style><Name>default</Name><Title>Default</Title>
<LegendURL width="40" height="20"><Format>image/png</Format><OnlineResource xlink:type="simple"
 xlink:href="{legend_url}"/></LegendURL></Style></Layer></Layer></Capability></WMS_Capabilities>"""
_EXCEPTION = (b'<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">'
              b'<ServiceException code="OperationNotSupported">not here</ServiceException></ServiceExceptionReport>')


class LoginServer(LoopbackServer):
    """``endpoint`` is its WMS. With ``demands_login`` it answers 401 to whoever does not send USER and PASSWORD.

    ``elsewhere`` are the addresses that its capabilities name in place of its own, by operation (``capabilities``,
    ``map``, ``info``, ``legend``, ``legend_url``, ``describe``). ``refused`` are operations that it answers with an
    exception report. ``redirects`` are addresses to which it redirects operations. ``twist`` is a text of the
    capabilities and what stands in its place. ``requests`` lists what came, with ``operation`` and ``headers``.
    """

    def __init__(self, demands_login: bool = False) -> None:
        super().__init__(_handler(self))
        self.endpoint = f"{self.url}/wms?"
        self.demands_login = demands_login
        self.elsewhere: Dict[str, str] = {}
        self.refused: List[str] = []
        self.redirects: Dict[str, str] = {}
        self.twist = ("", "")
        self.requests: List[Dict[str, Any]] = []

    def send_operations_to(self, other: LoginServer) -> None:
        """Name ``other`` in the capabilities for every operation but GetCapabilities."""
        self.elsewhere = {**dict.fromkeys(("map", "info", "legend", "describe"), other.endpoint),
                          "legend_url": f"{other.endpoint}SERVICE=WMS&REQUEST=GetLegendGraphic&LAYER=parks"}

    def logins(self) -> List[str]:
        """The operations that came with anything that could be a login."""
        named = ("Authorization", "Cookie", "X-Esri-Authorization", "Proxy-Authorization", "X-Api-Key")
        return [request["operation"] for request in self.requests
                if any(request["headers"].get(name) for name in named)
                or PASSWORD in request["query"] or PASSWORD in str(request["headers"])]

    def count(self, operation: str) -> int:
        """How often an operation was asked for."""
        return sum(1 for request in self.requests if request["operation"] == operation)

    def capabilities(self) -> bytes:
        """The capabilities document."""
        def place(name: str) -> str:
            return (f'<DCPType><HTTP><Get><OnlineResource xlink:type="simple" '
                    f'xlink:href="{_escaped(self.elsewhere.get(name, self.endpoint))}"/></Get></HTTP></DCPType>')

        graphic = f"{self.endpoint}SERVICE=WMS&REQUEST=GetLegendGraphic&LAYER=parks"
        document = _CAPABILITIES.format(
            own=_escaped(self.endpoint), legend_url=_escaped(self.elsewhere.get("legend_url", graphic)),
            **{name: place(name) for name in ("capabilities", "map", "info", "legend", "describe")})
        return (document.replace(*self.twist) if self.twist[0] else document).encode()


def _escaped(address: str) -> str:
    return address.replace("&", "&amp;").replace('"', "&quot;")


def striped_png(width: int, height: int) -> bytes:
    """A PNG of green and white stripes."""
    line = b"\0" + b"".join(GREEN if column // 8 % 2 else WHITE for column in range(width))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(line * height, 1)) + chunk(b"IEND", b""))


def _handler(server: LoginServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            values = {name.upper(): value for name, value in parse_qsl(parts.query, keep_blank_values=True)}
            operation = values.get("REQUEST", parts.path)
            headers = {name.title(): value for name, value in self.headers.items()}
            server.requests.append({"operation": operation, "query": parts.query, "headers": headers})
            if server.demands_login and headers.get("Authorization") != BASIC:
                self._send(401, "text/plain", b"who are you?", ("WWW-Authenticate", 'Basic realm="made"'))
            elif operation in server.redirects:
                target = server.redirects[operation] + parts.query
                self._send(302, "text/plain", b"", ("Location", target))
            elif operation in server.refused:
                self._send(200, "text/xml", _EXCEPTION)
            else:
                self._send(200, *self._content(operation, values))

        do_POST = do_GET

        def _content(self, operation: str, values: Dict[str, str]) -> tuple[str, bytes]:
            if operation == "GetCapabilities":
                return "text/xml", server.capabilities()
            if operation in ("GetMap", "GetLegendGraphic"):
                return "image/png", striped_png(int(values.get("WIDTH", 40)), int(values.get("HEIGHT", 20)))
            if operation == "GetFeatureInfo":
                return "text/plain", b"name = 'Despenaperros'"
            return "text/xml", _EXCEPTION

        def _send(self, status: int, media: str, body: bytes, header: Optional[tuple[str, str]] = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            if header is not None:
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(body)

    return Handler
