"""Plans of custom maps: every layer with its credit, and every missing layer reported."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.box import Box
from plugin.core.custommap.legend.tree import is_in_legend
from plugin.core.custommap.model import BlendMode, CustomMap, MapEntry, MapExtent, StoredCredit
from plugin.core.custommap.planner import at_one_moment, make_plan
from plugin.core.errors import CartoguideError
from plugin.core.records.model.record import Constraint, Contact, Extent, OnlineResource, Record, ResourceKind
from plugin.core.terms.model import Decision
from plugin.core.wms import read_service
from plugin.core.wms.model.service import (
    Attribution,
    Layer,
    LinkedDocument,
    OperationInfo,
    Service,
    ServiceContact,
    ServiceLimits,
    Style,
)
from tests.examples import examples

GUIDE, FACILITIES = "https://x.org/mapwms/T_guia?", "https://x.org/mapwms/T_equip?"
CRS = ("EPSG:3042", "EPSG:25830", "EPSG:4326")
FAMILY = "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios"
SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"


def layer(name, **fields):
    legend = LinkedDocument(f"https://x.org/legend?layer={name}", "image/png")
    values = {
        "title": f"Capa {name}", "crs": CRS, "styles": (Style("default", legends=(legend, )), Style("azul")),
        "queryable": True, "geographic_bbox": Box(-3.7, 38.2, -3.3, 38.5), **fields
    }
    return Layer(name, **values)


def service(endpoint, *layers, **fields):
    address = endpoint + "language=spa&"
    operations = {name: OperationInfo(name, address, None, formats) for name, formats in (
        ("GetCapabilities", ("text/xml",)), ("GetMap", ("image/png", "image/jpeg")),
        ("GetFeatureInfo", ("text/html", "application/vnd.ogc.gml", "text/plain")))}
    values = {
        "title": "Servicio", "operations": operations, "limits": ServiceLimits(None, 4096, 2048),
        "root": Layer("RAIZ", "Raíz", crs=CRS, queryable=True, layers=layers), **fields
    }
    return Service("1.3.0", **values)


def known(endpoint, title, **fields):
    record = Record("x", id=f"id-{title}", title=title, abstract="Resumen", kind=ResourceKind.SERVICE, fees="Gratuito",
                    contacts=(Contact(organisation="Consejería", role="owner", emails=("a@x.org",)),), keywords=("WMS",
                        "guía"),
                    use_limitations=("Ver otras restricciones",), other_constraints=(Constraint(FAMILY),),
                    online=(OnlineResource(endpoint, "OGC:WMS"), OnlineResource("ftp://x.org/a"),
                            OnlineResource("https://x.org/visor")), **fields)
    return record


MAP = CustomMap("Mi mapa", base=MapEntry(GUIDE, "Guía", record_id="r"),
                overlays=(MapEntry(FACILITIES, "Equip", layers=("b", "a"), styles=("azul", ""), opacity=0.5), ))
SERVICES = {GUIDE: service(GUIDE, layer("relieve"), layer("ríos"), layer("rótulos")), FACILITIES: service(FACILITIES,
    layer("a"), layer("b"))}
RECORDS = {GUIDE: known(GUIDE, "Mapa guía 2014"), FACILITIES: known(FACILITIES, "Equipamientos")}


def names(plan):
    return [item.name for item in plan.layers]


def test_base_below_overlays_above_each_in_drawing_order():
    plan = make_plan(MAP, SERVICES, RECORDS)
    assert names(plan) == ["relieve", "ríos", "rótulos", "b", "a"]
    assert [item.role for item in plan.layers] == ["base"] * 3 + ["overlay"] * 2
    assert [item.entry_index for item in plan.layers] == [0, 0, 0, 1, 1]
    assert plan.notes == () and plan.crs == "EPSG:25830"


def test_an_entry_of_an_unknown_kind_is_missing_by_name_though_a_map_service_answers_there():
    later = replace(MAP, overlays=(replace(MAP.overlays[0], kind="tiles-of-tomorrow"),))
    plan = make_plan(later, SERVICES, RECORDS)
    assert names(plan) == ["relieve", "ríos", "rótulos"]
    (note,) = plan.notes
    assert note.is_missing and note.entry_index == 1 and "Equip" in note.text and "tiles-of-tomorrow" in note.text


def test_a_named_root_is_never_asked_for_in_place_of_its_layers_unless_it_was_chosen():
    assert "RAIZ" not in names(make_plan(MAP, SERVICES, RECORDS))
    chosen = CustomMap(base=MapEntry(GUIDE, layers=("RAIZ",)))
    assert names(make_plan(chosen, SERVICES, RECORDS)) == ["RAIZ"]


def test_groups_without_names_are_only_walked_through():
    nested = service(GUIDE, Layer(None, "Grupo", layers=(layer("a"), Layer("g", "G", layers=(layer("b"),)))),
                     Layer("solo", "S", crs=CRS, layers=(Layer(None, "x"),)))
    assert names(make_plan(CustomMap(base=MapEntry(GUIDE)), {GUIDE: nested}, {})) == ["a", "b", "solo"]


def test_a_layer_carries_all_that_is_known_of_it():
    rivers = make_plan(MAP, SERVICES, RECORDS).layers[1]
    assert (rivers.address, rivers.wms.crs) == (GUIDE + "language=spa&", "EPSG:25830")
    assert (rivers.wms.format, rivers.wms.style) == ("image/png", "")
    assert (rivers.title, rivers.abstract, rivers.service_title, rivers.record_id) == ("Capa ríos", "Resumen",
        "Mapa guía 2014", "id-Mapa guía 2014")
    assert rivers.rights == ("Consejería, Mapa guía 2014",) and rivers.credit_required == "yes"
    assert rivers.licences == (FAMILY,) and rivers.fees == "Gratuito"
    assert ("use", FAMILY) in rivers.constraints and not any("Ver otras" in text for _, text in rivers.constraints)
    assert rivers.contacts[0] == {"organisation": "Consejería", "role": "owner", "email": "a@x.org"}
    assert [link["url"] for link in rivers.links] == [GUIDE, "https://x.org/visor"]
    assert rivers.extent == Box(-3.7, 38.2, -3.3, 38.5)
    assert (rivers.wms.max_width, rivers.wms.max_height) == (4096, 2048)
    assert rivers.wms.feature_info_format == "application/vnd.ogc.gml"
    assert rivers.wms.legend_url == "https://x.org/legend?layer=ríos" and rivers.keywords == ("WMS", "guía")


def test_words_that_stand_for_use_and_for_access_are_one_constraint_about_use():
    services = {GUIDE: service(GUIDE, layer("a"), access_constraints=FAMILY.upper())}
    plan = make_plan(CustomMap(base=MapEntry(GUIDE)), services, RECORDS)
    assert plan.layers[0].constraints == (("use", FAMILY),)


def test_opacity_visibility_and_styles_are_the_entry_s():
    overlay = make_plan(MAP, SERVICES, RECORDS).layers[3]
    assert (overlay.name, overlay.wms.style, overlay.opacity, overlay.wms.legend_url) == ("b", "azul", 0.5, None)


@pytest.mark.parametrize("state", [CartoguideError("El servidor no responde."), None])
def test_a_service_that_cannot_be_used_is_told_and_never_dropped(state):
    services = {GUIDE: SERVICES[GUIDE], **({FACILITIES: state} if state else {})}
    plan = make_plan(MAP, services, RECORDS)
    assert names(plan) == ["relieve", "ríos", "rótulos"]
    (note,) = plan.notes
    assert note.is_missing and note.entry_index == 1 and "Equip" in note.text
    assert state is None or "no responde" in note.text


def test_a_layer_that_is_gone_is_told_and_the_others_stay():
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía", layers=("ríos", "vías"))), SERVICES, RECORDS)
    assert names(plan) == ["ríos"]
    assert [(note.is_missing, "vías" in note.text) for note in plan.notes] == [(True, True)]


def test_what_is_hidden_is_not_missed_where_it_is_gone():
    """An export went on to refuse a layer that had been left out, which the service offers no more."""
    gone = MapEntry(GUIDE, "Guía", layers=("ríos", "vías"))
    none = {GUIDE: service(GUIDE, layer("ríos", crs=()))}
    for entry, services in ((replace(gone, hidden=("vías",)), SERVICES), (replace(gone, visible=False), SERVICES),
                            (MapEntry(GUIDE, "Guía", visible=False), {GUIDE: Service("1.3.0")}),
                            (MapEntry(GUIDE, "Guía", layers=("ríos",), hidden=("ríos",)), none)):
        plan = make_plan(CustomMap(base=entry), services, RECORDS)
        assert plan.notes and not any(note.is_missing for note in plan.notes), entry


def test_a_service_with_nothing_to_draw_is_told():
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía")), {GUIDE: Service("1.3.0")}, {})
    assert plan.layers == () and any(note.is_missing for note in plan.notes)


def test_a_style_that_is_gone_falls_back_to_the_default_and_says_so():
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía", layers=("ríos",), styles=("verde",))), SERVICES, RECORDS)
    assert plan.layers[0].wms.style == "" and "verde" in plan.notes[0].text and not plan.notes[0].is_missing


def test_a_default_style_that_is_not_listed_needs_no_word():
    bare = service(GUIDE, layer("a", styles=()))
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, layers=("a",), styles=("default",))), {GUIDE: bare}, RECORDS)
    assert plan.layers[0].wms.style == "" and plan.notes == ()


def test_a_system_that_is_not_offered_is_replaced_and_told_once():
    services = {GUIDE: service(GUIDE, *(layer(str(number), crs=("EPSG:4326", "EPSG:3042")) for number in range(5)))}
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía")), services, RECORDS)
    assert {item.wms.crs for item in plan.layers} == {"EPSG:3042"}
    (note,) = plan.notes
    assert "EPSG:25830" in note.text and "EPSG:3042" in note.text and "2 more" in note.text and not note.is_missing


def test_a_layer_without_any_system_or_image_is_missing():
    none = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía")), {GUIDE: service(GUIDE, layer("a", crs=()))}, RECORDS)
    assert none.layers == () and none.notes[0].is_missing
    pdf = service(GUIDE, layer("a"), operations={"GetMap": OperationInfo("GetMap", GUIDE, None, ("application/pdf",))})
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía")), {GUIDE: pdf}, RECORDS)
    assert plan.layers == () and plan.notes[0].is_missing


def test_opaque_layers_come_as_jpeg_and_others_never_by_themselves():
    services = {GUIDE: service(GUIDE, layer("foto", opaque=True), layer("ríos"))}
    plan = make_plan(CustomMap(base=MapEntry(GUIDE)), services, RECORDS)
    assert [item.wms.format for item in plan.layers] == ["image/jpeg", "image/png"]
    covering = make_plan(CustomMap(overlays=(MapEntry(GUIDE, "Guía", layers=("ríos", ), format="image/jpeg"), )),
                         services, RECORDS)
    assert covering.layers[0].wms.format == "image/jpeg" and "transparency" in covering.notes[0].text


def test_without_its_record_the_credit_is_the_one_that_the_document_kept():
    kept = StoredCredit("Junta, Guía, 2014", Decision.YES, "CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/")
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía", record_id="gone", layers=("ríos", ), credit=kept)),
                     SERVICES, {})
    assert plan.layers[0].rights == ("Junta, Guía, 2014",) and plan.layers[0].credit_required == "yes"
    assert plan.layers[0].licences == ("CC-BY-4.0, https://creativecommons.org/licenses/by/4.0/",)
    assert plan.layers[0].record_id == "gone" and "not available" in plan.notes[0].text


def test_what_the_document_does_not_decide_about_its_credit_stays_undecided():
    """Undecided is owed on the page, as if it were required."""
    for required in Decision:
        kept = StoredCredit("Junta, Guía, 2014", required)
        plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía", record_id="gone", layers=("ríos", ), credit=kept)),
                         SERVICES, {})
        expected = Decision.UNDECIDED if required is Decision.NO else required
        assert plan.layers[0].credit_required == expected, "nor does a document alone free a service of it"


def test_without_record_and_document_the_service_is_credited_and_failing_that_it_is_said():
    named = service(GUIDE, layer("a"), contact=ServiceContact(organisation="IGN"))
    assert make_plan(CustomMap(base=MapEntry(GUIDE)), {GUIDE: named}, {}).layers[0].rights == ("IGN, Servicio",)
    nameless = service(GUIDE, layer("a"), title="")
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía")), {GUIDE: nameless}, {})
    assert plan.layers[0].rights == () and "No credit" in plan.notes[0].text


def test_a_map_without_a_title_is_called_after_the_park_that_its_services_name():
    entry = MapEntry(GUIDE, "Mapa guía del Parque Natural Despeñaperros. 2014")
    plan = make_plan(CustomMap(base=entry), SERVICES, {})
    assert (plan.title, plan.is_title_given) == ("Parque Natural Despeñaperros", False)
    given = make_plan(CustomMap(title="Senderos", base=entry), SERVICES, {})
    assert (given.title, given.is_title_given) == ("Senderos", True)


def test_a_layer_s_own_attribution_is_credited_too():
    services = {GUIDE: service(GUIDE, layer("osm", attribution=Attribution("© OpenStreetMap", "https://osm.org/")),
                               layer("b", attribution=Attribution("consejeria")))}
    first, second = make_plan(CustomMap(base=MapEntry(GUIDE)), services, RECORDS).layers
    assert first.rights == ("Consejería, Mapa guía 2014",
                            "© OpenStreetMap") and first.attribution_url == "https://osm.org/"
    assert second.rights == ("Consejería, Mapa guía 2014",)


def test_an_endpoint_is_recognised_in_any_spelling():
    spelt = CustomMap(base=MapEntry("http://X.org:80/mapwms/T_guia", "Guía", layers=("ríos",)))
    plan = make_plan(spelt, SERVICES, RECORDS)
    assert plan.layers[0].record_id == "id-Mapa guía 2014"


def test_scale_ranges_are_planned_and_judged_where_the_page_is_known():
    """A range is compared with QGIS's own scale, which follows from the page and is not the document's."""
    services = {GUIDE: service(GUIDE, layer("a", scale_range=(None, 50_000.0)), layer("b", scale_range=(10_000.0,
                                                                                                        None)))}
    plan = make_plan(CustomMap(base=MapEntry(GUIDE), scale=100_000), services, RECORDS)
    assert [item.scale_range for item in plan.layers] == [(None, 50_000.0), (10_000.0, None)]
    assert not plan.notes


def test_the_extent_is_the_document_s_else_the_base_s():
    own = MapExtent(-3.5, 38.3, -3.4, 38.4)
    assert make_plan(CustomMap(base=MapEntry(GUIDE), extent=own), SERVICES, RECORDS).extent == own.box
    assert make_plan(CustomMap(base=MapEntry(GUIDE)), SERVICES, RECORDS).extent == Box(-3.7, 38.2, -3.3, 38.5)
    assert make_plan(CustomMap(base=MapEntry(GUIDE), centre=(-3.5, 38.4), scale=5000), SERVICES, RECORDS).extent is None


def test_a_layer_without_a_box_takes_the_record_s():
    boxed = {GUIDE: known(GUIDE, "Guía", extents=(Extent(-4, -3, 38, 39), Extent(None, 1, 2, 3)))}
    plan = make_plan(CustomMap(base=MapEntry(GUIDE)), {GUIDE: service(GUIDE, layer("a", geographic_bbox=None))}, boxed)
    assert plan.layers[0].extent == Box(-4, 38, -3, 39)


def test_a_real_service_of_the_family_is_planned_whole():
    (path,) = SAMPLES.glob("webtilians+ecodispatch/**/areas.xml") if SAMPLES.is_dir() else [None]
    if path is None:
        pytest.skip("the samples are not beside the project")
    real = read_service(path.read_bytes(), path.name)
    endpoint = "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_historico_areas_recorridas_fuego?"
    plan = make_plan(CustomMap(base=MapEntry(endpoint, "Incendios")), {endpoint: real}, {})
    assert len(plan.layers) == 50 and "REDIAM" not in names(plan)
    assert {item.wms.crs for item in plan.layers} == {"EPSG:25830"}
    assert {item.address for item in plan.layers} == {endpoint + "language=spa&"}
    assert all(item.wms.max_width == 4096 and item.wms.legend_url and item.rights for item in plan.layers)


anything = st.builds(MapEntry, st.sampled_from([GUIDE, FACILITIES, "https://other.org/?", "nonsense", ""]),
                     st.text(max_size=5), layers=st.lists(st.sampled_from(["a", "b", "ríos", "RAIZ", "x"]),
                                                          max_size=3).map(tuple),
                     styles=st.lists(st.sampled_from(["", "azul", "x"]), max_size=3).map(tuple))


@settings(max_examples=examples(150), deadline=None)
@given(st.none() | anything, st.lists(anything, max_size=3), st.booleans(), st.sampled_from(["EPSG:25830", "x",
                                                                                             "CRS:84"]))
def test_every_entry_leaves_layers_or_a_note_that_something_is_missing(base, overlays, failing, crs):
    custom_map = CustomMap("M", base=base, overlays=tuple(overlays), crs=crs)
    services = {GUIDE: SERVICES[GUIDE], FACILITIES: CartoguideError("down") if failing else SERVICES[FACILITIES]}
    plan = make_plan(custom_map, services, RECORDS)
    told = {note.entry_index for note in plan.notes if note.is_missing}
    drawn = {item.entry_index for item in plan.layers}
    assert told | drawn == set(range(len(custom_map.entries)))
    for item in plan.layers:
        entry = custom_map.entries[item.entry_index]
        offered = next(found for found in services[entry.endpoint].iter_layers() if found.name == item.name)
        assert item.wms.crs in offered.crs and (item.wms.style == "" or offered.style(item.wms.style))
        assert item.rights
    for index, entry in enumerate(custom_map.entries):
        for name in entry.layers:
            drawn_here = any(item.entry_index == index and item.name == name for item in plan.layers)
            assert drawn_here or index in told


def test_an_entry_whose_address_has_another_record_keeps_its_own_credit():
    """Two entries may share an address, as after both were pointed to another one: records are known by address."""
    kept = StoredCredit("Consejería A, Mapa guía", Decision.YES)
    plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Otra", record_id="another", credit=kept)), SERVICES, RECORDS)
    assert "Consejería A, Mapa guía" in plan.credits[0].lines
    known = RECORDS[GUIDE]
    own = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía", record_id=known.id, credit=kept)), SERVICES, RECORDS)
    assert "Consejería A, Mapa guía" not in own.credits[0].lines and own.credits[0].lines


def test_the_ground_of_a_base_is_pale_below_a_series_that_is_multiplied():
    days = [layer(f"d{day}", title=f"Lluvia, {day} de junio de 2016") for day in (1, 2, 3)]
    rain = MapEntry(FACILITIES, "Lluvia", layers=("d1",), blend=BlendMode.MULTIPLY)

    def pale(base, overlay=rain, names=()):
        services = {GUIDE: service(GUIDE, *base), FACILITIES: service(FACILITIES, *days)}
        plan = make_plan(CustomMap(base=MapEntry(GUIDE, "Guía", layers=names), overlays=(overlay,)), services, {})
        assert not plan.layers[-1].is_pale
        return ([one.name for one in plan.layers if one.is_pale],
                [one.name for one in plan.layers if not is_in_legend(plan, one)])

    base = (layer("relieve", opaque=True), layer("velo"), layer("usos", opaque=True), layer("rios"))
    assert pale(base) == (["relieve", "velo", "usos"],) * 2, "their colours are not those of the legend"
    assert pale(base, names=("velo", "rios")) == (["velo"],) * 2, "the lowest one"
    assert pale(base[:1]) == (["relieve"], []), "a base of one layer keeps its legend"
    for other in (replace(rain, blend=BlendMode.NORMAL), replace(rain, visible=False), replace(rain, layers=())):
        assert pale(base, other) == ([], [])
    assert pale(base, replace(rain, layers=(), moment="2016-06-02"))[0] == ["relieve", "velo", "usos"]


def test_a_series_without_a_moment_is_multiplied_with_what_lies_below_it_as_in_the_window():
    days = [layer(f"d{day}", title=f"Lluvia, {day} de junio de 2016") for day in (1, 2, 3)]
    services = {GUIDE: service(GUIDE, layer("relieve")), FACILITIES: service(FACILITIES, *days)}
    made = CustomMap(base=MapEntry(GUIDE, "Guía"), overlays=(MapEntry(FACILITIES, "Lluvia"),))
    for document, blend in ((made, BlendMode.MULTIPLY), (replace(made, base=None), BlendMode.NORMAL)):
        shown = at_one_moment(document, services)[0].entries[-1]
        assert shown.moment and shown.blend is blend
    chosen = replace(made.overlays[0], blend=BlendMode.SCREEN, opacity=0.5)
    kept = at_one_moment(replace(made, overlays=(chosen,)), services)[0].entries[-1]
    assert (kept.blend, kept.opacity) == (BlendMode.SCREEN, 0.5), "what somebody has chosen"
