"""Sentences that a map prints about its services (subtitle, terms, sources), made from the plan in the map's language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Collection, Dict, Iterable, List, Optional, Sequence, Tuple

from ...core.custommap.model import LayerPlan, MapRole, Plan
from ...core.terms.model import Decision
from ...core.text import fold, single_line
from ...core.wms.dimensions.time_series import DatePrecision, TitleDate, find_date
from .map_phrases import language_mark, long_date, map_language, map_phrase, moment_text

if TYPE_CHECKING:
    from ...core.terms.terms_summary import UnderstoodTerms

#: known words that tell the language of a description: names of places tell none
_TELLING = 4

#: parameters that are not printed: the language, and access keys, which are secret
_UNPRINTED_PARAMETER = re.compile(
    r"(?:language|lang|(?:access|subscription|map|client|user)?[_-]?(?:key|token|secret)|api[_-]?key|app_?(?:id|code)|"
    r"authkey|password|sig(?:nature)?)=", re.IGNORECASE)

#: separator between the services in the line below the title
SEPARATOR = " · "


@dataclass(frozen=True)
class ServiceOnMap:
    """One service of the plan, with the plans of its visible layers."""

    title: str
    address: str
    role: MapRole
    layers: Tuple[LayerPlan, ...]

    @property
    def credits(self) -> Tuple[str, ...]:
        """The credit lines that its layers require, each once."""
        return tuple(dict.fromkeys(line for plan in self.layers for line in plan.rights if line.strip()))

    @property
    def title_in_window(self) -> str:
        """The title that the person gave it on the map, which the texts of the page do not follow."""
        entry = self.layers[0].entry
        return entry.title if entry is not None and entry.title else self.title


def visible_services(plan: Plan) -> List[ServiceOnMap]:
    """Return the services with visible layers, base first, in the plan's order."""
    by_entry: Dict[int, List[LayerPlan]] = {}
    for layer in plan.layers:
        if layer.visible:
            by_entry.setdefault(layer.entry_index, []).append(layer)
    return [ServiceOnMap(layers[0].service_title or layers[0].title or layers[0].address, layers[0].address,
                         layers[0].role, tuple(layers)) for _, layers in sorted(by_entry.items())]


def moments_text(plan: Plan, left_out: Collection[int] = ()) -> str:
    """Return what the map shows of time: the moment of its series and layers with a dimension of time, or "".

    It says of what: "Precipitación total diaria, 12 de junio de 2016". Below the name of a park a day alone would be
    taken for that of the map. Where there are several moments, each stands behind the titles of its services.
    ``left_out`` are the indexes of layers in the plan. The day of ``dated_layer`` is one of them.
    """
    titles: Dict[str, List[str]] = {}
    subjects: List[str] = []
    dated = dated_layer(plan)
    if dated is not None and dated[0] not in left_out:
        layer, day = plan.layers[dated[0]], long_date(plan.language, dated[1])
        if day not in plan.title:
            titles[day] = [layer.service_title or layer.title]
            subjects.append(title_without_day(layer.title))
    for number, layer in enumerate(plan.layers):
        if layer.visible and layer.moment and number not in left_out:
            titles.setdefault(moment_text(plan.language, layer.moment), []).append(layer.service_title or layer.title)
            subjects.append(title_without_day(layer.title) or layer.title)
    for own in plan.own_layers:
        if own.visible and own.moment:
            titles.setdefault(moment_text(plan.language, own.moment), []).append(own.name)
            subjects.append(own.name)
    if len(titles) < 2:
        named = list(dict.fromkeys(filter(None, subjects)))
        # of several layers of a service its title says what they are, and the title of the map says it already
        named = named if len(named) < 2 else list(dict.fromkeys(next(iter(titles.values()))))
        shown = [name for name in named if fold(name) not in fold(plan.title)]
        return ", ".join([*shown, *titles])
    return SEPARATOR.join(f"{', '.join(dict.fromkeys(named))}: {moment}" for moment, named in titles.items())


def dated_layer(plan: Plan) -> Optional[Tuple[int, date]]:
    """Return the index and the day of the only layer of the map whose title ends with a day, None without one."""
    found = [(number, title_date.first_day) for number, layer in enumerate(plan.layers)
             if layer.visible and not layer.moment and (title_date := _day_at_end(layer.title)) is not None]
    return found[0] if len(found) == 1 else None


def layers_of_said_days(plan: Plan) -> Collection[int]:
    """Return the indexes of the layers whose titles end with a day that ``moments_text`` says in the map's language."""
    dated = dated_layer(plan)
    days = ((number, layer.moment, _day_at_end(layer.title)) for number, layer in enumerate(plan.layers)
            if layer.visible and layer.moment)
    return {*([dated[0]] if dated is not None else ()),
            *(number for number, moment, day in days if day is not None and day.first_day.isoformat() == moment)}


def title_without_day(title: str) -> str:
    """Return a layer's title without the day that it ends with."""
    found, folded = _day_at_end(title), fold(title)
    head = found.stem.partition("…")[0] if found is not None else ""
    return title[:len(head)].rstrip(" ,.:;–-(") if len(folded) == len(title) and folded.startswith(head) else ""


def _day_at_end(title: str) -> Optional[TitleDate]:
    found = find_date(title)
    is_day = found is not None and found.certain and found.precision is DatePrecision.DAY
    return found if is_day and found is not None and not found.stem.partition("…")[2].strip(" .)") else None


def terms_statement(plan: Plan) -> str:
    """Return licence and fees of each service, services with the same terms in one sentence."""
    titles_by_terms: Dict[str, List[str]] = {}
    for service in visible_services(plan):
        titles_by_terms.setdefault(_terms_sentences(service.layers, plan.language), []).append(service.title)
    if len(titles_by_terms) == 1:
        return next(iter(titles_by_terms))
    return "\n".join(f"{', '.join(titles)}: {terms}" for terms, titles in titles_by_terms.items())


def _terms_sentences(layers: Sequence[LayerPlan], language: str) -> str:
    """Return what the layers' terms say. Of texts in another language what is understood comes first, in the map's."""
    # it loads the words of all languages, which QGIS's start does without
    from ...core.terms.terms_summary import names_licence, says_only_free, understood_terms

    licences = list(dict.fromkeys(text.strip() for layer in layers for text in layer.licences if text.strip()))
    if not licences:
        licences = list(dict.fromkeys(text.strip() for layer in layers for _, text in layer.constraints
                                      if text.strip()))
    fees = next((layer.fees.strip() for layer in layers if layer.fees.strip()), "")
    foreign = [text for text in licences if not names_licence(text) and is_foreign(text, language)]
    sentences = _sentences(text for text in licences if text not in foreign)
    if foreign:
        others = [text for layer in layers for _, text in layer.constraints]
        understood = understood_terms(list(dict.fromkeys((*licences, *others))), fees)
        said = _said(understood, language, {layer.credit_required for layer in layers})
        key, words = "more_terms" if understood.says_more else "original_terms", " ".join(_sentences(foreign))
        sentences = [*said, *sentences, map_phrase(language, key, text=words) if said else words]
    if fees and fold(fees) not in fold(" ".join(licences)):
        free = map_phrase(language, "free")
        if not says_only_free(fees):
            sentences.append(_with_full_stop(fees))
        elif not any(fold(free) in fold(sentence) for sentence in sentences):
            sentences.append(_with_full_stop(free))
    sentences = sentences or [_with_full_stop(map_phrase(language, "unknown"))]
    day = max(layer.stored_terms_day for layer in layers)
    if day:
        sentences.append(map_phrase(language, "stored_terms", date=long_date(language, date.fromisoformat(day))))
    return " ".join(sentences)


def _sentences(texts: Iterable[str]) -> List[str]:
    # in the foot of a page a blank line between paragraphs would take the room of a sentence
    return list(dict.fromkeys(_with_full_stop(single_line(part)) for text in texts for part in text.split("\n")
                              if part.strip()))


def _said(understood: UnderstoodTerms, language: str, required: Collection[Decision]) -> List[str]:
    """Return a sentence in the map's language with what is understood of the terms, none where nothing is.

    ``required`` is what was decided of the duty to credit, by more than these texts: they never weaken it.
    """
    cost = {Decision.YES: "free", Decision.NO: "not_free"}.get(understood.free)
    credit = "credit_required" if Decision.YES in (*required, understood.credit) else (
        "no_credit" if {*required, understood.credit} == {Decision.NO} else None)
    said = [*understood.licences, *(map_phrase(language, key) for key in (cost, credit) if key)]
    rest = [text if text in understood.licences else text[:1].lower() + text[1:] for text in said[1:]]
    return [_with_full_stop("; ".join((*said[:1], *rest)))] if said else []


def is_foreign(text: str, language: str, least: int = 1) -> bool:
    """Return whether a text is surely in another language than the map's phrases: one that knows most of its words.

    False where fewer than ``least`` of its words are known.
    """
    from ...core.terms.lexicon import languages_of

    languages = languages_of(text, least)
    return bool(languages) and map_language(language) not in languages


def with_language(text: str, language: str) -> str:
    """Return a text followed by the name of its language where that is another than the map's: "(in Spanish)"."""
    from ...core.terms.lexicon import languages_of

    if not is_foreign(text, language, _TELLING):
        return text
    mark = language_mark(language, languages_of(text)[0])
    return f"{text} {mark}" if mark else text


def sources_statement(plan: Plan) -> str:
    """Return one line for each service: its title and its address."""
    return "\n".join(
        map_phrase(plan.language, "source", title=service.title.rstrip("."), address=_display_address(service.address)
                   ) if service.address else service.title for service in visible_services(plan))


def _display_address(address: str) -> str:
    """Return the address as a person would type it: without the language parameter, access keys, or a bare ``?``."""
    head, mark, query = address.partition("?")
    parts = [part for part in query.split("&") if part and not _UNPRINTED_PARAMETER.match(part)]
    return head + mark + "&".join(parts) if parts else head


def sources_heading(plan: Plan, today: date) -> str:
    """Return the heading of the sources with the date of access.

    For a map made of snapshots this is the day of the latest one.
    """
    days = [
        layer.snapshot_source.made[:10] if layer.snapshot_source is not None else "" for layer in plan.layers
        if layer.visible
    ]
    if days and all(days):
        today = date.fromisoformat(max(days))
    return map_phrase(plan.language, "consulted", date=long_date(plan.language, today))


def _with_full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
