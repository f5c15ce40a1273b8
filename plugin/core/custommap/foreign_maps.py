"""Custom maps of somebody else: what their documents name, what is asked about it, and the map after the answer.

A document names own layers with sources and styles, and may name a template, photos and a snapshot by their paths.
Those of a document that this profile did not save are opened by one question, which lists them all.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ..addresses import source_without_secrets, text_without_secrets
from ..errors import UnreadableDocument
from ..i18n import tr
from ..pages.page_features import with_members
from ..text import printable, quoted, single_line, truncate, without_direction_marks
from ..trust.drawing import allowed_style
from ..trust.files import foreign_path_problem, inside, leads_to
from ..trust.provenance import Trust, is_valid_seal, make_seal
from ..trust.sources import JudgedSource, Reference, ReferenceKind, judge_source
from .model import CustomMap, OwnLayer, PageSetup
from .own_sources import names_template_file, page_files, with_page_files

#: letters of a layer's name in the question
_MAX_NAME = 50
#: name of the template that takes the place of one that is not read
_PLAIN_TEMPLATE = PageSetup().template


class Consent(str, Enum):
    """Answers to the question about a foreign map."""

    #: nothing that has to be asked about is opened
    NONE = "none"
    #: files beside and below the document, servers and databases
    LISTED = "listed"
    #: files elsewhere on this computer too
    ELSEWHERE_TOO = "elsewhere-too"
    #: the person made the map, which is opened as one that this profile saved
    OWN = "own"


@dataclass(frozen=True)
class NamedThing:
    """Something that a foreign map names. ``use`` is what it is for, as text: “layer “Paths””, “photo”.

    ``is_elsewhere`` is True for a file or folder that lies neither beside nor below the document.
    """

    use: str
    reference: Reference
    is_elsewhere: bool = False


@dataclass(frozen=True)
class RefusedLayer:
    """An own layer that is never opened for a foreign map, with the reason as a sentence without its beginning."""

    name: str
    problem: str


@dataclass(frozen=True)
class ForeignMap:
    """A foreign map that was looked at, with nothing opened: what it names, and what is refused."""

    document: CustomMap
    things: Tuple[NamedThing, ...] = ()
    refused: Tuple[RefusedLayer, ...] = ()
    #: id, source, whether it lies elsewhere and what its path leads to, of each own layer
    judged: Tuple[Tuple[str, JudgedSource, bool, str], ...] = ()
    #: the folders of the document and of the person's templates
    folders: Tuple[Path, ...] = ()
    #: what each of the other paths led to when the map was looked at: the page's template and the photos
    files: Mapping[str, str] = field(default_factory=dict)
    #: False for one layer of a map that is open already
    is_whole: bool = True

    @property
    def needs_consent(self) -> bool:
        """True where the person has to be asked before something is opened."""
        return bool(self.things)

    @property
    def has_question(self) -> bool:
        """True where an answer decides about something: a layer that is never opened may be the person's own."""
        return bool(self.things or self.refused)


@dataclass(frozen=True)
class AdmittedMap:
    """A foreign map as it is shown, and what was left out of it or is not opened, as sentences for people."""

    document: CustomMap
    left_out: Tuple[str, ...] = ()
    #: whether a photo, a template or a snapshot is left out, so that the page is another one
    changes_page: bool = False


def named_by(custom_map: CustomMap) -> Dict[str, Any]:
    """Return all that the map names, as a value of JSON. Paths must be absolute.

    The texts are those that a document has after it was written and read.
    """
    def text(value: str) -> str:
        return without_direction_marks(text_without_secrets(value))

    page = custom_map.page
    template = page.template if names_template_file(page) else ""
    return {"own_layers": [[own.type, own.provider, text(source_without_secrets(own.source)), text(own.style)]
                           for own in custom_map.own_layers],
            "template": text(template), "photos": [text(file.path) for _use, file in page_files(page)],
            "snapshot": text(custom_map.snapshot.path) if custom_map.snapshot is not None else ""}


def names_anything(custom_map: CustomMap) -> bool:
    """Return whether the map names a file, a folder or a source, so that it matters who wrote it."""
    return any(named_by(custom_map).values())


def sealed(custom_map: CustomMap, key: bytes) -> CustomMap:
    """Return the map to be saved by this profile, with its seal. Paths must be absolute.

    A map with a foreign own layer that nobody has agreed to gets none: it stays foreign.
    """
    may_seal = names_anything(custom_map) and all(own.trust.may_open for own in custom_map.own_layers)
    return replace(custom_map, seal=make_seal(named_by(custom_map), key) if may_seal else "")


def recognised(custom_map: CustomMap, key: bytes) -> CustomMap:
    """Return a map that was read, trusted if this profile saved it or it names nothing. Paths must be absolute."""
    named = named_by(custom_map)
    if any(named.values()) and not is_valid_seal(custom_map.seal, named, key):
        return custom_map
    return _trusted(custom_map)


def _trusted(custom_map: CustomMap) -> CustomMap:
    return replace(custom_map, trust=Trust.OWN,
                   own_layers=tuple(replace(own, trust=Trust.OWN, refusal="") for own in custom_map.own_layers))


def examine(custom_map: CustomMap, folder: Path, template_folder: Path) -> ForeignMap:
    """Look at what a foreign map names, and open nothing. ``folder`` is that of its file. Paths must be absolute.

    Templates in ``template_folder`` are the person's own. Own layers get new ids: one that is in the open project
    already must not be taken for somebody else's.
    """
    custom_map = _with_new_ids(custom_map)
    things: List[NamedThing] = []
    refused: List[RefusedLayer] = []
    judged: List[Tuple[str, JudgedSource, bool, str]] = []
    for own in custom_map.own_layers:
        found = judge_source(own.type, own.provider, own.source)
        is_elsewhere = bool(found.path) and not inside(found.path, folder)
        judged.append((own.id, found, is_elsewhere, _file_at(found)))
        if found.reference is None:
            refused.append(RefusedLayer(_short(own.name), found.problem))
        else:
            things.append(NamedThing(tr("layer “{name}”", name=_short(own.name)), found.reference, is_elsewhere))
    things += [NamedThing(use, Reference(ReferenceKind.FILE, path), True)
               for use, path in _paths_elsewhere(custom_map, (folder, template_folder))]
    page = custom_map.page
    files = {path: leads_to(path) for path in (*(file.path for _use, file in page_files(page)),
                                               *((page.template,) if names_template_file(page) else ()))
             if not foreign_path_problem(path)}
    return ForeignMap(custom_map, tuple(things), tuple(refused), tuple(judged), (folder, template_folder), files)


def admit(foreign: ForeignMap, consent: Consent, symbol_library: Optional[Path] = None) -> AdmittedMap:
    """Return the map as it is shown after the answer. Layers that are not opened stay on it, with the reason.

    ``symbol_library`` is the folder of QGIS's own SVG symbols, which styles may name. A photo, a template or a snapshot
    elsewhere that nobody agreed to is left out of it. A map that the person made is shown as it is.
    """
    if consent is Consent.OWN:
        return AdmittedMap(_trusted(foreign.document))
    judged = {own_id: (found, is_elsewhere, file) for own_id, found, is_elsewhere, file in foreign.judged}
    own_layers: List[OwnLayer] = []
    left_out: List[str] = []
    for own in foreign.document.own_layers:
        found, is_elsewhere, file = judged[own.id]
        refusal = _refusal(own, found, is_elsewhere, consent)
        if refusal:
            own_layers.append(replace(own, trust=Trust.FOREIGN, refusal=refusal))
            left_out.append(refusal)
            continue
        admitted, remarks = _agreed(own, found, file, symbol_library)
        own_layers.append(admitted)
        left_out += remarks
    document = replace(foreign.document, own_layers=tuple(own_layers), trust=Trust.AGREED,
                       page=_bound_page(foreign.document.page, foreign.files))
    if consent is not Consent.ELSEWHERE_TOO:
        left_out += [tr("The {use} {path} is left out: it is not beside or below the map.", use=use, path=path)
                     for use, path in _paths_elsewhere(document, foreign.folders)]
        document = _without_paths_elsewhere(document, foreign.folders)
    return AdmittedMap(document, tuple(left_out), document.page != foreign.document.page
                       or document.snapshot != foreign.document.snapshot)


def _bound_page(page: PageSetup, files: Mapping[str, str]) -> PageSetup:
    """Return the page with the files that its template and those of its features were when the question was asked."""
    page = with_page_files(page, lambda file: file._replace(agreed_file=files.get(file.path, "")))
    return replace(page, agreed_template=(page.template, files.get(page.template, "")))


def can_be_agreed(own: OwnLayer) -> bool:
    """Return whether an own layer of a foreign map may be opened once somebody agrees."""
    return judge_source(own.type, own.provider, own.source).reference is not None


def one_layer(own: OwnLayer) -> ForeignMap:
    """Return the question about one own layer of a foreign map, whose file may lie anywhere: it is named to the person.
    """
    found = judge_source(own.type, own.provider, own.source)
    name = _short(own.name)
    if found.reference is None:
        return ForeignMap(CustomMap(), (), (RefusedLayer(name, found.problem),), ((own.id, found, False, ""),),
                          is_whole=False)
    thing = NamedThing(tr("layer “{name}”", name=name), found.reference)
    return ForeignMap(CustomMap(own_layers=(own,)), (thing,), (), ((own.id, found, False, _file_at(found)),),
                      is_whole=False)


def _file_at(found: JudgedSource) -> str:
    """Return what the path of a source leads to now: another file may get its name while the question is read."""
    return leads_to(found.path) if found.path else ""


def _agreed(own: OwnLayer, found: JudgedSource, file: str,
            symbol_library: Optional[Path]) -> Tuple[OwnLayer, Tuple[str, ...]]:
    """Return a foreign own layer that the person agreed to open, and what its style lost, as sentences.

    Source and style are those that were judged, so that nothing else is saved with the map.
    """
    name, style = printable(own.name), ""
    remarks: Tuple[str, ...] = ()
    if own.style:
        try:
            drawing = allowed_style(own.style, symbol_library)
            style = drawing.text
            if drawing.left_out:
                remarks = (tr("The style of “{layer}” is drawn without {parts}. The map that you save is without them "
                              "too.", layer=name, parts=", ".join(drawing.left_out)),)
        except UnreadableDocument:
            remarks = (tr("The style of “{layer}” in the map's document cannot be read.", layer=name),)
    return replace(own, provider=found.provider, source=found.source, style=style, trust=Trust.AGREED,
                   refusal="", agreed_file=file), remarks


def _short(name: str) -> str:
    """Return a layer's name so short that it hides nothing of the question."""
    return truncate(single_line(printable(name)), _MAX_NAME)


def _refusal(own: OwnLayer, found: JudgedSource, is_elsewhere: bool, consent: Consent) -> str:
    """Return why an own layer is not opened, as a sentence, or "" if it is."""
    name = printable(own.name)
    if found.reference is None:
        return tr("“{layer}” is not opened for a map of somebody else: {reason}.", layer=name, reason=found.problem)
    if consent is Consent.NONE:
        return tr("“{layer}” is not opened: the map is somebody else's, and the layer leads to the {reference}.",
                  layer=name, reference=found.reference.text)
    if is_elsewhere and consent is not Consent.ELSEWHERE_TOO:
        return tr("“{layer}” is not opened: its file {path} is not beside or below the map. Locate it, or remove it "
                  "from the map.", layer=name, path=found.path)
    return ""


def _paths_elsewhere(custom_map: CustomMap, folders: Sequence[Path]) -> List[Tuple[str, str]]:
    """Return the paths beside those of own layers that lead out of ``folders``, each with its use as text."""
    page, snapshot = custom_map.page, custom_map.snapshot
    found = [(use, file.path) for use, file in page_files(page)]
    if names_template_file(page):
        found.append((tr("layout template"), page.template))
    if snapshot is not None:
        found.append((tr("snapshot"), snapshot.path))
    return [(use, path) for use, path in found if not _is_near(path, folders)]


def _is_near(path: str, folders: Sequence[Path]) -> bool:
    """Return whether a file or folder is one of ``folders``, or lies in or below one."""
    if foreign_path_problem(path):
        return False
    return any(inside(path, folder) or inside(Path(path) / "x", folder) for folder in folders)


def _without_paths_elsewhere(document: CustomMap, folders: Sequence[Path]) -> CustomMap:
    snapshot = document.snapshot
    page = with_page_files(document.page, lambda file: file if _is_near(file.path, folders) else None)
    template = page.template
    if names_template_file(page) and not _is_near(template, folders):
        template = _PLAIN_TEMPLATE
    if snapshot is not None and not _is_near(snapshot.path, folders):
        snapshot = None
    return replace(document, snapshot=snapshot, page=replace(page, template=template))


def _with_new_ids(custom_map: CustomMap) -> CustomMap:
    """Return the map with other ids for its layers, also where its page names them."""
    ids = {own.id: f"{uuid.uuid4().hex}" for own in custom_map.own_layers}
    page = custom_map.page
    renamed = {feature.member: feature.with_layer_ids(getattr(page, feature.member), ids)
               for feature in with_members() if feature.with_layer_ids is not None}
    return replace(custom_map, own_layers=tuple(replace(own, id=ids[own.id]) for own in custom_map.own_layers),
                   page=replace(page, **renamed))


def refusals_text(foreign: ForeignMap) -> str:
    """Return the layers that are never opened with the reasons, one per line, or ""."""
    return "\n".join(f"{quoted(layer.name)}: {layer.problem}" for layer in foreign.refused)
