"""Pages as SVG: texts as outlines, vector layers that end at their maps, and metadata that Qt's generator can write."""

from __future__ import annotations

import glob
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List

from lxml import etree
from qgis.core import (
    Qgis,
    QgsFillSymbol,
    QgsLayoutExporter,
    QgsLayoutItemMap,
    QgsLayoutItemPolygon,
    QgsMapClippingRegion,
    QgsPrintLayout,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QPointF
from qgis.PyQt.QtGui import QFont, QPainterPath, QPolygonF

from ...core.files import incomplete_error, write_error
from ...core.safe_xml import serialise
from ...core.text import escaped, printable
from ..layouts import layout_items
from ..runtime import compat

#: vertices of each side of a frame
_STEPS = 32
#: pixels of the font that outlines are made of, so that they have no steps of whole pixels
_EM = 1000
#: decimals of a coordinate, in units of an SVG that has some 10 to a millimetre
_DECIMALS = 2
#: attributes of a text that its outlines do not have
_OF_TEXTS = ("x", "y", "font-family", "font-size", "font-weight", "font-style",
             "{http://www.w3.org/XML/1998/namespace}space")


def write_svg(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    """Write the layout's pages. Return QGIS's export result.

    Texts are outlines, so that every viewer shows the page as it was composed. They are written as texts if the
    project's labels are, in the placement settings of QGIS.
    """
    settings = QgsLayoutExporter.SvgExportSettings()
    settings.dpi = dpi
    settings.exportMetadata = True
    settings.textRenderFormat = layout.project().labelingEngineSettings().defaultTextRenderFormat()
    with _clipped_maps(layout), _title_as_xml(layout) as escaped_texts:
        result = QgsLayoutExporter(layout).exportToSvg(str(file), settings)
    if result == QgsLayoutExporter.ExportResult.Success:
        as_outlines = settings.textRenderFormat == Qgis.TextRenderFormat.AlwaysOutlines
        for path in (file, *file.parent.glob(f"{glob.escape(file.stem)}_*{file.suffix}")):
            _complete(path, escaped_texts, as_outlines)
    return result


def _complete(path: Path, escaped_texts: Dict[str, str], as_outlines: bool) -> None:
    """Replace texts by their outlines, and what was escaped twice: by QGIS, and with Qt 6 all of it.

    Raises CartoguideError if the file was written in part or cannot be written.
    """
    try:
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False, no_network=True,
                                                                   huge_tree=True))
        # QGIS before 3.30 writes the texts of labels and legends in any case
        texts = list(root.iter("{*}text")) if as_outlines else []
        for text in texts:
            _draw_as_outline(text)
        if _unescape(root, escaped_texts) or texts:
            path.write_bytes(serialise(root.getroottree()))
    except etree.XMLSyntaxError as error:
        raise incomplete_error(path, str(error)) from error
    except OSError as error:
        raise write_error(path, error) from error


def _unescape(root: etree._Element, escaped_texts: Dict[str, str]) -> bool:
    """Replace titles and descriptions that were escaped, and return whether there were any."""
    holders = [holder for element in root.iter("{*}title", "{*}desc", "{*}description") for holder in element.iter()
               if (holder.text or "") in escaped_texts]
    for holder in holders:
        holder.text = escaped_texts[holder.text or ""]
    return bool(holders)


def _draw_as_outline(text: etree._Element) -> None:
    """Replace a text that Qt has written by the outlines of its letters."""
    font = QFont(text.get("font-family"))
    font.setPixelSize(_EM)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    compat.set_svg_font_weight(font, int(text.get("font-weight", "400")))
    font.setItalic(text.get("font-style", "normal") != "normal")
    outline = QPainterPath()
    outline.addText(QPointF(0, 0), font, "".join(text.itertext()))
    scale, left, top = (float(text.get(name, "0")) for name in ("font-size", "x", "y"))
    path = etree.Element(text.tag.replace("text", "path"), dict(text.attrib.items()))
    for name in _OF_TEXTS:
        path.attrib.pop(name, None)
    path.set("fill-rule", "nonzero")
    path.set("d", _path_data(outline, scale / _EM, left, top))
    path.tail = text.tail
    holder = text.getparent()
    if holder is not None:
        holder.replace(text, path)


def _path_data(path: QPainterPath, scale: float, left: float, top: float) -> str:
    """Return a path in the notation of SVG (SVG 1.1, 8.3)."""
    commands = {QPainterPath.ElementType.MoveToElement: "M", QPainterPath.ElementType.LineToElement: "L",
                QPainterPath.ElementType.CurveToElement: "C", QPainterPath.ElementType.CurveToDataElement: ""}
    points = [path.elementAt(number) for number in range(path.elementCount())]
    return " ".join(f"{commands[point.type]}{left + point.x * scale:.{_DECIMALS}f},"
                    f"{top + point.y * scale:.{_DECIMALS}f}" for point in points)


@contextmanager
def _title_as_xml(layout: QgsPrintLayout) -> Iterator[Dict[str, str]]:
    """Escape title and abstract of the project's metadata within the context. Yield what was escaped, by its new form.

    Qt 5 writes both into an SVG as they are, and QGIS then fails to read the file that it completes.
    """
    project = layout.project()
    metadata, original = project.metadata(), project.metadata()
    texts = {escaped(text): printable(text) for text in (metadata.title(), metadata.abstract())}
    metadata.setTitle(escaped(metadata.title()))
    metadata.setAbstract(escaped(metadata.abstract()))
    project.setMetadata(metadata)
    try:
        yield {written: text for written, text in texts.items() if written != text}
    finally:
        project.setMetadata(original)


@contextmanager
def _clipped_maps(layout: QgsPrintLayout) -> Iterator[None]:
    """Clip the features of the layout's maps to the maps' frames within the context.

    Qt's SVG generator has no clip paths. Without them the land of a location map, and every other vector layer, lies
    over the texts around the map.
    """
    shapes: List[QgsLayoutItemPolygon] = []
    maps = [item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
            if any(isinstance(layer, QgsVectorLayer) for layer in item.layers())
            and not item.itemClippingSettings().isActive()]
    try:
        for item in maps:
            shapes.append(_add_shape(layout, item))
            settings = item.itemClippingSettings()
            settings.setSourceItem(shapes[-1])
            settings.setFeatureClippingType(QgsMapClippingRegion.FeatureClippingType.ClipToIntersection)
            settings.setForceLabelsInsideClipPath(True)
            settings.setEnabled(True)
        yield
    finally:
        for item in maps:
            item.itemClippingSettings().setEnabled(False)
            item.itemClippingSettings().setSourceItem(None)
        for shape in shapes:
            layout.removeLayoutItem(shape)


def _add_shape(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> QgsLayoutItemPolygon:
    """Add a polygon that is not drawn, on the frame of a map.

    QGIS transforms its vertices to the layers' CRSs, in which the frame's sides are curves.
    """
    corners = item.mapToScene(item.rect())
    nodes = [corners[number] + (corners[(number + 1) % 4] - corners[number]) * (step / _STEPS)
             for number in range(4) for step in range(_STEPS)]
    shape = QgsLayoutItemPolygon(QPolygonF(nodes), layout)
    shape.setSymbol(QgsFillSymbol.createSimple({"style": "no", "outline_style": "no"}))
    layout.addLayoutItem(shape)
    return shape
