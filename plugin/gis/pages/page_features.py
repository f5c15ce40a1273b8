"""The page features on layouts, in the order in which they are written. A new one is one line here."""

from __future__ import annotations

from typing import Tuple

from . import field_sheet, leaflet, logos, qr_code, small_multiples, technical_sheet
from .layout_feature import LayoutFeature

FEATURES: Tuple[LayoutFeature, ...] = (
    small_multiples.FEATURE,
    logos.FEATURE,
    field_sheet.FEATURE,
    leaflet.FEATURE,
    technical_sheet.FEATURE,
    qr_code.FEATURE,
)
