"""Differences between QGIS versions (3.22 to 4.x) and between Qt 5 and Qt 6."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Callable, List, Optional

from qgis import core
from qgis.core import Qgis, QgsApplication, QgsMapLayer, QgsSettings, QgsTask

if TYPE_CHECKING:
    from qgis.core import QgsDateTimeRange
    from qgis.PyQt.QtCore import QDateTime
    from qgis.PyQt.QtGui import QFont

# this module is imported at start-up, so classes that only a few functions need are imported in those
QGIS_VERSION: int = Qgis.QGIS_VERSION_INT


def enum_value(member: Any) -> int:
    """Return the integer of an enum member, for QVariant attributes. Enum members of PyQt6 are not integers."""
    return int(getattr(member, "value", member))


def _moved(enum: str, name: str, former: str) -> Any:
    """Return the member ``name`` of an enum of Qgis. Where QGIS has no such enum yet, return ``former``.

    That is the dotted name in qgis.core: the class that had the enum, the enum and its member.
    """
    members = getattr(Qgis, enum, None)
    return getattr(members, name) if members else attrgetter(former)(core)


def qt_follows_redirects() -> bool:
    """Return whether Qt follows redirects of QGIS's requests itself, with the headers of the first request.

    Qt 5 leaves that to QGIS, which requests the images of a WMS layer without their login then (3.22).
    """
    from qgis.PyQt.QtCore import QT_VERSION

    return int(QT_VERSION) >= 0x060000


def event_position(event: Any) -> Any:
    """Return the position (QPoint, pixels) of a mouse or drop event in its widget."""
    return event.position().toPoint() if hasattr(event, "position") else event.pos()


def _metadata_owner(layer: QgsMapLayer) -> Any:
    """Return the object with title, abstract and attribution: the layer, or from 3.38 on its server properties."""
    properties = layer.serverProperties() if hasattr(layer, "serverProperties") else layer
    return properties if hasattr(properties, "setAttribution") else layer


def set_attribution(layer: QgsMapLayer, text: str, url: str = "") -> None:
    _metadata_owner(layer).setAttribution(text)
    _metadata_owner(layer).setAttributionUrl(url)


def attribution(layer: QgsMapLayer) -> str:
    return str(_metadata_owner(layer).attribution() or "")


def attribution_url(layer: QgsMapLayer) -> str:
    return str(_metadata_owner(layer).attributionUrl() or "")


def set_title_and_abstract(layer: QgsMapLayer, title: str, abstract: str) -> None:
    _metadata_owner(layer).setTitle(title)
    _metadata_owner(layer).setAbstract(abstract)


def group_layer(group: Any) -> Optional[QgsMapLayer]:
    """Return the layer as which QGIS draws a group of the layer tree, or None. There is none before 3.24."""
    find = getattr(group, "groupLayer", None)
    return find() if callable(find) else None


def release_group_layers(group: Any) -> None:
    """Let a group of a legend's tree, and those around it, stand for no group that QGIS draws as one layer.

    QGIS 3.24 and newer take what leaves such a group of any tree out of the project's group too.
    """
    while group is not None:
        if group_layer(group) is not None:
            group.setGroupLayer(None)
        group = group.parent()


def layer_title(layer: QgsMapLayer) -> str:
    return str(_metadata_owner(layer).title() or "")


def task_flags() -> Any:
    """Return the flags of a task to cancel, of which QGIS itself shows no notification (from 3.26 on)."""
    silent = getattr(QgsTask.Flag, "Silent", None)
    return QgsTask.Flag.CanCancel if silent is None else QgsTask.Flag.CanCancel | silent


def has_silent_tasks() -> bool:
    """Return true where a task can be kept out of QGIS's notification "Task complete" (from 3.26 on)."""
    return hasattr(QgsTask.Flag, "Silent")


def task_pool() -> Any:
    """Return the QThreadPool of the task manager. On 3.22 that is the global pool, which also renders."""
    from qgis.PyQt.QtCore import QThreadPool

    manager = QgsApplication.taskManager()
    return manager.threadPool() if hasattr(manager, "threadPool") else QThreadPool.globalInstance()


def reads_text_formats() -> bool:
    """Return whether labels (from 3.24) and legends (from 3.30) of a layout are read with text formats."""
    from qgis.core import QgsLegendStyle

    return hasattr(QgsLegendStyle, "textFormat")


def label_font(label: Any) -> Any:
    """Return the font (QFont, size in points) of a layout label (text format from 3.24) or legend style (from 3.30)."""
    if hasattr(label, "textFormat"):
        text = label.textFormat()
        font = text.font()
        font.setPointSizeF(text.size())
        return font
    return label.font()


def set_label_font(label: Any, font: Any) -> None:
    """Set the font of a layout label or legend style, and leave its other properties as they are."""
    if hasattr(label, "setTextFormat"):
        text = label.textFormat()
        text.setFont(font)
        text.setSize(font.pointSizeF())
        label.setTextFormat(text)
    else:
        label.setFont(font)


def set_label_colour(label: Any, colour: Any) -> None:
    """Set the text colour (QColor) of a layout label, which is in its text format from 3.24 on."""
    if hasattr(label, "textFormat"):
        text = label.textFormat()
        text.setColor(colour)
        label.setTextFormat(text)
    else:
        label.setFontColor(colour)


def label_colour(label: Any) -> Any:
    """Return the text colour (QColor) of a layout label."""
    return label.textFormat().color() if hasattr(label, "textFormat") else label.fontColor()


def set_legend_colour(legend: Any, colour: Any) -> None:
    """Set the colour (QColor) of all texts of a layout legend, which its styles have from 3.30 on."""
    from qgis.core import QgsLegendStyle

    styles = QgsLegendStyle.Style
    for part in (styles.Title, styles.Group, styles.Subgroup, styles.SymbolLabel):
        style = legend.style(part)
        if not hasattr(style, "textFormat"):
            legend.setFontColor(colour)
            return
        text = style.textFormat()
        text.setColor(colour)
        style.setTextFormat(text)
        legend.setStyle(part, style)


def set_plain_label_colour(label: Any, colour: Any) -> None:
    """Set the text colour (QColor) of a layout label, opaque, without shadow, buffer and background."""
    if not hasattr(label, "textFormat"):
        label.setFontColor(colour)
        return
    from qgis.PyQt.QtGui import QPainter

    text = label.textFormat()
    text.setColor(colour)
    text.setOpacity(1.0)
    text.setBlendMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    for part in (text.buffer(), text.shadow(), text.background()):
        part.setEnabled(False)
    label.setTextFormat(text)


#: points in the units of a text size: millimetres, points, inches (values of Qgis.RenderUnit)
_POINTS_BY_UNIT = {0: 72 / 25.4, 4: 1.0, 5: 72.0}


def text_size_in_points(text: Any) -> Optional[float]:
    """Return the size of a text format in points, or None for a unit that depends on the map or the screen."""
    factor = _POINTS_BY_UNIT.get(enum_value(text.sizeUnit()))
    return None if factor is None else float(text.size()) * factor


def legend_font(legend: Any, part: Any) -> Any:
    """Return the font (QFont, size in points) of a part (QgsLegendStyle.Style) of a layout legend."""
    return label_font(legend.style(part))


def set_legend_font(legend: Any, part: Any, font: Any) -> None:
    """Set the font of a part of a layout legend, and leave its other properties as they are."""
    style = legend.style(part)
    set_label_font(style, font)
    legend.setStyle(part, style)


def legend_line_gap(legend: Any, part: Any) -> float:
    """Return the millimetres between two lines of a text of a legend's part (QgsLegendStyle.Style).

    Since QGIS 3.30 a legend has line heights, in millimetres where it was read from a file with gaps.
    """
    style = legend.style(part)
    if not hasattr(style, "textFormat"):
        return float(legend.lineSpacing())
    text = style.textFormat()
    size = float(text.size()) * 25.4 / 72
    if text.lineHeightUnit() == Qgis.RenderUnit.Millimeters:
        return float(text.lineHeight()) - size
    return (float(text.lineHeight()) - 1.0) * size


def set_svg_font_weight(font: QFont, weight: int) -> None:
    """Set the weight that Qt has written into an SVG: ten times its own number with Qt 5, which has 0 to 99."""
    qt_bold = enum_value(type(font).Weight.Bold)
    font.setWeight(weight if qt_bold > 99 else min(weight // 10, 99))


def font_families() -> List[str]:
    """Return the installed font families. QFontDatabase has no instances in Qt 6."""
    from qgis.PyQt.QtGui import QFontDatabase

    try:
        return list(QFontDatabase.families())
    except TypeError:
        return list(QFontDatabase().families())


def font_styles(family: str) -> List[str]:
    """Return the names of the installed styles of a font family. QFontDatabase has no instances in Qt 6."""
    from qgis.PyQt.QtGui import QFontDatabase

    try:
        return list(QFontDatabase.styles(family))
    except TypeError:
        return list(QFontDatabase().styles(family))


def set_legend_url(layer: QgsMapLayer, url: str) -> None:
    """Set the address of the layer's legend graphic in its metadata."""
    # these two properties moved to the server properties in 3.44, later than the others
    owner = _metadata_owner(layer) if hasattr(_metadata_owner(layer), "setLegendUrl") else layer
    owner.setLegendUrl(url)
    owner.setLegendUrlFormat("image/png")


def temporal_unit(name: str) -> Any:
    """Return a temporal unit by name, such as "IrregularStep". The enum moved in 3.30."""
    return _moved("TemporalUnit", name, f"QgsUnitTypes.TemporalUnit.Temporal{name}")


def navigation_mode(animated: bool) -> Any:
    """Return a mode of the temporal controller: animated, or off. The enum moved in 3.36."""
    name, former = ("Animated", "Animated") if animated else ("Disabled", "NavigationOff")
    return _moved("TemporalNavigationMode", name, f"QgsTemporalNavigationObject.NavigationMode.{former}")


def network_item_capability() -> Any:
    """Return the capability of a data item provider for network sources. The flags are new in 3.36."""
    from qgis.core import QgsDataProvider

    kinds = getattr(Qgis, "DataItemProviderCapability", None)
    if kinds is None:
        return int(QgsDataProvider.DataCapability.Net)
    return Qgis.DataItemProviderCapabilities(kinds.NetworkSources)


def make_field(name: str, kind: type) -> Any:
    """Return a QgsField of the type str, int or float. QgsField takes other type constants from 3.38 on."""
    from qgis.core import QgsField
    from qgis.PyQt.QtCore import QMetaType, QVariant

    types = QMetaType.Type if QGIS_VERSION >= 33800 else QVariant
    names = {str: ("QString", "String"), int: ("Int", "Int"), float: ("Double", "Double")}
    return QgsField(name, getattr(types, names[kind][0 if QGIS_VERSION >= 33800 else 1]))


def half_open_time_range(begin: QDateTime, end: QDateTime) -> QgsDateTimeRange:
    """Return the range from ``begin`` to the second before ``end``, because a layer is saved without open ends.

    On 3.22 it begins a millisecond later, because it overlaps the one that ends at its beginning there.
    """
    from qgis.core import QgsDateTimeRange

    time_range = QgsDateTimeRange(begin, end.addSecs(-1))
    if time_range.overlaps(QgsDateTimeRange(begin.addDays(-1), begin, True, False)):
        return QgsDateTimeRange(begin.addMSecs(1), end.addSecs(-1))
    return time_range


def resampling_method(name: str) -> Any:
    """Return a resampling method of a raster provider, "Nearest" or "Average"."""
    return _moved("RasterResamplingMethod", name, f"QgsRasterDataProvider.ResamplingMethod.{name}")


def raster_layer_type() -> Any:
    """Return the layer type of raster layers. The enum moved in 3.30."""
    return _moved("LayerType", "Raster", "QgsMapLayerType.RasterLayer")


def polygon_geometry() -> Any:
    return _geometry_type("Polygon")


def line_geometry() -> Any:
    return _geometry_type("Line")


def point_geometry() -> Any:
    return _geometry_type("Point")


def _geometry_type(name: str) -> Any:
    """Return a geometry type by its name. The enum moved in 3.30."""
    return _moved("GeometryType", name, f"QgsWkbTypes.GeometryType.{name}Geometry")


def wkb_type(name: str) -> Any:
    """Return a geometry type by its name in WKB ("MultiPolygon", "NoGeometry"). The enum moved in 3.30."""
    return _moved("WkbType", name, f"QgsWkbTypes.Type.{name}")


def distance_unit(name: str) -> Any:
    """Return a unit of length, "Meters" or "Unknown". The enum moved in 3.30."""
    former = {"Meters": "DistanceMeters", "Unknown": "DistanceUnknownUnit"}[name]
    return _moved("DistanceUnit", name, f"QgsUnitTypes.DistanceUnit.{former}")


def points_unit() -> Any:
    """Return the unit of text sizes in points. The enum moved in 3.30."""
    return _moved("RenderUnit", "Points", "QgsUnitTypes.RenderUnit.RenderPoints")


def processing_source_type(name: str) -> Any:
    """Return a source type of Processing ("File", "Vector", "VectorPolygon"). The enum moved in 3.36."""
    return _moved("ProcessingSourceType", name, f"QgsProcessing.SourceType.Type{name}")


def advanced_parameter() -> Any:
    """Return the flag of an advanced parameter of Processing. The enum moved in 3.36."""
    return _moved("ProcessingParameterFlag", "Advanced", "QgsProcessingParameterDefinition.Flag.FlagAdvanced")


def no_threading() -> Any:
    """Return the flag of an algorithm of Processing that runs on the main thread. The enum moved in 3.36."""
    return _moved("ProcessingAlgorithmFlag", "NoThreading", "QgsProcessingAlgorithm.Flag.FlagNoThreading")


def rule_key_role() -> int:
    """Return the role of a legend node's rule key in item views. The enum moved in 3.36."""
    from qgis.core import QgsLayerTreeModelLegendNode

    roles = getattr(QgsLayerTreeModelLegendNode, "CustomRole", None)
    if roles:
        return enum_value(roles.RuleKey)
    return enum_value(QgsLayerTreeModelLegendNode.LegendNodeRoles.RuleKeyRole)


def with_lossless_images(flags: Any) -> Any:
    """Return the render flags of a layout export with lossless images and antialiasing added.

    They are joined as integers and given the type of ``flags``, because ``|`` returns an integer on Qt 6 before 3.44.
    The enum moved in 3.44.
    """
    kinds = getattr(Qgis, "LayoutRenderFlag", None)
    if kinds:
        added = (kinds.LosslessImageRendering, kinds.Antialiasing)
    else:
        from qgis.core import QgsLayoutRenderContext

        old = QgsLayoutRenderContext.Flag
        added = (old.FlagLosslessImageRendering, old.FlagAntialiasing)
    joined = enum_value(flags)
    for flag in added:
        joined |= enum_value(flag)
    return type(flags)(joined)


def stop_legend_updates(legend: Any) -> None:
    """Stop a layout legend from following the layer tree. The method is another one from 4.0 on."""
    if hasattr(legend, "setSyncMode"):
        legend.setSyncMode(Qgis.LegendSyncMode.Manual)
    else:
        legend.setAutoUpdateModel(False)


def layer_tree_menu_signal(view: Any) -> Any:
    """Return the signal of a layer tree view about its context menu, or None: it is there from 3.32 on."""
    return getattr(view, "contextMenuAboutToShow", None)


def locator_result_text(result: Any) -> str:
    """Return the user data (text) of a locator result. It is a method from 3.40 on."""
    data = result.userData
    return str(data() if callable(data) else data)


#: settings keys of the prefix of a locator filter: until 3.28, and since
_PREFIX_KEYS = ("gui/locator_filters/prefix_{name}", "app/locator-filters/items/{name}/prefix",
                "gui/locator-filters/items/{name}/prefix", "locator-filters/items/{name}/prefix")


def register_locator_filter(register: Callable[[Any], object], locator_filter: Any, prefix: str) -> None:
    """Register a locator filter under a short ``prefix``, unless the user has set another one.

    QGIS accepts prefixes of less than three letters only from its settings. The prefix is therefore in the settings
    while the filter is registered.
    """
    settings = QgsSettings()
    keys = [key.format(name=locator_filter.name()) for key in _PREFIX_KEYS]
    chosen = any(settings.contains(key) for key in keys)
    try:
        for key in () if chosen else keys:
            settings.setValue(key, prefix)
        register(locator_filter)
    finally:
        for key in () if chosen else keys:
            settings.remove(key)
