"""Images recognised by their bytes: format, size and completeness."""

from __future__ import annotations

import struct
import zlib

import pytest

from plugin.core.wms.responses.image_headers import image_format, image_size, is_complete_image, is_overloaded


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\x00" + bytes(3 * width) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def jpeg(width: int, height: int) -> bytes:
    return (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(9) + b"\xff\xc4\x00\x04\x00\x00" + b"\xff\xc0\x00\x11\x08"
            + struct.pack(">HH", height, width) + bytes(10) + b"\xff\xda\x00\x02" + bytes(50) + b"\xff\xd9")


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(3) + b"," + bytes(9) + b"\x02\x01\x01\x00;"


def webp(width: int, height: int) -> bytes:
    bits = (width - 1) | ((height - 1) << 14)
    data = b"WEBPVP8L" + struct.pack("<I", 12) + b"\x2f" + struct.pack("<I", bits) + bytes(7)
    return b"RIFF" + struct.pack("<I", len(data)) + data


def webp_extended(width: int, height: int) -> bytes:
    data = (b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + (width - 1).to_bytes(3, "little")
            + (height - 1).to_bytes(3, "little"))
    return b"RIFF" + struct.pack("<I", len(data)) + data


def tiff(width: int, height: int, order: str = "<") -> bytes:
    tags = [(256, 4, width), (257, 3, height), (273, 4, 100), (279, 4, width * height)]
    body = struct.pack(order + "H", len(tags))
    for tag, kind, value in tags:
        body += struct.pack(order + "HHI", tag, kind, 1) + (
            struct.pack(order + "I", value) if kind == 4 else struct.pack(order + "HH", value, 0))
    head = (b"II*\x00" if order == "<" else b"MM\x00*") + struct.pack(order + "I", 8) + body + bytes(4)
    return head.ljust(100, b"\x00") + bytes(width * height)


def bmp(width: int, height: int) -> bytes:
    size = 54 + 3 * width * height
    return (b"BM" + struct.pack("<IHHI", size, 0, 0, 54) + struct.pack("<IiiHH", 40, width, -height, 1, 24)
            + bytes(24) + bytes(3 * width * height))


IMAGES = [("png", png(7, 5)), ("jpeg", jpeg(7, 5)), ("gif", gif(7, 5)), ("webp", webp(7, 5)),
          ("webp", webp_extended(7, 5)), ("tiff", tiff(7, 5)), ("tiff", tiff(7, 5, ">")), ("bmp", bmp(7, 5))]


@pytest.mark.parametrize(("name", "body"), IMAGES)
def test_an_image_is_known_with_its_size_and_whole(name, body):
    assert image_format(body) == name
    assert image_size(body) == (7, 5)
    assert is_complete_image(body) is True


@pytest.mark.parametrize(("name", "body"), IMAGES)
def test_an_image_that_lost_its_end_is_not_whole(name, body):
    assert is_complete_image(body[:-1]) is False
    assert is_complete_image(body[:len(body) // 2 + 1]) is not True


@pytest.mark.parametrize(("name", "body"), IMAGES)
def test_no_cut_of_an_image_does_more_than_not_tell(name, body):
    for length in range(len(body)):
        assert image_size(body[:length]) in (None, (7, 5))
        assert is_complete_image(body[:length]) in (None, False) or length >= len(body) - 1


def test_a_photo_is_whole_with_a_film_behind_it_and_not_by_the_end_of_the_picture_in_its_head():
    photo = jpeg(7, 5)
    assert is_complete_image(photo + b"\x00\x00\x00\x18ftypmp42" + b"\xff\xda" * 9) is True
    small = jpeg(3, 2)
    with_thumbnail = photo[:2] + b"\xff\xe1" + struct.pack(">H", len(small) + 2) + small + photo[2:]
    assert is_complete_image(with_thumbnail) is True and image_size(with_thumbnail) == (7, 5)
    assert is_complete_image(with_thumbnail[:-2]) is False


def test_padding_behind_the_end_does_no_harm():
    assert is_complete_image(png(7, 5) + b"\r\n") is True
    assert is_complete_image(jpeg(7, 5) + b"\x00\x00") is True
    assert is_complete_image(gif(7, 5) + b"\x00") is True


def test_svg_and_anything_else():
    assert image_format(b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>') == "svg"
    assert is_complete_image(b'<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>\n') is True
    assert is_complete_image(b'<svg xmlns="http://www.w3.org/2000/svg"/>') is True
    assert is_complete_image(b'<svg xmlns="http://www.w3.org/2000/svg"><g/>') is False
    assert is_complete_image(b'<svg xmlns="http://www.w3.org/2000/svg"><g>') is False
    for body in (b"", b"BM", b"<html>", b"RIFF0000WAVE", bytes(100)):
        assert image_format(body) is None
        assert image_size(body) is None
        assert is_complete_image(body) is None


def test_a_tiff_that_claims_endless_strips_is_not_followed():
    body = bytearray(tiff(7, 5))
    struct.pack_into("<I", body, 10 + 12 * 2 + 4, 4_000_000_000)
    assert is_complete_image(bytes(body)) is True
    assert image_size(bytes(body)) == (7, 5)


def png_with(*chunks):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = zlib.compress((b"\0" + bytes(24)) * 8)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
            + b"".join(chunk(*one) for one in chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def test_an_image_that_hides_far_more_than_its_pixels_is_overloaded():
    packed, small = zlib.compress(bytes(7_900_000), 9), zlib.compress(b"a text")
    for name, head in ((b"zTXt", b"k\0\0"), (b"iTXt", b"k\0\1\0en\0t\0"), (b"iCCP", b"k\0\0")):
        assert is_overloaded(png_with(*[(name, head + packed)] * 3))
        assert not is_overloaded(png_with((name, head + packed), (name, head + small), (name, b"k"), (name, b"")))
    assert not is_overloaded(png_with((b"iTXt", b"k\0\0\0\0\0" + bytes(1000)), (b"zTXt", b"k\0\0damaged")))
    assert not is_overloaded(png_with()[:20]) and not is_overloaded(b"") and not is_overloaded(b"GIF89a")
    frame = b"\xff\xd8\xff\xc2" + struct.pack(">HBHHB", 11, 8, 6000, 8000, 1) + b"\1\x11\0"
    assert is_overloaded(frame + b"\xff\xda\0\2\0" * 100) and not is_overloaded(frame + b"\xff\xda\0\2\0" * 12)
