"""Every difference between QGIS versions, in one place (3.22 to 4.x)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List

from qgis.core import Qgis, QgsApplication, QgsMapLayer, QgsSettings, QgsTask

if TYPE_CHECKING:
    from qgis.core import QgsDateTimeRange
    from qgis.PyQt.QtCore import QDateTime

# QGIS starts with this module: the classes that few functions need are imported there
QGIS_VERSION: int = Qgis.QGIS_VERSION_INT


def enum_value(member: Any) -> int:
    """The number of an enum's member, for attributes that travel as QVariant: PyQt6's enums are no integers."""
    return int(getattr(member, "value", member))


def event_position(event: Any) -> Any:
    """The place (QPoint, pixels) of a mouse or drop event in its widget; Qt 6 has another name for it."""
    return event.position().toPoint() if hasattr(event, "position") else event.pos()


def _metadata_owner(layer: QgsMapLayer) -> Any:
    """What holds the layer's title, abstract and attribution: the layer itself, from 3.38 on its server properties."""
    properties = layer.serverProperties() if hasattr(layer, "serverProperties") else layer
    return properties if hasattr(properties, "setAttribution") else layer


def set_attribution(layer: QgsMapLayer, text: str, url: str = "") -> None:
    """Who is to be credited and where that is said."""
    _metadata_owner(layer).setAttribution(text)
    _metadata_owner(layer).setAttributionUrl(url)


def attribution(layer: QgsMapLayer) -> str:
    """What ``set_attribution`` stored."""
    return str(_metadata_owner(layer).attribution() or "")


def attribution_url(layer: QgsMapLayer) -> str:
    """The address that ``set_attribution`` stored."""
    return str(_metadata_owner(layer).attributionUrl() or "")


def set_title_and_abstract(layer: QgsMapLayer, title: str, abstract: str) -> None:
    """Title and abstract that the layer shows in its properties."""
    _metadata_owner(layer).setTitle(title)
    _metadata_owner(layer).setAbstract(abstract)


def layer_title(layer: QgsMapLayer) -> str:
    """The title that ``set_layer_texts`` stored."""
    return str(_metadata_owner(layer).title() or "")


def task_flags(quiet: bool) -> Any:
    """Flags of a task that can be cancelled; a quiet one is hidden from the task list (3.26)."""
    flags = QgsTask.Flag.CanCancel
    hidden = getattr(QgsTask.Flag, "Hidden", None)
    return flags | hidden if quiet and hidden is not None else flags


def task_pool() -> Any:
    """The QThreadPool that tasks run in; on 3.22 they share the one that QGIS renders in."""
    from qgis.PyQt.QtCore import QThreadPool

    manager = QgsApplication.taskManager()
    return manager.threadPool() if hasattr(manager, "threadPool") else QThreadPool.globalInstance()


def label_font(label: Any) -> Any:
    """The font (QFont, size in points) of a layout label or legend style; from 3.24 and 3.30 on a text format's."""
    if hasattr(label, "textFormat"):
        text = label.textFormat()
        font = text.font()
        font.setPointSizeF(text.size())
        return font
    return label.font()


def set_label_font(label: Any, font: Any) -> None:
    """Set what ``label_font`` gives; colour and all else stay."""
    if hasattr(label, "setTextFormat"):
        text = label.textFormat()
        text.setFont(font)
        text.setSize(font.pointSizeF())
        label.setTextFormat(text)
    else:
        label.setFont(font)


def set_label_colour(label: Any, colour: Any) -> None:
    """The colour (QColor) of a layout label's text; from 3.24 on its text format's."""
    if hasattr(label, "textFormat"):
        text = label.textFormat()
        text.setColor(colour)
        label.setTextFormat(text)
    else:
        label.setFontColor(colour)


def legend_font(legend: Any, part: Any) -> Any:
    """The font (QFont, size in points) of one part (QgsLegendStyle.Style) of a layout legend."""
    return label_font(legend.style(part))


def set_legend_font(legend: Any, part: Any, font: Any) -> None:
    """Set what ``legend_font`` gives; colour and all else stay."""
    style = legend.style(part)
    set_label_font(style, font)
    legend.setStyle(part, style)


def font_families() -> List[str]:
    """The families installed on this machine; QFontDatabase has no instances on Qt 6."""
    from qgis.PyQt.QtGui import QFontDatabase

    try:
        return list(QFontDatabase.families())
    except TypeError:
        return list(QFontDatabase().families())


def set_legend_url(layer: QgsMapLayer, url: str, media_type: str = "image/png") -> None:
    """Where the layer's legend graphic is, for servers and catalogues."""
    # these two stayed with the layer until 3.44, when its other texts had moved to the server properties
    owner = _metadata_owner(layer) if hasattr(_metadata_owner(layer), "setLegendUrl") else layer
    owner.setLegendUrl(url)
    owner.setLegendUrlFormat(media_type)


def fixed_temporal_mode() -> Any:
    """The mode of a raster layer that shows one fixed time; the enum moved in 3.26."""
    modes = getattr(Qgis, "RasterTemporalMode", None)
    if modes:
        return modes.FixedTemporalRange
    from qgis.core import QgsRasterLayerTemporalProperties

    return QgsRasterLayerTemporalProperties.TemporalMode.ModeFixedTemporalRange


def temporal_unit(name: str) -> Any:
    """A unit of time by its plural ("Days", "Months", "Years", "Seconds"); the enum moved in 3.30."""
    units = getattr(Qgis, "TemporalUnit", None)
    if units:
        return getattr(units, name)
    from qgis.core import QgsUnitTypes

    return getattr(QgsUnitTypes.TemporalUnit, f"Temporal{name}")


def navigation_mode(name: str) -> Any:
    """A mode of the Temporal Controller, "Off" or "Animated"; the enum moved in 3.36."""
    modes = getattr(Qgis, "TemporalNavigationMode", None)
    if modes:
        return {"Off": modes.Disabled, "Animated": modes.Animated}[name]
    from qgis.core import QgsTemporalNavigationObject

    old = QgsTemporalNavigationObject.NavigationMode
    return {"Off": old.NavigationOff, "Animated": old.Animated}[name]


def network_item_capability() -> Any:
    """What a data item provider says whose items come from no file; flags of their own from 3.36 on."""
    from qgis.core import QgsDataProvider

    kinds = getattr(Qgis, "DataItemProviderCapability", None)
    if kinds is None:
        return int(QgsDataProvider.DataCapability.Net)
    return Qgis.DataItemProviderCapabilities(kinds.NetworkSources)


def make_field(name: str, kind: type) -> Any:
    """A field (QgsField) of text (str), whole numbers (int) or decimal ones (float); its types changed in 3.38."""
    from qgis.core import QgsField
    from qgis.PyQt.QtCore import QMetaType, QVariant

    types = QMetaType.Type if QGIS_VERSION >= 33800 else QVariant
    names = {str: ("QString", "String"), int: ("Int", "Int"), float: ("Double", "Double")}
    return QgsField(name, getattr(types, names[kind][0 if QGIS_VERSION >= 33800 else 1]))


def half_open_time_range(begin: QDateTime, end: QDateTime) -> QgsDateTimeRange:
    """From ``begin`` to ``end``, which is excluded. On 3.22 a range also overlaps the one that ends where it begins:
    there it begins a millisecond later.
    """
    from qgis.core import QgsDateTimeRange

    made = QgsDateTimeRange(begin, end, True, False)
    if made.overlaps(QgsDateTimeRange(begin.addDays(-1), begin, True, False)):
        return QgsDateTimeRange(begin.addMSecs(1), end, True, False)
    return made


def resample_in_provider(layer: Any) -> None:
    """Let the raster's own provider, which knows its overviews, fit it to the picture; the enum moved in 3.22."""
    from qgis.core import QgsRasterPipe

    stages = getattr(Qgis, "RasterResamplingStage", None) or QgsRasterPipe.ResamplingStage
    layer.setResamplingStage(stages.Provider)


def resampling_method(name: str) -> Any:
    """A way of a raster's provider to fit it to the picture, "Nearest" or "Average"."""
    from qgis.core import QgsRasterDataProvider

    methods = getattr(Qgis, "RasterResamplingMethod", None) or QgsRasterDataProvider.ResamplingMethod
    return getattr(methods, name)


def raster_layer_type() -> Any:
    """The type of raster layers; the enum moved in 3.30."""
    types = getattr(Qgis, "LayerType", None)
    if types:
        return types.Raster
    from qgis.core import QgsMapLayerType

    return getattr(QgsMapLayerType, "RasterLayer")  # noqa: B009 - no scope on either


def locator_result_text(result: Any) -> str:
    """The text that a locator filter gave with a result; a method from 3.40 on."""
    data = result.userData
    return str(data() if callable(data) else data)


#: where QGIS keeps the prefix that a person chose for a locator filter: until 3.28, and since
_PREFIX_KEYS = ("gui/locator_filters/prefix_{name}", "app/locator-filters/items/{name}/prefix",
                "gui/locator-filters/items/{name}/prefix", "locator-filters/items/{name}/prefix")


def register_locator_filter(register: Callable[[Any], object], locator_filter: Any, prefix: str) -> None:
    """Register a locator filter under a short ``prefix``, unless the person chose another one.

    QGIS keeps prefixes of less than three letters for itself and for what a person chose: it is told, while it
    registers the filter and no longer, that the person chose this one.
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
