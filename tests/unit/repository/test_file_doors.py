"""Whatever opens a file by a path goes through ``core/trust/files``, or is in a table that says why it need not.

Checked on the sources: a call that opens a path and is in no table is a failure, and so is an entry without its call.
"""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Set

import pytest

from tests.unit.repository.sources import SOURCES, functions, nodes

#: functions and classes that open a path, by the last part of their name. Those with dots are told by their module
BY_NAME = frozenset((
    ".read_bytes", ".read_text", "QFile", "QSaveFile", "QImageReader", "QMovie", "QPdfDocument", "ZipFile", "TarFile",
    "is_zipfile", "QgsRasterLayer", "QgsVectorLayer", "QgsMeshLayer", "QgsVectorTileLayer", "QgsPointCloudLayer",
    "createLayer", "addRasterLayer", "addVectorLayer", "loadNamedStyle", "loadNamedMetadata", "addApplicationFont",
    "loadUi", "fromfile", "loadtxt", "copyfile", "copytree", "copy2", "setPicturePath"))
BY_MODULE = frozenset((
    "gdal.Open", "gdal.OpenEx", "gdal.OpenShared", "gdal.Translate", "gdal.Warp", "gdal.Info", "gdal.BuildVRT",
    "gdal.VectorTranslate", "ogr.Open", "sqlite3.connect", "mmap.mmap", "os.open", "shutil.copy", "shutil.move",
    "io.open", "io.FileIO", "json.load", "etree.parse", "tomllib.load", "configparser.read", "QIcon", "QPixmap",
    "QImage", "QSvgRenderer", "ElementTree.parse"))
#: objects whose ``open`` is no file
NO_FILES = ("dialog", "self.imports", "self._imports", "self._controller", "compose_dock", "section", "buffer",
            "_register")

#: the door itself
DOOR = frozenset(("plugin/core/trust/files.py:_open:os.open",))
#: the readers of what others made, which open files by the door
READERS = (
    "plugin/core/sources/sidecar_files.py",
    "plugin/core/cli.py", "plugin/core/files.py", "plugin/core/network_profile.py",
    "plugin/core/publication/map_files.py", "plugin/core/records/input/file_reader.py",
    "plugin/core/records/input/packages.py", "plugin/core/review/report/local_pictures.py",
    "plugin/core/snapshot/manifest.py", "plugin/core/snapshot/snapshot_package.py",
    "plugin/gis/layouts/template_resources.py", "plugin/gis/library/thumbnails.py", "plugin/gis/pages/logos.py",
    "plugin/gis/pages/leaflet_photos.py", "plugin/gis/layouts/template_loading.py",
    "plugin/gis/profiles/record_loading.py", "plugin/gis/snapshots/snapshot_documents.py",
    "plugin/gis/snapshots/snapshot_packages.py", "plugin/ui/service/operation_form.py",
    "plugin/ui/settings/network_profile_field.py")

RESOURCE, OWN_FILE, TEMPORARY = "comes with the plugin or QGIS", "the plugin's own file", "written a moment before"
WRITES, IN_MEMORY, ADDRESS = "writes", "bytes in memory, no path", "an address of a service, no path"
HANDLE, EXPORTED = "a handle of the door", "a page that was just exported"

#: functions in which the path or the handle is one that the door has judged, with the place where
JUDGED = {
    "plugin/core/sources/sidecar_files.py:_query:sqlite3.connect": "check_kind, immutable",
    "plugin/core/library/store_copy.py:is_record_store:sqlite3.connect": "check_kind",
    "plugin/core/publication/map_files.py:map_document:mmap.mmap": HANDLE,
    "plugin/core/records/input/packages.py:_open_archive:zipfile.ZipFile": HANDLE,
    "plugin/core/records/input/packages.py:read_member:zipfile.ZipFile": HANDLE,
    "plugin/core/snapshot/snapshot_package.py:_extract_files:zipfile.ZipFile": HANDLE,
    "plugin/core/cli.py:_pipe_bytes:io.FileIO": "a pipe that a person names to a command, not waited for",
    "plugin/core/cli.py:_pipe_bytes:os.open": "a pipe that a person names to a command, not waited for",
    "plugin/gis/layers/snapshot_rasters.py:_has_foreign_tables:sqlite3.connect": "check_raster, immutable",
    "plugin/gis/layers/snapshot_rasters.py:_problem_of:gdal.OpenEx": "check_raster, three drivers, nothing beside it",
    "plugin/gis/layers/wms_layers.py:_make_snapshot_layer_in_main_thread:QgsRasterLayer": "check_raster",
    "plugin/gis/operations/operation_client.py:_translate_to_png:gdal.OpenEx": "in memory, two drivers",
    "plugin/gis/operations/operation_client.py:_translate_to_png:gdal.Translate": "in memory, refers_elsewhere",
    "plugin/gis/operations/response_layers.py:_check_image:gdal.OpenEx": "just written, drivers of images",
    "plugin/gis/operations/response_layers.py:start_making_image_layer.work:QgsRasterLayer": "_check_image",
    "plugin/gis/own_layers/distribution_layers.py:_as_geopackage:gdal.OpenEx": "check_kind, the driver of GML",
    "plugin/gis/own_layers/distribution_layers.py:_as_geopackage:gdal.VectorTranslate": "the driver of GML",
    "plugin/gis/own_layers/distribution_layers.py:_layers_at:gdal.OpenEx": "check_kind, a driver of its kind",
    "plugin/gis/own_layers/distribution_layers.py:_unpacked:zipfile.ZipFile": HANDLE,
    "plugin/gis/own_layers/opening.py:_check_geopackage:sqlite3.connect": "check_kind, read only",
    "plugin/gis/own_layers/opening.py:_check_raster:gdal.OpenEx": "check_kind, a driver of its kind",
    "plugin/gis/own_layers/opening.py:_definitions_in:gdal.OpenEx": "check_kind, a driver of the file's kind",
    "plugin/gis/own_layers/opening.py:_made_layer.create:QgsMapLayerFactory.createLayer": "trust/sources, may_open",
    "plugin/gis/layouts/template_resources.py:_find_picture:file.read_bytes": "an icon of the plugin",
    "plugin/gis/snapshots/raster_writer.py:_open_tile:gdal.OpenEx": "a downloaded tile, drivers of images",
    "plugin/gis/snapshots/raster_writer.py:_open_tile:gdal.Translate": "a dataset that _open_tile has judged",
}
#: what this plugin wrote itself, into its own folder or a temporary one, what comes with it, and what is no path
OWN = {
    "plugin/core/sources/tile_hosts.py:_tile_hosts:TILE_HOSTS_FILE.read_text": RESOURCE,
    "plugin/core/catalogues/source_list.py:suggested_catalogues:SUGGESTED_CATALOGUES.read_bytes": RESOURCE,
    "plugin/core/cli.py:_run:os.open": "os.devnull",
    "plugin/core/files.py:atomic_write:open": WRITES,
    "plugin/core/geodesy.py:_coefficients:"
    "(RESOURCES / 'geomagnetism' / f'{MODEL}.COF').read_text": RESOURCE,
    "plugin/core/library/collection_file.py:export_collection:zipfile.ZipFile": WRITES,
    "plugin/core/library/connection_pool.py:ConnectionPool._connect:sqlite3.connect": OWN_FILE,
    "plugin/core/library/connection_pool.py:ConnectionPool._connect_for_reading:sqlite3.connect": OWN_FILE,
    "plugin/core/library/connection_pool.py:ConnectionPool._copied:shutil.copyfile": OWN_FILE,
    "plugin/core/library/journal.py:Journal.append:open": OWN_FILE,
    "plugin/core/library/journal.py:Journal.entries:open": OWN_FILE,
    "plugin/core/library/journal.py:Journal.headers:open": OWN_FILE,
    "plugin/core/library/journal.py:Journal.read_entry:open": OWN_FILE,
    "plugin/core/library/rebuild.py:_salvage:sqlite3.connect": OWN_FILE,
    "plugin/core/network_profile.py:bundled_profile:BUNDLED_PROFILE.read_bytes": RESOURCE,
    "plugin/core/network_profile.py:save:zipfile.ZipFile": WRITES,
    "plugin/core/review/report/extent_map.py:_world:WORLD_FILE.read_text": RESOURCE,
    "plugin/core/review/report/record_sheet.py:_page_part:(TEMPLATES / name).read_text": RESOURCE,
    "plugin/core/safe_xml.py:_parse:etree.parse": IN_MEMORY,
    "plugin/core/snapshot/snapshot_package.py:_extract_file:open": WRITES,
    "plugin/core/snapshot/snapshot_package.py:extract_package:open": WRITES,
    "plugin/core/snapshot/snapshot_package.py:write_package:zipfile.ZipFile": WRITES,
    "plugin/core/storage/file_lock.py:FileLock.acquire:os.open": OWN_FILE,
    "plugin/core/storage/syncing.py:create_private:os.open": WRITES,
    "plugin/core/storage/syncing.py:private_opener:os.open": WRITES,
    "plugin/core/storage/syncing.py:sync_file:open": WRITES,
    "plugin/core/storage/syncing.py:sync_folder:os.open": "a folder, to write its names",
    "plugin/core/storage/temporary_files.py:_Register.note:open": OWN_FILE,
    "plugin/core/storage/temporary_files.py:_noted_folders:open": OWN_FILE,
    "plugin/core/terms/lexicon.py:_sources:path.read_text": RESOURCE,
    "plugin/core/terms/server_defaults.py:server_defaults:DEFAULTS_PATH.read_text": RESOURCE,
    "plugin/core/blanks.py:_classes:WORDS_PATH.read_text": RESOURCE,
    "plugin/core/trust/drawing.py:_Drawing._allowed_picture:icon.read_bytes": RESOURCE,
    "plugin/core/terms/licences.py:table_data:TABLE_PATH.read_text": RESOURCE,
    "plugin/gis/checks/service_health.py:read_results:path.read_bytes": OWN_FILE,
    "plugin/gis/network/downloads.py:fetch_file:part.open": WRITES,
    "plugin/gis/own_layers/distribution_layers.py:_unpacked:(folder / name).open": WRITES,
    "plugin/gis/export/publication.py:_describe_gif:file.read_bytes": EXPORTED,
    "plugin/gis/export/publication.py:_describe_jpeg:file.read_bytes": EXPORTED,
    "plugin/gis/export/publication.py:_describe_pdf:file.open": EXPORTED,
    "plugin/gis/export/publication.py:_describe_pdf:mmap.mmap": EXPORTED,
    "plugin/gis/export/publication.py:_describe_png:file.read_bytes": EXPORTED,
    "plugin/gis/export/publication.py:_describe_svg:file.read_bytes": EXPORTED,
    "plugin/gis/export/publication.py:_describe_tiff:gdal.Open": EXPORTED,
    "plugin/gis/export/raster_formats.py:_write_other_pages:gdal.Translate": EXPORTED,
    "plugin/gis/export/raster_formats.py:write_animation:QImage": EXPORTED,
    "plugin/gis/export/raster_formats.py:write_animation:file.open": WRITES,
    "plugin/gis/export/raster_formats.py:write_geotiff:gdal.Open": EXPORTED,
    "plugin/gis/export/raster_formats.py:write_geotiff:gdal.Translate": EXPORTED,
    "plugin/gis/export/svg_format.py:_complete:path.read_bytes": EXPORTED,
    "plugin/gis/export/page_proof.py:AnimationFrames.__init__:QImageReader": EXPORTED,
    "plugin/gis/export/page_proof.py:AnimationFrames.count:QImageReader": EXPORTED,
    "plugin/gis/export/page_proof.py:AnimationFrames.image:QImageReader": EXPORTED,
    "plugin/gis/export/page_proof.py:raster_size:gdal.Open": EXPORTED,
    "plugin/gis/export/page_proof.py:read_pdf_area:gdal.OpenEx": EXPORTED,
    "plugin/gis/export/page_proof.py:read_raster_area:gdal.Open": EXPORTED,
    "plugin/gis/export/page_proof.py:read_svg_area:QSvgRenderer": EXPORTED,
    "plugin/gis/pages/leaflet_table_reading.py:_read_collection:QgsVectorLayer": TEMPORARY,
    "plugin/gis/layers/wms_layers.py:_make_live_layer:QgsRasterLayer": ADDRESS,
    "plugin/gis/layouts/locator_map.py:_legible_places:(OUTLINE_FOLDER / 'places.geojson').read_text": RESOURCE,
    "plugin/gis/layouts/locator_map.py:_load_outline:(OUTLINE_FOLDER / file).read_text": RESOURCE,
    "plugin/gis/layouts/locator_map.py:_text_layer:QgsVectorLayer": IN_MEMORY,
    "plugin/gis/pixels/features.py:_gml_geometries:gdal.OpenEx": TEMPORARY,
    "plugin/gis/pixels/features.py:feature_layer:QgsVectorLayer": IN_MEMORY,
    "plugin/gis/pixels/files.py:file_layer:QgsVectorTileLayer": TEMPORARY,
    "plugin/gis/pixels/files.py:file_layer:QgsRasterLayer": TEMPORARY,
    "plugin/gis/pixels/files.py:file_layer:QgsVectorLayer": TEMPORARY,
    "plugin/gis/sources/files.py:data_content:gdal.OpenEx": IN_MEMORY,
    "plugin/gis/sources/wcs.py:_source:gdal.BuildVRT": TEMPORARY,
    "plugin/gis/layouts/locator_map.py:region_area:(OUTLINE_FOLDER / 'land.geojson').read_text": RESOURCE,
    "plugin/gis/operations/response_layers.py:_make_data_layer:QgsRasterLayer": ADDRESS,
    "plugin/gis/operations/response_layers.py:_make_data_layer:QgsVectorLayer": ADDRESS,
    "plugin/gis/pages/logos.py:_place:picture.setPicturePath": IN_MEMORY,
    "plugin/gis/pages/leaflet_photos.py:set_photos:picture.setPicturePath": IN_MEMORY,
    "plugin/gis/pages/qr_code.py:add_qr_code:picture.setPicturePath": IN_MEMORY,
    "plugin/gis/previews/page_drawing.py:PageDrawing._draw:place.picture.setPicturePath": IN_MEMORY,
    "plugin/gis/runtime/images.py:decode_from_file:QImageReader": TEMPORARY,
    "plugin/gis/runtime/images.py:image_from_file:QImage": TEMPORARY,
    "plugin/gis/runtime/images.py:image_from_file:path.read_bytes": TEMPORARY,
    "plugin/gis/runtime/page_fonts.py:available_families:QFontDatabase.addApplicationFont": RESOURCE,
    "plugin/gis/pages/series_summary.py:_draw_chart:picture.setPicturePath": IN_MEMORY,
    "plugin/gis/pages/series_summary.py:_draw_maximum:picture.setPicturePath": IN_MEMORY,
    "plugin/gis/snapshots/raster_writer.py:_write_tile_matrix:sqlite3.connect": TEMPORARY,
    "plugin/gis/snapshots/raster_writer.py:write_cog:gdal.Open": TEMPORARY,
    "plugin/gis/snapshots/raster_writer.py:write_geopackage:gdal.OpenEx": TEMPORARY,
    "plugin/gis/snapshots/snapshot_documents.py:SnapshotDocuments._write_file:open": WRITES,
    "plugin/gis/snapshots/snapshot_documents.py:embed_in_geopackage:"
    "(folder / document_file.path).read_bytes": TEMPORARY,
    "plugin/gis/snapshots/snapshot_documents.py:embed_in_geopackage:sqlite3.connect": TEMPORARY,
    "plugin/gis/snapshots/snapshot_documents.py:embedded_documents:"
    "(folder / document_file.path).read_bytes": TEMPORARY,
    "plugin/main.py:CartoguidePlugin._add_dock_action:QIcon": RESOURCE,
    "plugin/main.py:CartoguidePlugin._add_help_action:QIcon": RESOURCE,
    "plugin/main.py:CartoguidePlugin._add_identify_action:QIcon": RESOURCE,
    "plugin/main.py:CartoguidePlugin._add_integration:QIcon": RESOURCE,
    "plugin/main.py:CartoguidePlugin._add_options_page:QIcon": RESOURCE,
    "plugin/processing/algorithm.py:CartoguideAlgorithm.icon:QIcon": RESOURCE,
    "plugin/processing/provider.py:CartoguideProvider.icon:QIcon": RESOURCE,
    "plugin/ui/credits/credits_menu.py:CreditsMenu.__init__:QIcon": RESOURCE,
    "plugin/ui/record/overview_tab.py:_open_world_layer:QgsVectorLayer": RESOURCE,
    "plugin/ui/widgets/theme.py:icon:QIcon": RESOURCE,
}


def calls(source: str) -> Iterator[tuple[str, str]]:
    """(function in which it stands, what is called) of each call of a source that opens a path."""
    owner: Dict[int, str] = {}
    for function in functions(source):
        for node in ast.walk(function.node):
            owner[id(node)] = function.name
    for node in nodes(source):
        if isinstance(node, ast.Call):
            name = opened(node)
            if name:
                yield owner.get(id(node), "<module>"), name


def opened(node: ast.Call) -> str:
    """The name of what a call opens a path with, or nothing."""
    name = ast.unparse(node.func)
    last = name.split(".")[-1]
    if last == "open":
        is_file = name == "open" or bool(node.args) and isinstance(node.args[0], ast.Constant) and str(
            node.args[0].value)[:1] in "rwax" or name == "os.open"
        return name if is_file and not name.endswith(tuple(f"{other}.open" for other in NO_FILES)) else ""
    if last in ("QIcon", "QPixmap", "QImage", "QSvgRenderer"):
        # of a path: others are made of a size, of pixels or of another picture
        what = ast.unparse(node.args[0]) if len(node.args) == 1 else ""
        is_path = what.startswith(("str(", "path", "f'")) or "Path()" in what or "svgFile()" in what
        return name if is_path else ""
    return name if last in BY_NAME or "." + last in BY_NAME and "." in name or name in BY_MODULE else ""


def found() -> List[str]:
    return sorted({f"{source}:{place}:{name}" for source in SOURCES for place, name in calls(source)})


def test_every_call_that_opens_a_path_goes_through_the_door_or_is_known():
    tables = {**JUDGED, **OWN}
    wanted = set(found()) - DOOR
    assert sorted(wanted - set(tables)) == [], "open it by core/trust/files, or say in a table why it needs not"
    assert sorted(set(tables) - wanted) == [], "these calls are gone"
    assert all(tables.values()) and not set(JUDGED) & set(OWN)


def test_the_door_itself_is_used():
    """The readers of what others made, each with the function of the door that it opens files by."""
    named: Set[str] = set()
    for source in SOURCES:
        for node in nodes(source):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
                    "open_regular", "read_regular", "check_regular", "check_kind", "is_regular"):
                named.add(source)
    assert set(READERS) <= named


@pytest.mark.parametrize("statement, name", [
    ("open(path)", "open"), ("Path(p).open('rb')", "Path(p).open"), ("p.read_bytes()", "p.read_bytes"),
    ("QImageReader(path)", "QImageReader"), ("gdal.Open(path)", "gdal.Open"),
    ("sqlite3.connect(path)", "sqlite3.connect"), ("os.open(path, flags)", "os.open"),
    ("QgsRasterLayer(uri, name, 'gdal')", "QgsRasterLayer"), ("dialog.open()", ""), ("QImage(size, image_format)", ""),
    ("QIcon(str(path))", "QIcon"), ("signal.connect(slot)", "")])
def test_the_rule_finds_what_opens_a_path(statement, name):
    assert opened(ast.parse(statement, mode="eval").body) == name
