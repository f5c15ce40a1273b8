"""Preflight rules: each finds its problem, gives advice, and is silent for a good map."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from plugin.core import i18n
from plugin.core.box import Box
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.ground_scale import GroundScale
from plugin.core.custommap.map_entries import stored_data_credit
from plugin.core.custommap.map_findings import MapFinding, RemedyKind, sorted_findings
from plugin.core.custommap.model import (
    CustomMap,
    LayerPlan,
    LoginUse,
    MapEntry,
    MapExtent,
    Orientation,
    OwnLayer,
    PageSetup,
    Plan,
    SnapshotSource,
    StoredCredit,
)
from plugin.core.custommap.planner import GetMapAddress, make_plan
from plugin.core.custommap.suggestions import SuggestionCandidate, shows_ground
from plugin.core.errors import CartoguideError
from plugin.core.pages.leaflet import LeafletTexts, TableSource
from plugin.core.preflight import (
    RULES,
    PreflightContext,
    PrintFrame,
    TrialRequest,
    estimate_print,
    preflight_findings,
    trial_findings,
)
from plugin.core.preflight.ground import covered_share
from plugin.core.preflight.rules import SNAPSHOT_RULES, page_features
from plugin.core.preflight.trial_requests import seconds_per_megapixel
from plugin.core.records.model.record import (
    Constraint,
    Contact,
    Extent,
    OnlineResource,
    Record,
    RecordDate,
    ResourceKind,
)
from plugin.core.review.checks.rules import Severity
from plugin.core.snapshot.manifest import RasterFormat, SnapshotManifest, SnapshotState
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms import terms_for
from plugin.core.terms.model import Decision
from plugin.core.translation_catalogue import load_translator
from plugin.core.wms.model.service import Layer, LinkedDocument, OperationInfo, Service, ServiceLimits, Style

GUIDE, RAIN = "https://x.org/mapwms/T_guia?", "https://x.org/mapwms/T_lluvia?"
CRS = ("EPSG:3042", "EPSG:25830", "EPSG:4326")
FREE = "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios"
PARK = MapExtent(-3.6, 38.3, -3.4, 38.45)
FRAME = PrintFrame(80_000.0, 240.0, 180.0, PARK.box)
SNAPSHOT = SnapshotManifest("m", SnapshotState.COMPLETE, "2026-11-22T00:00:00+00:00", "EPSG:25830",
                            Box(0, 0, 1, 1), Box(-3.6, 38.3, -3.4, 38.45), 300, (25000.0, 50000.0), RasterFormat.GPKG)
SNAPSHOT_AREA = Box(-3.6, 38.3, -3.4, 38.45)


def layer(name, **fields):
    legend = LinkedDocument("https://x.org/l.png", "image/png")
    values = {
        "title": f"Capa {name}", "crs": CRS, "styles": (Style("default", legends=(legend, )), ),
        "geographic_bbox": Box(-3.8, 38.2, -3.2, 38.6), **fields
    }
    return Layer(name, **values)


def service(address, *layers, **fields):
    operations = {name: OperationInfo(name, address, None, formats) for name, formats in (
        ("GetCapabilities", ("text/xml",)), ("GetMap", fields.pop("formats", ("image/png",))))}
    return Service("1.3.0", title="Servicio", operations=operations, root=Layer(None, "Raíz", crs=CRS, layers=layers),
                   **fields)


def record(address, title, **fields):
    values = {"id": f"id-{title}", "title": title, "kind": ResourceKind.SERVICE, "fees": "Gratuito",
              "contacts": (Contact(organisation="Consejería", role="owner"),),
              "other_constraints": (Constraint(FREE),), "online": (OnlineResource(address, "OGC:WMS"),),
              "extents": (Extent(-3.8, -3.2, 38.2, 38.6),), "dates": (RecordDate("2014-05-01", "publication"),),
              **fields}
    made = Record("x", **values)
    return made


def entry(address, title, *names, **fields):
    return MapEntry(address, title, layers=names, styles=("",) * len(names), **fields)


def case(guide=None, rain=None, entries=None, records=None, frame=FRAME, **fields):
    guide = guide or service(GUIDE, layer("limite"))
    services = {GUIDE: guide, **({RAIN: rain} if rain else {})}
    entries = entries or [entry(GUIDE, "Guía", "limite"), *([entry(RAIN, "Lluvia", "dia1")] if rain else [])]
    made = CustomMap(base=entries[0], overlays=tuple(entries[1:]), extent=PARK)
    records = records if records is not None else {
        GUIDE: record(GUIDE, "Guía"), **({RAIN: record(RAIN, "Lluvia")} if rain else {})}
    return PreflightContext(made, make_plan(made, services, records), services, records, frame, **fields)


def rules(found):
    return [finding.rule for finding in found]


def only(found, rule):
    finding, = [item for item in found if item.rule == rule]
    assert finding.advice and finding.message
    return finding


def test_a_sound_map_has_no_finding_and_an_empty_one_neither():
    assert preflight_findings(case()) == ()
    assert preflight_findings(PreflightContext(CustomMap(), make_plan(CustomMap(), {}, {}))) == ()


@pytest.mark.parametrize("use, severity", [(LoginUse.KEPT, Severity.NOTE), (LoginUse.WITHHELD, Severity.WARNING)])
def test_what_became_of_a_login_is_said_with_its_service(use, severity):
    sound = case()
    plan = make_plan(sound.document, sound.services, sound.records, choose_address=lambda endpoint, _service:
                     GetMapAddress(endpoint, True, "Otro servidor.", "abc1234", use))
    assert {layer.wms.authcfg for layer in plan.layers} == {"abc1234"}
    finding = only(preflight_findings(replace(sound, plan=plan)), f"login-{use.value}")
    assert (finding.severity, finding.message, finding.service_title) == (severity, "Otro servidor.", "Guía")
    assert (finding.remedy is not None) is (use is LoginUse.WITHHELD)


def test_a_plan_has_no_login_unless_somebody_decides_about_it():
    assert {layer.wms.authcfg for layer in case().plan.layers} == {""}


def test_a_service_that_cannot_be_used_is_an_error_of_that_service():
    found = preflight_findings(case(rain=CartoguideError("No responde.")))
    finding = only(found, "missing")
    assert finding.severity is Severity.ERROR and finding.service_title == "Lluvia"
    assert "No responde." in finding.message
    assert found[0] is finding, "the gravest first"


def test_a_layer_out_of_its_scale_range_is_told_with_a_scale_that_fits():
    near = layer("limite", scale_range=(None, 50_000.0))
    finding = only(preflight_findings(case(service(GUIDE, near))), "scale")
    assert finding.severity is Severity.ERROR and finding.other_remedies[0].value == 40_000.0
    assert finding.remedy.kind is RemedyKind.HIDE, "the mildest one first"
    both = case(service(GUIDE, near, layer("rios")), entries=[entry(GUIDE, "Guía", "limite", "rios")])
    note = only(preflight_findings(both), "scale")
    assert not note.is_problem and note.remedy.layers == ((0, "limite"),)
    assert "scale" not in rules(preflight_findings(case(service(GUIDE, near), frame=replace(FRAME, scale=25_000.0))))


def test_services_that_leave_out_some_layers_and_notes_that_say_the_same_are_one_note():
    near = layer("limite", scale_range=(None, 50_000.0))
    entries = [entry(GUIDE, "Guía", "limite", "rios"), entry(RAIN, "Lluvia", "limite", "rios")]
    found = preflight_findings(case(service(GUIDE, near, layer("rios")), service(RAIN, near, layer("rios")),
                                    entries=entries))
    note = only(found, "scale")
    assert note.remedy.layers == ((0, "limite"), (1, "limite")) and note.entry_index is None
    alike = [MapFinding("pieces", Severity.NOTE, "In parts.", "Smaller paper.", title, number)
             for number, title in enumerate(("A", "B", "B"))]
    listed, = sorted_findings([replace(alike[0], service_title=title) for title in ("Rivers, lakes", "lakes")])
    assert listed.service_title == "Rivers, lakes, lakes", "a title with a comma is not that of two"
    problem = MapFinding("missing", Severity.ERROR, "Gone.", "", "A", 0)
    told = sorted_findings([*alike, problem, replace(problem, service_title="B", entry_index=1)])
    assert [(one.rule, one.service_title) for one in told] == [("missing", "A"), ("missing", "B"), ("pieces", "A, B")]


def test_an_own_layer_beyond_its_limits_is_told_by_its_name():
    context = case(own_scales={"points": (None, 25_000.0), "hidden": (None, 1.0)})
    context.document = replace(context.document, own_layers=(
        OwnLayer("points", "Puntos", "vector", "ogr", "/p.gpkg"),
        OwnLayer("hidden", "Otros", "vector", "ogr", "/q.gpkg", visible=False)))
    for scale in (25_000.0, 25_000.0 * (1 - 1e-9), 25_000.0 * (1 + 1e-9)):
        context.frame = replace(FRAME, scale=scale)
        found = only(preflight_findings(context), "scale")
        assert (found.service_title, found.own_layer, found.entry_index) == ("Puntos", "points", None)
        assert found.severity is Severity.WARNING and found.other_remedies[0].value == 20_000
    context.frame = replace(FRAME, scale=24_999.0)
    assert "scale" not in rules(preflight_findings(context))


def test_layers_that_nobody_can_see_are_named():
    own = OwnLayer("points", "Puntos", "vector", "ogr", "/p.gpkg", opacity=0.0)
    context = case(entries=[entry(GUIDE, "Guía", "limite", opacity=0.0)])
    context.document = replace(context.document, own_layers=(own, replace(own, id="hidden", visible=False)))
    of_service, of_own = [one for one in preflight_findings(context) if one.rule == "transparent"]
    assert of_service.severity is Severity.ERROR and "Capa limite" in of_service.message
    assert of_service.remedy.layers == ((0, "limite"),) and (of_own.own_layer, of_own.entry_index) == ("points", None)
    assert of_service.remedy.label == "Leave it out" and of_service.advice.endswith("leave it out.")
    several = case(service(GUIDE, layer("limite"), layer("costa")),
                   entries=[entry(GUIDE, "Guía", "limite", "costa", opacity=0.0)])
    found = only(preflight_findings(several), "transparent")
    assert found.remedy.label == "Leave them out" and found.advice == "Give them an opacity, or leave them out."


def test_a_map_of_own_layers_alone_is_checked():
    own = OwnLayer("points", "Puntos", "vector", "ogr", "/p.gpkg")
    found = preflight_findings(PreflightContext(CustomMap(own_layers=(own,), extent=PARK), Plan("", "EPSG:25830", ()),
                                                frame=FRAME, own_scales={"points": (None, 1.0)}))
    assert "scale" in rules(found)


def test_a_scale_is_named_and_proposed_on_the_ground_whatever_qgis_makes_of_it():
    """QGIS compares ranges with its own denominator: in web Mercator at 38° 1.27 times the ground's."""
    near = layer("limite", scale_range=(None, 60_000.0))
    stretched = replace(FRAME, scale=50_000.0, nominal_scale=63_500.0)
    finding = only(preflight_findings(case(service(GUIDE, near), frame=stretched)), "scale")
    assert "1:50\u202f000" in finding.message and finding.other_remedies[0].value == 40_000.0
    assert "scale" not in rules(preflight_findings(case(service(GUIDE, layer("limite", scale_range=(60_000.0, None))),
                                                        frame=stretched)))


DEGREES = GroundScale(1 / 87_400, 1 / 111_000, (-3.5, 38.4), True, 38.4)


def test_a_map_in_degrees_says_so_and_offers_the_best_projected_crs_of_its_services():
    frame = replace(FRAME, scale=100_000.0, ground=DEGREES)
    finding = only(preflight_findings(case(frame=frame)), "degrees")
    assert finding.severity is Severity.WARNING and finding.entry_index is None
    assert "1 km" in finding.message and "1.27 km" in finding.message
    assert finding.remedy.kind is RemedyKind.CRS and finding.remedy.value in ("EPSG:25830", "EPSG:3042")


@pytest.mark.parametrize(("share", "is_told"), [(1.0, False), (1.0045, False), (1.0055, True), (0.987, True)])
def test_a_scale_that_differs_by_direction_is_a_finding_above_half_a_percent(share, is_told):
    frame = replace(FRAME, ground=GroundScale(1.0, share, (0.0, 0.0)))
    found = preflight_findings(case(frame=frame))
    assert ("uneven-scale" in rules(found)) == is_told
    if is_told:
        assert "%" in only(found, "uneven-scale").message


def test_the_figures_of_a_scale_issue_are_written_as_in_spanish():
    i18n.set_translator(load_translator("es"), "es")
    try:
        frame = replace(FRAME, scale=100_000.0, ground=GroundScale(1 / 87_400, 1 / 111_000, (-3.5, 38.4)))
        message = only(preflight_findings(case(frame=frame)), "uneven-scale").message
    finally:
        i18n.set_translator(None)
    assert re.findall(r"\d+[.,]\d+", message) == ["1,27", "21,3"]


def test_a_crs_that_is_not_offered_names_the_one_that_is_used_and_one_that_all_offer():
    other = service(GUIDE, layer("limite", crs=("EPSG:32630", "EPSG:3857")))
    finding = only(preflight_findings(case(other)), "crs")
    assert "EPSG:25830" in finding.message and "EPSG:32630" in finding.message
    assert finding.remedy.value == "EPSG:32630"


def test_limits_cut_a_picture_into_pieces_and_the_figures_count_them():
    limited = case(service(GUIDE, layer("limite"), limits=ServiceLimits(None, 1024, 2048)))
    assert FRAME.pixels(300) == (2835, 2126)
    assert estimate_print(limited).requests == 5 * 2 and estimate_print(limited).largest == (
        684, 1536), "each with its margin"
    assert "10 parts" in only(preflight_findings(limited), "pieces").message
    told = estimate_print(limited, seconds_per_megapixel=2.0)
    assert round(told.megapixels, 1) == 6.0 and round(told.seconds) == 12 and "10 images" in told.text()
    assert "many-images" in rules(preflight_findings(replace(limited, dpi=1600)))


def test_a_picture_within_the_limits_is_one_image_though_it_leaves_no_room_for_a_margin():
    assert estimate_print(case(service(GUIDE, layer("limite"), limits=ServiceLimits(None, 2835, 2126)))).requests == 1


def test_fixed_sizes_missing_legends_and_covering_overlays_are_told():
    whole = service(GUIDE, layer("limite", styles=(Style("default"),), no_subsets=True))
    found = preflight_findings(case(whole, rain=service(RAIN, layer("dia1"), formats=("image/jpeg",))))
    assert {"fixed", "legend", "opaque"} <= set(rules(found))
    finding = only(found, "opaque")
    assert finding.service_title == "Lluvia" and [(remedy.kind, remedy.value) for remedy in finding.remedies] == [
        (RemedyKind.BLEND, "multiply"), (RemedyKind.OPACITY, 0.7)], "only the base lies below it"
    faint = [entry(GUIDE, "Guía", "limite"), entry(RAIN, "Lluvia", "dia1", opacity=0.6)]
    again = preflight_findings(case(whole, service(RAIN, layer("dia1"), formats=("image/jpeg",)), faint))
    assert "opaque" not in rules(again)


def test_days_drawn_over_each_other_are_told_with_one_of_them_as_remedy_unless_each_has_a_map():
    days = [f"lluvia_2016060{day}" for day in (3, 2, 1)]
    rain = service(RAIN, *(layer(name, title=f"Lluvia, {name[-1]} de junio de 2016") for name in days),
                   layer("estaciones"))

    def found(names=(*days, "estaciones"), template="guide", **fields):
        made = case(rain=rain, entries=[entry(GUIDE, "Guía", "limite"), entry(RAIN, "Lluvia", *names, **fields)])
        page = replace(made.document.page, template=template)
        return [one for one in preflight_findings(replace(made, document=replace(made.document, page=page)))
                if one.rule == "mixed-moments"]

    finding, = found()
    assert (finding.severity, finding.service_title) == (Severity.WARNING, "Lluvia")
    assert finding.message.startswith("3 ")
    assert (finding.remedy.kind, finding.remedy.value) == (RemedyKind.MOMENT, "2016-06-01")
    assert not found(moment=finding.remedy.value) and not found((days[0], "estaciones")), "one day"
    assert not found(template="multiples")


def test_overlays_alone_have_nothing_to_orient_by_and_a_base_of_the_library_is_offered():
    guide = SuggestionCandidate("g", "Mapa guía del Parque", GUIDE)

    days = [f"lluvia_2016060{day}" for day in (1, 2, 3)]

    def found(offers=(), frame=FRAME, opaque=False, template="guide", own=(), base=False, services=None,
              shown=("dia1",), extent=None):
        rain = service(RAIN, *(layer(name, opaque=opaque, title=f"Lluvia, {name[-1]} de junio de 2016")
                               for name in shown))
        made = case(rain=rain, entries=[entry(GUIDE, "Guía", "limite"), entry(RAIN, "Lluvia", *shown)])
        document = made.document if base else replace(made.document, base=None)
        document = replace(document, page=PageSetup(template=template), own_layers=own,
                           extent=extent or document.extent)
        services = {**made.services, **(services or {})}
        plan = make_plan(document, services, made.records)
        changed = replace(made, document=document, plan=plan, frame=frame, services=services, base_offers=offers)
        return [one for one in preflight_findings(changed) if one.rule == "no-base"]

    note, = found()
    assert (note.severity, note.remedies) == (Severity.NOTE, ())
    warning, = found([guide])
    assert warning.severity is Severity.WARNING
    assert (warning.remedy.kind, warning.remedy.value) == (RemedyKind.ADD_BASE, "g")
    assert "Mapa guía del Parque" in warning.remedy.label
    assert not found([guide], base=True, services={GUIDE: CartoguideError("No answer")}), "its base is missing"
    assert not found(base=True) and not found(opaque=True)
    assert found(template="multiples"), "no series: it is printed as a guide map"
    assert found(template="multiples", shown=days), "of a park: it is printed as a guide map"
    assert not found(template="multiples", shown=days, extent=MapExtent(-7.5, 36.0, -1.66, 38.73))
    assert not found(frame=replace(FRAME, scale=2_500_000.0)), "there the page shows the region"
    contours = OwnLayer("own-1", "Curvas", "vector", "ogr", "/srv/curvas.gpkg")
    assert found(own=(contours,)) and not found(own=(replace(contours, type="raster", provider="gdal"),))
    assert found(own=(replace(contours, type="raster", visible=False),))


def test_own_layers_alone_have_no_base_unless_they_are_a_picture_or_fill_the_map():
    offer = SuggestionCandidate("g", "Mapa guía del Parque", GUIDE)
    own = OwnLayer("own-1", "Zonas", "vector", "ogr", "/srv/zonas.gpkg")

    def found(filling=(), **changes):
        document = CustomMap(extent=PARK, own_layers=(replace(own, **changes),))
        context = PreflightContext(document, make_plan(document, {}, {}), frame=FRAME, base_offers=[offer],
                                   filling_layers=filling)
        return [(one.rule, one.severity) for one in preflight_findings(context) if one.rule == "no-base"]

    assert found() == [("no-base", Severity.WARNING)]
    assert not found(["own-1"]) and not found(type="raster", provider="gdal") and not found(visible=False)


_UPRIGHT, _TURNED = ((0, 0), (4, 0), (4, 2), (0, 2)), ((1, 0), (2, 1), (1, 2), (0, 1))


@pytest.mark.parametrize(("corners", "box", "share"), [
    (_UPRIGHT, Box(0, 0, 4, 2), 1.0), (_UPRIGHT, Box(-9, -9, 1, 9), 0.25), (_UPRIGHT, Box(5, 5, 6, 6), 0.0),
    (_TURNED, Box(0, 0, 2, 2), 1.0), (_TURNED, Box(0, 0, 1, 1), 0.25), (_TURNED[::-1], Box(0.5, 0.5, 9, 9), 0.75)])
def test_the_share_of_a_turned_map_that_is_covered_is_that_of_its_own_corners(corners, box, share):
    assert covered_share(corners, box) == pytest.approx(share)


@pytest.mark.parametrize(("title", "ground"), [
    ("Mapa guía del Parque Natural Despeñaperros. 2014", True), ("Mapa Topográfico de Andalucía 1:10.000", True),
    ("Ortofotografía digital 2019", True), ("National base map", True), ("Orthophotos 2020", True),
    ("Precipitación total diaria. Junio de 2016", False), ("Equipamientos de uso público de Andalucía", False)])
def test_a_map_of_the_ground_is_known_by_its_title(title, ground):
    assert shows_ground(title) is ground


def test_a_map_that_lacks_what_its_leaflet_needs_is_printed_as_a_guide_map_and_each_place_says_so():
    table, base = (TableSource(GUIDE, "senderos"),), MapEntry(GUIDE, "Guía", layers=("senderos",))
    trail = OwnLayer("a", "Mi ruta", "vector", "ogr", "a.gpkg")
    whole = LeafletTexts("Un parque.", table=table)

    def printed(texts, **changes):
        document = CustomMap(**{"base": base, "page": PageSetup(
            "A3", Orientation.LANDSCAPE, "leaflet", leaflet=texts), **changes})
        made = make_plan(document, {}, {})
        lacking = [one for one in preflight_findings(replace(case(), document=document, plan=made, titles=()))
                   if one.rule.startswith("leaflet")]
        assert [one.message for one in lacking] == [note.text for note in made.notes if "leaflet" in note.text]
        assert all("printed as a guide map" in one.message and one.severity is Severity.WARNING and one.advice
                   for one in lacking)
        assert made.page == (replace(document.page, template="guide") if lacking else document.page)
        return [one.rule for one in lacking]

    assert printed(LeafletTexts()) == printed(replace(whole, visitor_text=" \n")) == ["leaflet-text"]
    assert printed(replace(whole, table=())) == ["leaflet-table"]
    assert printed(whole, base=None, overlays=(base,)) == ["leaflet-ground"]
    assert printed(whole, base=replace(base, visible=False)) == ["leaflet-ground"]
    assert printed(whole) == printed(whole, base=None, own_layers=(trail,)) == []


def test_images_that_hide_most_of_what_lies_below_are_told_with_the_mildest_remedy_first():
    def trial(layer, covered, width=100, entry=2):
        return TrialRequest(layer, "Lluvia", entry, (width, 100), covered=covered)

    found = trial_findings([trial("dia1", 1.0, 90), trial("dia1", 0.0, 10), trial("estaciones", 0.1)])
    finding = only(found, "covering")
    assert "“dia1”" in finding.message and "estaciones" not in finding.message and finding.is_problem
    assert [remedy.kind for remedy in finding.remedies] == [RemedyKind.BLEND, RemedyKind.BELOW, RemedyKind.OPACITY]
    assert trial_findings([trial("dia1", 1.0, 60), trial("dia1", 0.0, 40)]) == ()


def test_what_a_template_shows_of_its_own_is_not_left_out_by_a_button():
    empty = TrialRequest("a", "Inset", None, (10, 10), bytes=100, single_colour="transparent")
    failed = replace(empty, error="down", single_colour="")
    for trial, labels in ((empty, []), (failed, ["Check again"])):
        for entry, more in ((None, []), (0, ["Leave it out", "Remove from the map"])):
            finding, = trial_findings([replace(trial, entry_index=entry)])
            assert [remedy.label for remedy in finding.remedies] == labels + more


def test_tiles_hide_the_layers_below_together_and_the_remedies_are_those_of_the_own_layer():
    def tiles(*covered):
        return trial_findings([TrialRequest("Orto", "tiles.example", None, (256, 256), is_opaque=share == 1.0,
                                            covered=share, is_tile=True, own_layer="own") for share in covered])

    finding = only(tiles(1.0, 1.0, 1.0, 0.9), "covering")
    assert finding.own_layer == "own" and finding.service_title == "tiles.example"
    assert [remedy.kind for remedy in finding.remedies] == [RemedyKind.BLEND, RemedyKind.BELOW, RemedyKind.OPACITY]
    assert tiles(1.0, 0.0, 0.0, 0.3) == (), "land, and the sea beside it"


def test_a_map_outside_of_a_records_box_is_an_error_and_mostly_outside_a_note():
    away = {GUIDE: record(GUIDE, "Guía", extents=(Extent(-6.0, -5.0, 36.0, 37.0),))}
    assert only(preflight_findings(case(records=away)), "outside").severity is Severity.ERROR
    partly = {GUIDE: record(GUIDE, "Guía", extents=(Extent(-3.45, -3.2, 38.2, 38.6),))}
    assert "25 %" in only(preflight_findings(case(records=partly)), "partly-outside").message
    assert only(preflight_findings(case(records=partly)), "partly-outside").remedy.kind is RemedyKind.EXTENT


def test_a_base_that_leaves_a_third_of_the_page_white_is_said_and_an_overlay_is_not():
    middle = PARK.west + 0.65 * (PARK.east - PARK.west)
    most, drawn = (Extent(PARK.west, middle, PARK.south, PARK.north),), Box(PARK.west, PARK.south, middle, PARK.north)
    two = [entry(GUIDE, "Guía", "limite"), entry(RAIN, "Lluvia", "dia1")]
    records = {GUIDE: record(GUIDE, "Guía", extents=most), RAIN: record(RAIN, "Lluvia", extents=most)}

    def found(guide):
        return preflight_findings(case(guide, service(RAIN, layer("dia1")), two, records))

    assert "partly-outside" not in rules(found(None)), "the service has layers beyond the record's extent"
    said = only(found(service(GUIDE, layer("limite", geographic_bbox=drawn))), "partly-outside")
    assert said.entry_index == 0 and "65 %" in said.message and said.remedy.kind is RemedyKind.EXTENT



def test_limits_of_the_data_are_told_beside_those_of_the_service():
    data = record(GUIDE, "Suelos", kind=ResourceKind.DATASET, fees="120 EUR", other_constraints=(
        Constraint("CC BY-NC 4.0"),), use_limitations=("Solo para uso interno",))
    stored = stored_data_credit(terms_for(data))
    made = CustomMap("Mapa", base=MapEntry(GUIDE, "Guía", layers=("a",), styles=("",), data_credits=(stored,)))
    assert read_document(write_document(made)).base.data_credits == (stored,)
    found = [one for one in preflight_findings(case(entries=[made.base])) if one.rule == "limits"]
    said = " ".join(one.message for one in found)
    assert {one.entry_index for one in found} == {0} and "of its data" in said
    assert "120 EUR" in said and "uso interno" in said
    free = stored_data_credit(terms_for(record(GUIDE, "Suelos", kind=ResourceKind.DATASET)))
    assert free.limits == () and "limits" not in write_document(replace(made, base=replace(
        made.base, data_credits=(free,)))).decode()


def test_terms_fees_and_a_lost_record_are_told_and_the_kept_credit_counts():
    paid = {GUIDE: record(GUIDE, "Guía", fees="120 EUR al año", other_constraints=())}
    found = preflight_findings(case(records=paid))
    assert "120 EUR" in only(found, "fees").message
    silent = {GUIDE: record(GUIDE, "Guía", fees=None, other_constraints=())}
    assert "terms-undecided" in rules(preflight_findings(case(records=silent)))
    kept = entry(GUIDE, "Guía", "limite", credit=StoredCredit("Consejería, 2014", Decision.YES))
    assert rules(preflight_findings(case(entries=[kept], records={}))) == ["terms-undecided", "kept-credit"]
    bare = entry(GUIDE, "Guía", "limite", credit=StoredCredit("", Decision.YES))
    silent = case(CartoguideError("No responde."), entries=[bare], records={})
    assert only(preflight_findings(silent), "no-credit").severity is Severity.ERROR
    # as the export has it, which refuses the map in both cases
    open_terms = entry(GUIDE, "Guía", "limite", credit=StoredCredit("", Decision.UNDECIDED))
    unclear = only(preflight_findings(case(CartoguideError("No."), entries=[open_terms], records={})), "no-credit")
    assert unclear.severity is Severity.ERROR and "not exported without it" in unclear.advice


def test_record_and_service_years_and_addresses_are_compared():
    rain = service(RAIN, layer("dia1"))
    records = {GUIDE: record(GUIDE, "Guía"),
               RAIN: record(RAIN, "Lluvia", dates=(RecordDate("2016-06-01", "publication"),),
                            service_versions=("1.1.1",))}
    found = preflight_findings(case(rain=rain, records=records))
    assert "2014" in only(found, "years").message and "2016" in only(found, "years").message
    assert "Guía (2014)" in only(found, "years").message
    ending = {**records, GUIDE: record(GUIDE, "Guía. 2014")}
    named = [entry(GUIDE, "Guía. 2014", "limite"), entry(RAIN, "Lluvia", "dia1")]
    message = only(preflight_findings(case(rain=rain, records=ending, entries=named)), "years").message
    assert message.count("2014") == 1, "a title that ends with the year says it already"
    assert only(found, "disagreement").service_title == "Lluvia"
    moved = {GUIDE: record("https://nuevo.org/mapwms/T_guia?", "Guía")}
    finding = only(preflight_findings(case(records=moved)), "moved")
    assert finding.remedy.kind == "endpoint" and finding.remedy.addresses == ((0, "https://nuevo.org/mapwms/T_guia?"),)


def test_what_moved_is_repaired_for_all_of_the_map_by_one_button():
    new = {GUIDE: record(GUIDE.replace("x.org", "nuevo.org"), "Guía"),
           RAIN: record(RAIN.replace("x.org", "nuevo.org"), "Lluvia")}
    made = [entry(GUIDE, "Guía", "limite"), entry(RAIN, "Lluvia", "dia1"), entry(GUIDE, "Límite", "limite")]
    found = [one for one in preflight_findings(case(rain=service(RAIN, layer("dia1")), records=new, entries=made))
             if one.rule == "moved"]
    assert [one.service_title for one in found] == ["Guía", "Lluvia", "Límite"]
    assert {one.remedy.addresses for one in found} == {(
        (0, "https://nuevo.org/mapwms/T_guia?"), (1, "https://nuevo.org/mapwms/T_lluvia?"),
        (2, "https://nuevo.org/mapwms/T_guia?"))}
    assert {one.remedy.label for one in found} == {"Use the record's address for all"}


def test_services_that_are_gone_for_one_cause_are_one_issue_with_the_remedy_that_helps_first():
    made = [entry(GUIDE, "Guía", "limite"), entry(RAIN, "Lluvia", "dia1")]

    def found_with(**records):
        gone = case(rain=service(RAIN, layer("dia1")), entries=made, records={
            address: record(new, name) for name, (address, new) in records.items()})
        down = {address: CartoguideError("x.org refuses connections.", address) for address in (GUIDE, RAIN)}
        plan = make_plan(gone.document, down, gone.records)
        return [one for one in preflight_findings(replace(gone, services=down, plan=plan))
                if one.rule in ("missing", "moved")]

    finding, = found_with(Guía=(GUIDE, GUIDE), Lluvia=(RAIN, RAIN))
    assert finding.service_title == "Guía, Lluvia" and finding.message.count("x.org refuses connections") == 1
    assert [(one.kind, one.entries) for one in finding.remedies] == [(RemedyKind.REFRESH, (0, 1))]
    new = GUIDE.replace("x.org", "nuevo.org"), RAIN.replace("x.org", "nuevo.org")
    finding, = found_with(Guía=(GUIDE, new[0]), Lluvia=(RAIN, new[1]))
    assert finding.severity is Severity.ERROR and new[0] in finding.detail and "record's address" in finding.advice
    assert [one.kind for one in finding.remedies] == [RemedyKind.ENDPOINT, RemedyKind.REFRESH]
    assert finding.remedy.addresses == ((0, new[0]), (1, new[1]))
    apart = found_with(Guía=(GUIDE, GUIDE), Lluvia=(RAIN, new[1]))
    assert [(one.service_title, one.remedy.kind) for one in apart] == [
        ("Guía", RemedyKind.REFRESH), ("Lluvia", RemedyKind.ENDPOINT)], "not for one remedy"


@pytest.mark.parametrize("names", [("limite",), ()], ids=["layers by name", "all layers"])
@pytest.mark.parametrize("hidden", [{"visible": False}, {"hidden": ("limite",)}], ids=["service", "its layers"])
def test_a_map_of_which_all_is_hidden_is_an_error_with_the_remedy_of_showing_it(hidden, names):
    shown = case(entries=[entry(GUIDE, "Guía", "limite")])
    assert not [one for one in preflight_findings(shown) if one.rule == "all-hidden"]
    found = only(preflight_findings(case(entries=[entry(GUIDE, "Guía", *names, **hidden)])), "all-hidden")
    assert found.severity is Severity.ERROR and "“Guía” is hidden" in found.message
    assert found.remedy.kind is RemedyKind.SHOW


def test_http_is_told_where_https_answers():
    plain = GUIDE.replace("https", "http")
    made = CustomMap(base=entry(plain, "Guía", "limite"), extent=PARK)
    services = {plain: service(plain, layer("limite"))}
    records = {plain: record(plain, "Guía")}
    found = preflight_findings(
        PreflightContext(made, make_plan(made, services, records), services, records, FRAME, https_endpoints=(plain, )))
    assert only(found, "http").remedy.addresses == ((0, GUIDE),)


def test_what_was_asked_gives_one_error_for_each_layer_and_the_measured_time():
    answers = [
        TrialRequest("Capa", "Guía", 0, (1000, 1000), 3.0, 5000),
        TrialRequest("Ríos", "Guía", 0, (1000, 1000), 1.0, 0, "No responde.", "HTTP 500"),
        TrialRequest("Ríos", "Guía", 0, (1000, 1000), 1.0, 0, "No responde.", "HTTP 500"),
        TrialRequest("Lenta", "Guía", 0, (1000, 1000), 30.0, 5000)
    ]
    failed, slow = trial_findings(answers)
    assert failed.severity is Severity.ERROR and "1000 × 1000" in failed.message and "HTTP 500" in failed.detail
    assert [one.kind for one in failed.remedies] == [RemedyKind.CHECK, RemedyKind.HIDE, RemedyKind.REMOVE]
    assert "smaller" in failed.advice
    down, = trial_findings([replace(answers[1], depends_on_size=False)])
    assert "smaller" not in down.advice, "a server that fails does so for an image of any size"
    elsewhere, = trial_findings([replace(answers[1], entry_index=None)])
    assert [one.kind for one in elsewhere.remedies] == [RemedyKind.CHECK], "it is not on the map"
    assert slow.rule == "slow" and "30 s" in slow.message
    assert seconds_per_megapixel(answers, 33.0) == 16.5
    assert seconds_per_megapixel([], 1.0) is None


def test_what_came_empty_is_a_warning_of_a_whole_service_and_a_note_of_some_of_its_layers():
    def came(layer, colour, service="Guía", entry=0, error=""):
        return TrialRequest(layer, service, entry, (100, 100), 1.0, 300, error, "", colour)

    wet = came("2 de junio", "")
    some = trial_findings([*(came(f"{day} de junio", "transparent") for day in range(3, 9)), wet, wet])
    assert [(one.rule, one.severity, one.remedy) for one in some] == [("empty", Severity.NOTE, None)]
    assert "“3 de junio”, “4 de junio”, “5 de junio” and 3 more" in some[0].message and "“2" not in some[0].message
    whole = trial_findings([came("Mar", "#ffffff"), came("Mar", "#ffffff"), wet, came("Costa", "", "Otro", 1)])
    assert [one.severity for one in whole] == [Severity.NOTE]
    whole = trial_findings([came("Mar", "#ffffff"), came("Mar", "transparent"), came("Costa", "", "Otro", 1)])
    assert [(one.severity, one.entry_index, [remedy.kind for remedy in one.remedies])
            for one in whole] == [(Severity.WARNING, 0, [RemedyKind.HIDE, RemedyKind.REMOVE])]
    assert trial_findings([came("Mar", "", error="no")])[0].rule == "print-size"
    assert trial_findings([came("Mar", "transparent"), came("Mar", "")]) == (), "one of its pieces shows something"


def snapshot_findings(scale=25000.0, dpi=300, extent=SNAPSHOT_AREA, local=True, snapshot=SNAPSHOT,
                      drawn=(None, None)):
    copy = SnapshotSource("x.gpkg", "x") if local else None
    layer = LayerPlan(WmsSource("http://h/wms?", "a", "", "image/png", "EPSG:25830"), "Roads", snapshot_source=copy,
                      scale_range=drawn)
    case = PreflightContext(CustomMap(base=MapEntry("http://h/wms?", "Guide")), Plan("m", "EPSG:25830", (layer, )),
                            frame=PrintFrame(scale, 200, 100, extent), dpi=dpi, snapshot=snapshot)
    return [(finding.rule, finding.severity.name) for finding in preflight_findings(case, SNAPSHOT_RULES)]


def test_a_page_that_the_snapshot_was_taken_for_has_no_findings():
    assert snapshot_findings() == snapshot_findings(50000.0) == snapshot_findings(50000.0, 96) == []
    assert snapshot_findings(1.0, local=False, snapshot=None) == [], "a live map is none of these rules' business"


def test_each_shortcoming_is_told():
    assert snapshot_findings(local=False) == [("offline-live", "WARNING")]
    assert snapshot_findings(local=False, drawn=(None, 20000.0)) == [], "nothing of it is requested at this scale"
    assert snapshot_findings(extent=Box(-3.7, 38.3, -3.4, 38.45)) == [("offline-area", "ERROR")]
    assert snapshot_findings(10000.0) == [("offline-coarse", "WARNING")] == snapshot_findings(25000.0, 600)
    assert snapshot_findings(40000.0) == [("offline-scale", "NOTE")]


@pytest.mark.parametrize(("days", "found"), [(31, 0), (42, 0), (43, 1)])
def test_days_that_have_no_room_on_the_page_are_told_before_it_is_printed(days, found):
    layers = tuple(LayerPlan(WmsSource(RAIN, f"lluvia_{day}", "", "image/png", "EPSG:25830"),
                             f"Lluvia, {day} de julio" if day < 32 else f"Lluvia, {day - 31} de agosto",
                             service_title="Lluvia", entry_index=0,
                             time_span=(datetime(2016, 7, 1) + timedelta(day), datetime(2016, 7, 2) + timedelta(day)))
                   for day in range(1, days + 1))
    document = CustomMap(overlays=(MapEntry("a", RAIN), ), page=PageSetup(template="multiples"))
    context = PreflightContext(document, Plan("", "EPSG:25830", layers, page=document.page))
    told = list(page_features(context))
    assert len(told) == found and page_features in RULES
    assert all("42" in one.message and str(days) in one.message for one in told)
    assert not list(page_features(replace(context, plan=replace(context.plan, page=PageSetup()))))
