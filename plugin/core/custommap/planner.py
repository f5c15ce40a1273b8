"""The planner: a custom map, its services and records become one QGIS layer for each WMS layer, nothing silently
missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ..errors import CartoguideError
from ..i18n import tr
from ..records.model.endpoints import describes_endpoint, is_web_address, value_for_endpoint
from ..records.model.record import Record
from ..terms import DEFAULT_SETTINGS, TermsSettings, terms_for
from ..terms.credit_duty import CreditDuty, duty_of_terms, keeps_terms, same_terms
from ..terms.model import Terms
from ..terms.paper_gate import unfit_reasons
from ..text import bounded_title, list_quoted_names
from ..wms.dimensions.declarations import parameter_name
from ..wms.dimensions.time_series import time_dimension_extent
from ..wms.dimensions.value_selection import select_dimension_values
from ..wms.model.service import Layer, Service
from ..wms.responses.legend_json import JSON_LEGEND_FORMAT
from . import layer_metadata
from .address_choice import GetMapAddress, choose_getmap_address, is_getmap_address
from .crs_choice import best_crs, same_crs
from .layer_choice import (
    best_format,
    feature_info_format,
    legend_graphic,
    select_layers,
    select_style,
    supports_transparency,
)
from .model import (
    NO_DESCRIPTIONS,
    CustomMap,
    EntryCredit,
    LayerPlan,
    LoginUse,
    MapEntry,
    MapExtent,
    MapRole,
    OwnLayer,
    Plan,
    PlanNote,
    SnapshotDescriptions,
)
from .small_multiples import MULTIPLES_TEMPLATE
from .time_selection import TimeSpan, format_moment, select_moment

#: returns the address for the maps of a service, from its endpoint
AddressChoice = Callable[[str, Service], GetMapAddress]


def make_plan(custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
              records: Mapping[str, Record], settings: TermsSettings = DEFAULT_SETTINGS,
              all_moments: Optional[bool] = None, choose_address: AddressChoice = choose_getmap_address,
              snapshot: SnapshotDescriptions = NO_DESCRIPTIONS) -> Plan:
    """Return the plan of ``custom_map``: base below, overlays above, each service's layers bottom first.

    ``services`` and ``records`` are by endpoint, in any spelling. The terms are resolved here, of record and service
    together and with ``settings``, so that every caller plans the same credits. Of a time series only the layer of the
    moment shown is planned. With ``all_moments`` (by default for a page of small multiples) all of them are.
    ``choose_address`` decides which address a service's maps are requested from, and with which login. By default they
    are requested without one.

    What the ``snapshot`` stores is used for services and records that are not known otherwise. Where its terms differ
    from those known, the stricter duty to credit counts, and a note says so.

    What cannot be drawn (a service that failed or was not loaded, a missing layer, a layer without usable CRS or image
    format) becomes a note with ``is_missing`` set. A decision that differs from the document becomes a note without it.
    Never raises.
    """
    layers: List[LayerPlan] = []
    notes: List[PlanNote] = []
    terms: List[Optional[Terms]] = []
    include_all_moments = custom_map.page.template == MULTIPLES_TEMPLATE if all_moments is None else all_moments
    credits: List[EntryCredit] = []
    stored_terms: List[Optional[Terms]] = []
    for index, entry in enumerate(custom_map.entries):
        role = MapRole.BASE if index == 0 and custom_map.base else MapRole.OVERLAY
        described = _describe(entry, services, records, settings, snapshot)
        record, service = described.record, described.service
        credit = layer_metadata.entry_credit(entry, record, described.terms, described.claims)
        terms.append(described.terms)
        credits.append(credit)
        stored_terms.append(described.stored_terms)
        title = bounded_title(entry.title or (record.title if record else None) or entry.endpoint)
        if isinstance(service, CartoguideError):
            notes.append(PlanNote(tr("“{title}” is missing from the map: its service cannot be used. {reason}",
                                     title=title, reason=service.user_text), index, True))
            continue
        planner = _EntryPlanner(custom_map, entry, index, role, title, service, record, described.terms, credit,
                                snapshot.day if described.stored_terms is not None else "")
        layers.extend(planner.plan_layers(include_all_moments, choose_address))
        notes.extend(PlanNote(text, index, missing, planner.login_uses.get(text))
                     for text, missing in planner.notes.items())
    extent = custom_map.extent
    if extent is None and custom_map.centre is None:
        extent = visible_extent(layers)
    return Plan(title=custom_map.title, crs=custom_map.crs, layers=tuple(layers), notes=tuple(notes), extent=extent,
                centre=custom_map.centre, scale=custom_map.scale, page=custom_map.page, language=custom_map.language,
                terms=tuple(terms), credits=tuple(credits), stored_terms=tuple(stored_terms),
                own_layers=_own_layers(custom_map), legends=tuple(entry.legend for entry in custom_map.entries))


class _EntryPlanner:
    """Plans the layers of one entry. ``notes`` are its texts, each with whether something is missing."""

    def __init__(self, custom_map: CustomMap, entry: MapEntry, index: int, role: MapRole, title: str,
                 service: Service, record: Optional[Record], terms: Optional[Terms], credit: EntryCredit,
                 stored_terms_day: str = "") -> None:
        self.custom_map, self.entry, self.index, self.role, self.title = custom_map, entry, index, role, title
        self.service = service
        self.record, self.terms = record, terms
        self.notes: Dict[str, bool] = {}
        self.login_uses: Dict[str, LoginUse] = {}
        self.credit = credit
        self.stored_terms_day = stored_terms_day
        self.area = _map_area(custom_map)
        self._layers_by_other_crs: Dict[str, List[str]] = {}
        self._spans: Dict[str, TimeSpan] = {}

    def plan_layers(self, all_moments: bool, choose_address: AddressChoice) -> List[LayerPlan]:
        """Return the plans, bottom first. Of a time series, only the layer of the moment shown, or all of them."""
        layers, missing_names = select_layers(self.service, self.entry.layers)
        if self.entry.moment and layers:
            layers = self._layers_at_moment(layers, self.entry.moment, all_moments)
        for name in missing_names:
            self._note_missing(tr("“{title}” no longer offers the layer “{layer}”.", title=self.title, layer=name))
        if not layers and not missing_names:
            self._note_missing(tr("“{title}” offers no layer that can be requested.", title=self.title))
        try:
            address = choose_address(self.entry.endpoint, self.service)
        except CartoguideError as error:
            self._note_missing(
                tr("“{title}” is missing from the map: its service cannot be used. {reason}", title=self.title,
                   reason=error.user_text))
            return []
        self._note(address.note)
        if address.login_use is not None:
            self.login_uses[address.note] = address.login_use
        self._note_credit()
        if self.stored_terms_day:
            self._note(differing_terms_text(self.stored_terms_day, self.title))
        styles = dict(zip(self.entry.layers, self.entry.styles))
        planned = (self._plan_layer(layer, styles.get(layer.name or "", ""), address) for layer in layers)
        plans = [plan for plan in planned if plan]
        for crs, names in self._layers_by_other_crs.items():
            self._note(
                tr("“{title}”: {layers} is not offered in {wanted} and is requested in {crs}.", title=self.title,
                   layers=list_quoted_names(names), wanted=self.custom_map.crs, crs=crs))
        return plans

    def _layers_at_moment(self, layers: List[Layer], moment: str, all_moments: bool) -> List[Layer]:
        """Return those of ``layers`` that are drawn. Layers outside of the time series always are."""
        shown = select_moment(self.service, [layer.name or "" for layer in layers], moment)
        if shown is None:
            self._note(tr("“{title}” is no longer a time series: all of its layers are drawn.", title=self.title))
            return layers
        if not shown.is_exact:
            self._note(
                tr("“{title}” offers nothing for {moment}: {other} is shown.", title=self.title, moment=moment,
                   other=format_moment(shown.entry.begin)))
        self._spans = shown.layer_spans()
        others = {name for name in self._spans if name != shown.entry.layer}
        return layers if all_moments else [layer for layer in layers if layer.name not in others]

    def _plan_layer(self, layer: Layer, wanted_style: str, address: GetMapAddress) -> Optional[LayerPlan]:
        name = layer.name or ""
        title = bounded_title(layer.title or name)
        extent = layer_metadata.layer_extent(layer, self.record)
        crs = best_crs(layer, self.custom_map.crs, self.area or extent)
        image_format = self._format(layer, title)
        if crs is None:
            self._note_missing(
                tr("“{title}”: the layer “{layer}” offers no coordinate reference system in which "
                   "it can be requested.", title=self.title,
                   layer=title))
        if crs is None or image_format is None:
            return None
        if not same_crs(crs, self.custom_map.crs):
            self._layers_by_other_crs.setdefault(crs, []).append(title)
        style, is_wanted = select_style(layer, wanted_style)
        if not is_wanted:
            self._note(
                tr("“{title}”: the layer “{layer}” no longer has the style “{style}”. Its default style is used.",
                   title=self.title, layer=title, style=wanted_style))
        self._note_layer_limits(layer, title)
        values = self._dimension_values(layer, title, address)
        graphic = legend_graphic(layer, style)
        legend_operation = self.service.operation("GetLegendGraphic")
        attribution = layer.attribution or self.service.attribution
        credit = layer_metadata.layer_credit(self.credit, layer)
        return LayerPlan(
            address=address.url, name=name, style=style, format=image_format, crs=crs, title=title,
            abstract=layer.abstract or (self.record.abstract if self.record else None) or self.service.abstract or "",
            opacity=self.entry.opacity_of(name), blend=self.entry.blend, visible=self.entry.is_visible(name),
            role=self.role, record_id=self.record.id if self.record else self.entry.record_id,
            service_title=(self.record.title if self.record else None) or self.entry.title or self.service.title,
            entry_index=self.index, keywords=layer_metadata.layer_keywords(layer, self.record, self.service),
            contacts=layer_metadata.layer_contacts(self.record, self.service), rights=credit.lines,
            unfit_credits=credit.unfit, licences=layer_metadata.layer_licences(
                    self.entry, self.record, self.terms),
            constraints=layer_metadata.layer_constraints(self.record, self.terms, self.service), fees=self._fees(),
            links=layer_metadata.layer_links(self.entry.endpoint, self.record, self.terms, layer), extent=extent,
            scale_range=layer.scale_range, legend_url=graphic.url if graphic else None,
            has_json_legend=legend_operation is not None and JSON_LEGEND_FORMAT in legend_operation.formats,
            attribution_url=attribution.url if attribution and is_web_address(attribution.url) else None,
            feature_info_format=feature_info_format(self.service,
                                                    layer), ignore_operation_addresses=address.ignore_advertised or
            bool(values), authcfg=address.authcfg, dimension_values=values, max_width=self.service.limits.width,
            max_height=self.service.limits.height, credit_required=self.credit.required,
            time_extent=time_dimension_extent(layer), time_span=self._spans.get(name),
            service_abstract=(self.record.abstract if self.record else None) or self.service.abstract or "",
            stored_terms_day=self.stored_terms_day, entry=self.entry)

    def _format(self, layer: Layer, title: str) -> Optional[str]:
        operation = self.service.operation("GetMap")
        wanted = self.entry.format
        image_format = best_format(operation.formats if operation else (), layer.opaque, wanted)
        if image_format is None:
            self._note_missing(
                tr("“{title}” offers no image format that can be shown for the layer “{layer}”.", title=self.title,
                   layer=title))
            return None
        if wanted and "".join(image_format.lower().split()) != "".join(wanted.lower().split()):
            self._note(
                tr("“{title}” does not offer {wanted}; {format} is used.", title=self.title, wanted=wanted,
                   format=image_format))
        if self.role is MapRole.OVERLAY and not layer.opaque and not supports_transparency(image_format):
            self._note(
                tr("“{title}”: images in {format} have no transparency and cover what lies below them.",
                   title=self.title, format=image_format))
        return image_format

    def _fees(self) -> str:
        texts = (self.terms.fees if self.terms else None, self.record.fees if self.record else None, self.service.fees)
        return next((text for text in texts if text), "")

    def _note_credit(self) -> None:
        if self.credit.from_document_only:
            self._note(
                tr("The record of “{title}” is not available. The credit saved in the map is used.",
                   title=self.title))
        elif not self.credit.lines and not self.credit.unfit:
            self._note(tr("No credit is known for “{title}”.", title=self.title))
        for sentence in unfit_reasons(self.credit.unfit, self.title):
            self._note(sentence)

    def _note_layer_limits(self, layer: Layer, title: str) -> None:
        if layer.no_subsets or any(layer.fixed_size):
            self._note(
                tr("“{title}”: the layer “{layer}” is only available in a fixed size or extent.",
                   title=self.title, layer=title))

    def _dimension_values(self, layer: Layer, title: str, address: GetMapAddress) -> Tuple[Tuple[str, str], ...]:
        """Return a value for each dimension without a default (C.4.2), to be sent with the layer's address.

        QGIS itself sends only a time, and only where it knows the moments and the Temporal Controller shows one.
        """
        span = self._spans.get(layer.name or "")
        selected = select_dimension_values(layer, {}, span if time_dimension_extent(layer) else None)[0]
        values: Dict[str, str] = {}
        for dimension in layer.dimensions:
            name = parameter_name(dimension.name)
            if dimension.default or not dimension.extent:
                continue
            if name in selected and is_getmap_address(address, self.service):
                values[name] = selected[name]
            if name == "TIME" and time_dimension_extent(layer):
                continue
            if name in values:
                self._note(
                    tr(
                        "“{title}”: the layer “{layer}” is drawn for {name} {value}: its service has no default "
                        "value.", title=self.title, layer=title, name=dimension.name, value=values[name]))
            else:
                self._note(
                    tr("“{title}”: the layer “{layer}” needs a value for “{name}”, which QGIS does not send: it may "
                       "stay empty. Request it under Operations.", title=self.title, layer=title, name=dimension.name))
        return tuple(values.items())

    def _note(self, text: str) -> None:
        if text:
            self.notes.setdefault(text, False)

    def _note_missing(self, text: str) -> None:
        self.notes[text] = True


def _own_layers(custom_map: CustomMap) -> Tuple[OwnLayer, ...]:
    """Return the own layers with the place that they have among the services, also where the base could not be made."""
    lowest = 1 if custom_map.base else 0
    return tuple(replace(own, entries_below=max(own.entries_below, lowest)) for own in custom_map.own_layers)


@dataclass(frozen=True)
class _Description:
    """The record, service and terms that are known of an entry.

    ``terms`` are those that count, but for a stricter duty to credit of one of ``claims``.

    ``stored_terms`` are those of the snapshot, where others are known and differ.
    """

    record: Optional[Record]
    service: Union[Service, CartoguideError]
    terms: Optional[Terms]
    claims: Tuple[CreditDuty, ...] = ()
    stored_terms: Optional[Terms] = None


def _describe(entry: MapEntry, services: Mapping[str, Union[Service, CartoguideError]], records: Mapping[str, Record],
              settings: TermsSettings, snapshot: SnapshotDescriptions) -> _Description:
    """Return what is known of an entry, from the library and the service before the snapshot."""
    record = value_for_endpoint(records, entry.endpoint)
    found = value_for_endpoint(services, entry.endpoint)
    service = found if isinstance(found, Service) else None
    stored_record, stored_service = snapshot.record(entry.endpoint), snapshot.service(entry.endpoint)
    usable = service or stored_service or found or CartoguideError(tr("It has not been loaded yet."))
    claims: List[CreditDuty] = []
    if service is not None and (record is None or not describes_endpoint(record, entry.endpoint)):
        # no record of this service vouches for what it asks for itself
        claims.append(duty_of_terms(terms_for(None, service, settings)))
    stored_terms = _terms(stored_record, stored_service, settings)
    if stored_terms is not None:
        claims.append(duty_of_terms(stored_terms))
    terms = _terms(record or stored_record, service or stored_service, settings)
    if record is not None and service is None and stored_service is not None and terms is not None:
        of_record = terms_for(record, None, settings)
        claims.append(duty_of_terms(of_record))
        terms = terms if keeps_terms(of_record, terms) else of_record
    is_known = record is not None or service is not None
    differ = is_known and stored_terms is not None and terms is not None and not same_terms(terms, stored_terms)
    return _Description(record or stored_record, usable, terms, tuple(claims), stored_terms if differ else None)


def _terms(record: Optional[Record], service: Optional[Service], settings: TermsSettings) -> Optional[Terms]:
    return terms_for(record, service, settings) if record or service else None


def differing_terms_text(day: str, title: str) -> str:
    """Return a text for people about terms of a service that differ from those its snapshot stores."""
    return tr("“{title}”: terms as stored in the snapshot of {date} differ from those known here. The stricter duty to "
              "credit counts.", title=title, date=day)


def _map_area(custom_map: CustomMap) -> Optional[MapExtent]:
    if custom_map.extent:
        return custom_map.extent
    if custom_map.centre:
        longitude, latitude = custom_map.centre
        return MapExtent(longitude, latitude, longitude, latitude)
    return None


def visible_extent(layers: Sequence[LayerPlan]) -> Optional[MapExtent]:
    """Return the extent of the base, else of all visible layers."""
    base = [plan.extent for plan in layers if plan.role is MapRole.BASE and plan.extent]
    return layer_metadata.union_of_extents(base or [plan.extent for plan in layers if plan.visible and plan.extent])
