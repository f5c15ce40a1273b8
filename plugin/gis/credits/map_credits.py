"""Sentences that the map prints about its services: subtitle, terms, sources; from the plan, in the map's language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Dict, List, Sequence, Tuple

from ...core.custommap.model import LayerPlan, Plan
from ...core.text import fold
from .map_phrases import long_date, map_phrase

_FREE_TERMS = ("gratuito", "gratis", "none", "ninguno", "sin coste", "free")

#: what stands between the services in the line below the title
SEPARATOR = " · "


@dataclass(frozen=True)
class ServiceOnMap:
    """One service of the plan, with the plans of its visible layers."""

    title: str
    address: str
    role: str
    layers: Tuple[LayerPlan, ...]

    @property
    def credits(self) -> Tuple[str, ...]:
        """The credit lines that its layers ask for, each once."""
        return tuple(dict.fromkeys(line for plan in self.layers for line in plan.rights if line.strip()))


def visible_services(plan: Plan) -> List[ServiceOnMap]:
    """The services whose layers are to be seen, base first, in the plan's order."""
    by_entry: Dict[int, List[LayerPlan]] = {}
    for layer in plan.layers:
        if layer.visible:
            by_entry.setdefault(layer.entry_index, []).append(layer)
    return [ServiceOnMap(layers[0].service_title or layers[0].title or layers[0].address, layers[0].address,
                         layers[0].role, tuple(layers)) for _, layers in sorted(by_entry.items())]


def subtitle_text(plan: Plan) -> str:
    """What the map is made of: the base, then the overlays' titles. Titles that the map's title already says are left
    out.
    """
    titles = [service.title for service in visible_services(plan) if fold(service.title) != fold(plan.title)]
    return SEPARATOR.join(titles)


def terms_statement(plan: Plan) -> str:
    """The licence and fees of each service, services with the same terms in one sentence."""
    by_words: Dict[str, List[str]] = {}
    for service in visible_services(plan):
        by_words.setdefault(_terms_sentences(service.layers, plan.language), []).append(service.title)
    if len(by_words) == 1:
        return next(iter(by_words))
    return "\n".join(f"{', '.join(titles)}: {words}" for words, titles in by_words.items())


def _terms_sentences(layers: Sequence[LayerPlan], language: str) -> str:
    licences = list(dict.fromkeys(text.strip() for layer in layers for text in layer.licences if text.strip()))
    if not licences:
        licences = list(dict.fromkeys(text.strip() for layer in layers for _, text in layer.constraints
                                      if text.strip()))
    fees = next((layer.fees.strip() for layer in layers if layer.fees.strip()), "")
    said = [_with_full_stop(text) for text in licences]
    if fees and fold(fees) not in fold(" ".join(licences)):
        said.append(_with_full_stop(map_phrase(language, "free") if fold(fees) in _FREE_TERMS else fees))
    return " ".join(said) or _with_full_stop(map_phrase(language, "unknown"))


def sources_statement(plan: Plan) -> str:
    """One line for each service: its title and its address."""
    return "\n".join(
        map_phrase(plan.language, "source", title=service.title.rstrip("."), address=_display_address(service.address)
                   ) if service.address else service.title for service in visible_services(plan))


def _display_address(address: str) -> str:
    """The address as a person would type it: without the language that the service was asked for, or a bare ``?``."""
    return re.sub(r"([?&])(?:language|lang)=[^&]*&?", r"\1", address, flags=re.IGNORECASE).rstrip("?&")


def sources_heading(plan: Plan, today: date) -> str:
    """What the sources are, and the day that they were asked: of a map from a snapshot, when that was taken."""
    days = [
        layer.snapshot_source.made[:10] if layer.snapshot_source is not None else "" for layer in plan.layers
        if layer.visible
    ]
    if days and all(days):
        today = date.fromisoformat(max(days))
    return map_phrase(plan.language, "consulted", date=long_date(plan.language, today))


def _with_full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
