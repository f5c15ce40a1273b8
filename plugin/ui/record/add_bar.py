"""The button that adds a record's service in the way that fits it, with the other ways in its menu."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QAction, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...app.maps.map_additions import AddOffer, OfferState
from ...app.maps.map_state import AddMode
from ...core.addresses import without_secrets
from ...core.custommap.service_use import ServiceUse
from ...core.distributions.kinds import LinkKind
from ...core.distributions.record_distributions import Distribution
from ...core.distributions.uses import FILES, add_label, use_line
from ...core.i18n import tr
from ...core.text import inert, list_quoted_names, shorten
from ..widgets.form_widgets import busy_bar, fill_layout
from ..widgets.labels import LimitedLabel
from ..widgets.theme import icon

_ICONS = {ServiceUse.SERIES: "propertyicons/temporal", ServiceUse.CHOOSE: "mActionAddLayer"}


def distribution_icon(distribution: Distribution) -> str:
    """Return the name of QGIS's icon for adding what a distribution offers."""
    if distribution.kind in FILES or distribution.kind is LinkKind.ATOM:
        return "mActionFileSave"
    return {LinkKind.WFS: "mActionAddWfsLayer", LinkKind.OGCAPI_FEATURES: "mActionAddWfsLayer",
            LinkKind.ARCGIS_FEATURE: "mActionAddAfsLayer", LinkKind.ARCGIS_MAP: "mActionAddAmsLayer",
            LinkKind.XYZ: "mActionAddXyzLayer", LinkKind.TMS: "mActionAddXyzLayer",
            LinkKind.WCS: "mActionAddWcsLayer", LinkKind.VECTOR_TILES: "mActionAddVectorTileLayer",
            LinkKind.TILEJSON: "mActionAddVectorTileLayer", LinkKind.STYLE: "mActionAddVectorTileLayer"}.get(
                distribution.kind or LinkKind.WMS, "mActionAddWmsLayer")


def use_label(use: ServiceUse) -> str:
    """Return the text of the button or menu entry that adds a service in this way."""
    return {ServiceUse.SERIES: tr("Add as time series"), ServiceUse.BASE: tr("Add as base map"),
            ServiceUse.OVERLAY: tr("Add as overlay"), ServiceUse.CHOOSE: tr("Add layers…"),
            ServiceUse.PROJECT_ONLY: tr("Add to project only")}[use]


def use_tip(use: ServiceUse) -> str:
    """Return what adding a service in this way does."""
    return {
        ServiceUse.SERIES: tr("Adds all moments of the service. The map shows one of them, and QGIS’s Temporal "
                              "Controller opens at the first."),
        ServiceUse.BASE: tr("Adds the service below everything else on the custom map."),
        ServiceUse.OVERLAY: tr("Adds the service above the base of the custom map."),
        ServiceUse.CHOOSE: tr("Lets you choose layers of the service, then adds them to the custom map."),
        ServiceUse.PROJECT_ONLY: tr("Adds the layers with their credit to the QGIS project, but not to the custom "
                                    "map."),
    }[use]


class AddToMapBar(QWidget):
    """The Add button, which says what it does, and the progress of adding.

    ``add_requested`` carries an ``AddMode``, ``distribution_requested`` another ``Distribution`` of the record,
    ``service_requested`` the identifier of another service's record to be added, ``record_requested`` that of a record
    to be shown, and ``retry_requested`` asks for the service again. ``series_requested`` and
    ``series_overlay_requested`` carry the number of a time series, where the service has several.
    """

    add_requested = pyqtSignal(str)
    distribution_requested = pyqtSignal(object)
    service_requested = pyqtSignal(str)
    record_requested = pyqtSignal(str)
    retry_requested = pyqtSignal()
    series_requested = pyqtSignal(int)
    series_overlay_requested = pyqtSignal(int)
    cancel_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._offer = AddOffer(OfferState.NOT_LOADED)
        self._disabled_reason = ""
        self._busy = False
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self.actions_by_name: Dict[str, QAction] = {}
        for use in ServiceUse:
            if use is ServiceUse.CHOOSE:
                self.menu.addSeparator()
            action = self.menu.addAction(icon(_ICONS.get(use, "mActionAddWmsLayer")), use_label(use))
            action.triggered.connect(lambda _checked=False, use=use: self.add_requested.emit(use.value))
            self.actions_by_name[use.value] = action
        self.series: list[QAction] = []
        self.distributions: list[QAction] = []
        self.button = QToolButton()
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.setMinimumHeight(self.button.fontMetrics().height() + 14)
        self.button.setMenu(self.menu)
        self.button.clicked.connect(self._on_clicked)
        self.progress_bar = busy_bar(8)
        self.cancel = QToolButton()
        self.cancel.setText(tr("Cancel"))
        self.cancel.clicked.connect(self.cancel_requested)
        # all of it: it stands nowhere else on the page
        self.reason = LimitedLabel(max_lines=8)
        row = QHBoxLayout()
        row.addWidget(self.button, 2)
        row.addWidget(self.progress_bar, 1)
        row.addWidget(self.cancel)
        layout = fill_layout(QVBoxLayout(self), row, spacing=2, margins=(6, 4, 6, 6))
        # below the button, which must not move while somebody aims at it
        layout.addWidget(self.reason)
        self._show_state()

    def show_offer(self, offer: AddOffer) -> None:
        """Show what can be added, and in which ways."""
        self._offer = offer
        self._show_distributions()
        self._show_state()

    def show_busy(self, busy: bool) -> None:
        """Disable the button and offer to cancel while layers are being added."""
        self._busy = busy
        self._show_state()

    def set_disabled_reason(self, reason: str) -> None:
        """Disable the button with ``reason`` as its tooltip, or enable it if ``reason`` is empty."""
        self._disabled_reason = reason
        self._show_state()

    def show_series(self, labels: Sequence[str], overlay_labels: Sequence[str] = ()) -> None:
        """Offer each time series of the service in the menu, as layers of the project (``labels``) and as time series
        of the custom map (``overlay_labels``). One that is the only one has its entries already.
        """
        for action in self.series:
            self.menu.removeAction(action)
            action.deleteLater()
        self.series = []
        if len(labels) < 2:
            return
        self.series.append(self.menu.addSeparator())
        for texts, signal in ((overlay_labels, self.series_overlay_requested), (labels, self.series_requested)):
            for number, label in enumerate(texts):
                action = self.menu.addAction(icon("propertyicons/temporal"), label)
                action.triggered.connect(lambda _checked=False, number=number, signal=signal: signal.emit(number))
                self.series.append(action)

    def _show_distributions(self) -> None:
        """List the other distributions of the record in the menu, and those that cannot be opened with the reason."""
        for action in self.distributions:
            self.menu.removeAction(action)
            action.deleteLater()
        offer = self._offer
        has_any = offer.distributions or offer.unopened or offer.services or offer.data
        self.distributions = [self.menu.addSeparator()] if has_any else []
        for distribution in offer.distributions:
            action = self.menu.addAction(icon(distribution_icon(distribution)), inert(use_line(distribution)))
            action.setToolTip(inert(without_secrets(distribution.address)))
            action.triggered.connect(lambda _checked=False, one=distribution: self.distribution_requested.emit(one))
            self.distributions.append(action)
        for service in offer.services:
            text = tr("{action} (service “{title}”)", action=add_label(service.kind), title=shorten(service.title))
            self._add_coupled(text, self.service_requested, service.identifier)
        for data in offer.data:
            self._add_coupled(tr("Show the data “{title}”", title=shorten(data.title)), self.record_requested,
                              data.identifier)
        for reason in offer.unopened:
            action = self.menu.addAction(inert(reason))
            action.setEnabled(False)
            self.distributions.append(action)
        for use in ServiceUse:
            self.actions_by_name[use.value].setVisible(offer.state is not OfferState.NO_SERVICE)

    def _add_coupled(self, text: str, signal: Any, identifier: str) -> None:
        action = self.menu.addAction(inert(text))
        action.triggered.connect(lambda _checked=False: signal.emit(identifier))
        self.distributions.append(action)

    def _on_clicked(self) -> None:
        if self._offer.state is OfferState.FAILED:
            self.retry_requested.emit()
        elif self._offer.state is OfferState.NO_SERVICE and self._offer.distributions:
            self.distribution_requested.emit(self._offer.distributions[0])
        elif self._offer.state is OfferState.NO_SERVICE and self._offer.services:
            self.service_requested.emit(self._offer.services[0].identifier)
        else:
            self.add_requested.emit(AddMode.ADD.value)

    def _show_state(self) -> None:
        offer, decision = self._offer, self._offer.decision
        best = decision.best if decision is not None else None
        if best is not None and offer.linked.missing and not offer.linked.names:
            # none of the layers that the record's link names is there
            best = ServiceUse.CHOOSE
        failed = offer.state is OfferState.FAILED
        first = offer.distributions[0] if offer.state is OfferState.NO_SERVICE and offer.distributions else None
        service = offer.services[0] if offer.state is OfferState.NO_SERVICE and offer.services else None
        if offer.state is OfferState.LOADING:
            text, tip = tr("Loading…"), tr("The service is being loaded.")
        elif failed:
            text, tip = tr("Try again"), tr("Contacts the service again.")
        elif offer.linked.names:
            text = tr("Add %n layer(s)", n=len(offer.linked.names))
            tip = tr("Adds the layers that the record’s link names: {layers}.",
                     layers=list_quoted_names(offer.linked.names))
        elif best is not None:
            text, tip = use_label(best), use_tip(best)
        elif first is not None:
            text, tip = add_label(first.kind), use_line(first)
        elif service is not None:
            text, tip = add_label(service.kind), tr("Adds the service “{title}” of these data.", title=service.title)
        else:
            text, tip = tr("Add to map"), tr("Loads the service and adds it in the way that fits it.")
        possible = offer.state in (OfferState.NOT_LOADED, OfferState.FAILED) or best is not None \
            or bool(offer.linked.names) or first is not None or service is not None
        reason = self._disabled_reason or offer.reason
        if decision is not None and not possible:
            reason = reason or next(iter(decision.unavailable.values()), "")
        self.button.setText(text)
        used = best if not offer.linked.names else None
        name = _ICONS.get(used, "mActionAddWmsLayer") if used is not None else "mActionAddWmsLayer"
        name = distribution_icon(first) if first is not None else name
        self.button.setIcon(icon("mActionRefresh" if failed else name))
        self.button.setAccessibleName(text)
        # the text too: a narrow dock shows only its beginning
        why = tip if possible and not self._disabled_reason else reason or tip
        self.button.setToolTip(inert(f"{text}\n{why}".strip()))
        self.button.setAccessibleDescription(tip if possible else reason or tip)
        self.button.setEnabled(possible and not self._busy and not self._disabled_reason)
        self.reason.show_text(reason)
        self.reason.setVisible(bool(reason))
        self.progress_bar.setVisible(self._busy)
        self.cancel.setVisible(self._busy)
        for use in ServiceUse:
            self._show_use(use, reason if failed or not possible else "")

    def _show_use(self, use: ServiceUse, reason: str) -> None:
        decision = self._offer.decision
        why_not = reason or (decision.unavailable.get(use, "") if decision is not None else "")
        action = self.actions_by_name[use.value]
        action.setEnabled(not why_not)
        action.setToolTip(inert(why_not or use_tip(use)))
