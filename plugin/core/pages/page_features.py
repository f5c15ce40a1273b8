"""The page features, in the order of their forms and of what they write on a page. A new one is one line here."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Tuple

from ..i18n import tr
from . import leaflet, logos, qr_code, small_multiples
from .page_feature import OnlyPaper, PageFeature

FEATURES: Tuple[PageFeature[Any], ...] = (
    PageFeature("technical_sheet", template="sheet", template_title=lambda: tr("Technical sheet")),
    PageFeature("field_sheet", template="field", template_title=lambda: tr("Field sheet")),
    small_multiples.FEATURE,
    qr_code.FEATURE,
    logos.FEATURE,
    leaflet.FEATURE,
)


def with_members() -> Iterator[PageFeature[Any]]:
    """Yield the features that have a member in the document's page."""
    return (feature for feature in FEATURES if feature.member)


def of_template(template: str) -> Iterator[PageFeature[Any]]:
    """Yield the features that a page of this template has."""
    return (feature for feature in FEATURES if feature.template in ("", template))


def shows_all_moments(template: str) -> bool:
    """Return whether a bundled template shows all moments of a series at once."""
    return any(feature.shows_all_moments for feature in FEATURES if feature.template == template)


def only_paper(template: str) -> Optional[OnlyPaper]:
    """Return the only paper that a template exists for, None for one that has several."""
    return next((feature.only_paper for feature in FEATURES
                 if feature.template == template and feature.only_paper is not None), None)
