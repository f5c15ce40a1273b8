"""Labels of licences and fields: proper names stay, statements are translated."""

from __future__ import annotations

import pytest

from plugin.core import i18n
from plugin.core.terms.inspire_codes import inspire_codes
from plugin.core.terms.labels import field_label, licence_name, licence_title
from plugin.core.terms.licences import licence_table


@pytest.fixture
def shouting():
    i18n.set_translator(lambda text, n: text.upper())
    yield
    i18n.set_translator(None)


def test_every_statement_of_the_table_can_be_translated_and_names_stay(shouting):
    conditions = inspire_codes().values()
    assert len(conditions) == 4
    assert all(licence_title(one) == one.title.upper() != one.title for one in conditions)
    for one in (entry.licence for entry in licence_table()._entries):
        wanted = one.title.upper() if one.id == "public-domain" else one.title
        assert licence_title(one) == wanted


def test_a_licence_goes_by_its_short_name():
    licence = licence_table().find_by_address("https://creativecommons.org/licenses/by/4.0/").licence
    assert licence_name(licence) == "CC BY 4.0"


def test_fields_of_the_service_are_marked_as_such():
    assert field_label("service: AccessConstraints") == "Access constraints (from the service)"
    assert field_label("use_limitations") == "Use limitation"
    assert field_label("another_field") == "Another field"
