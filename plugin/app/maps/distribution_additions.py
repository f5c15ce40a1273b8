"""Distributions other than a WMS on their way to the map: described, chosen, counted, fetched, then opened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Callable, Dict, Optional, Sequence, Tuple

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.box import Box
from ...core.distributions.kinds import LinkKind
from ...core.distributions.record_distributions import Distribution
from ...core.distributions.uses import kind_name
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.sources.layer_source import SourceType
from ...core.sources.offered_layers import OfferedLayer
from ...core.sources.source_kind import ProviderInfo
from ...core.terms.labels import incomplete_terms_text
from ...gis.network.downloads import MAX_FILE, MAX_UNASKED, LargeFile
from ...gis.own_layers import distribution_layers, references
from ...gis.own_layers.distribution_layers import (
    MAX_AT_ONCE,
    MAX_FEATURES,
    DescribedDistribution,
    OfferedFacts,
    OwedTerms,
)
from ...gis.runtime import tasks
from ...gis.sources.layer_source import OWN_LAYER
from ..phrases import record_title
from ..records.dock_session import DockSession
from ..window import Notifier, Prompts
from .layer_builds import OwnLayerOpenings
from .map_controller import MapController
from .map_state import OwnItem

#: what a file says of its terms, which its record has
_NO_TERMS = ProviderInfo()


@dataclass(frozen=True)
class _Addition:
    """A distribution that is being added, with its record."""

    record: Record
    distribution: Distribution

    @property
    def title(self) -> str:
        return record_title(self.record)


class DistributionAdditions(QObject):
    """Adds distributions of records to the map as own layers, with the credit of the record.

    A distribution that turns out to be a WMS goes to ``add_wms``.
    """

    #: ``pending`` may have changed
    pending_changed = pyqtSignal()

    def __init__(self, session: DockSession, map_controller: MapController, area: Callable[[], Optional[Box]],
                 add_wms: Callable[[Record, str], None], notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        """``area`` returns the part of the earth that is shown, in degrees."""
        super().__init__(parent)
        self._session, self._map, self._area, self._add_wms = session, map_controller, area, add_wms
        self._notifier, self._prompts = notifier, prompts
        self._jobs = tasks.RunningJobs(self)
        self._jobs.changed.connect(self.pending_changed)
        self._openings = OwnLayerOpenings(self, distribution_layers.MAKING_SECONDS)
        self._terms: Dict[str, OwedTerms] = {}
        self._openings.opened.connect(self._on_opened)
        self._openings.failed.connect(self._on_failed)
        map_controller.arrivals.include(lambda: self.pending, self.pending_changed)
        map_controller.reset.connect(self.cancel)

    @property
    def pending(self) -> bool:
        """True while a server is awaited, a file is fetched, or a layer is being opened."""
        return bool(self._jobs) or self._openings.running

    def add(self, record: Record, distribution: Distribution) -> None:
        """Add a distribution of ``record``. Nothing is added before its server has answered."""
        addition = _Addition(record, distribution)
        self._start(addition.title, tr("Adding “{title}”", title=addition.title),
                    partial(distribution_layers.describe_distribution, distribution, record, self._map.crs()),
                    partial(self._on_described, addition))

    def cancel(self) -> None:
        """Give up what is being added."""
        self._jobs.cancel()
        self._openings.cancel()
        self._terms.clear()
        self.pending_changed.emit()

    def _start(self, name: str, title: str, work: Callable[[tasks.Feedback], object], done: Callable[..., None]
               ) -> None:
        self._jobs.add(tasks.start(title, work, done, partial(
            self._map.builds.fail_addition, name, again=lambda: self._start(name, title, work, done)), self))

    def _ask(self, name: str, question: str, action: str, run: Callable[[], object]) -> None:
        """Ask in a message whether something is added all the same. Until then it is not."""
        self._notifier.show_warning_with_action(question, action, run)
        self._map.builds.not_added.emit(name, CartoguideError(question))

    def _on_described(self, addition: _Addition, described: DescribedDistribution) -> None:
        found = described.description
        if found.note:
            self._notifier.show_warning(found.note)
        if found.kind is LinkKind.WMS:
            self._add_wms(addition.record, found.address)
        elif found.files:
            self._choose(addition, [file.title or file.address.rpartition("/")[2] for file in found.files],
                         lambda chosen: self._fetch_all(addition, found.files, chosen))
        else:
            self._choose_layers(addition, described)

    def _choose(self, addition: _Addition, titles: Sequence[str], done: Callable[[Sequence[int]], object],
                is_other: bool = False) -> None:
        """Let the person choose one of several, or all if they are few, without blocking.

        One alone is a question only if it ``is_other`` than the record says.
        """
        if len(titles) == 1 and not is_other:
            done((0,))
            return
        everything = range(len(titles))
        whole = [tr("All %n of them", n=len(titles))] if 1 < len(titles) <= MAX_AT_ONCE else []
        kind = kind_name(addition.distribution.kind)
        question = tr("{kind} does not have what the record’s link names. Add instead:", kind=kind) if is_other else tr(
            "{kind} offers several. Add:", kind=kind)
        self._prompts.choose(addition.title, question, [*titles, *whole], 0,
                             lambda index: done(everything if index >= len(titles) else (index,)))
        self._map.builds.not_added.emit(addition.title, CartoguideError(
            tr("What of it is added has not been chosen yet.")))

    def _choose_layers(self, addition: _Addition, described: DescribedDistribution) -> None:
        layers = described.description.layers
        if described.description.named:
            self._inspect_all(addition, described, range(len(layers)))
        else:
            self._choose(addition, [layer.title or layer.name for layer in layers],
                         lambda indexes: self._inspect_all(addition, described, indexes),
                         bool(described.description.missing))

    def _inspect_all(self, addition: _Addition, described: DescribedDistribution, chosen: Sequence[int]) -> None:
        area = self._area()
        for index in chosen:
            layer = described.description.layers[index]
            self._start(addition.title, tr("Adding “{title}”", title=layer.title),
                        partial(distribution_layers.layer_facts, layer, area, described),
                        partial(self._on_inspected, addition, layer))

    def _on_inspected(self, addition: _Addition, layer: OfferedLayer, facts: OfferedFacts) -> None:
        """Open a layer of a service, whose features are counted in the area of the map. Many are a question first."""
        if facts.count is not None and facts.count > MAX_FEATURES:
            self._ask(layer.title, distribution_layers.many_features_text(layer.title, facts.count),
                      tr("Add all the same"), lambda: self._open(addition, layer, facts.provider))
        else:
            self._open(addition, layer, facts.provider)

    # -- files

    def _fetch_all(self, addition: _Addition, files: Sequence[Distribution], chosen: Sequence[int]) -> None:
        for index in chosen:
            self._fetch(addition, files[index], MAX_UNASKED)

    def _fetch(self, addition: _Addition, file: Distribution, max_bytes: int) -> None:
        folder = distribution_layers.downloads_folder()

        def fetch(feedback: tasks.Feedback) -> Tuple[Tuple[OfferedLayer, ...], Optional[LargeFile]]:
            try:
                return distribution_layers.fetch_layers(file, addition.record, folder, max_bytes, feedback), None
            except LargeFile as large:
                return (), large

        def done(result: Tuple[Tuple[OfferedLayer, ...], Optional[LargeFile]]) -> None:
            layers, large = result
            if large is not None:
                self._ask(addition.title, large.user_text, tr("Download all the same"),
                          lambda: self._fetch(addition, file, MAX_FILE))
            else:
                self._choose(addition, [layer.title or layer.name for layer in layers],
                             lambda chosen: self._open_all(addition, layers, chosen))

        self._start(addition.title, tr("Downloading “{title}”", title=file.title or addition.title), fetch, done)

    # -- layers

    def _open_all(self, addition: _Addition, layers: Sequence[OfferedLayer], chosen: Sequence[int]) -> None:
        for index in chosen:
            self._open(addition, layers[index])

    def _open(self, addition: _Addition, layer: OfferedLayer, provider: ProviderInfo = _NO_TERMS) -> None:
        terms = OwedTerms.of(addition.record, provider)
        own = distribution_layers.own_layer_of(layer, addition.title, terms.credit)
        self._begin_opening(OwnItem(distribution_layers.as_checked(own)), terms)

    def _begin_opening(self, item: OwnItem, terms: OwedTerms) -> None:
        self._terms[item.own.id] = terms
        self._openings.add(item)
        self.pending_changed.emit()

    def _on_opened(self, item: OwnItem, layer: QgsMapLayer) -> None:
        self._try(lambda: references.show_opened(layer, item.own))
        # it is tied to the reference that the map makes of it
        layer.removeCustomProperty(OWN_LAYER)
        terms = self._terms.pop(item.own.id)
        terms.write_to(layer)
        self._map.project.addMapLayer(layer)
        self._map.add_own_layer(layer)
        source = item.own.origin
        if source.type is SourceType.FILE:
            self._try(lambda: distribution_layers.save_credit_beside(layer, Path(source.path)))
        self._notifier.notify(tr("“{title}” was added to the map.", title=item.own.name), tr("Undo"),
                              self._map.undo_of_addition([layer.id()]))
        if terms.gap:
            self._notifier.show_warning_with_action(incomplete_terms_text(item.own.name, terms.gap), tr("Try again"),
                                                    lambda: self._map.read_terms(layer.id()))
        self.pending_changed.emit()

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except CartoguideError as error:
            self._notifier.show_error(error)

    def _on_failed(self, item: OwnItem, error: CartoguideError) -> None:
        terms = self._terms.pop(item.own.id)
        self._map.builds.fail_addition(item.own.name, error, lambda: self._begin_opening(item, terms))
        self.pending_changed.emit()
