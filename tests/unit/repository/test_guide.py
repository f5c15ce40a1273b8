"""The user guide: two languages with the same content, working links, every field of a record explained."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree

import pytest


@pytest.fixture(scope="module")
def guide(load_tool):
    return load_tool("tools/guide")


def spanish(repository):
    """The Spanish words by the English ones."""
    messages = ElementTree.parse(repository / "i18n" / "cartoguide_es.ts").getroot().iter("message")
    return {message.findtext("source"): message.findtext("translation") for message in messages}


def test_the_guide_is_whole(guide):
    assert guide.problems() == []


def test_what_is_missing_is_named(guide, repository, tmp_path):
    shutil.copytree(guide.GUIDE, tmp_path / "guide", ignore=shutil.ignore_patterns("html"))
    (tmp_path / "guide" / "es" / "terms.md").unlink()
    assert "es/terms.md is not there" in guide.problems(tmp_path / "guide")
    page = tmp_path / "guide" / "en" / "terms.md"
    page.write_text("# Terms\n\n![x](../pictures/en/none.png) [a](nowhere.md) [b](#none)")
    found = guide.problems(tmp_path / "guide")
    assert "pictures/en/none.png is not there" in found
    assert "en/terms.md leads to nowhere.md, which is not there" in found
    assert "en/terms.md leads to terms.md#none, which is not there" in found


def test_both_languages_have_the_same_shape(guide):
    def shape(page):
        text = page.read_text(encoding="utf-8")
        return (re.findall(r"^(#+) ", text, re.MULTILINE), len(re.findall(r"^\|", text, re.MULTILINE)),
                re.findall(r"pictures/\w\w/([\w-]+)", text))

    for name in guide.PAGES:
        assert shape(guide.GUIDE / "en" / f"{name}.md") == shape(guide.GUIDE / "es" / f"{name}.md"), name


def test_every_field_of_a_records_sheet_is_explained(guide, repository):
    source = (repository / "plugin" / "core" / "review" / "report" / "record_fields.py").read_text(encoding="utf-8")
    rows = source[source.index("def overview_rows"):source.index("def contact_html")]
    names = re.findall(r'^        \(tr\("([^"]+)"\), ', rows, re.MULTILINE)
    assert len(names) > 20
    words = spanish(repository)
    for language, told in (("en", lambda name: name), ("es", lambda name: words[name])):
        page = (guide.GUIDE / language / "fields.md").read_text(encoding="utf-8")
        assert [name for name in names if f"| **{told(name)}** |" not in page] == [], language


def test_pages_are_html_with_their_pictures_and_links(guide):
    page = guide.rendered("es", "index")
    assert page.startswith("<!DOCTYPE html>\n<html lang=\"es\">")
    assert 'href="records.html#las-seis-pestanas"' in page
    assert 'src="../../pictures/es/dock.png"' in page
    assert 'aria-current=page' in page
    assert ".md" not in page
    assert page == guide.rendered("es", "index")


def test_no_paragraph_is_a_wall_and_formats_are_on_the_page_for_developers(guide):
    walls = [f"{page.relative_to(guide.GUIDE)}:{number}" for language in guide.LANGUAGES
             for page in sorted((guide.GUIDE / language).glob("*.md"))
             for number, line in enumerate(page.read_text("utf-8").splitlines(), 1)
             if len(line) > 700 or re.search(r"SHA-256|base64|ISO 8601|`page\.", line)]
    assert walls == []
