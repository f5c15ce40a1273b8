"""Findings about a layout template of somebody else: what it needs that is not on this computer or in this project."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List

from ..custommap.map_findings import MapFinding, Severity
from ..i18n import tr
from ..text import MAX_SHOWN, list_quoted_names, quoted, shorten, truncate
from ..trust.template_contents import ResolvedTemplate

#: names in a sentence, and characters of one. The detail of the finding has all of them
_LISTED, _MAX_NAME = 5, 100


def template_findings(template: ResolvedTemplate) -> Iterator[MapFinding]:
    """Yield one finding for each kind of thing that is missing, replaced or left out, with the names and advice."""
    yield from _fonts(template)
    yield from _pictures(template)
    yield from _themes(template)
    yield from _layers(template)
    yield from _expressions(template)
    if template.left_out:
        yield MapFinding("template-left-out", Severity.NOTE,
                         tr("The template {name} is from outside your templates folder, so this was left out: {parts}.",
                            name=template.name, parts=", ".join(template.left_out)), _trust_advice())


def template_notes(template: ResolvedTemplate) -> List[str]:
    """Return the findings as notes of a layout: message and advice."""
    return [f"{finding.message} {finding.advice}" for finding in template_findings(template)]


def _fonts(template: ResolvedTemplate) -> Iterator[MapFinding]:
    families: Dict[str, List[str]] = {}
    for family, used in template.fonts.items():
        families.setdefault(used, []).append(family)
    for used, missing in families.items():
        yield MapFinding("template-font", Severity.WARNING,
                         tr("This computer does not have these fonts of the template {name}: {fonts}. {font} is used "
                            "instead.", name=template.name, fonts=_listed(missing), font=quoted(_shown(used))),
                         tr("Install them and begin QGIS anew, or choose other fonts in the template."),
                         detail=_detail(missing))


def _pictures(template: ResolvedTemplate) -> Iterator[MapFinding]:
    missing = [name for name, file in template.pictures.items() if not file]
    if missing:
        yield MapFinding("template-picture", Severity.WARNING,
                         tr("These pictures of the template {name} were not found, so they are left out: {pictures}.",
                            name=template.name, pictures=_listed(missing)),
                         tr("Put them in the folder of the template, or embed them in the template."),
                         detail=_detail(missing))
    broken = [name for name in template.pictures if name in template.broken_pictures]
    if broken:
        yield MapFinding("template-picture", Severity.WARNING,
                         tr("These pictures of the template {name} are damaged, or no pictures, so they are left out: "
                            "{pictures}.", name=template.name, pictures=_listed(broken)),
                         tr("Save them anew, or choose others in the template."), detail=_detail(broken))
    if template.refused_pictures:
        yield MapFinding("template-picture", Severity.WARNING,
                         tr("These pictures of the template {name} are left out, because it is from outside your "
                            "templates folder: {pictures}.", name=template.name,
                            pictures=_listed(template.refused_pictures)),
                         tr("Embed them in the template. If you trust who made it, put it in your templates folder "
                            "with its pictures."), detail=_detail(template.refused_pictures))


def _themes(template: ResolvedTemplate) -> Iterator[MapFinding]:
    replaced = template.contents.followed_themes(are_filled=True)
    if replaced:
        yield MapFinding("template-theme", Severity.NOTE,
                         tr("The template {name} shows map themes in {maps}: {themes}. Cartoguide fills these maps "
                            "instead.", name=template.name, maps=_maps(replaced), themes=_listed(replaced)),
                         tr("To show a theme, give its map another id in the template."))
    others = template.contents.followed_themes(are_filled=False)
    if template.is_foreign and others:
        yield MapFinding("template-theme", Severity.WARNING,
                         tr("The template {name} shows map themes in {maps}: {themes}. It is from outside your "
                            "templates folder, so the layers of this map are shown there instead.", name=template.name,
                            maps=_maps(others), themes=_listed(others)), _trust_advice())
        return
    missing = {theme: maps for theme, maps in others.items() if theme in template.missing_themes}
    if missing:
        yield MapFinding("template-theme", Severity.WARNING,
                         tr("This project does not have the map themes that the template {name} shows in {maps}: "
                            "{themes}. The layers of this map are shown there instead.", name=template.name,
                            maps=_maps(missing), themes=_listed(missing)),
                         tr("Add map themes of these names to the project, or choose others in the template."))


def _layers(template: ResolvedTemplate) -> Iterator[MapFinding]:
    named = template.contents.named_layers()
    if template.is_foreign and named:
        yield MapFinding("template-layers", Severity.WARNING,
                         tr("The template {name} names layers of a project, and shows none of them, because it is from "
                            "outside your templates folder: {layers}.", name=template.name,
                            layers=_listed(layer.name or layer.id for layer in named)), _trust_advice())
        return
    missing = [layer.name or layer.id for layer in named if layer.id in template.missing_layers]
    if missing:
        yield MapFinding("template-layers", Severity.WARNING,
                         tr("This project does not have layers that maps, legends, tables or the atlas of the template "
                            "{name} show, so they are left out: {layers}.", name=template.name,
                            layers=_listed(missing)),
                         tr("Add these layers to the project, or choose others in the template."),
                         detail=_detail(missing))


def _expressions(template: ResolvedTemplate) -> Iterator[MapFinding]:
    lost = [text for text in template.contents.expressions if text in template.lost_expressions]
    if lost:
        yield MapFinding("template-expression", Severity.WARNING,
                         tr("These expressions in texts of the template {name} have no value on this page, so they are "
                            "left out: {expressions}.", name=template.name, expressions=_listed(lost)),
                         tr("A page shows no feature of an atlas: write these texts without fields and unknown "
                            "functions."), detail=_detail(lost))


def _trust_advice() -> str:
    return tr("If you trust who made it, put it in your templates folder.")


def _maps(themes: Dict[str, List[str]]) -> str:
    ids = dict.fromkeys(item_id for maps in themes.values() for item_id in maps)
    return list_quoted_names([_shown(item_id) or "?" for item_id in ids], _LISTED)


def _listed(names: Iterable[str]) -> str:
    return list_quoted_names(list(dict.fromkeys(map(_shown, names))), _LISTED)


def _shown(name: str) -> str:
    return shorten(name, _MAX_NAME)


def _detail(names: Iterable[str]) -> str:
    return truncate("\n".join(names), MAX_SHOWN)
