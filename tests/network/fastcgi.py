"""Requests by FastCGI (specification 1.0) to programs that listen on the socket they have as standard input."""

from __future__ import annotations

import socket
import struct
from typing import Any, Mapping, Tuple

#: record types, and the one role here (8)
_BEGIN, _END, _PARAMS, _STDIN, _STDOUT, _STDERR = 1, 3, 4, 5, 6, 7
_RESPONDER = 1
#: bytes of one record's content: its length is a number of two bytes (3.3)
_MOST = 0xFFFF


def listening_socket() -> socket.socket:
    """Return a socket of a free loopback port for a program's standard input, which is how one is started (2.2)."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.bind(("127.0.0.1", 0))
    made.listen(16)
    return made


def ask(address: Any, variables: Mapping[str, str], body: bytes, seconds: float) -> Tuple[bytes, bytes]:
    """Return what the program wrote to its standard output and to its errors for one request.

    Raises OSError if it does not answer in ``seconds`` or ends meanwhile.
    """
    packed = b"".join(_pair(name.encode(), value.encode()) for name, value in variables.items())
    with socket.create_connection(address, timeout=seconds) as connection:
        connection.sendall(_record(_BEGIN, struct.pack(">HB5x", _RESPONDER, 0)) + _stream(_PARAMS, packed)
                           + _stream(_STDIN, body))
        return _read_all(connection)


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content


def _stream(kind: int, content: bytes) -> bytes:
    """Return the records of a stream: its parts, then an empty one."""
    return b"".join(_record(kind, content[start:start + _MOST]) for start in range(0, len(content), _MOST)
                    ) + _record(kind, b"")


def _pair(name: bytes, value: bytes) -> bytes:
    return b"".join(struct.pack(">B", len(text)) if len(text) < 128 else struct.pack(">I", len(text) | 0x80000000)
                    for text in (name, value)) + name + value


def _read_all(connection: socket.socket) -> Tuple[bytes, bytes]:
    found = {_STDOUT: bytearray(), _STDERR: bytearray()}
    with connection.makefile("rb") as stream:
        while len(head := stream.read(8)) == 8:
            _version, kind, _number, length, padding = struct.unpack(">BBHHBx", head)
            content = stream.read(length)
            stream.read(padding)
            if kind == _END:
                return bytes(found[_STDOUT]), bytes(found[_STDERR])
            if kind in found:
                found[kind] += content
    raise ConnectionError("the program ended before its answer did")
