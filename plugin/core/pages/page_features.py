"""The page features, in the order of their forms and of what they write on a page. A new one is one line here."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Tuple

from ..i18n import tr
from . import leaflet, logos, qr_code, small_multiples
from .page_feature import MapOnPage, OnlyPaper, PageFeature, PageProblem

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


def feature_value(page: Any, feature: PageFeature[Any]) -> Any:
    """Return the value that a ``PageSetup`` has for a feature, None for one without a member."""
    return getattr(page, feature.member) if feature.member else None


def has_needs(template: str) -> bool:
    """Return whether a map may lack something for a template, so that a guide map is printed instead."""
    return any(feature.unmet_need is not None for feature in of_template(template))


def unmet_need(page: Any, custom_map: MapOnPage) -> Optional[PageProblem]:
    """Return the first thing that a map lacks for the template of its ``PageSetup``, None if it has all of them."""
    needs = (feature.unmet_need(feature_value(page, feature), custom_map) for feature in of_template(page.template)
             if feature.unmet_need is not None)
    return next(filter(None, needs), None)
