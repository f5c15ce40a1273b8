"""The names in layout templates of others, read once, and what is said about those that are not here."""

from __future__ import annotations

import pytest

from plugin.core.preflight.template_findings import template_findings, template_notes
from plugin.core.trust.drawing import allowed_template
from plugin.core.trust.template_contents import (
    NamedLayer,
    ResolvedTemplate,
    TemplateContents,
    TemplateFont,
    TemplateMap,
    font_family,
    read_contents,
)

THEMES = {"Deslindes": ["overview"], "Vista general": ["general"]}


@pytest.mark.parametrize("version", ("3.22", "3.40"))
def test_templates_of_all_versions_name_the_same(repository, version):
    text = (repository / "tests" / "unit" / "fixtures" / "templates" / f"qgis-{version}.qpt").read_text("utf-8")
    contents = read_contents(text)
    assert [font.family for font in contents.fonts if "Sans" not in font.family] == ["Frutiger Ajena"]
    assert set(contents.pictures) == {"C:\\Users\\Eva\\logos\\escudo.png", "beside.png", "/mnt/datos/simbolos/flor.svg"}
    assert contents.followed_themes(are_filled=True) == {"Deslindes": ["map"]}
    assert contents.followed_themes(are_filled=False) == THEMES
    assert sorted(layer.name for layer in contents.named_layers()) == ["Linderos", "Parcelas"]
    assert set(allowed_template(text).refused_pictures) == set(contents.pictures)


def item(kind, attributes="", inner=""):
    return f"<LayoutItem type='{65636 + kind}' {attributes}>{inner}</LayoutItem>"


def test_what_is_not_printed_or_is_replaced_is_not_named():
    text = "<text-style fontFamily='{}'><families><family name='Arial'/></families></text-style>"
    contents = read_contents("<Layout>" + "".join((
        item(4, "file='hidden.png' visibility='0'"), item(4, "file='left-out.png' excludeFromExports='1'"),
        item(4, "file='base64:AAAA'"), item(4, "file=' '"), item(9, "startMarkerMode='0' startMarkerFile='no.svg'"),
        item(4, "file='fallback.png'", "<LayoutObject><dataDefinedProperties><Option type='Map'><Option "
             "name='properties'><Option name='dataDefinedSource'><Option name='active' value='true'/><Option "
             "name='expression' value='1'/></Option></Option></Option></dataDefinedProperties></LayoutObject>"),
        item(5, "visibility='0'", text.format("Hidden")), item(5, "", text.format("Shown")),
        item(3, "id='map'", f"<ComposerMapGrid show='1' showAnnotation='0'>{text.format('Grid')}</ComposerMapGrid>"
                            "<LayerSet><Layer name='Mine'>mine_1</Layer></LayerSet>"),
        item(6, "id='legend'", "<layer-tree-group><layer-tree-layer id='mine_1'/></layer-tree-group>"),
        "<Atlas enabled='0' coverageLayer='mine_1'/>")) + "</Layout>")
    assert contents == TemplateContents((TemplateFont("Shown", ("Arial",)),), (), (
        TemplateMap("map", "", (NamedLayer("mine_1", "Mine"),)),))
    assert contents.named_layers() == ()


def test_what_is_printed_is_named():
    contents = read_contents("<Layout>" + "".join((
        item(9, "endMarkerMode='2' endMarkerFile='arrow.svg'"),
        item(6, "id='other'", "<layer-tree-group><layer-tree-group><layer-tree-layer id='a' name='A' source='s'/>"
                              "</layer-tree-group></layer-tree-group>"),
        "<LayoutMultiFrame vectorLayer='b' vectorLayerName='B'/>",
        "<Atlas enabled='1' coverageLayer='c' coverageLayerName='C'/>")) + "</Layout>")
    assert contents.pictures == ("arrow.svg",)
    assert contents.layers == (NamedLayer("a", "A", "s"), NamedLayer("b", "B"), NamedLayer("c", "C"))


@pytest.mark.parametrize("text", ("", "no XML", "<Composer/>", "<Layout>", '<!DOCTYPE x [<!ENTITY e "a">]><Layout/>',
                                  "<Layout>" + "<a>" * 5000 + "</a>" * 5000 + "</Layout>"))
def test_of_a_document_that_cannot_be_read_nothing_is_named(text):
    assert read_contents(text) == TemplateContents()


@pytest.mark.parametrize(("description", "family"), (
    ("Open Sans,8,-1,5,50,0,0,0,0,0", "Open Sans"), ("Arial,9.5,-1,5,400,0,0,0,0,0,0,0,0,0,0,1,Regular", "Arial"),
    ("A grid, with a description", ""), ("", "")))
def test_the_family_of_a_font_as_qt_writes_it(description, family):
    assert font_family(description) == family


def test_many_missing_things_are_one_issue_of_bounded_length():
    names = [f"{number} " + "x" * 5000 for number in range(300)]
    contents = TemplateContents(maps=tuple(TemplateMap("", name) for name in names),
                                layers=tuple(NamedLayer(name, name) for name in names))
    found = list(template_findings(ResolvedTemplate(
        "a.qpt", contents, False, dict.fromkeys(names, "Open Sans"), dict.fromkeys(names, ""),
        missing_themes=frozenset(names), missing_layers=frozenset(names))))
    assert [finding.rule for finding in found] == ["template-font", "template-picture", "template-theme",
                                                   "template-layers"]
    assert all(len(finding.message) < 1000 and len(finding.detail) <= 20_000 for finding in found)
    assert all("and 295 more" in finding.message for finding in found)


def test_a_template_that_lacks_nothing_is_no_issue():
    contents = TemplateContents((TemplateFont("Arial"),), ("a.png",), (TemplateMap("other", "Theme"),),
                                (NamedLayer("a"),))
    assert template_notes(ResolvedTemplate("a.qpt", contents, pictures={"a.png": "/x/a.png"})) == []
