"""A slice of the fault matrix of ``make faults``: no wrong answer leaves a wrong page without a word."""

from __future__ import annotations

import pytest
from source_server import SourceServer

from plugin.gis.network import client

# one of each letter and request, which test_image_faults and test_export_checks have not; the rest is in `make faults`
SLICE = (("GetMap", "transparent", "T"), ("GetLegendGraphic", "drawn error", "R"), ("GetStyles", "cut short", "T"),
         ("GetCapabilities", "wrong type", "R"))


@pytest.fixture
def matrix(load_tool, network, project, tmp_path, monkeypatch):
    from plugin.gis.credits import expression_functions

    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", client._INITIAL_RETRY_DELAY)
    expression_functions.register()
    tool = load_tool("tools/faults")
    yield tool.Matrix(network, project, tmp_path)
    expression_functions.unregister()


def test_no_kind_of_own_layer_is_silent(load_tool, project, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    tool, answers = load_tool("tools/faults"), ("500", "login page with 200", "cut XML", "short body")
    with SourceServer() as server:
        own = tool.OwnLayers(server, project, tmp_path)
        for name, answer in zip(server.sources, answers * 2):
            assert own.row(name, answer, ["png"])["png"].letter == "R", (name, answer)


def test_a_wrong_answer_is_refused_healed_or_told(matrix):
    for request, kind, letter in SLICE:
        outcome = matrix.row(kind, request, "page", ["png"])["png"]
        assert outcome.letter == letter, (kind, outcome)
        assert outcome.words


@pytest.mark.slow
def test_the_second_page_of_an_atlas_is_judged_by_itself(matrix):
    outcome = matrix.row("transparent", "GetMap", "atlas", ["png"])["png"]
    assert outcome.letter == "T" and "page 2:" in outcome.words
