"""Generates all data of the test network into a folder: ``make_data.py [FOLDER]``. Seeded: the same every time."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, List

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def version() -> str:
    """A short name for what the generator would write: it changes when the generator does."""
    digest = hashlib.sha1()
    for path in [HERE / "make_data.py", *sorted((HERE / "netparts").glob("*.py"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def write_all(folder: str) -> None:
    """Write every data set into ``folder``."""
    import numpy as np
    from netparts import facilities, places, rain, relief, setting, terrain, vectors, ways

    rng = np.random.default_rng(places.SEED)
    ground = terrain.make_ground(rng)
    relief.write_relief(folder, ground, rng)
    relief.write_contours(folder, ground)
    peaks = setting.find_peaks(ground)
    boundary = setting.park_boundary(np.random.default_rng(places.SEED + 1))
    net = ways.make_ways(ground, [(x, y) for x, y, _ in peaks], np.random.default_rng(places.SEED + 2))
    write = vectors.write_features
    far = 60000.0
    sheet = [
        (places.WEST - far, places.SOUTH - far),
        (places.WEST - far, places.NORTH + far),
        (places.EAST + far, places.NORTH + far),
        (places.EAST + far, places.SOUTH - far),
    ]
    write(folder, "park", "polygon", [("NOMBRE", str, 60)], [([boundary], {"NOMBRE": facilities.PARK})])
    write(folder, "outside", "polygon", [("NOMBRE", str, 60)], [([sheet, boundary], {"NOMBRE": "Exterior"})])
    write(folder, "rivers", "line", [("NOMBRE", str, 60), ("RANGO", int, 2)], _rivers(ground.streams))
    write(
        folder,
        "ways",
        "line",
        [("CLASE", str, 20), ("NOMBRE", str, 60), ("CODIGO", str, 12)],
        [(way.line, {"CLASE": way.kind, "NOMBRE": way.name, "CODIGO": way.code}) for way in net.ways],
    )
    write(
        folder,
        "built_up",
        "polygon",
        [("NOMBRE", str, 60)],
        [([ring], {"NOMBRE": name}) for ring, name in setting.built_up(np.random.default_rng(places.SEED + 3))],
    )
    write(
        folder,
        "names",
        "point",
        [
            ("NOMBRE", str, 60),
            ("ROTULO", str, 70),
            ("CLASE", str, 20),
            ("RANGO", int, 2),
            ("ANGULO", float, 8),
            ("COTA", int, 6),
            ("LADO", str, 2),
        ],
        setting.names(peaks),
    )
    write(
        folder,
        "facilities",
        "point",
        facilities.FIELDS,
        facilities.make_facilities(net, peaks, np.random.default_rng(places.SEED + 4)),
    )
    rng = np.random.default_rng(places.SEED + 5)
    ring = rain.outline(rng)
    write(folder, "region", "polygon", [("NOMBRE", str, 60)], [([rain.region()], {"NOMBRE": "Andalucía"})])
    stations = rain.make_stations(ring, rng)
    rain.write_surfaces(folder, stations)
    write(
        folder,
        "stations",
        "point",
        [("CODIGO", str, 10), ("NOMBRE", str, 60), *((f"P{day:02d}", float, 8) for day in range(1, rain.DAYS + 1))],
        stations,
    )


def _rivers(streams: List[Any]) -> List[Any]:
    """The streams by size (1 river … 3 gully), named where a name is known."""
    from netparts import places

    greatest = max(range(len(streams)), key=lambda i: streams[i].area)
    names = {greatest: "Río Despeñaperros"}
    for name, x, y in places.STREAMS:
        free = [i for i, stream in enumerate(streams) if i not in names and stream.area > 2.5]
        names[min(free, key=lambda i: min((px - x) ** 2 + (py - y) ** 2 for px, py in streams[i].line))] = name
    return [
        (s.line, {"NOMBRE": names.get(i, ""), "RANGO": 1 if s.area > 30 else 2 if s.area > 5 else 3})
        for i, s in enumerate(streams)
    ]


def ensure(root: Path) -> Path:
    """The data folder below ``root`` for this version of the generator, made if it is missing.

    It appears whole or not at all; of several processes that want it at once, one makes it and the others wait.
    """
    target = root / f"data-{version()}"
    if (target / "done").exists():
        return target
    root.mkdir(parents=True, exist_ok=True)
    with open(root / "making.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (target / "done").exists():
            _prune(root)
            work = tempfile.mkdtemp(prefix="making-", dir=root)
            try:
                write_all(work)
                Path(work, "done").write_text("")
                os.rename(work, target)
            finally:
                shutil.rmtree(work, ignore_errors=True)
    return target


def _prune(root: Path) -> None:
    """Take away what older versions of the generator made, when nobody has made use of it for a week."""
    for old in [*root.glob("data-*"), *root.glob("making-*")]:
        if old.is_dir() and time.time() - old.stat().st_mtime > 7 * 86400:
            shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    print(ensure(Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1] / "build" / "network")))
