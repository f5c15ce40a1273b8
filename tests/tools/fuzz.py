"""Feeds broken documents to every reader: whatever the bytes, the answer is a value or a CartoguideError, and soon.

    fuzz.py [--inputs 5000] [--reader NAME] [--seed N] [--save build/fuzz] [--own-documents] [--jobs N]

The readers and their documents are in ``tests/fuzz/foreign_readers.py``. With the samples of others, where they are, it
takes more than an hour, with ``--own-documents`` a few minutes. Documents are cut, flipped, crossed, and grown by
repeated pieces. What raises anything else, or takes more than 2 s of processor time, is saved with its traceback.
The status is 1 then.
"""

from __future__ import annotations

import argparse
import collections
import functools
import multiprocessing
import os
import random
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Dict, List, Tuple

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "fuzz")]

from foreign_readers import READERS, Reader  # noqa: E402
from mutations import mutated  # noqa: E402

from plugin.core.errors import CartoguideError  # noqa: E402

SLOWEST = 2.0
MEMORY = 3 * 1024**3
LARGEST = 400_000


def samples() -> List[bytes]:
    """Return the documents of others beside the repository, where they are."""
    folder = REPOSITORY.parent / "shared" / "samples"
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".xml", ".json", ".zip"))
    return [content for path in paths if 0 < len(content := path.read_bytes()) <= LARGEST]


def outcome_of(reader: Reader, data: bytes) -> Tuple[str, str]:
    """Return "read", "refused" or "trouble", and what is wrong: a traceback or slowness."""
    started = time.process_time()
    try:
        outcome = "read" if reader.read(data) else "refused"
    except CartoguideError as error:
        outcome = "refused"
        if not error.user_text.strip() or len(error.user_text) > 1000:
            return "trouble", f"no words for people: {error.user_text[:100]!r}"
    except Exception:
        return "trouble", traceback.format_exc()
    seconds = time.process_time() - started
    return (outcome, "") if seconds <= SLOWEST else ("trouble", f"took {seconds:.1f} s")


def fuzz(reader: Reader, inputs: int, seed: int, others: List[bytes]) -> Tuple[Dict[str, int], Dict[str, bytes]]:
    """Return how often a reader read and refused broken documents, and a document for each kind of trouble."""
    chance = random.Random(f"{seed} {reader.name}")
    documents = reader.documents()
    documents += [document for document in others if outcome_of(reader, document)[0] == "read"]
    counts: Dict[str, int] = collections.Counter()
    troubles: Dict[str, bytes] = {}
    for _ in range(inputs):
        data = mutated(chance.choice(documents), chance.choice(others or documents), chance)
        outcome, trouble = outcome_of(reader, data)
        counts[outcome] += 1
        if trouble:
            troubles.setdefault(trouble, data)
    return counts, troubles


def limited() -> None:
    """Give this process no more memory than a reader may need."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(name: str, inputs: int, seed: int, others: List[bytes]) -> Tuple[str, float, Dict[str, int], Dict[str, bytes]]:
    """Return the reader's name, processor seconds, and what :func:`fuzz` returns of it."""
    started = time.process_time()
    counts, troubles = fuzz(next(reader for reader in READERS if reader.name == name), inputs, seed, others)
    return name, time.process_time() - started, counts, troubles


def main() -> int:
    """Break documents for each reader, and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--reader", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, default=REPOSITORY / "build" / "fuzz")
    parser.add_argument("--own-documents", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    others = [] if options.own_documents else samples()
    names = [reader.name for reader in READERS]
    names = [options.reader] if options.reader in names else [name for name in names if options.reader in name]
    kinds = 0
    with multiprocessing.Pool(options.jobs, limited) as pool:
        work = functools.partial(run, inputs=options.inputs, seed=options.seed, others=others)
        for name, seconds, counts, troubles in pool.imap_unordered(work, names, chunksize=1):
            print(f"fuzz: {name:<26}" + "".join(f"{counts.get(o, 0):>7} {o}" for o in ("read", "refused", "trouble"))
                  + f"{seconds:>7.0f} s", flush=True)
            for trouble, data in troubles.items():
                kinds += 1
                place = options.save / f"{kinds:03}-{name.replace(' ', '-')}"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.with_suffix(".bin").write_bytes(data)
                place.with_suffix(".txt").write_text(trouble, encoding="utf-8")
                print(f"fuzz: {trouble.strip().splitlines()[-1][:150]} → {place.with_suffix('.bin')}", flush=True)
    print(f"fuzz: {len(names)} readers, {len(others)} samples of others, seed {options.seed}: {kinds} kinds of trouble")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
