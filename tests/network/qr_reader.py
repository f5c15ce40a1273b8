"""Reader of QR codes: the system's ZBar, which is not ours."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Optional


def zbar() -> Optional[ctypes.CDLL]:
    """The library, or None where it is not installed."""
    name = ctypes.util.find_library("zbar")
    return ctypes.CDLL(name) if name else None


def read_codes(pixels: bytes, width: int, height: int) -> list[str]:
    """The texts of the codes in a picture of one byte a pixel, black to white."""
    library = zbar()
    assert library is not None
    for function in ("zbar_image_scanner_create", "zbar_image_create", "zbar_image_first_symbol", "zbar_symbol_next"):
        getattr(library, function).restype = ctypes.c_void_p
    library.zbar_symbol_get_data.restype = ctypes.c_char_p
    scanner = ctypes.c_void_p(library.zbar_image_scanner_create())
    image = ctypes.c_void_p(library.zbar_image_create())
    data = ctypes.create_string_buffer(pixels, len(pixels))
    library.zbar_image_scanner_set_config(scanner, 0, 0, 1)
    library.zbar_image_set_format(image, ctypes.c_ulong(int.from_bytes(b"Y800", "little")))
    library.zbar_image_set_size(image, width, height)
    library.zbar_image_set_data(image, data, ctypes.c_ulong(len(pixels)), None)
    library.zbar_scan_image(scanner, image)
    found = []
    symbol = library.zbar_image_first_symbol(image)
    while symbol:
        found.append(library.zbar_symbol_get_data(ctypes.c_void_p(symbol)).decode())
        symbol = library.zbar_symbol_next(ctypes.c_void_p(symbol))
    library.zbar_image_destroy(image)
    library.zbar_image_scanner_destroy(scanner)
    return found
