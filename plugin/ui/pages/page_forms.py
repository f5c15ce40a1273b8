"""The forms of the page features, in the order of the panel. A new one is one line here."""

from __future__ import annotations

from typing import Tuple, Type

from .leaflet import LeafletForm
from .logos import MapLogosField
from .page_form import PageForm
from .qr_code import PageLinkField

FORMS: Tuple[Type[PageForm], ...] = (
    PageLinkField,
    MapLogosField,
    LeafletForm,
)
