"""Record, terms and credit of any layer of the project, found in the library, else behind the layer's service.

The network is used only when the person asks for one of them: for the capabilities of the service and for the record
that they link to.
"""

from __future__ import annotations

from dataclasses import dataclass

from qgis.core import QgsMapLayer

from ..core.audit import AddressFindings, LayerFacts, build_row
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.formats.from_service import record_from_service
from ..core.records.model.record import Record
from ..gis.credits import credit_audit
from ..gis.credits.layer_credits import layer_credit
from ..gis.library.record_library import RecordSource
from ..gis.runtime import tasks
from ..gis.runtime.terms import terms_settings
from ..gis.services import service_cache
from .dock_commands import DockCommands
from .layer_menu import LayerAction
from .record_commands import RecordCommands


@dataclass(frozen=True)
class _LayerFindings:
    """The record, terms and service found for a layer. ``in_library``: the record is in the library."""

    facts: LayerFacts
    known: AddressFindings
    in_library: bool = False


class LayerCommands:
    """Runs the entries of the layer tree's context menu."""

    def __init__(self, commands: RecordCommands) -> None:
        self._commands = commands
        #: of what is shown, and of what is copied, only the newest counts
        self._showing, self._copying = (tasks.LatestJob[_LayerFindings](commands) for _ in range(2))

    def run(self, layer: QgsMapLayer, action: LayerAction) -> None:
        """Show the record or the terms of ``layer``, or copy its credit. A warning says where none is known."""
        credit = layer_credit(layer) if action is LayerAction.COPY_CREDIT else ""
        if credit:
            self._commands.copy_to_clipboard(credit)
            return
        facts = credit_audit.layer_facts(layer)
        if not facts.kind.is_web:
            self._commands.messages.show_warning(tr("“{layer}” does not come from a map service.", layer=layer.name()))
            return
        dock = self._commands.dock
        view = dock.views.request() if dock is not None else 0

        def done(findings: _LayerFindings) -> None:
            if action is LayerAction.COPY_CREDIT:
                self._copy_credit(findings)
            elif dock is None or dock is not self._commands.dock:
                self._show_result(findings, action is LayerAction.SHOW_TERMS)
            elif dock.views.show(view):
                with dock.views.showing():
                    self._show_result(findings, action is LayerAction.SHOW_TERMS)

        job = self._copying if action is LayerAction.COPY_CREDIT else self._showing
        job.start(tr("Looking for the record of “{layer}”", layer=facts.title),
                  lambda feedback: self._find(facts, feedback), done, self._commands.messages.show_error)

    def _find(self, facts: LayerFacts, feedback: tasks.Feedback) -> _LayerFindings:
        """Find the record in the library, else by the service's capabilities and the metadata they link to."""
        records = self._commands.records
        named = [facts.record_id] if facts.record_id else []
        for identifier in [*records.records_of_service(facts.address), *named]:
            record = records.load_record(identifier)
            if record is not None:
                service = records.known_service(facts.address)
                return _LayerFindings(facts, AddressFindings(service=service, record=record), True)
        return _LayerFindings(
            facts, credit_audit.inspect_address([facts], records.library(), service_cache.shared(), feedback))

    def _show_result(self, findings: _LayerFindings, show_terms: bool) -> None:
        record, title, messages = findings.known.record, findings.facts.title, self._commands.messages
        if record is not None and findings.in_library:
            show = self._commands.show_terms if show_terms else self._commands.show_record
            show(record.id or "")
        elif record is not None:
            self._show_unsaved_record(findings, record, show_terms)
        elif findings.known.service is not None:
            self._show(record_from_service(findings.known.service, findings.facts.address), show_terms)
            messages.show_warning(tr("No catalogue record of “{layer}” was found. The description by "
                                     "its service is shown.", layer=title))
        elif show_terms and findings.known.provider is not None and findings.known.provider.access:
            provider = findings.known.provider
            terms = " · ".join(part for part in (provider.title, provider.fees, provider.access) if part)
            messages.show_warning(tr("The service of “{layer}” states: {terms}", layer=title, terms=terms))
        else:
            messages.show_error(CartoguideError(
                tr("No catalogue record of “{layer}” was found.", layer=title) + _reason(findings),
                findings.facts.address))

    def _copy_credit(self, findings: _LayerFindings) -> None:
        known = findings.known
        credit = "; ".join(build_row(findings.facts, known, terms_settings()).credit)
        if credit:
            self._commands.copy_to_clipboard(credit)
        else:
            self._commands.messages.show_warning(
                tr("No credit of “{layer}” was found.", layer=findings.facts.title) + _reason(findings))

    def _show(self, record: Record, show_terms: bool) -> None:
        """Show a record that is not in the dock's list."""
        def command(dock: DockCommands) -> None:
            dock.show_record(record)
            if show_terms:
                dock.show_terms_tab()
            else:
                dock.show_overview_tab()

        self._commands.run_in_dock(command)

    def _show_unsaved_record(self, findings: _LayerFindings, record: Record, show_terms: bool) -> None:
        self._show(record, show_terms)
        source = RecordSource(record.source or findings.facts.address, "address", record.title or findings.facts.title)

        def save() -> None:
            self._commands.run_in_dock(lambda dock: dock.save_record(source, record, tr("Saved in your records.")))

        self._commands.messages.notify(
            tr("The record was found by: {origin}. It is not saved yet.", origin=findings.known.origin),
            tr("Save"), save)


def _reason(findings: _LayerFindings) -> str:
    return f" {findings.known.problem}" if findings.known.problem else ""
