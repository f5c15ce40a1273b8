"""The allow-list of what may be drawn of somebody else's style (QML) and layout template (QPT).

A style or template of others is parsed, and each element, attribute and option that is not known to be harmless is left
out. What comes out reads no file but QGIS's own symbols, names no address, no other layer and no program, and evaluates
only what the judge of expressions allows.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, FrozenSet, Iterator, Mapping, Optional, Set, Tuple
from typing import Counter as CounterType

from lxml import etree

from .. import safe_xml
from ..errors import CartoguideError, UnreadableDocument
from ..i18n import tr
from ..resources import RESOURCES
from ..wms.responses.image_headers import image_format, image_size, is_complete_image, is_overloaded
from .expressions import endless_text, expression_problem, names_in, texts_problem, without_bad_expressions, words
from .svg_pictures import MAX_PICTURE_COST, picture_cost, self_contained_svg

#: bytes of an embedded picture, pixels of one, and references from an SVG to its own parts, which are multiplied where
#: they are in each other
_MAX_PICTURE, _MAX_PIXELS, _MAX_USES = 8_000_000, 40_000_000, 24
_BASE64 = "base64:"
#: elements of a style or template, and items of a template: QGIS takes some milliseconds for each item
_MAX_ELEMENTS, _MAX_ITEMS = 60_000, 1_000
#: characters of all expressions together, whose judgement would hold the window
_MAX_EXPRESSIONS = 100_000
#: characters of a text that is drawn: Qt takes very long for a long one. Symbols inside each other, which multiply
_MAX_TEXT, _MAX_SYMBOL_DEPTH = 10_000, 4
#: a name in QGIS's library of symbols, such as arrows/NorthArrow_02.svg
_LIBRARY_NAME = re.compile(r"[A-Za-z0-9_][\w .+()-]{0,100}(?:/[\w][\w .+()-]{0,100}){0,4}\.svg", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml\s[^>]{0,200}\?>")
_TAGS = re.compile(r"<[^<>]{0,1000}>")

#: numbers, measures, colours, flags and identifiers: harmless whatever they are the value of
#: One token at a time: a repeated choice of tokens could split a row of digits in ever more ways
_MEASURE_TOKEN = re.compile(r"""3x|[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?|[-+]?(?:nan|inf)
    |RenderMetersInMapUnits|MapUnit|Percentage|Points|Pixel|Point|Inch|false|cmyk|true|rgb|hsv|hsl|yes|ccw|no|cw|mm|MM|cm
    |in|ft|pt|pc|px|m|\#[0-9a-fA-F]{3,8}|\{[0-9a-fA-F-]{36}\}|[,;:|\ ]+""", re.VERBOSE)
_MAX_MEASURE = 100_000
_WORDS = re.compile(r"[\w .,:+|@-]{0,200}")
#: a value of a later QGIS: one word of letters is no path, no address, no call and no id of a layer. Under a name that
#: sounds like one of these it is left out all the same
_ONE_WORD = re.compile(r"<?[A-Za-z]{1,40}>?")
_RISKY_NAME = re.compile(r"file|path|source|ur[il]|href|image|picture|expr|filter|layer|html|script|code|command|action"
                         r"|program|function|preset|theme|auth|sync", re.IGNORECASE)

#: data-defined properties as QGIS 2 wrote them, from which newer ones still make paths and distances
_FORMER_DATA_DEFINED = re.compile(r"_dd_\w+$|_expression$", re.IGNORECASE)

_STYLE_TAGS = """
qgis renderer-v2 symbols symbol layer data_defined_properties Option prop effect colorramp rotation sizescale orderby
orderByClause categories category val ranges range classificationMethod symmetricMode labelFormat parameters
extraInformation rules rule data-defined-size-legend lineSymbol classes class labeling settings
text-style families family text-buffer text-mask background shadow dd_properties substitutions replacement text-format
placement rendering callout font labelFontProperties SingleCategoryDiagramRenderer StackedDiagramRenderer
LinearlyInterpolatedDiagramRenderer DiagramCategory DiagramLayerSettings attribute fontProperties axisSymbol properties
blendMode featureBlendMode layerOpacity layerGeometryType legend pipe provider resampling rasterrenderer
rasterTransparency singleValuePixelList threeValuePixelList pixelListEntry minMaxOrigin limits extent statAccuracy
cumulativeCutLower cumulativeCutUpper stdDevFactor redContrastEnhancement greenContrastEnhancement
blueContrastEnhancement contrastEnhancement minValue maxValue algorithm rastershader colorrampshader item
rampLegendSettings numericFormat colorPalette paletteEntry brightnesscontrast huesaturation rasterresampler
resamplingStage pipe-data-defined-properties noData noDataList noDataRange mesh-renderer-settings
active-dataset-group scalar-settings vector-settings vector-arrow-settings vector-streamline-settings
vector-traces-settings edge-settings mesh-stroke-width averaging-3d multi-vertical-layers-settings
mesh-settings-native mesh-settings-edge mesh-settings-triangular mesh-simplify-settings renderer styles style aliases
alias expressionfields field source-symbol buffer
"""
_TEMPLATE_TAGS = """
Layout Snapper Grid PageCollection LayoutItem GuideCollection Guide FrameColor BackgroundColor LayoutObject
dataDefinedProperties customproperties LabelFont FontColor LayerSet Extent ComposerMapGrid lineStyle markerStyle
annotationFontProperties ComposerMapOverview AtlasMap labelBlockingItems atlasClippingSettings layersToClip
itemClippingSettings styles style styleFont layer-tree-group custom-order fillSymbol1 fillSymbol2 fillColor fillColor2
strokeColor lineSymbol divisionLineSymbol subdivisionLineSymbol LayoutMultiFrame childFrame cellStyles oddColumns
evenColumns oddRows evenRows firstColumn lastColumn firstRow lastRow headerRow contents row headers displayColumns
sortColumns column backgroundColor columnWidths rowHeights headerTextFormat contentTextFormat nodes node Atlas
ComposerItemGroupElement symbol layer data_defined_properties Option prop effect colorramp text-style families family
text-buffer text-mask background shadow dd_properties font numericFormat item buffer
"""
_KNOWN = {"qgis": words(_STYLE_TAGS), "Layout": words(_TEMPLATE_TAGS)}
#: parts that draw nothing on a map, which are left out without a word: forms, tables, tools, what QGIS remembers
_SILENT = words("""
flags customproperties fieldConfiguration constraints constraintExpressions defaults splitPolicies duplicatePolicies
mergePolicies columns conditionalstyles storedexpressions editform editforminit editforminitcodesource
editforminitfilepath featformsuppress editorlayout attributeEditorForm editable labelOnTop reuseLastValue
dataDefinedFieldProperties widgets previewExpression referencedLayers referencingLayers attributetableconfig
geometryOptions temporal elevation selection fieldDomains spatialrefsys crs verticalCrs map-layer-style-manager
LayerStyles filterByMaps customproperties editforminitcode attributeactions mapTip metadataUrls userNotes
legendSettings profile-elevation renderer-3d
""")
#: of those, parts that could do something. With any content they are named
_ACTIVE = frozenset(("editforminitcode", "attributeactions", "mapTip"))

#: attributes and options whose value is one of QGIS's words
_WORD_NAMES = words("""
clip_mode type class graduatedMethod gradient interpolation-method layerType geometryGeneratorType colorRampType
diagramOrientation diagramType labelPlacementMethod scaleDependency direction calloutType textOrientation offsetUnits
rotationUnit unitType units resUnits predefinedPositionOrder zoomedInResamplingMethod zoomedOutResamplingMethod
frameJoinStyle lineCapStyle lineJoinStyle checked red green blue attribute capitalization method red_attribute
cap_style capstyle joinstyle join_style line_style outline_style style scale_method symbol_name orientation placement
anchorPoint labelAnchorPoint rampType SymbolType grayscale_mode color_type gradient_type spread_type geometry_type
coordinate_mode place placements placementSettings unit legend_type version styleCategories valign halign
numbering colorSpec spec scalemethod stat arrow-head symbol name_type capStyle
cornerRadiusMeasure mode fontStyle uuid shapeType distance_metric coloring-method color-ramp-type shape
""")
#: texts that are drawn. Expressions in them are judged
_TEXT_NAMES = words("""
label labelText title text name description desc legendString emptyTableMessage unitLabel prefix suffix minimumLabel
maximumLabel heading wrapChar leftDirectionSymbol rightDirectionSymbol match replace value comment key fontFamily
namedStyle family font font_style chr content format id typeName labelAttributeName decimal_separator
thousand_separator layer positive_text negative_text currency_prefix currency_suffix k v field geometry
preset_color_name variableNames variableValues
""")
#: attributes of any element that QGIS evaluates, and those of some elements
_EXPRESSION_NAMES = words("""
expression filter attr weight_expression geometryGenerator annotationExpression pageNameExpression featureFilter
sortExpression sortKey filenamePattern classificationExpression geometryModifier x_attribute y_attribute
classificationAttributeExpression filterExpression sizeExpression colorExpression
""")
_FIELD_EXPRESSIONS = frozenset(("rotation", "sizescale", "attribute", "orderByClause", "SingleCategoryDiagramRenderer",
                                "LinearlyInterpolatedDiagramRenderer"))
_PATH_NAMES = frozenset(("file", "shapeSVGFile", "svgFile", "imageFile", "startMarkerFile", "endMarkerFile"))
#: QGIS's library of colour ramps: names of files in it
_RAMP_NAMES = frozenset(("schemeName", "variantName", "inventoryFile"))
_RAMP_NAME = re.compile(r"[\w+-]{0,100}(?:/[\w+-]{1,100}){0,5}_?")
#: text of elements that is a value
_VALUE_TAGS = words("""
blendMode featureBlendMode layerOpacity layerGeometryType limits extent statAccuracy cumulativeCutLower
cumulativeCutUpper stdDevFactor minValue maxValue algorithm resamplingStage
""")

_RENDERERS = words("""
singleSymbol categorizedSymbol graduatedSymbol RuleRenderer heatmapRenderer pointDisplacement pointCluster
invertedPolygonRenderer mergedFeatureRenderer 25dRenderer nullSymbol
""")
_SYMBOL_LAYERS = words("""
SimpleMarker FilledMarker EllipseMarker FontMarker SvgMarker RasterMarker VectorField MaskMarker GeometryGenerator
SimpleLine MarkerLine HashLine ArrowLine InterpolatedLine RasterLine Lineburst FilledLine LinearReferencing SimpleFill
GradientFill ShapeburstFill SVGFill RasterFill CentroidFill LinePatternFill PointPatternFill RandomMarkerFill
""")
#: option with the picture of a symbol layer
PICTURE_OPTIONS = {"SvgMarker": "name", "RasterMarker": "imageFile", "RasterLine": "imageFile", "SVGFill": "svgFile",
                    "RasterFill": "imageFile"}
_PIXEL_LAYERS = frozenset(("RasterMarker", "RasterLine", "SVGFill", "RasterFill"))
#: layout variables and properties of items that the plugin's templates have
_VARIABLES = frozenset(("cartoguide_type_factor", "cartoguide_without", "cartoguide_theme", "cartoguide_language"))
_OWN_PROPERTIES = frozenset(("cartoguide/room", "cartoguide/grid_step", "singleFile"))
#: what is drawn in place of a symbol layer without its picture
_SIMPLE_LAYERS = {"marker": ("SimpleMarker", {"name": "circle", "color": "150,150,150,255", "size": "2"}),
                  "line": ("SimpleLine", {"line_color": "150,150,150,255", "line_width": "0.4"}),
                  "fill": ("SimpleFill", {"color": "200,200,200,255", "outline_color": "120,120,120,255"})}
LAYOUT_ITEM = 65636
#: group, page, map, picture, label, legend, shape, polygon, polyline, scale bar, frame of a table, marker
_ITEMS = frozenset(str(LAYOUT_ITEM + number) for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 17))
_PICTURE, _LABEL, _LEGEND, _FRAME = (str(LAYOUT_ITEM + number) for number in (4, 5, 6, 11))
#: labels, maps and legends that Cartoguide fills, and what it adds to a layout for programs without the plugin. In a
#: template that was saved from a finished layout that is left out without a word: it is made anew
_FILLED_LABELS, _FILLED_SCALES = frozenset(("credits", "terms", "sources")), frozenset(("scale_text", "foot"))
FILLED_MAPS = re.compile(r"map(?::[0-9]+)?|grid|inset|cover|legend")
_LEGEND_PICTURE, _PLUGIN_TEST = "legend:picture", "eval('cartoguide_credits(array())')"
#: the table with texts of its own. HTML and tables of layers are left out
_TABLES = frozenset((str(LAYOUT_ITEM + 16),))
#: millimetres of a side of a page or an item, and of QGIS's units. A map is drawn into pixels of that size
_MAX_MILLIMETRES = 1_500
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4, "ft": 304.8, "pt": 25.4 / 72, "pc": 25.4 / 6,
                "px": 25.4 / 96}

#: properties that an expression or a field may set, by the element around them. Those that name a file, a layer or a
#: number of things are not among them
_SYMBOL_PROPERTIES = words("""
alpha angle arrowHeadLength arrowHeadThickness arrowHeadType arrowStartWidth arrowType arrowWidth averageAngleLength
capStyle char color2 customDash dashPatternOffset displacementX displacementY enabled fillColor fillStyle fontFamily
fontStyle gradientMode gradientRef1Centroid gradientRef1X gradientRef1Y gradientRef2Centroid gradientRef2X gradientRef2Y
gradientSpread gradientType hAnchor height joinStyle lineAngle lineEndColorValue lineEndWidthValue lineStartColorValue
lineStartWidthValue name offset offsetAlongLine offsetX offsetY outlineColor outlineStyle outlineWidth placement
preserveAspectRatio randomSeed shapeburstIgnoreRings shapeburstMaxDist shapeburstWholeShape size trimEnd trimStart
vAnchor width lineClipping markerClipping randomOffsetX randomOffsetY skipMultiples showMarker blankSegments
""")
_LABEL_PROPERTIES = words("""
AlwaysShow AutoWrapLength Bold BufferBlendMode BufferColor BufferDraw BufferJoinStyle BufferOpacity BufferSize
BufferTransp BufferUnit CalloutDraw CentroidWhole Color CurvedCharAngleInOut DirSymbDraw DirSymbLeft DirSymbPlacement
DirSymbReverse DirSymbRight DistanceUnits Family FontBlendMode FontCase FontLetterSpacing FontLimitPixel FontMaxPixel
FontMinPixel FontOpacity FontSizeUnit FontStretchFactor FontStyle FontTransp FontWordSpacing Hali IsObstacle Italic
LabelAllParts LabelDistance LabelMarginDistance LabelRotation LineAnchorClipping LineAnchorPercent LineAnchorTextPoint
LineAnchorType LinePlacementFlags MaskBufferSize MaskBufferUnit MaskEnabled MaskJoinStyle MaskOpacity MaxScale
MaximumScale MinScale MinimumScale MultiLineAlignment MultiLineHeight MultiLineWrapChar NumDecimals NumFormat
NumPlusSign ObstacleFactor OffsetQuad OffsetRotation OffsetUnits OffsetXY OverlapHandling OverrunDistance
PolygonLabelOutside PositionPoint PositionX PositionY PredefinedPositionOrder Priority Rotation ScaleVisibility
ShadowBlendMode ShadowColor ShadowDraw ShadowOffsetAngle ShadowOffsetDist ShadowOffsetUnits ShadowOpacity ShadowRadius
ShadowRadiusUnits ShadowScale ShadowTransparency ShadowUnder ShapeBlendMode ShapeBorderColor ShapeBorderWidth
ShapeBorderWidthUnits ShapeDraw ShapeFillColor ShapeJoinStyle ShapeKind ShapeOffset ShapeOffsetUnits ShapeOpacity
ShapeRadii ShapeRadiiUnits ShapeRotation ShapeRotationType ShapeSizeType ShapeSizeUnits ShapeSizeX ShapeSizeY
ShapeTransparency Show Size Strikeout TabStopDistance TextOrientation Underline Vali ZIndex
alwaysShow backgroundColor distance isObstacle positionX positionY priority show startAngle strokeColor strokeWidth
zIndex OriginX OriginY DestinationX DestinationY Curvature Orientation Margins WedgeWidth CornerRadius
CalloutBlendMode
""")
_LAYOUT_PROPERTIES = frozenset("dataDefined" + name for name in words("""
BackgroundColor BlendMode EndDateTime ExcludeExports FrameColor LegendColumns LegendTitle MapAtlasMargin
MapGridAnnotationDisplayBottom MapGridAnnotationDisplayLeft MapGridAnnotationDisplayRight MapGridAnnotationDisplayTop
MapGridCrossSize MapGridEnabled MapGridFrameDivisionsBottom MapGridFrameDivisionsLeft MapGridFrameDivisionsRight
MapGridFrameDivisionsTop MapGridFrameLineThickness MapGridFrameMargin MapGridFrameSize MapGridLabelDistance
MapGridOffsetX MapGridOffsetY MapLabelMargin MapRotation MapScale MapXMax MapXMin MapYMax MapYMin Opacity PageNumber
PositionX PositionY Rotation ScalebarFill ScalebarFill2 ScalebarLineColor ScalebarLineWidth StartDateTime
SvgBackgroundColor SvgStrokeColor SvgStrokeWidth Transparency MarkerRotation
"""))
_PROPERTIES: Mapping[str, FrozenSet[str]] = {
    "data_defined_properties": _SYMBOL_PROPERTIES, "dd_properties": _LABEL_PROPERTIES, "properties": _LABEL_PROPERTIES,
    "dataDefinedProperties": _LAYOUT_PROPERTIES,
    "pipe-data-defined-properties": frozenset(("RendererOpacity",))}
#: properties with which a file is chosen
_PATH_PROPERTIES = frozenset(("file", "name", "ShapeSVGFile", "dataDefinedSource", "dataDefinedSourceUrl"))
#: least and greatest values of numbers, with which a drawing ends
_LIMITS: Mapping[str, Tuple[float, float]] = {
    "interval": (0.1, math.inf), "distance": (0.1, math.inf), "distance_x": (0.3, math.inf),
    "distance_y": (0.3, math.inf), "density_area": (0.3, math.inf), "point_count": (0, 10_000),
    "blur_level": (0, 200), "blur_radius": (0, 100), "spread": (0, 100), "offset_distance": (-1_000, 1_000),
    "radius": (0, 500), "quality": (0, 10), "contour-interval": (0.001, math.inf), "numSegments": (0, 100),
    "numSegmentsLeft": (0, 100), "numSubdivisions": (0, 100), "columnCount": (0, 100), "maxOversampling": (1, 10),
    "decimals": (0, 20), "labelPrecision": (-20, 20), "labelprecision": (-20, 20), "annotationPrecision": (0, 20),
    "count": (0, 1_000), "colors": (0, 1_000), "shadowRadius": (0, 100), "bufferSize": (0, 500), "maskSize": (0, 500),
    "wmsLegendWidth": (0, 5_000), "wmsLegendHeight": (0, 5_000), "fontSize": (0, 5_000), "printResolution": (10, 600),
    "frame_rate": (0, 60), "downscale": (1, 1_000)}
#: of symbol layers that are drawn from pixels, which are made as large as they are drawn
_PIXEL_LIMITS: Mapping[str, Tuple[float, float]] = {"size": (0, 500), "width": (0, 500), "height": (0, 500)}
#: square millimetres for each of many random points
_LEAST_AREA = 0.3
#: least distance in units of the map, which may be degrees
_LEAST_MAP_UNITS = 1e-4
_MAP_UNITS = ("MapUnit", "RenderMetersInMapUnits")
#: least distance between labels that repeat themselves along a line, 0 for no repetition
_LEAST_REPEAT = 0.5
#: factor by which the replacements in labels may lengthen them
_MAX_GROWTH = 100.0
#: fields that are computed for each feature
_MAX_VIRTUAL_FIELDS = 20


@dataclass(frozen=True)
class AllowedDrawing:
    """A style or template of which only the allowed is left, and what was left out, in words for people."""

    text: str
    left_out: Tuple[str, ...] = ()
    #: paths and addresses of pictures that were left out, each once
    refused_pictures: Tuple[str, ...] = ()


def allowed_style(qml: str, library: Optional[Path] = None) -> AllowedDrawing:
    """Return the part of a layer's style that may be drawn. ``library`` is the folder of QGIS's own SVG symbols.

    Raises UnreadableDocument if it is not well-formed, declares entities, or is another document.
    """
    return _allowed(qml, "qgis", tr("The style"), library)


def allowed_template(qpt: str, library: Optional[Path] = None) -> AllowedDrawing:
    """Return the part of a layout template that may be drawn, as ``allowed_style`` does for a style.

    Its pictures are those of the file itself, of QGIS's library and of the plugin.
    """
    return _allowed(qpt, "Layout", tr("The layout template"), library)


def _allowed(text: str, root_tag: str, name: str, library: Optional[Path]) -> AllowedDrawing:
    root = _parse(text, root_tag, name)
    drawing = _Drawing(root_tag, library)
    drawing.allow(root)
    return AllowedDrawing(str(etree.tostring(root, encoding="unicode", with_tail=False)), drawing.left_out(),
                          drawing.refused_pictures())


def parse_template(qpt: str) -> etree._Element:
    """Return the root element of a layout template, of which nothing is left out.

    Raises UnreadableDocument as ``allowed_template`` does.
    """
    return _parse(qpt, "Layout", tr("The layout template"))


def _parse(text: str, root_tag: str, name: str) -> etree._Element:
    data = safe_xml.without_forbidden(_DECLARATION.sub("", text.lstrip("\ufeff"))).encode("utf-8")
    root = safe_xml.parse(data, name, max_elements=_MAX_ELEMENTS)
    if root.tag != root_tag:
        raise UnreadableDocument(tr("{name} is not one of QGIS.", name=name), str(root.tag))
    return root


def _picture_text() -> str:
    return tr("pictures of other files or addresses")


def _unknown_text() -> str:
    return tr("parts that are not known to be harmless")


def _layers_text() -> str:
    return tr("layers of a project")


def _html_text() -> str:
    return tr("HTML")


def _limits_text() -> str:
    return tr("sizes and distances that would take very long to draw")


class _Drawing:
    """Leaves out of a parsed style or template what is not allowed, and counts it."""

    def __init__(self, root_tag: str, library: Optional[Path]) -> None:
        self._known = _KNOWN[root_tag]
        self._is_style = root_tag == "qgis"
        self._library = library
        self._left_out: CounterType[str] = Counter()
        self._refused_pictures: Dict[str, None] = {}
        #: paths that have been judged, each with the cost of drawing its picture: some values are looked at twice
        self._judged: Dict[str, float] = {}
        self._picture_cost = 0.0
        #: what is wrong with each expression, and how many characters have been judged
        self._problems: Dict[str, str] = {}
        self._characters = 0

    def left_out(self) -> Tuple[str, ...]:
        """Return what was left out, each kind once with its number."""
        return tuple(text if count == 1 else f"{text} ({count})" for text, count in self._left_out.items())

    def refused_pictures(self) -> Tuple[str, ...]:
        """Return the paths and addresses of the pictures that were left out, each once."""
        return tuple(self._refused_pictures)

    def allow(self, element: etree._Element) -> None:
        """Leave out of ``element`` what is not allowed, children first judged by their names."""
        special = _SPECIAL.get(element.tag)
        if special is not None:
            special(self, element)
        self._allow_attributes(element)
        self._allow_text(element)
        for child in list(element):
            if not self._is_allowed_child(child):
                element.remove(child)
            elif child.tag in ("Option", "prop"):
                if not self._allow_options(child, element.tag):
                    element.remove(child)
            elif child.getparent() is element:
                self.allow(child)

    def _problem(self, expression: str) -> str:
        """Return what is wrong with an expression, each judged once, and the many of a hostile file not at all."""
        if expression not in self._problems:
            self._characters += len(expression)
            self._problems[expression] = (expression_problem(expression) if self._characters <= _MAX_EXPRESSIONS
                                          else endless_text())
        return self._problems[expression]

    def _note(self, text: str) -> None:
        self._left_out[text] += 1

    def _is_allowed_child(self, child: etree._Element) -> bool:
        tag = child.tag
        if not isinstance(tag, str):
            return False
        if tag == "customproperties" and not self._is_style:
            return True
        if tag == "data-defined-properties" and child.find(".//Option/Option/Option") is None:
            # of the whole renderer, from QGIS 3.38 on: there is none in it
            return False
        if tag in _SILENT:
            if tag in _ACTIVE and (len(child) or (child.text or "").strip()):
                self._note(tr("actions, forms and map tips"))
            return False
        if tag not in self._known or tag == "renderer-v2" and child.get("type", "") not in _RENDERERS:
            if len(child) or child.attrib or (child.text or "").strip():
                self._note(_layers_text() if tag in ("layer-tree-layer", "Layer", "LayerStyles") else _unknown_text())
            return False
        return True

    def _allow_text(self, element: etree._Element) -> None:
        text = element.text or ""
        if element.tag == "orderByClause":
            problem = self._problem(text)
            if problem:
                self._note(problem)
                element.text = "1"
        elif not text.strip() or element.tag in _VALUE_TAGS and _WORDS.fullmatch(text.strip()):
            pass
        else:
            element.text = None
            self._note(_unknown_text())
        for child in element:
            if child.tail and child.tail.strip():
                child.tail = None

    # attributes

    def _allow_attributes(self, element: etree._Element) -> None:
        for name, value in list(element.attrib.items()):
            allowed = self._allowed_value(name, value, element)
            if allowed is None:
                del element.attrib[name]
                if value.strip():
                    self._note(_unknown_text())
            elif allowed != value:
                element.set(name, allowed)

    def _allowed_value(self, name: str, value: str, element: etree._Element) -> Optional[str]:
        """Return the allowed part of an attribute's value, or None if there must be no such attribute."""
        if name in _EXPRESSION_NAMES or name == "field" and element.tag in _FIELD_EXPRESSIONS or (
                name == "fieldName" and element.get("isExpression", "1") != "0"):
            return self._allowed_expression(value)
        if name in _PATH_NAMES:
            return self._allowed_picture(value, not self._is_style)
        return self._plain_value(name, value, name == "fieldName")

    def _plain_value(self, name: str, value: str, is_text: bool = False) -> Optional[str]:
        if _is_measure(value):
            return self._within_limits(name, value)
        if name in _WORD_NAMES and _WORDS.fullmatch(value):
            return value
        if is_text or name in _TEXT_NAMES:
            kept = value
            if len(value) > _MAX_TEXT:
                self._note(_limits_text())
                return ""
            if "[%" in value:
                self._characters += len(value)
                is_judged = self._characters <= _MAX_EXPRESSIONS
                kept = without_bad_expressions(value) if is_judged else ""
                if kept != value:
                    self._note(texts_problem(value) or _unknown_text() if is_judged else endless_text())
            return kept
        return value if _ONE_WORD.fullmatch(value) and not _RISKY_NAME.search(name) else None

    def _within_limits(self, name: str, value: str, units: str = "",
                       more: Mapping[str, Tuple[float, float]] = _LIMITS) -> str:
        low, high = more.get(name) or _LIMITS.get(name) or (-math.inf, math.inf)
        low = min(low, _LEAST_MAP_UNITS) if units in _MAP_UNITS and low > 0 else low
        if not math.isfinite(low) and not math.isfinite(high):
            if name == "repeatDistance" and 0 < (_float(value) or 0) < _LEAST_REPEAT:
                self._note(_limits_text())
                return str(_LEAST_REPEAT)
            return value
        number = _float(value)
        if number is None:
            return value if not value else str(max(low, 0))
        if low <= number <= high:
            return value
        self._note(_limits_text())
        return repr(low if not number > low else high)

    def _allowed_expression(self, expression: str) -> str:
        problem = self._problem(expression)
        if problem:
            self._note(problem)
        return "NULL" if problem else expression

    # options: QGIS's maps of values, in their present and their former form

    def _allow_options(self, option: etree._Element, context: str) -> bool:
        """Judge the options of an element, or the former ``prop``. Return whether there is anything left.

        ``context`` is the element's name.
        """
        if context in _PROPERTIES:
            if option.tag == "Option":
                self._allow_properties(option, _PROPERTIES[context])
            return bool(option.tag == "Option")
        return self._allow_option(option, "", context)

    def _allow_option(self, option: etree._Element, key: str, context: str) -> bool:
        """Leave out of an option what is not allowed. Return whether there is anything left of it."""
        is_former = option.tag == "prop"
        key = option.get("k" if is_former else "name") or key
        if _FORMER_DATA_DEFINED.search(key):
            self._note(_unknown_text())
            return False
        for name in list(option.attrib):
            if name not in (("k", "v") if is_former else ("name", "type", "value")):
                del option.attrib[name]
        option.text = None
        if key == "ddProperties":
            self._allow_properties(option, _LABEL_PROPERTIES)
            return True
        attribute = "v" if is_former else "value"
        value = option.get(attribute)
        if value is not None:
            allowed = self._allowed_option(key, value, context)
            if allowed is None:
                if value.strip():
                    self._note(_unknown_text())
                return False
            if allowed != value:
                option.set(attribute, allowed)
        for child in list(option):
            child.tail = None
            if child.tag != "Option" or not self._allow_option(child, key, context):
                option.remove(child)
        return True

    def _allowed_option(self, key: str, value: str, context: str) -> Optional[str]:
        if value.lstrip().startswith("<") and key.lower().endswith("symbol"):
            return self._allowed_inner(value)
        if key in _EXPRESSION_NAMES:
            return self._allowed_expression(value)
        if key in _PATH_NAMES:
            return self._allowed_picture(value, False)
        if key in _RAMP_NAMES:
            return value if _RAMP_NAME.fullmatch(value) else None
        if key == "data":
            return self._allowed_svg_data(value)
        if key in ("mask_symbollayers", "maskedSymbolLayers"):
            return ""
        if key.startswith("preset_color_name_"):
            key = "preset_color_name"
        if context == "layer" and _is_measure(value):
            # with its unit it has been brought within the limits already
            return value
        return self._plain_value(key, value)

    def _allow_properties(self, option: etree._Element, allowed: FrozenSet[str]) -> None:
        """Judge a collection of properties that expressions or fields set (QgsPropertyCollection)."""
        for child in list(option):
            child.tail = None
            is_collection = child.tag == "Option" and child.get("name") == "properties"
            if is_collection:
                for part in list(child):
                    part.tail = None
                    if part.tag != "Option" or not self._is_allowed_property(part, allowed):
                        child.remove(part)
                _keep_attributes(child, ("name", "type"))
            elif child.tag != "Option" or child.get("name") not in ("name", "type") or len(child) or not (
                    _WORDS.fullmatch(child.get("value", ""))):
                option.remove(child)
        option.text = None
        _keep_attributes(option, ("name", "type"))

    def _is_allowed_property(self, part: etree._Element, allowed: FrozenSet[str]) -> bool:
        key = part.get("name", "")
        expressions = [child.get("value", "") for child in part if child.get("name") == "expression"]
        problem = next(filter(None, map(self._problem, expressions)), "")
        if key not in allowed:
            problem = _picture_text() if key in _PATH_PROPERTIES else _unknown_text()
        is_active = any(child.get("name") == "active" and child.get("value") not in ("false", "0") for child in part)
        if problem:
            if is_active and not any(_PLUGIN_TEST in expression for expression in expressions):
                self._note(problem)
            return False
        _keep_attributes(part, ("name", "type"))
        part.text = None
        for child in list(part):
            child.tail = None
            name = child.get("name")
            if child.tag != "Option" or name not in ("active", "type", "expression", "field", "val", "transformer"):
                part.remove(child)
            elif name == "transformer":
                self._allow_option(child, "", "transformer")
            elif len(child) or name == "val" and not _is_plain(child.get("value", "")):
                part.remove(child)
                self._note(_unknown_text())
        return True

    def _allowed_inner(self, text: str) -> str:
        """Return the allowed part of a symbol that is the text of an option."""
        try:
            root = safe_xml.parse(text.encode("utf-8"))
        except UnreadableDocument:
            root = None
        if root is None or root.tag != "symbol":
            self._note(_unknown_text())
            return ""
        self.allow(root)
        return str(etree.tostring(root, encoding="unicode"))

    # pictures

    def _allowed_picture(self, value: str, with_icons: bool) -> str:
        """Return the path of an allowed picture, embedded where it is the plugin's. Empty for another."""
        found = None
        if not value.strip():
            return ""
        if value in self._judged:
            return self._within_picture_cost(value)
        if value[:len(_BASE64)].lower() == _BASE64:
            found = _embedded_picture(value[len(_BASE64):])
        elif _LIBRARY_NAME.fullmatch(value) and ".." not in value:
            icon = RESOURCES / "icons" / value
            if with_icons and "/" not in value and icon.is_file():
                found = f"{_BASE64}{base64.b64encode(icon.read_bytes()).decode('ascii')}"
            elif self._library is not None:
                found = _library_picture(value, self._library)
        if found is None:
            self._note(_picture_text())
            if value[:len(_BASE64)].lower() != _BASE64:
                self._refused_pictures.setdefault(value)
            return ""
        self._judged[found] = (picture_cost(base64.b64decode(found[len(_BASE64):])) if found.startswith(_BASE64)
                               else 0.0)
        return self._within_picture_cost(found)

    def _within_picture_cost(self, picture: str) -> str:
        """Return a judged picture, or "" if drawing all that there are would take very long."""
        self._picture_cost += self._judged[picture]
        if self._picture_cost <= 2 * MAX_PICTURE_COST:
            return picture
        self._note(_limits_text())
        return ""

    def _allowed_svg_data(self, value: str) -> str:
        """Return an SVG of a fill, written as hexadecimal digits, if it is complete in itself."""
        if not value:
            return value
        try:
            return _judged_svg(bytes.fromhex(value)).hex()
        except (ValueError, CartoguideError):
            self._note(_picture_text())
            return ""

    # elements with rules of their own

    def _allow_symbol(self, symbol: etree._Element) -> None:
        """Put a plain symbol layer in place of those that cannot be drawn, so that the features are seen."""
        kind = symbol.get("type", "")
        had_layers = False
        is_deep = sum(1 for _outer in symbol.iterancestors("symbol")) >= _MAX_SYMBOL_DEPTH
        for layer in list(symbol.iterchildren("layer")):
            had_layers = True
            if is_deep:
                symbol.remove(layer)
                self._note(_limits_text())
            elif not self._allow_symbol_layer(layer):
                symbol.remove(layer)
        if had_layers and symbol.find("layer") is None and kind in _SIMPLE_LAYERS:
            symbol.append(_simple_layer(kind))

    def _allow_symbol_layer(self, layer: etree._Element) -> bool:
        """Judge a symbol layer by its class. Return whether it may stay."""
        name = layer.get("class", "")
        options = dict(symbol_options(layer))
        if name not in _SYMBOL_LAYERS:
            self._note(_picture_text() if name == "AnimatedMarker" else _unknown_text())
            return False
        if name == "GeometryGenerator":
            problem = next(filter(None, (self._problem(value) for key, value in symbol_options(layer)
                                         if key == "geometryModifier")), "")
            if problem:
                self._note(problem)
                return False
        if name in PICTURE_OPTIONS and not self._allow_picture_layer(layer, name):
            return False
        limits = {**_LIMITS, **(_PIXEL_LIMITS if name in _PIXEL_LAYERS else {})}
        if name == "RandomMarkerFill" and options.get("count_method", "0") != "0":
            # so many points in each such area of a feature
            limits["point_count"] = 0, max(1.0, (_float(options.get("density_area", "")) or 0.0) / _LEAST_AREA)
        for element in _option_elements(layer):
            key, attribute = (element.get("k"), "v") if element.tag == "prop" else (element.get("name"), "value")
            if key in limits and element.get(attribute):
                element.set(attribute, self._within_limits(key, element.get(attribute, ""),
                                                           options.get(key + "_unit", ""), limits))
        return True

    def _allow_picture_layer(self, layer: etree._Element, name: str) -> bool:
        """Judge the picture of a symbol layer and the properties that choose it. Return whether it may stay."""
        key = PICTURE_OPTIONS[name]
        kept = 0
        for element in _option_elements(layer):
            attribute = "v" if element.tag == "prop" else "value"
            is_picture = element.get("k" if element.tag == "prop" else "name") == key
            if is_picture and len(element):
                # Qt takes a list of one text for that text
                self._note(_picture_text())
                return False
            if is_picture and element.get(attribute):
                picture = self._allowed_picture(element.get(attribute, ""), False)
                if not picture:
                    return False
                element.set(attribute, picture)
                kept += 1
        for collection in layer.iterchildren("data_defined_properties"):
            for part in list(collection.iter("Option")):
                is_path = part.get("name") in _PATH_PROPERTIES
                is_size = part.get("name") in _PIXEL_LIMITS and name in _PIXEL_LAYERS
                if (is_path or is_size) and len(part):
                    _drop(part)
                    self._note(_picture_text() if is_path else _limits_text())
        return kept > 0 or any(option == "data" for option, _value in symbol_options(layer))

    def _allow_rules(self, rules: etree._Element) -> None:
        """Leave out rules whose filter is not allowed: without it they would draw everything."""
        for rule in list(rules.iter("rule")):
            problem = self._problem(rule.get("filter", ""))
            if problem:
                self._note(problem)
                _drop(rule)

    def _allow_styles(self, styles: etree._Element) -> None:
        """Leave out styles of vector tiles whose filter is not allowed."""
        for style in list(styles.iterchildren("style")):
            problem = self._problem(style.get("expression", ""))
            if problem:
                self._note(problem)
                styles.remove(style)

    def _allow_text_style(self, style: etree._Element) -> None:
        if style.get("isExpression", "0") != "0":
            problem = self._problem(style.get("fieldName", ""))
            if problem:
                self._note(problem)
                style.set("fieldName", "")
        if style.get("allowHtml", "0") not in ("0", "false", ""):
            self._note(_html_text())
            style.set("allowHtml", "0")

    def _allow_text_mask(self, mask: etree._Element) -> None:
        # they are ids of layers, which a layer that is opened again does not have
        if mask.get("maskedSymbolLayers"):
            mask.set("maskedSymbolLayers", "")

    def _allow_placement(self, placement: etree._Element) -> None:
        problem = self._problem(placement.get("geometryGenerator", ""))
        if problem:
            self._note(problem)
            placement.set("geometryGenerator", "")
            placement.set("geometryGeneratorEnabled", "0")

    def _allow_substitutions(self, substitutions: etree._Element) -> None:
        growth = 1.0
        for replacement in list(substitutions):
            sought = replacement.get("match", "")
            growth *= max(1.0, len(replacement.get("replace", "")) / max(1, len(sought)))
            if growth > _MAX_GROWTH or not sought:
                substitutions.remove(replacement)
                self._note(_limits_text())

    def _allow_virtual_fields(self, fields: etree._Element) -> None:
        """Leave out computed fields that are made of others: each would be a multiple of the one before."""
        names = {field.get("name", "").lower() for field in fields}
        for number, field in enumerate(list(fields)):
            expression = field.get("expression", "")
            problem = self._problem(expression)
            used = names_in(expression) if not problem else frozenset()
            if not problem and (used & (names | {"attribute", "attributes"}) or number >= _MAX_VIRTUAL_FIELDS):
                problem = _unknown_text()
            if problem:
                self._note(problem)
                fields.remove(field)

    def _allow_numeric_format(self, numeric: etree._Element) -> None:
        if numeric.get("id", "") not in ("", "basic", "bearing", "currency", "fallback", "fraction",
                                         "geographiccoordinate", "percentage", "scientific"):
            self._note(_unknown_text())
            numeric.set("id", "fallback")

    # elements of layouts

    def _allow_layout(self, layout: etree._Element) -> None:
        """Leave out items and tables of kinds that show pages, programs or layers, and the frames of such tables."""
        if sum(1 for _item in layout.iter("LayoutItem")) > _MAX_ITEMS:
            raise UnreadableDocument(tr("The layout template has more than {count} items.", count=_MAX_ITEMS))
        gone: Set[str] = set()
        for table in list(layout.iterchildren("LayoutMultiFrame")):
            if table.get("type") not in _TABLES:
                gone |= {table.get("uuid", ""), table.get("templateUuid", "")} - {""}
                layout.remove(table)
                self._note(_html_text() if table.get("type") == str(LAYOUT_ITEM + 12) else _layers_text())
        for item in list(layout.iter("LayoutItem")):
            is_lost = item.get("type") == _FRAME and (
                item.get("multiFrame", "") in gone or item.get("multiFrameTemplateUuid", "") in gone
            ) or item.get("type") == _PICTURE and item.get("id") == _LEGEND_PICTURE
            if is_lost or item.get("type") not in _ITEMS:
                _drop(item)
                if not is_lost:
                    self._note(_unknown_text())

    def _allow_layout_item(self, item: etree._Element) -> None:
        width, height, unit = (item.get("size", "").split(",") + ["", "", ""])[:3]
        if item.get("size") and not all(0 <= side * _MILLIMETRES.get(unit.strip(), math.inf) <= _MAX_MILLIMETRES
                                        for side in (_float(width) or 0.0, _float(height) or 0.0) if side):
            item.set("size", "210,297,mm")
            self._note(_limits_text())
        if item.get("type") == _LEGEND and item.find("layer-tree-group") is None:
            # without a tree of its own a legend has all layers of the project
            etree.SubElement(item, "layer-tree-group")
            if not FILLED_MAPS.fullmatch(item.get("id", "")):
                self._note(_layers_text())
        name, text = item.get("id", ""), item.get("labelText", "")
        if name in _FILLED_LABELS and f"cartoguide_{name}(" in text and texts_problem(text):
            item.set("labelText", f"[% cartoguide_{name}('map') %]")
        elif name in _FILLED_SCALES and _PLUGIN_TEST in text:
            item.set("labelText", "")
        if item.get("type") == _LABEL and item.get("htmlState", "0") not in ("0", ""):
            item.set("htmlState", "0")
            item.set("labelText", _TAGS.sub("", item.get("labelText", "")))
            self._note(_html_text())
        shows_layers = item.get("followPreset", "false") not in ("false", "0") or item.find("LayerSet/*") is not None
        if shows_layers:
            if not FILLED_MAPS.fullmatch(name):
                self._note(_layers_text())
            item.set("keepLayerSet", "false")
        for name in ("followPreset", "keepLayerStyles"):
            if item.get(name) is not None:
                item.set(name, "false")
        if item.get("followPresetName"):
            item.set("followPresetName", "")

    def _allow_custom_properties(self, properties: etree._Element) -> None:
        """Leave of properties and variables those that say how Cartoguide fills a template."""
        for holder in properties.iterchildren("Option"):
            lists = {part.get("name"): part for part in holder}
            names, values = (list(lists[key]) if key in lists else [] for key in ("variableNames", "variableValues"))
            if len(names) != len(values):
                lists = {}
            else:
                for name, value in zip(names, values):
                    if name.get("value") not in _VARIABLES or not _WORDS.fullmatch(value.get("value", "")):
                        lists["variableNames"].remove(name)
                        lists["variableValues"].remove(value)
            for part in list(holder):
                is_list = part.get("name") in ("variableNames", "variableValues") and part.get("name") in lists
                if not is_list and (part.get("name") not in _OWN_PROPERTIES or len(part)):
                    holder.remove(part)

    def _allow_layer_tree(self, group: etree._Element) -> None:
        for name in ("name", "checked", "expanded"):
            group.attrib.pop(name, None)
        for child in list(group):
            if child.tag not in ("customproperties", "custom-order"):
                group.remove(child)
                holder = group.getparent()
                if holder is None or not FILLED_MAPS.fullmatch(holder.get("id", "")):
                    self._note(_layers_text())

    def _empty(self, element: etree._Element) -> None:
        """Leave out all that is in an element: the layers and items of a project that it names."""
        for child in list(element):
            element.remove(child)

    def _allow_atlas(self, atlas: etree._Element) -> None:
        if atlas.get("coverageLayer") or atlas.get("enabled", "0") != "0":
            self._note(_layers_text())
            atlas.set("enabled", "0")
        for name in list(atlas.attrib):
            if name.startswith("coverageLayer"):
                atlas.set(name, "")


#: elements with rules of their own, by name
_SPECIAL: Mapping[str, Callable[[_Drawing, etree._Element], None]] = {
    "symbol": _Drawing._allow_symbol, "rules": _Drawing._allow_rules, "styles": _Drawing._allow_styles,
    "text-style": _Drawing._allow_text_style, "text-mask": _Drawing._allow_text_mask,
    "placement": _Drawing._allow_placement, "substitutions": _Drawing._allow_substitutions,
    "expressionfields": _Drawing._allow_virtual_fields, "numericFormat": _Drawing._allow_numeric_format,
    "Layout": _Drawing._allow_layout, "LayoutItem": _Drawing._allow_layout_item,
    "layersToClip": _Drawing._empty, "custom-order": _Drawing._empty, "LayerSet": _Drawing._empty,
    "layer-tree-group": _Drawing._allow_layer_tree, "Atlas": _Drawing._allow_atlas,
    "customproperties": _Drawing._allow_custom_properties}


def _is_measure(value: str) -> bool:
    """Return whether a value has only numbers, measures, colours, flags and identifiers. Linear in its length."""
    position = 0
    while position < len(value) <= _MAX_MEASURE:
        found = _MEASURE_TOKEN.match(value, position)
        if found is None:
            return False
        position = found.end()
    return position >= len(value)


def _is_plain(value: str) -> bool:
    return bool(_is_measure(value) or re.fullmatch(r"[A-Za-z]{1,30}", value))


def _drop(element: etree._Element) -> None:
    holder = element.getparent()
    if holder is not None:
        holder.remove(element)


def _float(value: str) -> Optional[float]:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _keep_attributes(element: etree._Element, names: Tuple[str, ...]) -> None:
    for name in list(element.attrib):
        if name not in names:
            del element.attrib[name]


def _option_elements(layer: etree._Element) -> Iterator[etree._Element]:
    """Iterate over the options of a symbol layer, in both forms, at the depth where QGIS reads them."""
    yield from layer.iterchildren("prop")
    for option in layer.iterchildren("Option"):
        yield from option.iterchildren("Option")


def symbol_options(layer: etree._Element) -> Iterator[Tuple[str, str]]:
    """Iterate over the options of a symbol layer (name, value), in their present and their former form."""
    for element in _option_elements(layer):
        is_former = element.tag == "prop"
        yield element.get("k" if is_former else "name", ""), element.get("v" if is_former else "value", "")


def _simple_layer(kind: str) -> etree._Element:
    name, options = _SIMPLE_LAYERS[kind]
    layer = etree.Element("layer", {"class": name, "enabled": "1", "locked": "0"})
    # the number of the drawing pass, which the plugin site's scan takes for a password
    layer.set("pass", str(0))
    holder = etree.SubElement(layer, "Option", {"type": "Map"})
    for key, value in options.items():
        etree.SubElement(holder, "Option", {"type": "QString", "name": key, "value": value})
        etree.SubElement(layer, "prop", {"k": key, "v": value})
    return layer


def _embedded_picture(text: str) -> Optional[str]:
    """Return an embedded picture as QGIS reads it, if it is complete in itself and of a bearable size. Else None."""
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    if not data or len(data) > _MAX_PICTURE:
        return None
    if image_format(data) in ("png", "jpeg", "gif", "webp"):
        width, height = image_size(data) or (0, 0)
        is_whole = 0 < width * height <= _MAX_PIXELS and is_complete_image(data) and not is_overloaded(data)
        return f"{_BASE64}{base64.b64encode(data).decode('ascii')}" if is_whole else None
    try:
        return f"{_BASE64}{base64.b64encode(_judged_svg(data)).decode('ascii')}"
    except CartoguideError:
        return None


def _judged_svg(data: bytes) -> bytes:
    """Return an SVG that refers to nothing outside. Raises CartoguideError for another."""
    judged = self_contained_svg(data, tr("The picture"), _MAX_PICTURE)
    if judged.count(b"<use") + judged.count(b":use") > _MAX_USES:
        raise CartoguideError(tr("The picture refers to its own parts too often."))
    return judged


def _library_picture(name: str, library: Path) -> Optional[str]:
    """Return the whole path of a symbol of QGIS's library: a relative one is looked for in other places too."""
    try:
        folder = library.resolve(strict=True)
        file = (folder / name).resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    return file.as_posix() if folder in file.parents and file.is_file() else None
