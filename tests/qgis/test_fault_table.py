"""A slice of the table of `make network-faults`: every fault once, every operation with several of them.

The window may be held for half a second of own work. How near it is to the 50 ms that are promised depends on the
machine, and is measured by that table.
"""

from __future__ import annotations

import pytest

from plugin.gis.network import client
from plugin.gis.runtime import i18n
from tests.tools import network_faults

_OPERATIONS = tuple(network_faults.OPERATIONS)
_OWN_LAYERS = tuple(name for name in _OPERATIONS if name.startswith("own layer"))
#: what holds a window, or leads elsewhere, if anything does
_WORST = ("body a byte a second", "login page with 200", "reset in the middle", "301 loop", "500", "gzip bomb",
          "refused connection", "401", "204")
_DIAGONAL = [
    *((fault, _OPERATIONS[number % len(_OPERATIONS)]) for number, fault in enumerate(network_faults.FAULTS)),
    *(("timeout before headers", name) for name in _OWN_LAYERS), *zip(_WORST, _OWN_LAYERS),
    *((fault, "own layer, ArcGIS MapServer") for fault in ("cut XML", "gzip not gzip"))]


@pytest.fixture(scope="module")
def table(qgis_app, tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setattr(client, "_INITIAL_RETRY_DELAY", client._INITIAL_RETRY_DELAY)
    table = network_faults.Table(tmp_path_factory.mktemp("faults"))
    table.most_held = 500.0
    network_faults.prepare()
    for operation in _OPERATIONS:
        # the first run imports what the others use
        table.cell(operation, "byte order mark")
    yield table
    network_faults.close_window()
    patch.undo()


@pytest.fixture(autouse=True)
def prepared(qgis_app):
    network_faults.prepare()
    yield
    i18n.remove()


@pytest.mark.parametrize(("fault", "operation"), _DIAGONAL)
def test_a_fault_ends_in_time_in_words_and_never_holds_the_window(table, fault, operation):
    cell = table.cell(operation, fault)
    for _ in range(2):
        if not cell.held > table.most_held:
            break
        # Python's collection of all objects of the test run is no doing of this operation: it is not there every time
        cell = table.cell(operation, fault)
    assert not cell.broken, f"{cell.broken}: {cell.words}"
    harmless = fault in network_faults.HARMLESS_FOR_ALL
    assert cell.letter == "S" if harmless else cell.letter in "ES"


def test_every_operation_is_sound_on_a_sound_server(table):
    for operation in _OPERATIONS:
        cell = table.cell(operation, "wrong content type")
        assert cell.letter == "S", f"{operation}: {cell}"


def test_words_that_nobody_understands_are_noticed():
    right = "mapas.invalid no ha respondido a tiempo. Vuelva a intentarlo más tarde."
    assert network_faults.wrong_words(right, "mapas.invalid") == ""
    for wrong in (right.replace("mapas", "otro"), "Connection refused by mapas.invalid today.", "mapas.invalid: ¡no!",
                  f"Traceback (most recent call last): {right}", f"<QNetworkReply at 0x7f3a2bc1> {right}"):
        assert network_faults.wrong_words(wrong, "mapas.invalid"), wrong
