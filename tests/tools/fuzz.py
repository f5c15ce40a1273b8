"""Feeds broken documents to every reader: whatever the bytes, the answer is a value or a CartoguideError, and soon.

    fuzz.py [--seconds 60] [--seed N] [--save build/fuzz]

Documents of the tests (and the samples beside the repository, where they are) are cut, flipped, repeated and crossed.
What raises anything else, or takes too long, is saved with its traceback; the status is 1 then.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Callable, Dict, List, Tuple

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from plugin.core.errors import CartoguideError  # noqa: E402

SLOWEST = 5.0
MEMORY = 3 * 1024**3
LARGEST = 400_000
NASTY = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"]]>", b"<![CDATA[", b"<!--", b"&", b"&#0;", b"&#x10FFFF;", b"&lol;",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"{", b"}", b"[", b'"', b"NaN", b"1e999", b"-1", b"9" * 400, b"<a>" * 300,
    b' xsi:nil="true"', b' xlink:href="file:///etc/hostname"', b' xml:lang=""', b'encoding="UTF-16"', b"\r\n" * 50,
)
VALUES = (b"", b" ", b"--", b"1e309", b"nan", b"-", b"0/0/P1D", b"EPSG:99999999", b"http://[", b"\xc3\xb1" * 9)


def record_line(data: bytes) -> int:
    """Records, their terms, their JSON and their sheet."""
    from plugin.core.records import read
    from plugin.core.records.report.record_sheet import sheet_html
    from plugin.core.terms import summary_sentence, terms_for

    pairs = [(record, terms_for(record)) for record in read(data)]
    for record, terms in pairs:
        json.dumps(record.to_dict())
        summary_sentence(terms)
    sheet_html(pairs)
    return len(pairs)


def capabilities_line(data: bytes) -> int:
    """A service and its JSON."""
    from plugin.core.wms import read_service

    json.dumps(read_service(data).to_dict())
    return 1


def exception_line(data: bytes) -> int:
    """A service's exception report; None for other documents is no refusal, but no reading either."""
    from plugin.core.wms.responses.exception_reports import read_exception_report

    return read_exception_report(data) is not None


def custom_map_line(data: bytes) -> int:
    """A custom map, read, written, and read again to the same."""
    from plugin.core.custommap.document import read_document, write_document

    custom_map = read_document(data)
    if read_document(write_document(custom_map)) != custom_map:
        raise ValueError("what was read is written as something else")
    return 1


LINES: Dict[str, Callable[[bytes], int]] = {
    "record": record_line,
    "capabilities": capabilities_line,
    "exception": exception_line,
    "custom map": custom_map_line,
}


def made_custom_map() -> bytes:
    """A custom map with everything that the format has."""
    from plugin.core.custommap.document import write_document
    from plugin.core.custommap.model import CustomMap, MapEntry, MapExtent, StoredCredit

    entry = MapEntry("https://maps.example.org/wms?", "Base", "a" * 40, ("1", "Vehículos"), ("", "blue"), "image/png",
                     0.5, credit=StoredCredit("Consejería, 2014", "yes", "CC-BY-4.0", "https://example.org/licence"))
    extent = MapExtent(-4, 38, -3, 39)
    return write_document(CustomMap("Mapa", "es", entry, (entry, entry), "EPSG:3042", extent, None, 25000.0))


def documents() -> Dict[str, List[bytes]]:
    """reader -> the documents that it reads as they stand: the tests', the bundled ones, samples; "" has them all."""
    folders = [REPOSITORY / "tests" / "unit" / "fixtures", REPOSITORY / "resources" / "records",
               REPOSITORY.parent / "shared" / "samples"]
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".xml", ".json", ".zip"))
    everything = [content for path in paths if 0 < len(content := path.read_bytes()) <= LARGEST]
    everything += [made_custom_map()]
    found: Dict[str, List[bytes]] = {"": everything}
    for name, line in LINES.items():
        found[name] = [content for content in everything if outcome_of(line, content)[0] == "read"]
    return found


def flip(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """One to eight bytes changed."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The end, or a piece of the middle, gone."""
    start = chance.randrange(len(data))
    end = len(data) if chance.random() < 0.5 else min(len(data), start + chance.randint(1, 500))
    return data[:start] + data[end:]


def insert(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Something nasty, anywhere."""
    place = chance.randrange(len(data))
    return data[:place] + chance.choice(NASTY) + data[place:]


def cross(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The beginning of one document, the end of another."""
    return data[: chance.randrange(len(data))] + other[chance.randrange(len(other)):]


def swap_values(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """One text or attribute value replaced: still well-formed as a rule, so that more than the parser is reached."""
    places = list(re.finditer(rb'(?<=>)[^<>]+(?=<)|(?<==")[^"<]*(?=")|(?<=: ")[^"]*(?=")', data))
    if not places:
        return insert(data, other, chance)
    place = chance.choice(places)
    return data[: place.start()] + chance.choice(VALUES) + data[place.end():]


def move_elements(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """One leaf element doubled somewhere else, or taken away."""
    places = list(re.finditer(rb"<([\w:]+)[^<>]*>[^<>]*</\1>", data))
    if not places:
        return cut(data, other, chance)
    place = chance.choice(places)
    if chance.random() < 0.5:
        return data[: place.start()] + data[place.end():]
    target = chance.choice(places).start()
    return data[:target] + place.group() + data[target:]


MUTATIONS = (flip, cut, insert, cross, swap_values, swap_values, move_elements, move_elements)


def outcome_of(line: Callable[[bytes], int], data: bytes) -> Tuple[str, str]:
    """("read" | "refused" | "trouble", what is wrong with how ``line`` took ``data``: a traceback, slowness)."""
    started = time.monotonic()
    try:
        outcome = "read" if line(data) else "refused"
    except CartoguideError as error:
        outcome = "refused"
        if not str(error).strip():
            return "trouble", "an error without a word for people"
    except Exception:
        return "trouble", traceback.format_exc()
    seconds = time.monotonic() - started
    return (outcome, "") if seconds <= SLOWEST else ("trouble", f"took {seconds:.1f} s")


def save(place: Path, data: bytes, trouble: str, kind: str) -> None:
    """Keep what made trouble, and say where."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.with_suffix(".bin").write_bytes(data)
    place.with_suffix(".txt").write_text(trouble, encoding="utf-8")
    print(f"fuzz: {kind} → {place.with_suffix('.bin')}", flush=True)


def main() -> int:
    """Break documents until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, default=REPOSITORY / "build" / "fuzz")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    chance = random.Random(options.seed)
    found = documents()
    counts: collections.Counter = collections.Counter()
    kinds: collections.Counter = collections.Counter()
    limit = time.monotonic() + options.seconds
    while time.monotonic() < limit:
        name = chance.choice(list(LINES))
        data = chance.choice(found[name] if found[name] and chance.random() < 0.8 else found[""])
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            data = chance.choice(MUTATIONS)(data or b" ", chance.choice(found[""]), chance)
        outcome, trouble = outcome_of(LINES[name], data)
        counts[name, outcome] += 1
        kind = f"{name}: {trouble.strip().splitlines()[-1][:150]}" if trouble else ""
        if kind:
            kinds[kind] += 1
            if kinds[kind] == 1:
                save(options.save / f"{len(kinds):03}-{name.replace(' ', '-')}", data, trouble, kind)
    for name in LINES:
        print(f"fuzz: {name:<12}" + "".join(f"{counts[name, o]:>9} {o}" for o in ("read", "refused", "trouble")))
    print(f"fuzz: {len(found[''])} documents, broken with seed {options.seed}: {len(kinds)} kinds of trouble")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
