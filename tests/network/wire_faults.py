"""Wrong answers as bytes on the wire, for ``OddServer.fault``: each is written instead of a sound answer.

``ANSWERS`` has a function for each by name. It gets the handler and the sound answer, and writes what it likes.
"""

from __future__ import annotations

import gzip
import subprocess
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, NamedTuple, Tuple

LOGIN_PAGE = (b"<!DOCTYPE html><html><head><title>Acceso de usuarios</title></head><body><form action='/login'>"
              b"<input name='user'><input type='password'></form></body></html>")
GATEWAY_PAGE = b"<html><head><title>502 Puerta de enlace</title></head><body><center>nginx</center></body></html>"
REPORT_1_1 = (b'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE ServiceExceptionReport SYSTEM "http://x.invalid/e.dtd">'
              b'<ServiceExceptionReport version="1.1.1"><ServiceException code="LayerNotDefined">La capa no existe'
              b"</ServiceException></ServiceExceptionReport>")
REPORT_1_3 = (b'<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc"><ServiceException '
              b'code="InvalidCRS">El sistema no se admite</ServiceException></ServiceExceptionReport>')
REPORT_OWS = ('<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows" version="1.2.0"><ows:Exception '
              'exceptionCode="NoApplicableCode"><ows:ExceptionText>El índice está roto</ows:ExceptionText>'
              "</ows:Exception></ows:ExceptionReport>").encode()
PROBLEM = b'{"type": "about:blank", "title": "Fallo interno", "status": 500, "detail": "El indice esta roto"}'
ENTITY_BOMB = (b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
               + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12))
               + b"]><a>&m;</a>")


@lru_cache(maxsize=1)
def gzip_bomb() -> bytes:
    """300 MB of zeros, packed to 300 kB."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([packer.compress(bytes(1 << 20)) for _ in range(300)]) + packer.flush()


class Sound(NamedTuple):
    """The answer of a server without a fault."""

    status: int
    media: str
    body: bytes


Writer = Callable[[Any, Sound], None]


def _reply(handler: Any, status: int, body: bytes = b"", media: str = "text/html", **headers: str) -> None:
    handler._send(status, body, Content_Type=media, Cache_Control="no-store", **headers)


def _raw(handler: Any, data: bytes) -> None:
    handler.wfile.write(data)
    handler.wfile.flush()
    handler.close_connection = True


def _headed(sound: Sound, *lines: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {sound.status} OK", f"Content-Type: {sound.media}", *lines, "", ""]).encode()


def _fixed(status: int, body: bytes = b"", media: str = "text/html", **headers: str) -> Writer:
    return lambda handler, sound: _reply(handler, status, body, media, **headers)


def _wait_for_end(handler: Any, seconds: float) -> bool:
    return bool(handler.odd.stopping.wait(seconds))


def _no_headers(handler: Any, sound: Sound) -> None:
    _wait_for_end(handler, 30)
    handler.close_connection = True


def _drip(handler: Any, sound: Sound) -> None:
    handler.wfile.write(_headed(sound, "Content-Length: 100000"))
    for byte in sound.body:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        if _wait_for_end(handler, 1.0):
            break
    handler.close_connection = True


def _dripped_headers(handler: Any, sound: Sound) -> None:
    for byte in _headed(sound, "Content-Length: 100000"):
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        if _wait_for_end(handler, 1.0):
            break
    handler.close_connection = True


def _half(sound: Sound) -> bytes:
    return sound.body[:max(1, len(sound.body) // 2)]


def _chunked(sound: Sound, chunks: bytes) -> bytes:
    return _headed(sound, "Transfer-Encoding: chunked") + chunks


def _with_gzip(handler: Any, sound: Sound, data: bytes) -> None:
    handler._send(200, data, Content_Type=sound.media, Content_Encoding="gzip", Cache_Control="no-store")


def _reset(handler: Any, sound: Sound) -> None:
    import socket
    import struct

    handler.wfile.write(_headed(sound, f"Content-Length: {len(sound.body)}") + _half(sound))
    handler.wfile.flush()
    # a close with this option sends a reset
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def _close(handler: Any, sound: Sound) -> None:
    handler.close_connection = True


def _picture() -> bytes:
    from netserve.faults import one_colour_png

    return one_colour_png(20, 10, "#8a2be2")


ANSWERS: Mapping[str, Writer] = {
    "timeout before headers": _no_headers,
    "headers a byte a second": _dripped_headers,
    "body a byte a second": _drip,
    "reset in the middle": _reset,
    "connection closed at once": _close,
    "short body": lambda handler, sound: _raw(
        handler, _headed(sound, f"Content-Length: {len(sound.body) + 500}") + sound.body),
    "long body": lambda handler, sound: _raw(
        handler, _headed(sound, f"Content-Length: {len(sound.body)}", "Connection: close") + sound.body + b"x" * 5000),
    "wrong chunks": lambda handler, sound: _raw(handler, _chunked(sound, b"zz\r\n" + sound.body + b"\r\n0\r\n\r\n")),
    "unfinished chunks": lambda handler, sound: _raw(
        handler, _chunked(sound, b"%x\r\n%s\r\n" % (len(_half(sound)), _half(sound)))),
    "200 empty": _fixed(200),
    "204": _fixed(204),
    "301 loop": lambda handler, sound: _reply(handler, 301, Location=handler.path),
    "301 to a file": _fixed(301, Location="file:///etc/passwd"),
    "301 without a target": _fixed(301),
    "304 unasked": _fixed(304),
    "401": _fixed(401, LOGIN_PAGE, WWW_Authenticate='Basic realm="mapas"'),
    "403": _fixed(403, b"<html><title>Prohibido</title></html>"),
    "404": _fixed(404, b"<html><title>No encontrado</title></html>"),
    "429 with Retry-After": _fixed(429, Retry_After="120"),
    "500": _fixed(500, b"<html><title>Error interno</title></html>"),
    "502 with a page": _fixed(502, GATEWAY_PAGE),
    "503": _fixed(503),
    "gzip broken": lambda handler, sound: _with_gzip(handler, sound, gzip.compress(sound.body)[:-12] + b"\0" * 4),
    "gzip not gzip": lambda handler, sound: _with_gzip(handler, sound, sound.body),
    "gzip bomb": lambda handler, sound: _with_gzip(handler, sound, gzip_bomb()),
    "deflate as gzip": lambda handler, sound: _with_gzip(handler, sound, zlib.compress(sound.body)),
    "wrong content type": lambda handler, sound: _reply(handler, 200, sound.body, "video/mp4"),
    "wrong charset": lambda handler, sound: _reply(handler, 200, sound.body, "text/xml; charset=utf-7"),
    "byte order mark": lambda handler, sound: _reply(handler, 200, b"\xef\xbb\xbf" + sound.body, sound.media),
    "login page with 200": _fixed(200, LOGIN_PAGE),
    "exception of 1.1": _fixed(200, REPORT_1_1, "application/vnd.ogc.se_xml"),
    "exception of 1.3": _fixed(200, REPORT_1_3, "text/xml"),
    "exception of OWS": _fixed(200, REPORT_OWS, "application/xml"),
    "exception as JSON": _fixed(500, PROBLEM, "application/problem+json"),
    "cut XML": lambda handler, sound: _reply(handler, 200, _half(sound), sound.media),
    "entity bomb": _fixed(200, ENTITY_BOMB, "text/xml"),
    "JSON": _fixed(200, b'{"hello": ["world"]}', "application/json"),
    "picture": lambda handler, sound: _reply(handler, 200, _picture(), "image/png"),
    "XML": _fixed(200, b"<?xml version='1.0'?><nothing><of/><use/></nothing>", "text/xml"),
    "huge header": lambda handler, sound: _raw(
        handler, _headed(sound, "X-Long: " + "x" * 3_000_000, f"Content-Length: {len(sound.body)}") + sound.body),
    "many headers": lambda handler, sound: _raw(
        handler, _headed(sound, *(f"X-{number}: x" for number in range(500)),
                         f"Content-Length: {len(sound.body)}") + sound.body),
    "no HTTP": lambda handler, sound: _raw(handler, b"\0\1\2\3 SSH-2.0-OpenSSH_9.2\r\n\xff\xfe" * 20),
    "HTTP/0.9": lambda handler, sound: _raw(handler, sound.body),
}


def certificate(folder: Path, name: str, host: str, days: Tuple[str, str]) -> str:
    """Return the file of a self-signed certificate for ``host`` and its key, valid in ``days`` (YYYYMMDD)."""
    key, request, made = folder / f"{name}.key", folder / f"{name}.csr", folder / f"{name}.crt"
    database = folder / f"{name}.txt"
    database.touch()
    settings = folder / f"{name}.cnf"
    settings.write_text(f"[ca]\ndefault_ca=own\n[own]\ndatabase={database}\nnew_certs_dir={folder}\nrand_serial=yes\n"
                        f"default_md=sha256\npolicy=any\nx509_extensions=names\n[any]\ncommonName=supplied\n"
                        f"[names]\nsubjectAltName=DNS:{host}\n[req]\ndistinguished_name=who\n[who]\n")

    def openssl(*arguments: object) -> None:
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={host}",
            "-config", settings)
    openssl("ca", "-batch", "-selfsign", "-config", settings, "-keyfile", key, "-in", request, "-out", made, "-notext",
            "-startdate", f"{days[0]}000000Z", "-enddate", f"{days[1]}000000Z")
    both = folder / f"{name}.pem"
    both.write_bytes(key.read_bytes() + made.read_bytes())
    return str(both)


def bad_certificates(folder: Path) -> Dict[str, str]:
    """Return a file with certificate and key for each reason not to trust a server."""
    return {"self-signed": certificate(folder, "self-signed", "localhost", ("20200101", "20990101")),
            "expired": certificate(folder, "expired", "localhost", ("20200101", "20200201")),
            "wrong host": certificate(folder, "wrong-host", "elsewhere.invalid", ("20200101", "20990101"))}
