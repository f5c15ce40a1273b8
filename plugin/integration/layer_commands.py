"""Record, terms and credit of a layer of the project, whoever added it: found in the store, else behind its service.

The service is asked for its capabilities, and where its record stands, only when the person asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qgis.core import QgsMapLayer

from ..core.audit import AddressFindings, LayerFacts
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.formats.from_service import record_from_service
from ..core.records.model.record import Record
from ..core.terms import DEFAULT_PATTERN, resolve_terms
from ..gis.credits import credit_audit
from ..gis.credits.credit_lines import layer_credit
from ..gis.library.record_library import RecordSource
from ..gis.runtime import settings, tasks
from ..gis.services import service_cache
from .layer_menu import COPY_CREDIT, SHOW_RECORD, SHOW_TERMS

if TYPE_CHECKING:
    from ..ui.dock.dock_widget import CartoguideDock
    from .record_commands import RecordCommands


@dataclass(frozen=True)
class _LayerCredits:
    """What was found of a layer; ``kept``: the record is one of the person's own."""

    facts: LayerFacts
    known: AddressFindings
    in_library: bool = False


class LayerCommands:
    """Answers what the layer tree's menu asks."""

    def __init__(self, desk: RecordCommands) -> None:
        self._commands = desk

    def run(self, layer: QgsMapLayer, what: str) -> None:
        """Show the record or the terms of ``layer``, or copy its credit; none known is told."""
        credit = layer_credit(layer) if what == COPY_CREDIT else ""
        if credit:
            self._commands.copy_to_clipboard(credit)
            return
        facts = credit_audit.layer_facts(layer)
        if facts is None:
            self._commands.messages.show_warning(tr("“{layer}” comes from no map service.", layer=layer.name()))
            return
        tasks.start(tr("Looking for the record of “{layer}”",
                       layer=facts.title), lambda feedback: self._find(facts, feedback),
                    lambda found: self._show_result(found, what), self._commands.messages.show_error, self._commands)

    def _find(self, facts: LayerFacts, feedback: tasks.Feedback) -> _LayerCredits:
        """In a task. What is kept is enough; else the service is asked, and what it names as its metadata."""
        records = self._commands.records
        named = [facts.record_id] if facts.record_id else []
        for identifier in [*records.records_of_service(facts.address), *named]:
            record = records.load_record(identifier)
            if record is not None:
                terms = resolve_terms(record, records.known_service(facts.address), _pattern())
                return _LayerCredits(facts, AddressFindings(record=record, terms=terms), True)
        return _LayerCredits(facts,
                             credit_audit.inspect_address([facts], records.library(), service_cache.shared(), feedback))

    def _show_result(self, found: _LayerCredits, what: str) -> None:
        record, title = found.known.record, found.facts.title
        if what == COPY_CREDIT:
            self._copy_credit(found)
        elif record is not None and found.in_library:
            self._commands.show_record(record.id or "", SHOW_TERMS if what == SHOW_TERMS else "")
        elif record is not None:
            self._show_unsaved_record(found, record, what)
        elif found.known.service is not None:
            own = record_from_service(found.known.service, found.facts.address)
            self._show(own, what)
            self._commands.messages.show_warning(
                tr("No catalogue record is known of “{layer}”. What is shown is what its "
                   "service says of itself.", layer=title))
        elif what == SHOW_TERMS and found.known.provider is not None and found.known.provider.access:
            provider = found.known.provider
            said = " · ".join(part for part in (provider.title, provider.fees, provider.access) if part)
            self._commands.messages.show_warning(tr("The service of “{layer}” says: {terms}", layer=title, terms=said))
        else:
            self._commands.messages.show_error(
                CartoguideError(
                    tr("No catalogue record is known of “{layer}”.", layer=title) +
                    (f" {found.known.problem}" if found.known.problem else ""), found.facts.address))

    def _copy_credit(self, found: _LayerCredits) -> None:
        known = found.known
        terms = known.terms
        if terms is None and known.service is not None:
            terms = resolve_terms(record_from_service(known.service, found.facts.address), known.service, _pattern())
        credit = terms.credit if terms is not None else known.provider.credit if known.provider is not None else ""
        if credit:
            self._commands.copy_to_clipboard(credit)
        else:
            self._commands.messages.show_warning(
                tr("No credit is known of “{layer}”.", layer=found.facts.title) +
                (f" {known.problem}" if known.problem else ""))

    def _show(self, record: Record, what: str) -> None:
        """Show a record in the dock that is not in its list."""
        def work(dock: CartoguideDock) -> None:
            dock.show_record(record)
            dock.view.tabs.setCurrentWidget(dock.view.terms if what == SHOW_TERMS else dock.view.overview)

        self._commands.run_in_dock(work)

    def _show_unsaved_record(self, found: _LayerCredits, record: Record, what: str) -> None:
        self._show(record, what)
        place = RecordSource(record.source or found.facts.address, "address", record.title or found.facts.title)

        def keep() -> None:
            self._commands.run_in_dock(
                lambda dock: dock.session.save_record(place, record, tr("Kept in your records.")))

        self._commands.messages.notify(
            tr("The record was found by: {origin}. It is not kept yet.", origin=found.known.origin), tr("Keep"), keep)


def _pattern() -> str:
    return str(settings.get("credit_pattern") or DEFAULT_PATTERN)


__all__ = ["COPY_CREDIT", "SHOW_RECORD", "SHOW_TERMS", "LayerCommands"]
