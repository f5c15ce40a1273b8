"""Record, terms and credit of a layer of the project, whoever added it: found in the store, else behind its service.

The service is asked for its capabilities, and where its record stands, only when the person asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qgis.core import QgsMapLayer

from ..core.audit import Known, LayerFacts
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.from_service import record_from_service
from ..core.records.model import Record
from ..core.terms import DEFAULT_PATTERN, resolve
from ..gis import audit, services, settings, tasks
from ..gis.credits import credit_of
from ..gis.shelf import Place
from .layer_menu import CREDIT, RECORD, TERMS

if TYPE_CHECKING:
    from ..ui.dock import CartoguideDock
    from .desk import Desk


@dataclass(frozen=True)
class _Found:
    """What was found of a layer; ``kept``: the record is one of the person's own."""

    facts: LayerFacts
    known: Known
    kept: bool = False


class LayerAnswers:
    """Answers what the layer tree's menu asks."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def answer(self, layer: QgsMapLayer, what: str) -> None:
        """Show the record or the terms of ``layer``, or copy its credit; none known is told."""
        credit = credit_of(layer) if what == CREDIT else ""
        if credit:
            self._desk.copied(credit)
            return
        facts = audit.layer_facts(layer)
        if facts is None:
            self._desk.messages.warning(tr("“{layer}” comes from no map service.", layer=layer.name()))
            return
        tasks.start(tr("Looking for the record of “{layer}”", layer=facts.title),
                    lambda feedback: self._find(facts, feedback), lambda found: self._tell(found, what),
                    self._desk.messages.error, self._desk)

    def _find(self, facts: LayerFacts, feedback: tasks.Feedback) -> _Found:
        """In a task. What is kept is enough; else the service is asked, and what it names as its metadata."""
        records = self._desk.records
        named = [facts.record_id] if facts.record_id else []
        for identifier in [*records.of_service(facts.address), *named]:
            record = records.record(identifier)
            if record is not None:
                terms = resolve(record, records.service(facts.address), _pattern())
                return _Found(facts, Known(record=record, terms=terms), True)
        return _Found(facts, audit.find_out([facts], records.shelf(), services.shared(), feedback))

    def _tell(self, found: _Found, what: str) -> None:
        record, title = found.known.record, found.facts.title
        if what == CREDIT:
            self._tell_credit(found)
        elif record is not None and found.kept:
            self._desk.show(record.id or "", TERMS if what == TERMS else "")
        elif record is not None:
            self._show_fetched(found, record, what)
        elif found.known.service is not None:
            own = record_from_service(found.known.service, found.facts.address)
            self._show(own, what)
            self._desk.messages.warning(tr("No catalogue record is known of “{layer}”. What is shown is what its "
                                           "service says of itself.", layer=title))
        elif what == TERMS and found.known.provider is not None and found.known.provider.access:
            provider = found.known.provider
            said = " · ".join(part for part in (provider.title, provider.fees, provider.access) if part)
            self._desk.messages.warning(tr("The service of “{layer}” says: {terms}", layer=title, terms=said))
        else:
            self._desk.messages.error(CartoguideError(
                tr("No catalogue record is known of “{layer}”.", layer=title)
                + (f" {found.known.problem}" if found.known.problem else ""), found.facts.address))

    def _tell_credit(self, found: _Found) -> None:
        known = found.known
        terms = known.terms
        if terms is None and known.service is not None:
            terms = resolve(record_from_service(known.service, found.facts.address), known.service, _pattern())
        credit = terms.credit if terms is not None else known.provider.credit if known.provider is not None else ""
        if credit:
            self._desk.copied(credit)
        else:
            self._desk.messages.warning(tr("No credit is known of “{layer}”.", layer=found.facts.title)
                                        + (f" {known.problem}" if known.problem else ""))

    def _show(self, record: Record, what: str) -> None:
        """Show a record in the dock that is not in its list."""
        def work(dock: CartoguideDock) -> None:
            dock.show_record(record)
            dock.view.tabs.setCurrentWidget(dock.view.terms if what == TERMS else dock.view.overview)

        self._desk.in_dock(work)

    def _show_fetched(self, found: _Found, record: Record, what: str) -> None:
        self._show(record, what)
        place = Place(record.source or found.facts.address, "address", record.title or found.facts.title)

        def keep() -> None:
            self._desk.in_dock(lambda dock: dock.session.keep_record(place, record, tr("Kept in your records.")))

        self._desk.messages.news(tr("The record was found by: {origin}. It is not kept yet.",
                                    origin=found.known.origin), tr("Keep"), keep)


def _pattern() -> str:
    return str(settings.get("credit_pattern") or DEFAULT_PATTERN)


__all__ = ["CREDIT", "RECORD", "TERMS", "LayerAnswers"]
