"""Capabilities reduced to the required layers describe these as the whole document does."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.core.wms import read_service
from plugin.core.wms.capabilities.pruning import prune_capabilities

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wms"


@pytest.mark.parametrize("name", ["network-1.3.0.xml", "network-1.1.1.xml"])
def test_a_wanted_layer_keeps_all_that_it_inherits_and_the_others_go(name):
    document = (FIXTURES / name).read_bytes()
    whole = read_service(document)
    leaves = [layer for layer in whole.iter_layers() if layer.name and not layer.layers]
    for wanted in leaves:
        short = read_service(prune_capabilities(document, [wanted.name]))
        assert short.layer(wanted.name) == wanted
        assert [layer.name for layer in short.iter_layers() if layer.name and not layer.layers] == [wanted.name]
        assert (short.version, short.limits, short.operations) == (whole.version, whole.limits, whole.operations)


def test_a_named_group_can_be_wanted_itself():
    document = (FIXTURES / "network-1.3.0.xml").read_bytes()
    root = read_service(document).root
    short = read_service(prune_capabilities(document, [root.name])).root
    assert (short.name, short.crs, short.layers) == (root.name, root.crs, ())
