"""Measures seconds of processor time of one operation, and memory beside the document, of each reader at its largest.

    bounds.py [--megabytes N] [--reader NAME] [--shape WORD]

The documents have hostile shapes, and each is read in a process of its own. Prints what is over 2 s or 300 MB, and the
worst of each reader. The status is 1 if anything was over, or raised something that a person cannot read.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import List, Tuple

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "fuzz")]

from foreign_readers import READERS, Reader  # noqa: E402
from hostile_shapes import Shape, shapes  # noqa: E402

from plugin.core.errors import CartoguideError  # noqa: E402

SECONDS, MEGABYTES = 2.0, 300
#: processor seconds after which a reader is stopped
_GIVEN_UP = 20

Outcome = Tuple[float, float, str]


def measure(reader: Reader, shape: Shape, size: int) -> Outcome:
    """Return seconds, megabytes and what became of the document, measured in a child process."""
    receiver, sender = os.pipe()
    child = os.fork()
    if not child:
        os.close(receiver)
        signal.signal(signal.SIGPROF, lambda *_: os._exit(9))
        result = "0 0 stopped"
        try:
            result = _measured(reader, shape, size)
        finally:
            os.write(sender, result.encode())
            os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as stream:
        text = stream.read().decode()
    os.waitpid(child, 0)
    if not text:
        return _GIVEN_UP, 0.0, f"more than {_GIVEN_UP} s"
    seconds, megabytes, outcome = text.split(" ", 2)
    return float(seconds), float(megabytes), outcome


def _measured(reader: Reader, shape: Shape, size: int) -> str:
    document = shape[1](size)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    signal.setitimer(signal.ITIMER_PROF, _GIVEN_UP)
    started = time.process_time()
    try:
        outcome = "read" if reader.read(document) else "nothing"
    except CartoguideError as error:
        outcome = f"refused: {error.user_text[:90]}"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        outcome = f"TROUBLE {type(error).__name__}: {str(error)[:200]}"
    seconds = (time.process_time() - started) / reader.operations
    return f"{seconds:.2f} {(_status('VmHWM') - before) / 1024:.0f} {outcome}"


def _status(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found.group(1)) if found else 0


def main() -> int:
    """Measure, and print what is over a limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=0, help="instead of the largest that is accepted")
    parser.add_argument("--reader", default="")
    parser.add_argument("--shape", default="")
    options = parser.parse_args()
    over = 0
    for reader in READERS:
        if options.reader not in reader.name:
            continue
        found: List[Shape] = [
            shape for shape in shapes(reader.kind, reader.varied_documents()) if options.shape in shape[0]
        ]
        size = int(options.megabytes * 1_000_000) or reader.largest
        for document in reader.documents():
            with contextlib.suppress(CartoguideError):
                reader.read(document)  # what is loaded once is no part of it
        outcomes: List[Outcome] = []
        for shape in found:
            seconds, megabytes, outcome = measure(reader, shape, size)
            outcomes.append((seconds, megabytes, outcome))
            if seconds > SECONDS or megabytes > MEGABYTES or outcome.startswith("TROUBLE"):
                over += 1
                print(
                    f"bounds: {reader.name}: {shape[0]}: {seconds:.1f} s, {megabytes:.0f} MB, {outcome}", flush=True
                )
        if found:
            print(
                f"bounds: {reader.name:<26}{len(found):>5} shapes, at most {max(o[0] for o in outcomes):.2f} s, "
                f"{max(o[1] for o in outcomes):.0f} MB",
                flush=True,
            )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
