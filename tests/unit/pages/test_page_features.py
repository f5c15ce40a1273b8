"""The registry of page features in the core."""

from dataclasses import fields

import pytest

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, PageSetup
from plugin.core.pages.page_features import FEATURES, of_template, only_paper, shows_all_moments, with_members


def test_each_feature_has_a_name_and_a_member_of_its_own():
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)
    members = [feature.member for feature in with_members()]
    assert len(set(members)) == len(members) >= 3
    assert set(members) <= {field.name for field in fields(PageSetup)}


@pytest.mark.parametrize("feature", [feature for feature in FEATURES if feature.member], ids=lambda one: one.name)
def test_a_page_without_a_feature_writes_nothing_of_it_and_reads_as_before(feature):
    assert feature.change_label is not None and feature.change_label(), "a change of it can be undone by its name"
    written = write_document(CustomMap())
    assert f'"{feature.member}"' not in written.decode("utf-8")
    assert getattr(read_document(written).page, feature.member) == getattr(PageSetup(), feature.member)


def test_a_feature_with_a_template_is_on_its_pages_only():
    names = {feature.name for feature in of_template("guide")}
    assert {"qr_code", "logos"} <= names and not {"leaflet", "small_multiples"} & names
    assert {"qr_code", "leaflet"} <= {feature.name for feature in of_template("leaflet")}
    assert only_paper("guide") is None and only_paper("leaflet").paper == "A3"
    assert shows_all_moments("multiples") and not shows_all_moments("leaflet")
