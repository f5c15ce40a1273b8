"""Apply the credits found by the audit to the layers, with undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Tuple

from qgis.core import QgsLayerMetadata, QgsMapLayer, QgsProject

from ...core.audit import AuditRow
from ...core.terms.model import Decision
from ...core.text import fold, single_line
from ..runtime import compat
from .credit_lines import credit_required, written_credit
from .layer_metadata import CREDIT, CREDIT_REQUIRED, OWN_DATA, RECORD_ID, SERVICE_TITLE, UNFIT_CREDITS, set_credit

_PROPERTIES = (CREDIT, CREDIT_REQUIRED, OWN_DATA, RECORD_ID, SERVICE_TITLE, UNFIT_CREDITS)


@dataclass(frozen=True)
class _LayerState:
    metadata: QgsLayerMetadata
    attribution: Tuple[str, str]
    properties: Dict[str, Any]


class AppliedCredits:
    """Changes made to layers, which ``undo`` reverts. ``layer_names`` lists the changed layers."""

    def __init__(self, project: QgsProject) -> None:
        self._project = project
        self._states: Dict[str, _LayerState] = {}
        self.layer_names: List[str] = []

    def save_state(self, layer: QgsMapLayer) -> None:
        """Save the layer's present state for undo."""
        self.layer_names.append(layer.name())
        self._states[layer.id()] = _LayerState(layer.metadata(),
                                               (compat.attribution(layer), compat.attribution_url(layer)),
                                               {name: layer.customProperty(name) for name in _PROPERTIES})

    def undo(self) -> None:
        """Restore the previous state of the layers that still exist."""
        for layer_id, before in self._states.items():
            layer = next(iter(_layers(self._project, [layer_id])), None)
            if layer is None:
                continue
            layer.setMetadata(before.metadata)
            compat.set_attribution(layer, *before.attribution)
            for name, value in before.properties.items():
                if value is None:
                    layer.removeCustomProperty(name)
                else:
                    layer.setCustomProperty(name, value)
        self._states.clear()
        self._project.setDirty(True)


def apply_credits(project: QgsProject, rows: Iterable[AuditRow]) -> AppliedCredits:
    """Write the credit, terms and record found for each row into its layer.

    Fees and licences that the layer already has are kept.
    """
    applied = AppliedCredits(project)
    for row in rows:
        layer = project.mapLayer(row.layer.layer_id)
        if layer is None or not row.credit:
            continue
        applied.save_state(layer)
        _apply_terms(layer, row)
        set_credit(layer, "; ".join(row.credit), row.required, row.attribution_url or compat.attribution_url(layer),
                   row.credit)
        for name, value in ((RECORD_ID, row.record_id), (SERVICE_TITLE, row.service)):
            if value and not layer.customProperty(name):
                layer.setCustomProperty(name, value)
    return _finished(applied, project)


def enter_credit(project: QgsProject, layer_ids: Iterable[str], credit: str) -> AppliedCredits:
    """Make ``credit`` the credit of these layers, as a person has entered it. It is saved with the project.

    An empty credit removes the present one.
    """
    applied = AppliedCredits(project)
    line = single_line(credit)
    for layer in _layers(project, layer_ids):
        if written_credit(layer) == line and not layer.customProperty(OWN_DATA):
            continue
        applied.save_state(layer)
        required = Decision.UNDECIDED if layer.customProperty(OWN_DATA) else credit_required(layer)
        layer.removeCustomProperty(OWN_DATA)
        set_credit(layer, line, Decision.YES if line and required is Decision.NO else required,
                   compat.attribution_url(layer))
    return _finished(applied, project)


def confirm_own_data(project: QgsProject, layer_ids: Iterable[str]) -> AppliedCredits:
    """Mark these layers as the person's own data, which needs no credit. A credit that a layer has stays."""
    applied = AppliedCredits(project)
    for layer in _layers(project, layer_ids):
        applied.save_state(layer)
        layer.setCustomProperty(OWN_DATA, True)
        layer.setCustomProperty(CREDIT_REQUIRED, Decision.NO.value)
    return _finished(applied, project)


def _layers(project: QgsProject, layer_ids: Iterable[str]) -> List[QgsMapLayer]:
    annotations = project.mainAnnotationLayer()
    found = (annotations if annotations is not None and annotations.id() == layer_id else project.mapLayer(layer_id)
             for layer_id in layer_ids)
    return [layer for layer in found if layer is not None]


def _finished(applied: AppliedCredits, project: QgsProject) -> AppliedCredits:
    if applied.layer_names:
        project.setDirty(True)
    return applied


def _apply_terms(layer: QgsMapLayer, row: AuditRow) -> None:
    metadata = layer.metadata()
    if row.licence and not metadata.licenses():
        metadata.setLicenses([row.licence])
    if row.fees and not metadata.fees():
        metadata.setFees(row.fees)
    constraints = [item.constraint for item in metadata.constraints()]
    if row.access and fold(row.access) not in [fold(text) for text in constraints]:
        metadata.addConstraint(QgsLayerMetadata.Constraint(row.access, "access"))
    layer.setMetadata(metadata)
