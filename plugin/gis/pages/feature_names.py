"""Names of a layer's features: the one decision on what a feature is called, and on one that has no name."""

from __future__ import annotations

from typing import Iterator, NamedTuple, Tuple

from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsFeatureRequest,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from ...core.text import single_line
from ..runtime.tasks import Feedback

#: features read between two looks at whether the work was cancelled
_BATCH = 50
#: text of a null value of QGIS, whose Python type differs between versions
_NULL = "NULL"


class FeatureNames:
    """Names by a layer's display expression. Made on the main thread, then used in any one thread."""

    def __init__(self, layer: QgsVectorLayer) -> None:
        self._context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
        self._context.setFields(layer.fields())
        self._expression = QgsExpression(layer.displayExpression())
        self._expression.prepare(self._context)

    def name(self, feature: QgsFeature) -> str:
        """Return the feature's name in one line, or "" for a feature without a name."""
        self._context.setFeature(feature)
        value = self._expression.evaluate(self._context)
        name = single_line(str(value)) if value is not None else ""
        return "" if name == _NULL else name

    def name_or_number(self, feature: QgsFeature) -> str:
        """Return the feature's name, or its number in the layer for a feature without a name."""
        return self.name(feature) or str(feature.id())


class FeatureSource(NamedTuple):
    """Features of a layer as another thread may read them, and how they are named."""

    title: str
    features: QgsVectorLayerFeatureSource
    names: FeatureNames

    @classmethod
    def of_layer(cls, layer: QgsVectorLayer) -> FeatureSource:
        """Return the source of a layer's features. In the layer's thread."""
        return cls(layer.name(), QgsVectorLayerFeatureSource(layer), FeatureNames(layer))


def named_features(source: FeatureSource, request: QgsFeatureRequest,
                   feedback: Feedback) -> Iterator[Tuple[str, QgsFeature]]:
    """Yield the features that ``request`` selects and that have a geometry, each with its name or "".

    May run in any thread. Raises Cancelled.
    """
    for number, feature in enumerate(source.features.getFeatures(request)):
        if number % _BATCH == 0:
            feedback.raise_if_cancelled()
        if not feature.geometry().isNull():
            yield source.names.name(feature), feature
