"""The results of trial requests: each layer's image at print size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ..custommap.map_findings import MapFinding, MapRemedy, RemedyKind, Severity, covering_remedies, sorted_findings
from ..i18n import tr
from ..text import list_quoted_names, quoted

#: share of the pixels above which an image hides most of what lies below
_MOST = 0.75
#: an image that takes as many seconds is reported
_SLOW_SECONDS = 20.0


@dataclass(frozen=True)
class TrialRequest:
    """One requested image: layer, size in pixels, duration, and error.

    ``single_colour`` is "transparent" or the colour of an image without any content, else empty. With ``is_opaque`` the
    image hides the layers below it, ``covered`` is the share of its pixels (0 to 1) that do.
    ``pages`` are the pages of a series that show it, from 1. ``is_tile`` is True for a
    tile, many of which have one colour: of the sea for example. ``count`` is the number of features of a layer that is
    not made of images, whose size is 0 × 0, with ``is_uncounted`` if the service does not say how many there are.
    ``own_layer`` is the id of an own layer of the map, which has no ``entry_index``. ``depends_on_size``: a smaller
    image may come where this one did not.
    """

    layer: str
    service: str
    entry_index: Optional[int]
    size: Tuple[int, int]
    seconds: float = 0.0
    bytes: int = 0
    error: str = ""
    detail: str = ""
    single_colour: str = ""
    is_opaque: bool = False
    covered: float = 0.0
    pages: Tuple[int, ...] = ()
    is_tile: bool = False
    count: Optional[int] = None
    is_uncounted: bool = False
    own_layer: str = ""
    depends_on_size: bool = True

    @property
    def part(self) -> Tuple[Optional[int], str, str]:
        """The part of the map that the image is of: index of the service, id of the own layer, and title."""
        return self.entry_index, self.own_layer, self.service

    @property
    def is_empty(self) -> bool:
        """True for an image without content. One of a colour that hides the layers below it is not empty."""
        return not self.error and (self.count == 0 or bool(self.single_colour and not self.is_opaque))


def trial_findings(trials: Sequence[TrialRequest]) -> Tuple[MapFinding, ...]:
    """Return a finding for each failed service and each slow layer."""
    findings: List[MapFinding] = []
    failed: Dict[Tuple[str, str, str], List[TrialRequest]] = {}
    for trial in trials:
        if trial.error:
            failed.setdefault((trial.service, trial.own_layer, trial.error), []).append(trial)
    for (service, own_layer, error), failures in failed.items():
        width, height = failures[0].size
        layer_names = list_quoted_names(dict.fromkeys(trial.layer for trial in failures))
        findings.append(
            MapFinding(
                "print-size", Severity.ERROR,
                tr("No image of {width} × {height} pixels was received for {layers}. {reason}", layers=layer_names,
                   width=width, height=height, reason=error) if width else
                tr("{layers} did not come completely. {reason}", layers=layer_names, reason=error),
                tr("A lower resolution or a smaller paper needs smaller images.")
                if width and any(trial.depends_on_size for trial in failures) else
                tr("The map is not exported without it."), service, failures[0].entry_index,
                MapRemedy(RemedyKind.CHECK, tr("Check again")),
                "\n\n".join(trial.detail for trial in failures), own_layer=own_layer,
                other_remedies=_leaving_out(failures[0])))
    slow = [trial for trial in trials if not trial.error and trial.seconds >= _SLOW_SECONDS]
    for trial in slow:
        findings.append(
            MapFinding("slow", Severity.NOTE,
                       tr("“{layer}” took {seconds} s.", layer=trial.layer, seconds=f"{trial.seconds:.0f}"),
                       tr("The export will be slow. Consider a lower resolution."), trial.service, trial.entry_index))
    return sorted_findings([*findings, *image_findings(trials)])


def _leaving_out(trial: TrialRequest) -> Tuple[MapRemedy, ...]:
    """Return the remedies for what is not wanted on the map, the mildest first. None for a template's own map."""
    return () if trial.entry_index is None and not trial.own_layer else (
        MapRemedy(RemedyKind.HIDE, tr("Leave it out")), MapRemedy(RemedyKind.REMOVE, tr("Remove from the map")))


def image_findings(trials: Sequence[TrialRequest]) -> Tuple[MapFinding, ...]:
    """Return the findings about images that arrived and may be wrong: empty ones, and opaque ones above others."""
    return sorted_findings([*_opaque_image_findings(trials), *_empty_image_findings(trials),
                            *_empty_page_findings(trials), *_blank_piece_findings(trials),
                            *_uncounted_findings(trials)])


def _uncounted_findings(trials: Sequence[TrialRequest]) -> List[MapFinding]:
    """Return a note for each layer whose service does not say how many features there are."""
    return [MapFinding("uncounted", Severity.NOTE,
                       tr("{count} features of “{layer}” came, and the service does not say how many there are.",
                          count=trial.count, layer=trial.layer), _empty_advice(), trial.service, trial.entry_index)
            for trial in trials if trial.is_uncounted and not trial.error]


def _opaque_image_findings(trials: Sequence[TrialRequest]) -> List[MapFinding]:
    """Return a warning for each service whose images hide the layers below them, or most of these."""
    layers: Dict[Tuple[Optional[int], str, str], Dict[str, List[TrialRequest]]] = {}
    for trial in trials:
        if not trial.error:
            layers.setdefault(trial.part, {}).setdefault(trial.layer, []).append(trial)
    findings: List[MapFinding] = []
    for (entry, own_layer, service), images in layers.items():
        # a tile is a small part of the map, and nobody requests transparent ones
        opaque = [layer for layer, pieces in images.items()
                  if any(trial.is_opaque and not trial.is_tile for trial in pieces)]
        covering = [layer for layer, pieces in images.items() if layer not in opaque and _hides_most(pieces)]
        remedies = covering_remedies(bool(own_layer) or entry is not None and entry > 1)
        advice = tr("Multiply it with what lies below, move it down, or remove it.")
        if opaque:
            message = tr("The image of {layers} is opaque, although a transparent one was requested. It hides the "
                         "layers below.", layers=list_quoted_names(opaque))
            findings.append(MapFinding("opaque", Severity.WARNING, message, advice, service, entry, remedies[0],
                                       own_layer=own_layer, other_remedies=remedies[1:]))
        if covering:
            message = tr("Most of what lies below is hidden by {layers}.", layers=list_quoted_names(covering))
            findings.append(MapFinding("covering", Severity.WARNING, message, advice, service, entry, remedies[0],
                                       own_layer=own_layer, other_remedies=remedies[1:]))
    return findings


def _hides_most(pieces: Sequence[TrialRequest]) -> bool:
    """Return whether the images of one layer hide most of the map together, each as large as it is."""
    sizes = [trial.size[0] * trial.size[1] for trial in pieces]
    return sum(size * trial.covered for size, trial in zip(sizes, pieces)) > _MOST * max(1, sum(sizes))


def _empty_page_findings(trials: Sequence[TrialRequest]) -> List[MapFinding]:
    """Return the findings about pages of a series where a service or a layer draws nothing and elsewhere something."""
    findings: List[MapFinding] = []
    if len({page for trial in trials for page in trial.pages}) < 2:
        return findings
    for entry, service in dict.fromkeys((trial.entry_index, trial.service) for trial in trials):
        by_page: Dict[int, Dict[str, bool]] = {}
        for trial in trials:
            if (trial.entry_index, trial.service) != (entry, service):
                continue
            for page in trial.pages:
                layers = by_page.setdefault(page, {})
                layers[trial.layer] = layers.get(trial.layer, True) and trial.is_empty
        drawn_somewhere = {layer for layers in by_page.values() for layer, empty in layers.items() if not empty}
        blank = [page for page, layers in sorted(by_page.items()) if all(layers.values())]
        if blank and drawn_somewhere:
            findings.append(MapFinding("empty", Severity.WARNING,
                                       tr("Draws nothing on page {page}: its image is empty there.",
                                          page=_page_list(blank)) if len(blank) == 1 else
                                       tr("Draws nothing on pages {pages}: its images are empty there.",
                                          pages=_page_list(blank)), _empty_advice(), service, entry))
        empty = {layer: pages for layer in sorted(drawn_somewhere)
                 if (pages := [page for page, layers in sorted(by_page.items())
                               if layers.get(layer) and page not in blank])}
        if empty:
            findings.append(MapFinding("empty", Severity.NOTE, _empty_layers(empty), _empty_advice(), service, entry))
    return findings


def _empty_layers(empty: Mapping[str, Sequence[int]]) -> str:
    """Return the sentence about layers of which nothing is drawn on some pages, one for all: a sheet shows a part."""
    if len(empty) > 1:
        return tr("Some layers draw nothing on some pages: {layers}.",
                  layers="; ".join(f"{quoted(layer)} ({_page_list(pages)})" for layer, pages in empty.items()))
    layer, pages = next(iter(empty.items()))
    if len(pages) == 1:
        return tr("Nothing is drawn of “{layer}” on page {page}.", layer=layer, page=_page_list(pages))
    return tr("Nothing is drawn of “{layer}” on pages {pages}.", layer=layer, pages=_page_list(pages))


def _blank_piece_findings(trials: Sequence[TrialRequest]) -> List[MapFinding]:
    """Return a warning for each layer of whose image some pieces have one colour, which is not transparent.

    A service that fails in some of its pieces leaves holes, which a service without data there leaves too.
    """
    pieces: Dict[Tuple[Optional[int], str, str, Tuple[int, ...]], List[TrialRequest]] = {}
    for trial in trials:
        if not trial.error and not trial.is_tile:
            pieces.setdefault((trial.entry_index, trial.service, trial.layer, trial.pages), []).append(trial)
    findings: List[MapFinding] = []
    for (entry, service, layer, _pages), own in pieces.items():
        blank = sum(trial.single_colour.startswith("#") for trial in own)
        # a layer without any content is found as such
        if 0 < blank < len(own) and not all(trial.is_empty for trial in own):
            findings.append(MapFinding(
                "empty", Severity.WARNING,
                tr("Of the {total} pieces of the image of “{layer}”, {count} have one colour only.", total=len(own),
                   layer=layer, count=blank), _empty_advice(), service, entry))
    return findings


def _page_list(pages: Sequence[int]) -> str:
    return ", ".join(str(page) for page in pages)


def _empty_advice() -> str:
    return tr("Compare it with the map canvas. If something should be here, try another resolution or scale; if "
              "not, it may be left out.")


def _empty_image_findings(trials: Sequence[TrialRequest]) -> List[MapFinding]:
    """Return a warning for each service without any content, a note where only some of its layers are empty.

    The images are valid: failing servers may send them, and so do servers without data in the extent.
    """
    findings: List[MapFinding] = []
    services: Dict[Tuple[Optional[int], str, str], List[TrialRequest]] = {}
    for trial in trials:
        services.setdefault(trial.part, []).append(trial)
    for (entry, own_layer, service), service_trials in services.items():
        layers = list(dict.fromkeys(trial.layer for trial in service_trials))
        empty = [name for name in layers if all(trial.is_empty for trial in service_trials if trial.layer == name)]
        if not empty:
            continue
        advice = _empty_advice()
        if len(empty) == len(layers):
            remedies = _leaving_out(service_trials[0])
            findings.append(
                MapFinding("empty", Severity.WARNING, tr("Draws nothing here at this scale: "
                                                         "its image is empty."), advice, service, entry,
                           next(iter(remedies), None), own_layer=own_layer, other_remedies=remedies[1:]))
        else:
            findings.append(
                MapFinding("empty", Severity.NOTE,
                           tr("Nothing of {layers} is drawn here at this scale.", layers=list_quoted_names(empty)),
                           advice, service, entry))
    return findings


def seconds_per_megapixel(trials: Sequence[TrialRequest], elapsed: float) -> Optional[float]:
    """Return the measured time for a million pixels over all images, or None without a fetched image."""
    pixels = sum(trial.size[0] * trial.size[1] for trial in trials if not trial.error and trial.bytes)
    return elapsed / pixels * 1e6 if pixels and elapsed > 0 else None
