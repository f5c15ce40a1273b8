"""Credits, terms and sources of layers as text, read from the layers themselves and so available for any layout."""

from __future__ import annotations

import re
from typing import Dict, List, Sequence

from qgis.core import QgsMapLayer

from ...core.custommap.model import LayerPlan, Plan
from ...core.dates import date_span
from ...core.i18n import tr
from ...core.text import fold, inert
from . import map_credits
from .credit_lines import credit_lines, credit_required, layer_credit, layers_without_credit, unfit_credits
from .layer_metadata import ENDPOINT, OWN_LAYER, SERVICE_TITLE, STORED_TERMS
from .layer_source import source_address

_NO_SHORT_NAME = "\x00"
_ADDRESS = re.compile(r"https?://[^\s<>\"'«»]+")


def credits_text(layers: Sequence[QgsMapLayer], separator: str = "\n") -> str:
    """Return the credit lines of ``layers`` (top first), each once, with the addresses of their licences.

    In the place of a credit that may not be printed stands that it is not complete, and in that of a missing one that
    it is not known: a page without it would look as if none were owed.
    """
    lines = [_add_licence_links(line, layer) for layer in layers for line in credit_lines(layer)]
    lines += [tr("{layer}: the credit is not complete", layer=inert(layer.name())) for layer in layers
              if unfit_credits([layer])]
    lines += [tr("{layer}: the credit is not known", layer=inert(layer.name()))
              for layer in layers_without_credit(layers)]
    return separator.join(dict.fromkeys(lines))


def terms_text(layers: Sequence[QgsMapLayer], language: str) -> str:
    """Return licences and fees of the services behind ``layers``, services with the same terms in one sentence."""
    plan = plan_from_layers(layers, language)
    return map_credits.terms_statement(plan) if plan.layers else ""


def sources_text(layers: Sequence[QgsMapLayer], language: str) -> str:
    """Return title and address of each service behind ``layers``, two lines for each."""
    return map_credits.sources_statement(plan_from_layers(layers, language))


def plan_from_layers(layers: Sequence[QgsMapLayer], language: str) -> Plan:
    """Return a plan of ``layers`` (top first) made of what the layers know about themselves.

    It includes layers from the network and others that name a credit or a licence, with one entry for each service. A
    cartographer's own file without a licence has a credit alone: it has no terms, and no address to be consulted at.
    """
    entries: Dict[str, int] = {}
    plans: List[LayerPlan] = []
    for layer in layers:
        address, metadata = source_address(layer), layer.metadata()
        credit = "" if layer.customProperty(OWN_LAYER) else layer_credit(layer)
        if not (address or credit or metadata.licenses()):
            continue
        title = str(layer.customProperty(SERVICE_TITLE) or "") or layer.name()
        entry = entries.setdefault(str(layer.customProperty(ENDPOINT) or "") or address or layer.id(), len(entries))
        plans.append(
            LayerPlan(address=address, name=layer.name(), style="", format="", crs="", title=layer.name(),
                      service_title=title, entry_index=entry, rights=tuple(credit_lines(layer)),
                      licences=tuple(metadata.licenses()), constraints=tuple(
                          (item.type, item.constraint) for item in metadata.constraints()), fees=metadata.fees(),
                      credit_required=credit_required(layer),
                      stored_terms_day=_iso_day(str(layer.customProperty(STORED_TERMS) or ""))))
    return Plan(title="", crs="", layers=tuple(plans), language=language)


def _iso_day(text: str) -> str:
    """Return the day in ``text``, which anybody may have written into the project, or an empty text."""
    return text if re.fullmatch(r"\d{4}-\d\d-\d\d", text) and date_span(text) is not None else ""


def _add_licence_links(line: str, layer: QgsMapLayer) -> str:
    """Return the line followed by the layer's licences that have an address which the line lacks."""
    for licence in layer.metadata().licenses():
        found = _ADDRESS.search(licence)
        if found is None or found.group() in line:
            continue
        name, short_name = licence[:found.start()].rstrip(" ,;:("), _licence_short_name(found.group())
        is_named = not name or fold(name) in fold(line) or short_name in fold(line)
        if short_name != _NO_SHORT_NAME:
            # as the licence itself is cited, and a third as long
            name = short_name.upper()
        line += f" ({found.group()})" if is_named else f", {name} ({found.group()})"
    return line


def _licence_short_name(address: str) -> str:
    """Return the folded short name of a Creative Commons licence ("cc by 4.0"), else a text that no line contains."""
    match = re.search(r"creativecommons\.org/(?:licenses/([a-z-]+)|publicdomain/zero)/(\d\.\d)", address)
    if match is None:
        return _NO_SHORT_NAME
    return f"cc {match.group(1) or '0'} {match.group(2)}".replace("cc 0 ", "cc0 ")
