"""The tree of a map's legend: groups of layers in their order, with the titles that the page shows.

This is the one decision about what the legend has. The layout's legend and the legend's editor go by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Callable, Collection, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ...text import fold
from ..model import EntryLegend, LayerLegend, LayerPlan, OwnLayer, Plan
from ..moments import longest_series

_Part = TypeVar("_Part")


def text_in(texts: Mapping[str, str], language: str) -> str:
    """Return the text in ``language``, else in the same language of another region, else ""."""
    return texts.get(_code_of(texts, language), "")


def with_text(texts: Mapping[str, str], language: str, text: str) -> Mapping[str, str]:
    """Return ``texts`` with ``text`` in place of what ``text_in`` returns for ``language``, "" for none."""
    others = {code: other for code, other in texts.items() if code != _code_of(texts, language)}
    return {**others, language: text} if text else others


def _code_of(texts: Mapping[str, str], language: str) -> str:
    """Return the code in ``texts`` that is ``language``, else one of another region, else ``language``."""
    if language in texts:
        return language
    return next((code for code in texts if _primary(code) == _primary(language)), language)


def _primary(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


@dataclass(frozen=True)
class LegendReference:
    """A layer in the legend: the index of its map entry with its name, or None with the id of an own layer."""

    entry_index: Optional[int]
    name: str


@dataclass(frozen=True)
class LegendItem:
    """One layer in the legend. ``title`` is the one that the page shows, ``default_title`` QGIS's or the service's.

    ``plan_index`` is the position of a service's layer in the plan. ``moments`` are the layers of a time series that
    stand in the legend once, and ``layer`` is the first of them.
    """

    layer: Union[LayerPlan, OwnLayer]
    reference: LegendReference
    default_title: str
    edit: LayerLegend
    title: str
    plan_index: int = -1
    moments: Tuple[LegendItem, ...] = ()

    @property
    def references(self) -> Tuple[LegendReference, ...]:
        """The layer, or all layers of the series."""
        return tuple(item.reference for item in self.moments) or (self.reference,)

    @property
    def is_hidden(self) -> bool:
        """True if the legend is to be without it: by its editor, or because QGIS has the layer as private."""
        if self.moments:
            return all(item.is_hidden for item in self.moments)
        return self.edit.hidden or self.layer.private

    def class_title(self, text: str, language: str) -> str:
        return text_in(self.edit.classes.get(text, {}), language) or text

    @property
    def is_renamed(self) -> bool:
        """True if a person gave it its title: in the map's language, or in QGIS's layer tree."""
        return self.title != self.default_title or bool(isinstance(self.layer, LayerPlan) and self.layer.given_name)


@dataclass(frozen=True)
class LegendGroup:
    """Layers under one title, the topmost first.

    ``heading`` is the title by language if the cartographer has put the layers under it. Otherwise the group is a
    service's, or a single own layer's, which has no title. ``is_subject`` marks the printed group of a subject.
    """

    title: str
    default_title: str
    items: Tuple[LegendItem, ...]
    heading: Optional[Mapping[str, str]] = None
    is_subject: bool = False

    @property
    def references(self) -> Tuple[LegendReference, ...]:
        return tuple(reference for item in self.items for reference in item.references)

    @property
    def entry_index(self) -> Optional[int]:
        """The map entry whose group it is, None for an own layer and under a heading of the cartographer's."""
        return self.items[0].reference.entry_index if self.heading is None else None


LegendTree = Tuple[LegendGroup, ...]


def legend_tree(plan: Plan) -> LegendTree:
    """Return the groups of the legend of ``plan``, with the layers that are hidden in it and those not drawn.

    By default the layer drawn last is the first. Layers with a position come in its order, and so do groups, by the
    first position in them. What has no position follows that below which it is drawn.
    """
    groups: Dict[Tuple[str, object], List[LegendItem]] = {}
    for item in _items(plan):
        groups.setdefault(_group_key(item, plan.language), []).append(item)
    ordered = [(kind, _in_order(items, [item.edit.position for item in items])) for (kind, _), items in groups.items()]
    firsts = [min((item.edit.position for item in items if item.edit.position is not None), default=None)
              for _, items in ordered]
    return tuple(_group(kind, items, plan) for kind, items in _in_order(ordered, firsts))


def neighbour(tree: LegendTree, references: Collection[LegendReference], step: int) -> Tuple[LegendReference, ...]:
    """Return the layers that a group or layer would be moved past, one place up (-1) or down (1), empty for none.

    ``references`` are all layers of a group, or one layer, which is moved in its group.
    """
    groups: List[Tuple[LegendReference, ...]] = [group.references for group in tree]
    layers: List[List[Tuple[LegendReference, ...]]] = [[item.references for item in group.items] for group in tree]
    for parts in (groups, *layers):
        number = next((number for number, part in enumerate(parts) if set(part) == set(references)), None)
        if number is not None:
            return parts[number + step] if 0 <= number + step < len(parts) else ()
    return ()


def series_once(items: Sequence[LegendItem], classes: Callable[[LayerPlan], object],
                text_of: Callable[[str], str]) -> Tuple[LegendItem, ...]:
    """Return the layers of a group, those of a time series with the same classes as one that is titled by its period.

    Layers that were renamed differently stay apart. ``classes`` are None where they are not known, ``text_of``
    writes out a value of TIME.
    """
    services: Dict[Tuple[Optional[int], str], Dict[str, LegendItem]] = {}
    for item in items:
        given = item.title if item.is_renamed else ""
        services.setdefault((item.reference.entry_index, given), {})[item.reference.name] = item
    merged: Dict[LegendReference, LegendItem] = {}
    for (_, given), by_name in services.items():
        layers = [item.layer for item in by_name.values() if isinstance(item.layer, LayerPlan)]
        series = longest_series(layers) if len(layers) > 1 else None
        if series is None:
            continue
        moments = tuple(by_name[moment.layer] for moment in series.entries)
        known = [found for layer in layers if layer.name in {item.reference.name for item in moments}
                 for found in [classes(layer)] if found is not None]
        if any(found != known[0] for found in known):
            continue
        first, last = (text_of(series.entries[at].moment) for at in (0, -1))
        # an ellipsis stands in the title for what differs between the layers
        title = series.title.split("…")[0].rstrip(" ,.:;–-") or layers[0].service_title
        title = f"{title}, {first} – {last}"
        merged.update(dict.fromkeys((item.reference for item in moments), replace(
            moments[0], title=given or title, default_title=title, moments=moments)))
    shown = {item.reference: item for one in items for item in [merged.get(one.reference, one)]}
    return tuple(shown.values())


def is_in_legend(plan: Plan, layer: LayerPlan) -> bool:
    """Return whether the legend of ``plan`` is to show the layer, if it is drawn."""
    return layer.in_legend and not (layer.private or _entry_legend(plan, layer.entry_index).of_layer(layer.name).hidden)


def _entry_legend(plan: Plan, index: int) -> EntryLegend:
    return plan.legends[index] if index < len(plan.legends) else EntryLegend()


def _items(plan: Plan) -> List[LegendItem]:
    """Return the layers in the order of drawing, the one drawn last first, but for those that no legend explains."""
    by_entry: Dict[int, List[int]] = {}
    for number in reversed([number for number, layer in enumerate(plan.layers) if layer.in_legend]):
        by_entry.setdefault(plan.layers[number].entry_index, []).append(number)
    items = []
    for part in reversed(plan.order):
        if isinstance(part, OwnLayer):
            title = text_in(part.legend.titles, plan.language) or part.name
            items.append(LegendItem(part, LegendReference(None, part.id), part.name, part.legend, title))
            continue
        for number in by_entry.get(part, ()):
            layer = plan.layers[number]
            edit = _entry_legend(plan, part).of_layer(layer.name)
            default = layer.label
            items.append(LegendItem(layer, LegendReference(part, layer.name), default, edit,
                                    text_in(edit.titles, plan.language) or default, number))
    return items


def _in_order(parts: Sequence[_Part], positions: Sequence[Optional[int]]) -> List[_Part]:
    """Return the parts in the order of their positions, those without one after the part that they follow now."""
    followers: Dict[int, List[_Part]] = {}
    placed: List[Tuple[int, int]] = []
    for number, (part, position) in enumerate(zip(parts, positions)):
        if position is not None:
            placed.append((position, number))
        else:
            followers.setdefault(placed[-1][1] if placed else -1, []).append(part)
    ordered = followers.get(-1, [])
    for _, number in sorted(placed):
        ordered += [parts[number], *followers.get(number, ())]
    return ordered


def _group_key(item: LegendItem, language: str) -> Tuple[str, object]:
    heading = heading_text(item.edit.heading, language)
    if heading:
        return "heading", fold(heading)
    if item.reference.entry_index is None:
        return "own", item.reference.name
    return "entry", item.reference.entry_index


def heading_text(heading: Mapping[str, str], language: str) -> str:
    """Return a heading in ``language``, else in the first one that it has: it has no other title."""
    return text_in(heading, language) or next(iter(heading.values()), "")


def _group(kind: str, items: List[LegendItem], plan: Plan) -> LegendGroup:
    first = items[0]
    if kind == "heading":
        title = heading_text(first.edit.heading, plan.language)
        return LegendGroup(title, title, tuple(items), first.edit.heading)
    if isinstance(first.layer, OwnLayer):
        return LegendGroup("", "", tuple(items))
    default = first.layer.service_title or first.default_title
    edited = text_in(_entry_legend(plan, first.layer.entry_index).titles, plan.language)
    return LegendGroup(edited or default, default, tuple(items))


#: subjects in the order of the legend, with their headings and the words of titles, folded, which are tried in turn
_SUBJECTS: Tuple[Tuple[Mapping[str, str], str], ...] = (
    ({"es": "Equipamientos", "en": "Facilities"},
     r"equipamient|facilit|uso publico|visit|puntos? de informacion|information point|aulas?\b|museo|museum|"
     r"inicio de sender|trailhead|mirador|viewpoint|observator|hides?\b|areas? recreativ|picnic|acampad|camping|"
     r"campsite|refugio|shelter|huts?\b|albergue|casas? rural|hostel|alojamient|kiosc|bares\b|bar\b|restaurant|"
     r"fuentes?\b|puntos? de agua|drinking|aparcamient|parking|car park|centros? de interpretacion|"
     r"interpretation cent|hotel|aseos\b|toilets?\b"),
    ({"es": "Senderos y caminos", "en": "Trails and tracks"},
     r"sender|caminos?\b|pistas?\b|vias? verdes?|vias? pecuaria|trail|paths?\b|tracks?\b|itinerari|cycle|bici|"
     r"rutas?\b|canadas?\b|veredas?\b|footpath|hiking|walks?\b|greenway|bridleway|bike|biking"),
    ({"es": "Carreteras y ferrocarril", "en": "Roads and railways"},
     r"carreter|autovi|autopist|ferrocarril|viari|roads?\b|motorway|highway|rail|transport|calles?\b|streets?\b"),
    ({"es": "Agua", "en": "Water"},
     r"rios?\b|arroyo|hidrograf|embalse|lagun|lagos?\b|cauces?\b|masas? de agua|humedal|river|stream|water|lakes?\b|"
     r"wetland|barrancos?\b|cascadas?\b|canal(?:es)?\b|acequia|charcas?\b|manantial|pozos?\b|pantano|marismas?\b|"
     r"presas?\b|playas?\b|gull(?:y|ies)\b|waterfall|canals?\b|ponds?\b|springs?\b|wells?\b|reservoir|dams?\b|marsh|"
     r"beach"),
    ({"es": "Poblaciones y lugares", "en": "Towns and places"},
     r"toponim|poblacion|nucleos?\b|asentamient|edific|place|names?\b|towns?\b|settlement|building|pueblos?\b|"
     r"aldeas?\b|caserios?\b|cortijos?\b|ciudad|parajes?\b|cumbres?\b|picos?\b|cimas?\b|vertices geodesic|"
     r"villages?\b|hamlet|cit(?:y|ies)\b|localit|summits?\b|peaks?\b|mountain"),
    ({"es": "Límites", "en": "Boundaries"},
     r"limites?\b|exterior|termino|municipi|provinci|zonificacion|boundar|border|outside|"
     r"espacios? (?:natural|protegid)|zonas? (?:perifer|de (?:reserva|proteccion|amortiguacion|uso ))|"
     r"areas? protegid|\Aparques? (?:nacional|natural)|reservas? (?:integral|natural|de la biosfera)|comarca|"
     r"red natura|natura 2000|peripheral|buffer zone|core zone|reserve zone|zoning|protected area|"
     r"(?:nature|biosphere) reserve|\A(?:national|natural|nature) parks?\b|count(?:y|ies)\b|districts?\b"),
    ({"es": "Relieve y vegetación", "en": "Relief and vegetation"},
     r"relieve|curvas? de nivel|altitud|altimetr|hipsometr|sombread|pendient|cubierta|vegetacion|usos? del suelo|"
     r"relief|contour|elevation|hillshade|terrain|land ?(?:cover|use)|vegetation|topograf|matorral|cultivos?\b|"
     r"arbolad|bosques?\b|pinar(?:es)?\b|encinar|alcornocal|pastizal|pastos?\b|prados?\b|dehesas?\b|olivar|vinedo|"
     r"roqued|habitats?\b|flora\b|slopes?\b|woods?\b|woodland|forests?\b(?! fire)|scrub|shrub|crops?\b|cropland|"
     r"farmland|grassland|meadow|pastures?\b|heath|orchard|vineyard|rocks?\b|cliff"),
)
_WEATHER = {"es": "Tiempo y clima", "en": "Weather and climate"}
_WEATHER_WORDS = re.compile(r"\b(?:precipit|lluvia|pluvio|temperatura|clima|meteo|viento|nieve|insolacion|rain|snow|"
                            r"wind|weather)")
_OTHER = {"es": "Otros datos", "en": "Other data"}
_PATTERNS = [re.compile(r"\b(?:" + words + ")") for _, words in _SUBJECTS]
#: limits stand last, below relief, though their words are looked for before those of relief
_ORDER = (0, 1, 2, 3, 4, 6, 5)


def printed_tree(plan: Plan) -> LegendTree:
    """Return the groups of the legend as the page prints them: ``legend_tree``, by subject where nobody has edited it.

    A service none of whose layers has a known subject keeps its group, and so do own layers.
    """
    tree = legend_tree(plan)
    if any(legend.titles or legend.heading or legend.position is not None for legend in plan.legends) or any(
            item.edit.heading or item.edit.position is not None for group in tree for item in group.items):
        return tree
    by_subject: Dict[Optional[int], List[LegendItem]] = {}
    others: List[LegendGroup] = []
    for group in tree:
        subjects = [_subject(item) for item in group.items]
        if all(subject is None for subject in subjects):
            others.append(group)
            continue
        for item, subject in zip(group.items, subjects):
            by_subject.setdefault(subject, []).append(item)
    headed = [(text_in(_SUBJECTS[number][0], plan.language) or _SUBJECTS[number][0]["en"], by_subject[number])
              for number in _ORDER if number in by_subject]
    rest = by_subject.get(None, [])
    services = {item.reference.entry_index for item in rest if _WEATHER_WORDS.search(fold(item.default_title))}
    weather = tuple(item for item in rest if item.reference.entry_index in services)
    if weather:
        # a single layer of it is headed by its own title, as that of a service is
        title = text_in(_WEATHER, plan.language) or _WEATHER["en"]
        others.append(LegendGroup(title, title, weather))
    if len(weather) < len(rest):
        headed.append((text_in(_OTHER, plan.language) or _OTHER["en"],
                       [item for item in rest if item.reference.entry_index not in services]))
    return (*others, *(LegendGroup(title, title, tuple(items), {plan.language: title}, True)
                      for title, items in headed))


def _subject(item: LegendItem) -> Optional[int]:
    """Return the number of the subject of a service's layer, None where no word of its title says it."""
    if isinstance(item.layer, OwnLayer):
        return None
    for title in (item.default_title, item.title):
        folded = fold(title)
        for number, pattern in enumerate(_PATTERNS):
            if pattern.search(folded):
                return number
    return None
