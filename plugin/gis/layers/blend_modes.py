"""Blend modes of custom maps as those of QGIS's layers, and the pale ground below a series that is multiplied."""

from __future__ import annotations

import re
from typing import Iterable

from qgis.core import QgsHueSaturationFilter, QgsMapLayer, QgsRasterLayer
from qgis.PyQt.QtGui import QImage, QPainter

from ...core.custommap.model import BlendMode, MapEntry
from ..runtime.images import converted

_MODES = QPainter.CompositionMode
#: QGIS's own names, in the order of the numbers in its styles (QgsPainting::BlendMode)
_PAINTED = {
    BlendMode.NORMAL: _MODES.CompositionMode_SourceOver, BlendMode.LIGHTEN: _MODES.CompositionMode_Lighten,
    BlendMode.SCREEN: _MODES.CompositionMode_Screen, BlendMode.DODGE: _MODES.CompositionMode_ColorDodge,
    BlendMode.ADDITION: _MODES.CompositionMode_Plus, BlendMode.DARKEN: _MODES.CompositionMode_Darken,
    BlendMode.MULTIPLY: _MODES.CompositionMode_Multiply, BlendMode.BURN: _MODES.CompositionMode_ColorBurn,
    BlendMode.OVERLAY: _MODES.CompositionMode_Overlay, BlendMode.SOFT_LIGHT: _MODES.CompositionMode_SoftLight,
    BlendMode.HARD_LIGHT: _MODES.CompositionMode_HardLight, BlendMode.DIFFERENCE: _MODES.CompositionMode_Difference,
    BlendMode.SUBTRACT: _MODES.CompositionMode_Exclusion,
}
#: the gamma of a pale ground: shades of relief are seen, what is black stays black
_PALE_GAMMA = 6.0
_GREY = QgsHueSaturationFilter.GrayscaleMode.GrayscaleLuminosity
_IN_STYLE = re.compile(r"<blendMode>(\d{1,3})</blendMode>")


def blend_of(layer: QgsMapLayer) -> BlendMode:
    """Return how a layer's colours are mixed with what lies below it."""
    painted = layer.blendMode()
    return next((mode for mode, one in _PAINTED.items() if one == painted), BlendMode.NORMAL)


def set_blend(layer: QgsMapLayer, mode: BlendMode) -> bool:
    """Mix the layer's colours this way. Return whether that is a change."""
    if blend_of(layer) is mode:
        return False
    layer.setBlendMode(_PAINTED[mode])
    layer.triggerRepaint()
    return True


def is_pale(layer: QgsRasterLayer) -> bool:
    """Return whether ``set_pale`` has made the layer pale, and nobody has changed its style since."""
    brightness, hue = layer.brightnessFilter(), layer.hueSaturationFilter()
    return (brightness is not None and hue is not None and hue.grayscaleMode() == _GREY
            and (brightness.brightness(), brightness.contrast(), brightness.gamma()) == (0, 0, _PALE_GAMMA))


def is_recoloured(layer: QgsRasterLayer) -> bool:
    """Return whether a person has changed the colours of a layer, which is not drawn pale then."""
    brightness, hue = layer.brightnessFilter(), layer.hueSaturationFilter()
    return brightness is not None and hue is not None and not is_pale(layer) and bool(
        brightness.brightness() or brightness.contrast() or brightness.gamma() != 1.0 or hue.saturation()
        or hue.grayscaleMode() != hue.GrayscaleMode.GrayscaleOff or hue.colorizeOn() or hue.invertColors())


def set_pale(layer: QgsRasterLayer, pale: bool) -> None:
    """Draw a layer pale and grey, or in its own colours again. What a person has set instead is left alone."""
    brightness, hue = layer.brightnessFilter(), layer.hueSaturationFilter()
    if not layer.isValid() or brightness is None or hue is None or is_pale(layer) == pale or (
            pale and is_recoloured(layer)):
        return
    brightness.setGamma(_PALE_GAMMA if pale else 1.0)
    hue.setGrayscaleMode(_GREY if pale else hue.GrayscaleMode.GrayscaleOff)
    layer.triggerRepaint()


def paled(image: QImage) -> QImage:
    """Return an image, such as that of a legend, as ``set_pale`` draws it."""
    import numpy

    target = QImage(converted(image, QImage.Format.Format_ARGB32))
    bits = target.bits()
    bits.setsize(target.sizeInBytes())
    pixels = numpy.frombuffer(bits, numpy.uint8).reshape(-1, 4)
    # blue, green, red: the weights are those of QGIS's filter
    grey = (pixels[:, :3] / 255.0) ** (1.0 / _PALE_GAMMA) @ numpy.array([0.07, 0.72, 0.21])
    pixels[:, :3] = numpy.rint(255.0 * grey)[:, None]
    return target


def entry_with_blend(entry: MapEntry, layers: Iterable[QgsMapLayer]) -> MapEntry:
    """Return the entry with the mode that its layers have now. If one was changed, its mode is that of all of them."""
    changed = next((mode for mode in map(blend_of, layers) if mode is not entry.blend), entry.blend)
    return entry if changed is entry.blend else entry.with_blend(changed)


def blend_of_style(style: str) -> BlendMode:
    """Return the mode that the style of an own layer (QML) has."""
    found = _IN_STYLE.search(style)
    number = int(found.group(1)) if found is not None else 0
    return list(_PAINTED)[number] if number < len(_PAINTED) else BlendMode.NORMAL
