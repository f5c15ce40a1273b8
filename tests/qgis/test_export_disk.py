"""Full disks and read-only folders: a clear error, and no partial file that could be mistaken for a map."""

from __future__ import annotations

import resource
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest

from plugin.core.errors import CartoguideError
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from tests.qgis.print_maps import composed

DPI = 50


@contextmanager
def room_for(size):
    """Files of this process grow no larger: the write fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.slow
def test_a_full_disk_is_told_and_leaves_no_half_a_file(network, project, tmp_path):
    made = composed(network, project)
    for kind in layout_export.EXPORT_FORMATS:
        if kind == "geopdf" and not layout_export.geopdf_available():
            continue
        path = tmp_path / kind / f"map.{layout_export.EXPORT_FORMATS[kind].suffix}"
        path.parent.mkdir()
        layout_export.export_layouts(made.layout, path, kind, ExportOptions(DPI))
        whole = path.read_bytes()
        with room_for(len(whole) * 3 // 4), pytest.raises(CartoguideError) as failed:
            layout_export.export_layouts(made.layout, path, kind, ExportOptions(DPI, attempts=1))
        assert path.name in failed.value.user_text and path.read_bytes() == whole, "yesterday's file is as it was"
        assert {file.stem for file in path.parent.iterdir()} == {"map"}, kind


def test_a_folder_that_takes_no_file_is_told(network, project):
    made = composed(network, project)
    for folder in ("/proc", "/proc/self/status"):
        with pytest.raises(CartoguideError) as failed:
            layout_export.export_pdf(made.layout, Path(folder) / "map.pdf", DPI)
        assert folder in failed.value.user_text
