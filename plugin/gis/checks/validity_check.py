"""QGIS's check of a layout before export: map services on it that lack their credit, and a scale bar that is not true.

QGIS runs the registered checks when a person exports or prints from the layout designer, and shows their results before
anything is written.
"""

from __future__ import annotations

from typing import Any, List, Optional

from qgis.core import (
    QgsAbstractValidityCheck,
    QgsApplication,
    QgsFeedback,
    QgsValidityCheckContext,
    QgsValidityCheckResult,
)

from ...core.i18n import tr

CHECK_ID = "cartoguide_layout_credits"


class LayoutCreditCheck(QgsAbstractValidityCheck):
    """Warns about missing credits and an untrue scale bar, and leaves the decision to the person: it may be any layout.
    """

    def create(self) -> LayoutCreditCheck:
        """Return a new check for each run (QGIS)."""
        return LayoutCreditCheck()

    def id(self) -> str:
        """Return the check's id in the registry (QGIS)."""
        return CHECK_ID

    def checkType(self) -> Any:  # noqa: N802
        return QgsAbstractValidityCheck.Type.TypeLayoutCheck

    def prepareCheck(self, context: QgsValidityCheckContext, feedback: QgsFeedback) -> bool:  # noqa: N802
        return True

    def runCheck(self, context: QgsValidityCheckContext,  # noqa: N802
                 feedback: QgsFeedback) -> List[QgsValidityCheckResult]:
        from ..layouts.map_grids import scale_problems
        from ..pages.completeness_checks import layout_problems

        advice = tr("Add a label with {expression} to the layout: it shows the credits of all layers on the map. The "
                    "credits of the project are under Web › Cartoguide › Credits of this project.",
                    expression="[% cartoguide_credits() %]")
        return [*(self._result(title, description, advice) for title, description in layout_problems(context.layout)),
                *(self._result(tr("The scale bar is not true"), text) for text in scale_problems(context.layout))]

    def _result(self, title: str, *paragraphs: str) -> QgsValidityCheckResult:
        from ...core.text import escaped

        result = QgsValidityCheckResult()
        result.type = QgsValidityCheckResult.Type.Warning
        result.title = title
        result.detailedDescription = "".join(f"<p>{escaped(text)}</p>" for text in paragraphs)
        return result


_registered: Optional[LayoutCreditCheck] = None


def register() -> None:
    """Register the check with QGIS. Does nothing if it is registered."""
    global _registered
    if _registered is None:
        _registered = LayoutCreditCheck()
        QgsApplication.validityCheckRegistry().addCheck(_registered)


def unregister() -> None:
    global _registered
    if _registered is not None:
        check, _registered = _registered, None
        QgsApplication.validityCheckRegistry().removeCheck(check)
