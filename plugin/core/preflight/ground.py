"""Findings about the ground of a map: it has no base, or one that ends within the frame."""

from __future__ import annotations

from ..custommap.model import MapRole, Plan


def shows_base(plan: Plan) -> bool:
    """Return whether a base is drawn. A day of a series is none: it has no colour where it has no value."""
    return any(layer.visible and layer.role is MapRole.BASE and not layer.moment for layer in plan.layers)


def is_of_values(plan: Plan) -> bool:
    """Return whether the map shows a moment of a series, such as the rain of a day."""
    return any(layer.visible and layer.moment for layer in plan.layers)
