"""Subsets of TrueType and OpenType fonts, to be embedded into files.

A subset keeps the glyphs' numbers, and empties the outlines of those that are not used (OpenType 1.9: glyf, loca,
kern). A library for this has more code than the whole plugin.
"""

from __future__ import annotations

import struct
from typing import Collection, Dict, List, Mapping, Optional, Set, Tuple

#: tables of a font that a viewer needs, in their order. A signature would be broken by a subset
TABLES = ("CFF ", "GDEF", "GPOS", "GSUB", "OS/2", "cmap", "cvt ", "fpgm", "gasp", "glyf", "head", "hhea", "hmtx",
          "kern", "loca", "maxp", "name", "post", "prep")
_REQUIRED = ("OS/2", "cmap", "head", "hhea", "hmtx", "maxp")
_CHECKSUM_MAGIC = 0xB1B0AFBA
#: bits of OS/2 fsType: a restricted licence, no subsets, bitmaps only
_RESTRICTED, _NO_SUBSETS, _BITMAPS_ONLY = 0x0002, 0x0100, 0x0200
_LICENCE_BITS = 0x000e
#: flags of a component of a composite glyph
_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x0001, 0x0008, 0x0020, 0x0040, 0x0080


def may_embed(tables: Mapping[str, bytes]) -> bool:
    """Return whether the font's own licence bits (OS/2 fsType) allow it to be embedded."""
    kind = _number(tables.get("OS/2", b""), 8)
    return kind is not None and kind & _LICENCE_BITS != _RESTRICTED and not kind & _BITMAPS_ONLY


def subset_font(tables: Mapping[str, bytes], glyphs: Collection[int]) -> bytes:
    """Return a font file of ``tables``, by their tags, with the outlines of ``glyphs`` and of what they consist of.

    A font that has no TrueType outlines, or does not allow subsets, is returned whole. Raises ValueError if a table is
    missing or not as the format demands.
    """
    kept = {tag: tables[tag] for tag in TABLES if tables.get(tag)}
    missing = [tag for tag in _REQUIRED if tag not in kept]
    if missing or not ("CFF " in kept or ("glyf" in kept and "loca" in kept)):
        raise ValueError(f"the font lacks {', '.join(missing) or 'outlines'}")
    allows = not (_number(kept["OS/2"], 8) or 0) & _NO_SUBSETS
    try:
        if allows and "glyf" in kept:
            used = _keep_outlines(kept, glyphs)
            if "kern" in kept:
                kept["kern"] = _subset_pairs(kept["kern"], used)
        if allows and len(kept.get("post", b"")) > 32:
            # version 3 has no names of glyphs
            kept["post"] = struct.pack(">I", 0x00030000) + kept["post"][4:32]
    except (struct.error, IndexError) as error:
        raise ValueError(f"the font is damaged: {error}") from error
    return _font_file({tag: table for tag, table in kept.items() if table})


def _keep_outlines(kept: Dict[str, bytes], glyphs: Collection[int]) -> Set[int]:
    """Empty the outlines of all other glyphs, and return the numbers of those that are left."""
    count = struct.unpack_from(">H", kept["maxp"], 4)[0]
    is_long = struct.unpack_from(">h", kept["head"], 50)[0] != 0
    offsets = list(struct.unpack_from(f">{count + 1}{'I' if is_long else 'H'}", kept["loca"]))
    if not is_long:
        offsets = [2 * offset for offset in offsets]
    outlines = kept["glyf"]
    # glyph 0 is what a viewer shows for a character that the font lacks
    used, waiting = {0}, [glyph for glyph in glyphs if 0 <= glyph < count]
    while waiting:
        glyph = waiting.pop()
        if glyph in used:
            continue
        used.add(glyph)
        waiting += [part for part in _components(outlines[offsets[glyph]:offsets[glyph + 1]]) if part < count]
    places, written = [0], bytearray()
    for glyph in range(count):
        if glyph in used:
            written += outlines[offsets[glyph]:offsets[glyph + 1]]
            written += b"\x00" * (-len(written) % 4)
        places.append(len(written))
    kept["glyf"] = bytes(written)
    kept["loca"] = struct.pack(f">{count + 1}I", *places)
    kept["head"] = kept["head"][:50] + struct.pack(">h", 1) + kept["head"][52:]
    return used


def _components(outline: bytes) -> List[int]:
    """Return the numbers of the glyphs that a composite glyph consists of."""
    if len(outline) < 10 or struct.unpack_from(">h", outline)[0] >= 0:
        return []
    found, at, more = [], 10, True
    while more:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        found.append(glyph)
        at += 4 + (4 if flags & _WORDS else 2)
        at += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _MATRIX else 0
        more = bool(flags & _MORE)
    return found


def _subset_pairs(table: bytes, used: Set[int]) -> bytes:
    """Return a ``kern`` table (version 0, format 0) with the pairs of used glyphs only, another one as it is."""
    version, count = struct.unpack_from(">HH", table)
    if version != 0 or count != 1:
        return table
    coverage, pairs = struct.unpack_from(">HH", table, 8)
    if coverage >> 8 != 0:
        return table
    kept = [entry for entry in struct.iter_unpack(">HHh", table[18:18 + 6 * pairs])
            if entry[0] in used and entry[1] in used]
    body = b"".join(struct.pack(">HHh", *entry) for entry in kept)
    return struct.pack(">HHHHH", 0, 1, 0, (14 + len(body)) & 0xffff, coverage) + _search_header(len(kept), 6) + body


def _search_header(count: int, size: int) -> bytes:
    """Return the numbers with which a reader searches ``count`` sorted entries of ``size`` bytes."""
    power = max(count.bit_length() - 1, 0)
    search = (1 << power) * size
    return struct.pack(">HHHH", count, search & 0xffff, power, max(count * size - search, 0) & 0xffff)


def _font_file(tables: Mapping[str, bytes]) -> bytes:
    """Return a font file with the tables in the order of their tags, and the sum over all of it in ``head``."""
    head = tables["head"]
    tables = {**tables, "head": head[:8] + b"\x00" * 4 + head[12:]}
    version = b"OTTO" if "CFF " in tables else struct.pack(">I", 0x00010000)
    directory, body, offset = b"", b"", 12 + 16 * len(tables)
    place_of_head = 0
    for tag in sorted(tables):
        padded = tables[tag] + b"\x00" * (-len(tables[tag]) % 4)
        place_of_head = offset if tag == "head" else place_of_head
        directory += tag.encode("ascii") + struct.pack(">III", _checksum(padded), offset, len(tables[tag]))
        body += padded
        offset += len(padded)
    written = version + _search_header(len(tables), 16) + directory + body
    adjustment = (_CHECKSUM_MAGIC - _checksum(written)) & 0xffffffff
    place = place_of_head + 8
    return written[:place] + struct.pack(">I", adjustment) + written[place + 4:]


def _checksum(padded: bytes) -> int:
    words: Tuple[int, ...] = struct.unpack(f">{len(padded) // 4}I", padded)
    return sum(words) & 0xffffffff


def _number(table: bytes, offset: int) -> Optional[int]:
    return int(struct.unpack_from(">H", table, offset)[0]) if len(table) >= offset + 2 else None
