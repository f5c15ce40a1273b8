"""A folder and a package of many records opened in the dock: until some are seen, until all are there, memory, window.

    make bench ARGS="--only bench_opening --records 100000"    more records (20,000 otherwise: they are opened twice)
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Iterator

from beside import late_row, load
from harness import Row, benchmark, measured_inside, not_measured
from varied_records import records

PROGRAM = Path(__file__).with_name("inside_opening.py")
RECORDS = int(os.environ.get("CARTOGUIDE_BENCH_RECORDS", "20000"))
#: of a package fewer: what is asked is whether it takes more than a folder
_SHARE_IN_PACKAGE = 4
_FILES_IN_A_FOLDER = 1000
_SECONDS = 900


def _folder(place: Path) -> Path:
    for number, data in enumerate(records(RECORDS)):
        below = place / f"{number // _FILES_IN_A_FOLDER:04}"
        if number % _FILES_IN_A_FOLDER == 0:
            below.mkdir(parents=True)
        (below / f"{number:07}.xml").write_bytes(data)
    return place


def _package(path: Path) -> Path:
    """As GeoNetwork's MEF 2: a folder for each record."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, data in enumerate(records(RECORDS // _SHARE_IN_PACKAGE)):
            archive.writestr(f"{number:07}/info.xml", b"<info/>")
            archive.writestr(f"{number:07}/metadata/metadata.xml", data)
    return path


@benchmark
def opened_in_the_dock() -> Iterator[Row]:
    """Files opened through the dock: records in a second, the first ones painted, memory, and the window's timer."""
    with tempfile.TemporaryDirectory() as place:
        for words, make, name, count in (
            (f"a folder of {RECORDS} files", _folder, "registros", RECORDS),
            (f"a package of {RECORDS // _SHARE_IN_PACKAGE} records", _package, "registros.zip",
             RECORDS // _SHARE_IN_PACKAGE),
        ):
            try:
                found = measured_inside("the dock", str(PROGRAM), str(make(Path(place) / name)), seconds=_SECONDS)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                yield not_measured(f"opened in the dock: {words}", str(error)[:200])
                continue
            if found["new"] != count or found["failed"]:
                raise ValueError(f"{found['new']} records of {count} came, {found['failed']} failed")
            note = f"{found['seconds']:.0f} s; {load()}"
            yield Row(f"opened in the dock: {words}", count / found["seconds"], "records/s", note=note)
            yield Row(f"{words}: first results painted", found["first"], "s", goal="value <= 2",
                      note=f"then {found['shown']} rows, more as it is scrolled")
            yield Row(f"{words}: memory above the start", found["memory"], "MB", goal="value <= 300")
            yield late_row(f"{words}: window's timer", found["late"], found["machine"], "a QTimer of 5 ms",
                           found["own"])
