"""Content encodings of responses (RFC 9110, 8.4.1), decoded in pieces in the worker thread, within limits.

Qt would inflate a response as it arrives, before its size can be limited, and hand it to the main thread. It does not
if the request says itself which encodings are accepted.
"""

from __future__ import annotations

import zlib

#: value of Accept-Encoding in every request
ACCEPTED = "gzip, deflate"
#: bytes that are inflated at a time
_PIECE_BYTES = 1 << 20
#: a body that unpacks to more than this many times its size is refused, as in packages, once it is larger than the
#: second limit. XML shrinks to about a tenth, very repetitive documents to a fiftieth
_MAX_RATIO = 200
_SUSPECT_FROM = 20_000_000
_GZIP_START = b"\x1f\x8b"
#: what follows a member is copied for the next one, so many small ones would take forever. Honest bodies have one
_MAX_MEMBERS = 100


class BodyTooLarge(Exception):
    """The decoded body is larger than the limit, or than any honest body of its compressed size."""


class DamagedBody(Exception):
    """The body is not what its encoding promises, or it is cut off."""


def decoded(body: bytes, encoding: str, max_bytes: int) -> bytes:
    """Return ``body`` without its content encoding. Other encodings than those accepted leave it as it is.

    A body that its server calls compressed although it is not is returned as it is, too. Raises BodyTooLarge and
    DamagedBody.
    """
    name = encoding.strip().lower()
    if name in ("gzip", "x-gzip"):
        return _inflated(body, zlib.MAX_WBITS | 16, max_bytes) if body.startswith(_GZIP_START) else body
    if name == "deflate" and body:
        # the standard means zlib's format, some servers send the bare data
        is_zlib = body[0] & 0x0F == 8 and len(body) > 1 and (body[0] * 256 + body[1]) % 31 == 0
        return _inflated(body, zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS, max_bytes)
    return body


def _inflated(body: bytes, window: int, max_bytes: int) -> bytes:
    limit = min(max_bytes, max(_SUSPECT_FROM, _MAX_RATIO * len(body)))
    pieces = []
    size = members = 0
    rest = body
    while rest:
        members += 1
        if members > _MAX_MEMBERS:
            raise DamagedBody(f"more than {_MAX_MEMBERS} members")
        inflater = zlib.decompressobj(window)
        while not inflater.eof:
            try:
                piece = inflater.decompress(rest, _PIECE_BYTES)
            except zlib.error as error:
                raise DamagedBody(str(error)) from error
            rest = inflater.unconsumed_tail
            size += len(piece)
            if size > limit:
                raise BodyTooLarge(f"{len(body)} bytes unpack to more than {limit}")
            pieces.append(piece)
            if not rest and not piece and not inflater.eof:
                raise DamagedBody("the compressed data are incomplete")
        # gzip allows several members one after the other (RFC 1952, 2.2), and servers send zeros after the last one
        rest = inflater.unused_data if window > zlib.MAX_WBITS and inflater.unused_data[:2] == _GZIP_START else b""
    return b"".join(pieces)
