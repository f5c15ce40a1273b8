"""The public catalogues that the plugin suggests: complete, translated, each with the terms of its metadata."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from plugin.core import i18n
from plugin.core.catalogues.source_list import dump_sources, load_sources, suggested_catalogues


@pytest.fixture
def spanish():
    i18n.set_translator(i18n.untranslated, "es")
    yield
    i18n.set_translator(None)


def test_each_suggestion_has_owner_area_terms_and_secure_addresses() -> None:
    found = suggested_catalogues()
    assert 6 <= len(found) <= 10
    assert len({item.source.key for item in found}) == len(found)
    for item in found:
        assert item.source.kind.is_catalogue and item.source.title and item.owner and item.area
        assert item.terms.endswith(".")
        for address in (item.source.address, item.terms_url):
            assert urlsplit(address).scheme == "https" and urlsplit(address).hostname


def test_area_and_terms_are_in_the_users_language(spanish) -> None:
    by_title = {item.source.title: item for item in suggested_catalogues()}
    assert by_title["IDEE"].area == "España"
    assert all("registro" in item.terms for item in by_title.values())


def test_a_suggestion_is_saved_as_any_other_catalogue() -> None:
    sources = [item.source for item in suggested_catalogues()]
    assert load_sources(dump_sources(sources)) == sources
