"""The catalogues contain exactly the texts of the sources, and the translation tool reads them right."""

from __future__ import annotations

import pytest

from plugin.core import i18n


@pytest.fixture(scope="module")
def tool(load_tool):
    return load_tool("tools/translations")


@pytest.fixture
def project(tmp_path):
    """A repository with one source and no catalogue yet."""
    (tmp_path / "plugin").mkdir()
    (tmp_path / "plugin" / "a.py").write_text('tr("Open {name}", name=n)\ntr("%n record(s)", n=3)\ntr("Gone soon")\n')
    return tmp_path


def catalogue(root):
    return root / "i18n" / "cartoguide_es.ts"


def test_texts_and_plurals_are_read_from_the_sources(tool, project):
    assert [(m.text, m.plural) for m in tool.sources(project).values()] == [
        ("Open {name}", False), ("%n record(s)", True), ("Gone soon", False),
    ]


@pytest.mark.parametrize(
    "source",
    ["tr(name)", 'tr(f"Open {name}")', 'tr("Open " + name)', 'tr("Open %s" % name)', 'self.tr("Open")', "tr()",
     'tr("%n record(s)")', 'tr("record", n=3)'],
)
def test_a_text_that_cannot_be_translated_is_refused_with_its_place(tool, source):
    with pytest.raises(tool.SourceError, match="plugin/a.py:2"):
        tool.texts_of(f"\n{source}\n", "plugin/a.py")


def test_a_text_over_several_lines_is_one_text(tool):
    assert tool.texts_of('tr("Open "\n   "it")', "a.py") == [("Open it", False)]


def test_texts_of_a_class_are_marked_and_translated_when_they_are_shown(tool):
    assert tool.texts_of('class A:\n    TITLE = tr_noop("Open")', "a.py") == [("Open", False)]
    with pytest.raises(tool.SourceError):
        tool.texts_of("tr_noop(name)", "a.py")
    marked = i18n.tr_noop("Check records")
    i18n.set_translator(lambda text, n: f"{text} ({n})", "es")
    try:
        assert marked == "Check records" and i18n.translated(marked) == "Check records (-1)"
    finally:
        i18n.set_translator(None)
    assert i18n.translated(marked) == marked


def test_translations_survive_an_update_and_vanished_texts_go(tool, project, capsys):
    tool.update(project)
    content = catalogue(project).read_text()
    empty = '<translation type="unfinished"></translation>'
    catalogue(project).write_text(content.replace(empty, "<translation>Abrir {name}</translation>", 1))
    (project / "plugin" / "a.py").write_text('tr("Open {name}", name=n)\ntr("New")\n')
    tool.update(project)
    assert tool.translations(catalogue(project)) == {"Open {name}": ["Abrir {name}"], "New": [""]}
    assert tool.unfinished(catalogue(project)) == {"New"}
    assert "gone: 'Gone soon'" in capsys.readouterr().out


def test_an_update_that_changes_nothing_writes_the_same_bytes(tool, project):
    tool.update(project)
    before = catalogue(project).read_bytes()
    tool.update(project)
    assert catalogue(project).read_bytes() == before


def test_a_lost_place_is_found(tool):
    assert tool.lost_places("Open {name}", ["Abrir {nombre}"]) == {"{name}", "{nombre}"}
    assert tool.lost_places("%n record(s)", ["un registro", "%n registros"]) == set()
    assert tool.lost_places("%n record(s)", ["%n registro", "registros"]) == {"%n"}


def test_compiled_catalogues_are_what_the_sources_say(tool, project):
    tool.update(project)
    tool.release(project)
    assert catalogue(project).with_suffix(".qm").stat().st_size > 0


def test_the_plugins_texts_can_all_be_translated_and_its_catalogues_are_complete_and_in_step(tool, repository):
    assert tool.problems(repository) == []
