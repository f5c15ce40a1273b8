"""The allow-list of styles and templates: what is not known to be harmless is left out, wherever it is hidden."""

import base64
import re
import time
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from plugin.core.errors import UnreadableDocument
from plugin.core.resources import RESOURCES
from plugin.core.trust.drawing import allowed_style, allowed_template
from tests.unit.pages.test_embedded_logos import PNG, encoded, svg

TEMPLATES = sorted((RESOURCES / "templates").glob("*.qpt"))
WORD = "CANARY"
PATHS = ("/tmp/CANARY.svg", "CANARY.svg", "../CANARY.svg", "arrows/../../CANARY.svg", "C:\\CANARY.svg",
    "\\\\host\\CANARY.svg",
         "http://127.0.0.1/CANARY.svg", "file:///tmp/CANARY.svg", "/vsicurl/http://a/CANARY.png", "ftp://a/CANARY",
         "qrc:/CANARY.svg",
         " /tmp/CANARY.svg", "%2ftmp/CANARY.svg", "base64:Q0FOQVJZ", "BASE64:CANARY", "arrows/CANARY.svg",
         "~/CANARY.svg",
         "//host/CANARY.svg", "arrows//CANARY.svg", "data:image/png;base64,CANARY")


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "svg"
    (folder / "arrows").mkdir(parents=True)
    (folder / "arrows" / "North.svg").write_bytes(svg())
    (tmp_path / "CANARY.svg").write_bytes(svg())
    (folder / "arrows" / "link.svg").symlink_to(tmp_path / "CANARY.svg")
    return folder


def symbol(layer_class, options="", more="", kind="marker"):
    return (f'<symbol type="{kind}" name="0"><layer class="{layer_class}" enabled="1" pass="0" locked="0">'
            f'<Option type="Map">{options}</Option>{more}</layer></symbol>')


def option(key, value, kind="QString"):
    return f'<Option type="{kind}" name="{key}" value="{escape(value)}"/>'


def style(inner="", more=""):
    return (f"<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version=\"3.22\">{more}"
            f'<renderer-v2 type="singleSymbol"><symbols>{inner}</symbols></renderer-v2></qgis>')


def collection(key, value, kind="3", active="true", name="expression"):
    return (f'<data_defined_properties><Option type="Map"><Option name="properties" type="Map"><Option name="{key}" '
            f'type="Map">{option("active", active, "bool")}{option(name, value)}{option("type", kind, "int")}</Option>'
            f"</Option></Option></data_defined_properties>")


def layers(drawing):
    return etree.fromstring(drawing.text).findall(".//layer")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("layer_class", "key", "kind"), (
    ("SvgMarker", "name", "marker"), ("RasterMarker", "imageFile", "marker"), ("SVGFill", "svgFile", "fill"),
    ("RasterFill", "imageFile", "fill"), ("RasterLine", "imageFile", "line"), ("AnimatedMarker", "imageFile",
    "marker")))
def test_a_picture_of_another_place_is_replaced(library, path, layer_class, key, kind):
    for options, former in ((option(key, path), ""), ("", f'<prop k="{key}" v="{escape(path)}"/>'),
                            (f'<Option type="StringList" name="{key}"><Option value="{escape(path)}"/></Option>', "")):
        drawing = allowed_style(style(symbol(layer_class, options, former, kind)), library)
        assert WORD not in drawing.text and "Q0FO" not in drawing.text
        layer, = layers(drawing)
        assert layer.get("class").startswith("Simple"), "the features are seen"
        assert drawing.left_out


def test_pictures_of_the_file_and_of_the_library_stay(library):
    north = (library / "arrows" / "North.svg").as_posix()
    for value, kept in (("arrows/North.svg", north), (f"base64:{encoded(PNG)}", f"base64:{encoded(PNG)}"),
                        (f"base64:{encoded(svg())}", "base64:")):
        for layer_class, key, kind in (("SvgMarker", "name", "marker"), ("SVGFill", "svgFile", "fill")):
            drawing = allowed_style(style(symbol(layer_class, option(key, value), kind=kind)), library)
            assert drawing.left_out == ()
            layer, = layers(drawing)
            assert layer.get("class") == layer_class
            assert layer.find(f"Option/Option[@name='{key}']").get("value").startswith(kept)
    assert allowed_style(style(symbol("SvgMarker", option("name", "arrows/link.svg"))), library).left_out
    assert allowed_style(style(symbol("SvgMarker", option("name", "arrows/North.svg"))), None).left_out


@pytest.mark.parametrize("body", (
    '<image xlink:href="/tmp/CANARY.png"/>', '<image href="file:///tmp/CANARY.png"/>', "<script>CANARY</script>",
    '<rect style="fill:url(http://a/CANARY)"/>', "<style>@import 'CANARY.css'</style>",
    '<use xlink:href="CANARY.svg#a"/>',
    '<image xlink:href="param(CANARY)"/>', "<use xlink:href='#a'/>" * 60 + WORD))
def test_an_embedded_svg_that_reads_something_is_left_out(body):
    picture = base64.b64encode(svg(body)).decode()
    drawing = allowed_style(style(symbol("SvgMarker", option("name", f"base64:{picture}"))))
    assert picture not in drawing.text and drawing.left_out
    drawing = allowed_style(style(symbol("SVGFill", option("data", svg(body).hex()), kind="fill")))
    assert svg(body).hex() not in drawing.text and drawing.left_out


@pytest.mark.parametrize("key", ("name", "file", "svgFile", "unheard", "Name", "interval", "pointCount"))
def test_properties_that_choose_a_file_or_a_number_of_things_are_left_out(library, key):
    for layer_class in ("SvgMarker", "SVGFill"):
        picture = "name" if layer_class == "SvgMarker" else "svgFile"
        inner = symbol(layer_class, option(picture, "arrows/North.svg"), collection(key, "'/tmp/CANARY.svg'"))
        drawing = allowed_style(style(inner), library)
        assert WORD not in drawing.text and drawing.left_out
        assert len(layers(drawing)) == 1


def test_properties_by_expression_field_and_value():
    for name, kind, value, stays in (
            ("expression", "3", "\"pop\" * 2", True), ("expression", "3", "env('CANARY')", False),
            ("expression", "2", "env('CANARY')", False), ("field", "2", "CANARY", True), ("val", "1", "1.5", True),
            ("val", "1", "/tmp/CANARY.svg", False)):
        drawing = allowed_style(style(symbol("SimpleMarker", more=collection("size", value, kind, name=name))))
        assert (value in etree.fromstring(drawing.text).xpath("//Option/@value")) == stays, value
        assert bool(drawing.left_out) != stays
    hidden = collection("size", "1").replace('name="active"', 'name="transformer"').replace(
        'value="true"', 'value="x"').replace("<data_", '<data_').replace('type="bool"', 'type="Map"')
    assert "transformer" in allowed_style(style(symbol("SimpleMarker", more=hidden))).text
    deep = collection("size", "1").replace('value="1"/>',
    '><Option name="expression" value="env(\'CANARY\')"/></Option>')
    assert WORD not in allowed_style(style(symbol("SimpleMarker", more=deep))).text
    unjudged = "<data_defined_properties><Option type='Map'><Option name='x' type='Map'><Option name='expression' " \
               "value=\"env('CANARY')\"/></Option></Option></data_defined_properties>"
    assert WORD not in allowed_style(style(symbol("SimpleMarker", more=unjudged))).text


@pytest.mark.parametrize("hidden", (
    "<renderer-v2 type='categorizedSymbol' attr=\"env('CANARY')\"/>", "<renderer-v2 type='unheard' attr='CANARY'/>",
    "<renderer-v2 type='embeddedSymbol'><x>CANARY</x></renderer-v2>",
    "<renderer-v2 type='heatmapRenderer' weight_expression=\"env('CANARY')\"/>",
    "<renderer-v2 type='singleSymbol'><rotation field=\"env('CANARY')\"/><sizescale "
    "field=\"env('CANARY')\"/></renderer-v2>",
    "<renderer-v2 type='singleSymbol'><orderby><orderByClause>env('CANARY')</orderByClause></orderby></renderer-v2>",
    "<renderer-v2 type='singleSymbol'><orderby><orderByClause><![CDATA[env('CANARY')]]></orderByClause></orderby>"
    "</renderer-v2>",
    "<renderer-v2 type='RuleRenderer'><rules><rule filter=\"env('CANARY')\"/></rules></renderer-v2>",
    "<renderer-v2 type='RuleRenderer'><rules><rule filter='1=1'><rule "
    "filter=\"env('CANARY')\"/></rule></rules></renderer-v2>",
    "<renderer-v2 type='categorizedSymbol'><categories><category label=\"[% env('CANARY') "
    "%]\"/></categories></renderer-v2>",
    "<labeling type='simple'><settings><text-style fieldName=\"env('CANARY')\" "
    "isExpression='1'/></settings></labeling>",
    "<labeling type='simple'><settings><text-style fieldName=\"env('CANARY')\" isExpression=' "
    "1'/></settings></labeling>",
    "<labeling type='simple'><settings><text-style fieldName=\"env('CANARY')\"/></settings></labeling>",
    "<labeling type='simple'><settings><placement geometryGenerator=\"env('CANARY')\"/></settings></labeling>",
    "<labeling type='rule-based'><rules><rule filter=\"env('CANARY')\"><settings/></rule></rules></labeling>",
    "<labeling type='simple'><settings><background shapeSVGFile='/tmp/CANARY.svg'/></settings></labeling>",
    "<labeling type='simple'><settings><callout type='simple'><Option type='Map'><Option name='lineSymbol' "
    "type='QString' value='"
    + escape(symbol("SvgMarker", option("name", "/tmp/CANARY.svg"))) + "'/></Option></callout></settings></labeling>",
    "<labeling type='simple'><settings><callout type='simple'><Option type='Map'><Option name='lineSymbol' "
    "type='QString' value='"
    "&lt;x>CANARY&lt;/x>'/></Option></callout></settings></labeling>",
    "<labeling type='simple'><settings><dd_properties><Option type='Map'><Option name='properties' type='Map'><Option "
    "name='ShapeSVGFile' type='Map'><Option name='active' value='true'/><Option name='expression' "
    "value=\"'/tmp/CANARY'\"/>"
    "</Option></Option></Option></dd_properties></settings></labeling>",
    "<SingleCategoryDiagramRenderer><DiagramCategory><attribute field=\"env('CANARY')\"/></DiagramCategory>"
    "</SingleCategoryDiagramRenderer>",
    "<LinearlyInterpolatedDiagramRenderer classificationAttributeExpression=\"env('CANARY')\"/>",
    "<expressionfields><field name='a' expression=\"env('CANARY')\"/></expressionfields>",
    "<renderer type='basic'><styles><style expression=\"env('CANARY')\" layer='a'/></styles></renderer>",
    "<customproperties><Option type='Map'><Option name='labeling/fieldName' "
    "value='CANARY'/></Option></customproperties>",
    "<editforminitcode>CANARY</editforminitcode>", "<mapTip>CANARY</mapTip>",
    "<previewExpression>CANARY</previewExpression>",
    "<attributeactions><actionsetting action='CANARY'/></attributeactions>", "<auxiliaryLayer key='CANARY'/>",
    "<vectorjoins><join joinLayerId='CANARY'/></vectorjoins>", "<dependencies><layer id='CANARY'/></dependencies>",
    "<constraintExpressions><constraint exp='CANARY'/></constraintExpressions>",
    "<defaults><default expression='CANARY'/></defaults>",
    "<storedexpressions><e expression='CANARY'/></storedexpressions>", "<externalStorage>CANARY</externalStorage>",
    "<renderer-3d><material texture='CANARY'/></renderer-3d>",
    "<legend type='default-vector' placeholder='/CANARY.png'/>",
    "<fieldConfiguration><field name='CANARY'/></fieldConfiguration>", "<blendMode>CANARY()</blendMode>",
    "<x:renderer-v2 xmlns:x='urn:x' type='singleSymbol' attr='CANARY'/>", "<!-- CANARY -->", "<?CANARY?>",
    "<renderer-v2 type='singleSymbol' x:attr='CANARY()' xmlns:x='urn:x'/>", "<pipe><provider file='/CANARY'/></pipe>",
    "<renderer-v2 type='graduatedSymbol'><colorramp type='cpt-city' name='a'><Option type='Map'><Option "
    "name='schemeName' "
    "value='../../CANARY'/></Option><prop k='schemeName' v='../CANARY'/></colorramp></renderer-v2>",
    "<temporal startExpression=\"env('CANARY')\"/>", "<elevation expression='CANARY()'/>",
))
def test_what_is_hidden_in_a_style_is_left_out(hidden):
    assert WORD not in allowed_style(style(more=hidden)).text


@pytest.mark.parametrize("hidden", (
    "<LayoutItem type='65641' labelText=\"[% env('CANARY') %]\"/>", "<LayoutItem type='65640' file='/tmp/CANARY.svg'/>",
    "<LayoutItem type='65645' startMarkerFile='/CANARY.svg' endMarkerFile='http://a/CANARY.svg'/>",
    "<LayoutItem type='65640' pictureExpression=\"env('CANARY')\" usePictureExpression='true'/>",
    "<LayoutItem type='65648' url='http://a/CANARY'/>", "<LayoutItem type='65648 ' url='CANARY'/>",
    "<LayoutMultiFrame type='65648' html='CANARY' url='CANARY'/>",
    "<LayoutMultiFrame type='65649' vectorLayer='CANARY'/>",
    "<LayoutItem type='65639' followPreset='true' followPresetName='CANARY'/>",
    "<LayoutItem type='65639'><LayerSet><Layer source='/CANARY'>CANARY</Layer></LayerSet></LayoutItem>",
    "<LayoutItem type='65639'><LayerStyles><LayerStyle><qgis><x>CANARY</x></qgis></LayerStyle></LayerStyles>"
    "</LayoutItem>",
    "<LayoutItem type='65639'><spatialrefsys><proj4>+nadgrids=/CANARY</proj4></spatialrefsys></LayoutItem>",
    "<LayoutItem type='65639'><ComposerMapGrid annotationExpression=\"env('CANARY')\"/></LayoutItem>",
    "<LayoutItem type='65642'><layer-tree-group><layer-tree-layer id='CANARY'/><layer-tree-group name='CANARY'/>"
    "<customproperties><Option type='Map'><Option name='cartoguide/legend' value='CANARY'/></Option></customproperties>"
    "</layer-tree-group></LayoutItem>",
    "<LayoutItem type='65641'><LayoutObject><dataDefinedProperties><Option type='Map'><Option name='properties' "
    "type='Map'>"
    "<Option name='dataDefinedSource' type='Map'><Option name='active' value='true'/><Option name='expression' "
    "value=\"'/CANARY'\"/>"
    "</Option></Option></Option></dataDefinedProperties></LayoutObject></LayoutItem>",
    "<Atlas enabled='1' coverageLayer='CANARY' coverageLayerSource='/CANARY' featureFilter=\"env('CANARY')\" "
    "pageNameExpression=\"env('CANARY')\" filenamePattern=\"env('CANARY')\" sortExpression=\"env('CANARY')\"/>",
    "<customproperties><Option type='Map'><Option name='cartoguide/notes' value='CANARY'/><Option name='variableNames' "
    "type='StringList'><Option value='CANARY'/></Option><Option name='variableValues' type='StringList'><Option "
    "value='CANARY'/>"
    "</Option></Option></customproperties>",
    "<customproperties><Option type='Map'><Option name='variableNames' type='StringList'><Option "
    "value='project_crs'/><Option "
    "value='cartoguide_without'/></Option><Option name='variableValues' type='StringList'><Option "
    "value='CANARY'/></Option>"
    "</Option></customproperties>",
    "<LayoutMultiFrame type='65652'><contents><row><Option type='Map'><Option name='content' value=\"[% "
    "env('CANARY') %]\"/>"
    "</Option><Option type='Map'><Option name='content' type='Map'><Option name='expression' "
    "value=\"env('CANARY')\"/></Option>"
    "</Option></row></contents></LayoutMultiFrame>",
    "<Composition><x>CANARY</x></Composition>",
    "<LayoutItem type='65641' htmlState='1' labelText=\"&lt;img src='/CANARY'/>\"/>",
    "<LayoutItem type='65641' htmlState=' 1' labelText=\"&lt;img src='/CANARY'/>\"/>",
    "<LayoutItem type='65639'><atlasClippingSettings><layersToClip><layer "
    "source='/CANARY'>CANARY</layer></layersToClip>"
    "</atlasClippingSettings></LayoutItem>",
    "<LayoutItem type='65651' source='CANARY'/>", "<LayoutItem type='65654' source='CANARY'/>",
    "<LayoutItem type='65646'><numericFormat id='expression'><Option type='Map'><Option name='expression' "
    "value=\"env('CANARY')\"/>"
    "</Option></numericFormat></LayoutItem>",
    "<PageCollection>" + symbol("RasterFill", option("imageFile",
    "/tmp/CANARY.png"), kind="fill") + "</PageCollection>",
))
def test_what_is_hidden_in_a_template_is_left_out(hidden):
    drawing = allowed_template(f"<Layout name='a'>{hidden}</Layout>")
    assert WORD not in drawing.text


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_bundled_template_passes_unchanged(path):
    text = path.read_text("utf-8")
    drawing = allowed_template(text)
    assert drawing.left_out == ()
    before, after = (re.sub(r'(<LayoutItem[^>]*) file="[^"]*"', r"\1", etree.tostring(etree.fromstring(
        one.encode(), etree.XMLParser(remove_blank_text=True)), method="c14n").decode())
        for one in (text, drawing.text))
    assert after == before, "but for the picture of the plugin, which is embedded"
    assert "north-arrow.svg" not in drawing.text


def test_what_was_left_out_is_counted_by_kind():
    drawing = allowed_style(style("".join(symbol("SvgMarker", option("name", path)) for path in PATHS[:3]),
                                  "<mapTip>x</mapTip><a/><b c='d'/>"))
    assert drawing.left_out == ("actions, forms and map tips", "parts that are not known to be harmless",
                                "pictures of other files or addresses (3)")


def test_numbers_are_kept_within_limits():
    for layer_class, key, value, kind, kept in (
            ("MarkerLine", "interval", "1e-9", "line", "0.1"), ("MarkerLine", "interval", "3", "line", "3"),
            ("MarkerLine", "interval", "nan", "line", "0.1"), ("RandomMarkerFill", "point_count", "9e9", "fill",
            "10000"),
            ("PointPatternFill", "distance_x", "-1", "fill", "0.3"), ("MarkerLine", "interval", "1e-99999", "line",
            "0.1")):
        found = etree.fromstring(allowed_style(style(symbol(layer_class, option(key, value), kind=kind))).text)
        assert found.find(f".//Option[@name='{key}']").get("value") == kept
    units = option("interval", "0.001") + option("interval_unit", "MapUnit")
    assert 'value="0.001"' in allowed_style(style(symbol("MarkerLine", units, kind="line"))).text


def test_replacements_and_computed_fields_do_not_multiply():
    replacements = "".join("<replacement match='a' replace='aaaaaaaaaa'/>" for _number in range(30))
    text = ("<labeling type='simple'><settings><text-style><substitutions>" + replacements
            + "</substitutions></text-style></settings></labeling>")
    assert allowed_style(style(more=text)).text.count("<replacement") == 2
    fields = "".join(f"<field name='f{number}' expression='concat(f{number - 1}, F{number - 1})'/>"
                     for number in range(1, 30))
    assert allowed_style(style(more=f"<expressionfields><field name='f0' expression='a'/>{fields}</expressionfields>"
                               )).text.count("<field ") == 1
    quoted = "<field name='a b' expression='1'/><field name='c' expression='&quot;A B&quot; || &quot;a b&quot;'/>"
    assert allowed_style(style(more=f"<expressionfields>{quoted}</expressionfields>")).text.count("<field ") == 1


@pytest.mark.parametrize("text", (
    "", "no", "<qgis", "<Layout/>", "<html/>", '<!DOCTYPE qgis [<!ENTITY a "b">]><qgis>&a;</qgis>',
    "<!DOCTYPE qgis SYSTEM 'x' [<!ENTITY % a SYSTEM 'file:///etc/passwd'>]><qgis/>", "<qgis>" * 100_000,
    "<qgis>" + "<rules/>" * 130_000 + "</qgis>", "<x:qgis xmlns:x='urn:x'/>"))
def test_what_is_no_style_is_refused(text):
    began = time.process_time()
    with pytest.raises(UnreadableDocument):
        allowed_style(text)
    assert time.process_time() - began < 20


def test_a_template_of_very_many_items_is_refused():
    with pytest.raises(UnreadableDocument, match="items"):
        allowed_template("<Layout>" + "<LayoutItem type='65641'/>" * 2_000 + "</Layout>")


TREE = st.recursive(
    st.sampled_from(("<Option name='expression' value=\"env('CANARY()')\"/>", "<prop k='svgFile' v='/CANARY()'/>",
    "<rules/>",
                     "<Option type='Map' name='properties'/>", "<text-style fieldName='CANARY()'/>", "CANARY()",
                     "<background shapeSVGFile='CANARY()/'/>", "<rule filter='CANARY()'/>",
                     "<orderByClause>CANARY()</orderByClause>",
                     "<attribute field='CANARY()'/>", "<Option name='imageFile' value='CANARY()/'/>",
                     "<x>CANARY()</x>")),
    lambda inner: st.tuples(st.sampled_from((
        "symbol type='marker'", "layer class='SvgMarker'", "layer class='SimpleMarker'", "Option",
        "Option type='Map' name='size'",
        "Option type='Map' name='properties'", "data_defined_properties", "rules", "rule", "effect", "settings",
        "labeling",
        "renderer-v2 type='singleSymbol'", "text-style", "dd_properties", "callout", "colorramp", "expressionfields",
        "styles")),
        st.lists(inner, max_size=4)).map(
            lambda part: f"<{part[0]}>{''.join(part[1])}</{part[0].split()[0]}>"), max_leaves=12)


@given(TREE)
def test_nothing_passes_in_any_arrangement(tree):
    assert "CANARY()" not in allowed_style(f"<qgis>{tree}</qgis>").text


def test_symbols_in_each_other_texts_and_items_are_bounded():
    inner = ""
    for _level in range(10):
        inner = symbol("CentroidFill", more=inner, kind="fill")
    drawing = allowed_style(style(inner))
    assert drawing.text.count("<symbol ") == 5 and 'class="SimpleFill"' in drawing.text and drawing.left_out
    for size, is_kept in (("210,297,mm", True), ("1,1,m", True), ("9,9,m", False), ("1e9,1,mm", False),
                          ("nan,1,mm", True), ("1,1,parsec", False), ("-5,4,mm", False), ("20000,20000,px", False)):
        found = allowed_template(f"<Layout><LayoutItem type='65639' size='{size}'/></Layout>")
        assert (f'size="{size}"' in found.text) == is_kept == (found.left_out == ())
    long = f"<Layout><LayoutItem type='65641' labelText='{'x' * 20_000}'/></Layout>"
    assert "xxxx" not in allowed_template(long).text


def test_a_legend_has_no_layers_of_the_project():
    found = allowed_template("<Layout><LayoutItem type='65642' id='mine'/><LayoutItem type='65642' id='legend'/>"
                             "</Layout>")
    assert found.text.count("<layer-tree-group") == 2
    assert found.left_out == ("layers of a project",)


def test_very_many_expressions_are_judged_in_little_time():
    """Each filter is another text, so that none has been judged before."""
    rules = "".join(f"<rule label='[% {number} %]' filter='{number}{'+a' * 1_400}'/>" for number in range(160))
    began = time.process_time()
    drawing = allowed_style(f"<qgis><rules>{rules}</rules></qgis>")
    assert time.process_time() - began < 10
    assert 0 < drawing.text.count("<rule ") < 60 and drawing.left_out
    plain = "".join(f"<rule label='{number}' filter='a = {number}'/>" for number in range(1_000))
    assert allowed_style(f"<qgis><rules>{plain}</rules></qgis>").left_out == ()


@pytest.mark.parametrize("value", ["1" * 60 + "!", "1.5e" * 20_000 + "x", "[%" * 15_000, "[%" * 4_000 + "%]",
                                   "inf" * 30_000 + "!", "0," * 49_000 + "!"],
                         ids=["digits", "numbers", "begun", "begun and ended", "words", "list"])
def test_no_value_takes_more_than_a_blink(value):
    began = time.process_time()
    allowed_style(f'<qgis><renderer-v2 type="singleSymbol"><symbols><symbol type="marker" name="0"><layer class='
                  f'"SimpleMarker"><prop k="size" v="{value}"/><prop k="name" v="{value}"/></layer></symbol></symbols>'
                  f'</renderer-v2><labeling type="simple"><settings><text-style fieldName="{value}"/></settings>'
                  f"</labeling></qgis>")
    assert time.process_time() - began < 10
