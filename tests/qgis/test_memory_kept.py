"""Memory of large pictures: not cleared anew for each of them while a page is drawn, and given back afterwards."""

from __future__ import annotations

import os
import resource
from contextlib import nullcontext

import pytest
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.model import PageSetup
from plugin.gis.export import export_transaction, layout_export, prefetch
from plugin.gis.runtime.malloc_tuning import freed_memory_retained
from tests.qgis.print_maps import composed

_SIDE, _TIMES = 3600, 8


@pytest.fixture(autouse=True)
def glibc():
    try:
        known = os.confstr("CS_GNU_LIBC_VERSION")
    except ValueError:
        known = ""
    if not known.startswith("glibc"):
        pytest.skip("only glibc has the switch")


def cleared(work):
    """How many pages of memory the system cleared for ``work``."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def draw():
    for _ in range(_TIMES):
        QImage(_SIDE, _SIDE, QImage.Format.Format_ARGB32).fill(0)


def resident():
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def kept():
    with freed_memory_retained(), freed_memory_retained():
        draw()
        # the inner one's end is not the outer one's
        draw()


def test_one_picture_takes_the_place_of_another_and_all_is_given_back(qgis_app):
    pages = _SIDE * _SIDE * 4 // os.sysconf("SC_PAGE_SIZE")
    draw()
    kept()
    before = resident()
    assert cleared(kept) < 1.5 * pages, "more than one picture's"
    assert resident() - before < _SIDE * _SIDE * 4 / 4
    assert cleared(draw) > 0.9 * _TIMES * pages, "QGIS has its own way again"


def test_an_export_clears_little_memory(network, project, tmp_path, monkeypatch):
    # pictures of this size are those that glibc by itself never keeps
    made = composed(network, project, page=PageSetup("A3", "landscape"), guide=("limite_parque", ),
                    facilities=("miradores", ))
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", 300)

    def again():
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", 300)

    ours = cleared(again)
    for module in (export_transaction, prefetch):
        monkeypatch.setattr(module, "memory_kept", nullcontext)
    plain = cleared(again)
    print(f"pages of memory cleared: {ours}, and by QGIS alone {plain}")
    assert ours < plain / 2
