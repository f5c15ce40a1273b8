"""What the plugin writes it reads again, for all values that the window can set: ``read(write(x)) == x``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.catalogues.source_list import dump_sources, load_sources
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import (
    MAX_POSITION,
    PAPERS,
    BlendMode,
    CustomMap,
    EntryLegend,
    LayerLegend,
    MapEntry,
    MapExtent,
    Orientation,
    OwnLayer,
    PageSetup,
    SnapshotReference,
    StoredCredit,
    legend_title,
)
from plugin.core.errors import InvalidDocument
from plugin.core.health import HealthCheck, Probe, ProbeKind, Verdict, read_history, write_history
from plugin.core.library.collection_file import export_collection, read_collection_file
from plugin.core.library.record_store import RecordStore
from plugin.core.network_profile import (
    CatalogueType,
    NetworkCatalogue,
    NetworkProfile,
    ProfileFile,
    load,
    profile_json,
    read_profile,
    save,
)
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts, TableSource
from plugin.core.pages.logos import MapLogo
from plugin.core.snapshot.manifest import (
    FileRole,
    RasterFormat,
    SnapshotFile,
    SnapshotLayer,
    SnapshotManifest,
    SnapshotState,
    read_manifest,
    write_manifest,
)
from plugin.core.terms.model import Decision
from plugin.core.text import without_direction_marks
from tests.examples import examples

#: what a person can type: no lone surrogates, no zero, no marks that turn the direction
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60).map(
    without_direction_marks)
LINE = TEXT.filter(str.strip)
ADDRESS = st.builds("https://maps.example.org/{}?map={}".format, st.text("abcñ/%-", max_size=12),
                    st.text("abc&=%-", max_size=12))
NUMBER = st.floats(0, 1, allow_nan=False)
#: members that a later version writes
EXTRA = st.dictionaries(TEXT.map(lambda name: f"later {name}"),
                        st.recursive(st.none() | st.booleans() | st.integers(-10**6, 10**6) | TEXT,
                                     lambda inner: st.lists(inner, max_size=3), max_leaves=4), max_size=2)
CREDIT = st.builds(StoredCredit, TEXT, st.sampled_from(Decision), st.none() | LINE, st.none() | ADDRESS,
                   EXTRA)
MOMENT = st.none() | st.sampled_from(["2016", "2016-06", "2016-06-03", "2016-06-03T10:00:00Z"])

TITLES = st.dictionaries(st.sampled_from(["es", "en", "pt-BR"]), TEXT.map(legend_title).filter(bool), max_size=2)
POSITION = st.none() | st.integers(0, MAX_POSITION)
CLASSES = st.dictionaries(TEXT, st.fixed_dictionaries({"es": TEXT.map(legend_title).filter(bool)}), max_size=1)
LAYER_LEGEND = st.builds(LayerLegend, TITLES, TITLES, st.booleans(), POSITION, EXTRA, CLASSES)


@st.composite
def entries(draw):
    """An entry with any layers, styles, opacities and credit."""
    layers = tuple(draw(st.lists(LINE, max_size=4)))
    styles = draw(st.just(()) | st.tuples(*[st.just("") | LINE] * len(layers)))
    opacities = draw(st.dictionaries(st.sampled_from(layers), NUMBER)) if layers else {}
    hidden = tuple(draw(st.lists(st.sampled_from(layers), unique=True))) if layers else ()
    edits = draw(st.dictionaries(st.sampled_from(layers), LAYER_LEGEND)) if layers else {}
    legend = EntryLegend(draw(TITLES), draw(TITLES), draw(st.booleans()), draw(POSITION), edits, draw(EXTRA),
                         draw(CLASSES))
    return MapEntry(draw(ADDRESS), draw(TEXT), draw(st.none() | LINE), layers, styles, draw(st.none() | LINE),
                    draw(NUMBER), draw(st.booleans()), draw(CREDIT), draw(EXTRA), draw(MOMENT), hidden, opacities,
                    legend=legend, blend=draw(st.sampled_from(BlendMode)))


@st.composite
def extents(draw):
    """Any extent with an area."""
    west, east = sorted(draw(st.lists(st.floats(-180, 180), min_size=2, max_size=2, unique=True)))
    south, north = sorted(draw(st.lists(st.floats(-90, 90), min_size=2, max_size=2, unique=True)))
    return MapExtent(west, south, east, north, draw(EXTRA))


#: bundled templates and one's own
TEMPLATE = st.sampled_from(["guide", "multiples", "leaflet", "/datos/QGIS templates/Mi plantilla (2).qpt",
                            "D:\\Plantillas\\guía #1.qpt", "C:/a/B.QPT", "plantilla.qpt"])
PATH = st.text("abcñ ()./-", min_size=1, max_size=30).filter(lambda path: path.strip() and not path.startswith("//")
                                                            and not path.strip().startswith(("//", "/vsi")))
OWN_LAYERS = st.lists(st.builds(OwnLayer, LINE, TEXT, st.sampled_from(["vector", "raster"]), st.just("ogr"),
                                st.sampled_from(["datos/a.gpkg|layername=b", "D:\\datos\\ñ.shp"]) | PATH, TEXT, NUMBER,
                                st.booleans(), TEXT, st.integers(0, 5), EXTRA, st.booleans(),
                                st.sampled_from(["", "EPSG:25830"]), LAYER_LEGEND, st.booleans(), TEXT),
                      max_size=3, unique_by=lambda own: own.id).map(tuple)
TABLE = st.lists(st.builds(TableSource, st.just("https://a.example/wms?"), LINE, st.just(""), EXTRA)
                 | st.builds(TableSource, st.just(""), st.just(""), LINE, EXTRA), max_size=3).map(tuple)
PHOTOS = st.lists(st.builds(LeafletPhoto, PATH, LINE, LINE, EXTRA), max_size=3).map(tuple)
LEAFLET = st.builds(LeafletTexts, TEXT, TEXT, TEXT, TEXT, EXTRA, TABLE, PHOTOS, st.booleans())
#: a PNG of one pixel
LOGO = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
LOGOS = st.none() | st.lists(st.builds(MapLogo, st.just(LOGO), LINE, EXTRA), max_size=4).map(tuple)
MAPS = st.builds(CustomMap, TEXT, st.sampled_from(["es", "en", "pt-BR"]), st.none() | entries(),
                 st.lists(entries(), max_size=3).map(tuple), st.sampled_from(["EPSG:25830", "IGNF:LAMB93", "CRS:84"]),
                 st.none() | extents(), st.none() | st.tuples(st.floats(-180, 180), st.floats(-90, 90)),
                 st.none() | st.floats(1, 1e9),
                 st.builds(PageSetup, st.sampled_from(PAPERS), st.sampled_from(Orientation), TEMPLATE, EXTRA,
                           st.just(""), st.just(0.0), LEAFLET, st.just("standard"), LOGOS).map(
                               PageSetup.on_offered_paper), EXTRA,
                 st.none() | st.builds(SnapshotReference, PATH, st.booleans(), EXTRA), OWN_LAYERS)


@settings(max_examples=examples(200), deadline=None)
@given(MAPS)
def test_custom_maps(custom_map):
    assert read_document(write_document(custom_map)) == custom_map
    # a page that was saved with what a person sees, and again: the same bytes
    assert write_document(read_document(write_document(custom_map))) == write_document(custom_map)


@pytest.mark.parametrize("path", ["\\\\host\\share\\a.qpt", "//host/share/a.qpt", "https://a.example/a.qpt",
                                  "/vsicurl/https://a.example/a.qpt", "file:///a.qpt", "a\n.qpt", "../a"])
def test_a_template_elsewhere_is_refused(path):
    document = json.loads(write_document(CustomMap()))
    document["page"]["template"] = path
    with pytest.raises(InvalidDocument) as caught:
        read_document(json.dumps(document).encode())
    assert caught.value.pointer == "/page/template"


SAFE_NAME = st.from_regex(r"[a-z][\w .()+-]{0,10}[a-z]", fullmatch=True)
SAFE_PATH = st.lists(SAFE_NAME, min_size=1, max_size=3).map("/".join)
SCALES = st.lists(st.floats(1e-3, 1e9), max_size=3).map(tuple)
LAYERS = st.builds(SnapshotLayer, ADDRESS, LINE, TEXT, TEXT, TEXT, st.just("EPSG:25830"), SAFE_PATH,
                   st.from_regex(r"\w{0,20}", fullmatch=True), TEXT, TEXT, SCALES)
FILES = st.builds(SnapshotFile, SAFE_PATH, st.sampled_from(FileRole), st.just("image/png"),
                  st.integers(0, 10**12), st.just("a" * 64), TEXT)
BOUNDS = st.tuples(st.floats(-1e7, 0), st.floats(-1e7, 0), st.floats(1, 1e7), st.floats(1, 1e7))


@settings(max_examples=examples(100), deadline=None)
@given(st.builds(SnapshotManifest, TEXT, st.sampled_from(SnapshotState), st.just("2026-11-22T10:00:00+00:00"),
                 st.just("EPSG:25830"), BOUNDS, st.none() | BOUNDS, st.integers(1, 1200), SCALES,
                 st.sampled_from(RasterFormat), st.lists(LAYERS, max_size=3).map(tuple),
                 st.lists(FILES, max_size=3).map(tuple), st.lists(TEXT, max_size=2).map(tuple),
                 st.lists(TEXT, max_size=2).map(tuple), st.just("key"), EXTRA))
def test_manifests_of_snapshots(manifest):
    assert read_manifest(write_manifest(manifest)) == manifest


PROFILES = st.builds(NetworkProfile, LINE, LINE, st.just("https://maps.example.org/wms"),
                     st.from_regex(r"[\w.~-]{0,20}", fullmatch=True),
                     st.just(NetworkCatalogue()) | st.builds(
                         NetworkCatalogue, st.sampled_from([kind for kind in CatalogueType
                                                            if kind is not CatalogueType.NONE]),
                         ADDRESS, st.sampled_from(["spa", "en"])),
                     st.dictionaries(LINE, st.builds("{{base_url}}/{}?".format, TEXT), max_size=3), st.just(()),
                     st.just("EPSG:25830"))


@settings(max_examples=examples(100), deadline=None)
@given(PROFILES)
def test_network_profiles(profile):
    assert read_profile(profile_json(profile), Path("/nowhere")) == profile


@settings(max_examples=examples(25), deadline=None)
@given(PROFILES, st.dictionaries(st.sampled_from(["records/a.xml", "records/ñ-2.xml"]), st.binary(max_size=50)))
def test_packages_of_network_profiles(tmp_path_factory, profile, records):
    path = tmp_path_factory.mktemp("profile") / "a.zip"
    save(ProfileFile(profile, records), path)
    found = load(path)
    assert found.records == records and replace(found.profile, records=()) == profile


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.builds(Source, ADDRESS, st.sampled_from([kind for kind in SourceKind if kind.is_catalogue]), TEXT,
                          TEXT, st.sampled_from(["", "spa"]), st.sampled_from(["", "abc1234"]))
                | st.builds(Source, PATH, st.sampled_from([SourceKind.FILE, SourceKind.FOLDER]), TEXT), max_size=4))
def test_lists_of_catalogues(sources):
    once = load_sources(dump_sources(sources))
    assert load_sources(dump_sources(once)) == once
    assert {source.key for source in once} == {source.key for source in sources}
    assert all(source in sources for source in once)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.builds(HealthCheck, ADDRESS, TEXT, st.just("2026-11-22T10:00:00+00:00"), TEXT, TEXT,
                          st.lists(st.builds(Probe, st.sampled_from(ProbeKind), st.sampled_from(Verdict), TEXT,
                                             st.none() | st.floats(0, 1e5), ADDRESS, TEXT), max_size=3).map(tuple)),
                max_size=3))
def test_checks_of_services(checks):
    assert read_history(write_history(checks), "checks") == checks


@settings(max_examples=examples(15), deadline=None)
@given(name=LINE.filter(lambda text: " ".join(text.split()) == text), members=st.lists(LINE, max_size=4, unique=True))
def test_collections(tmp_path_factory, name, members):
    folder = tmp_path_factory.mktemp("collection")
    store = RecordStore(folder / "store.db")
    try:
        store.collections.save(name, members)
        if name not in dict(store.collections.names()):
            return  # the window does not let one type it either
        export_collection(store, name, str(folder / "a.zip"))
        found = read_collection_file(str(folder / "a.zip"))
        assert found is not None and found.name == name
        assert [identifier for identifier, _ in found.members] == list(store.collections.members(name))
    finally:
        store.close()
