"""The statement of a published map, written into images and read back out of files of other programs."""

from __future__ import annotations

import io
import json
import re
import struct
import subprocess
import zlib
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image, IptcImagePlugin

from plugin.core.box import Box
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, OwnLayer, PageSetup, SnapshotReference
from plugin.core.errors import CartoguideError
from plugin.core.publication.embedded_documents import DOCUMENT_NAME, SOURCES_NAME, embedded_document
from plugin.core.publication.image_metadata import jpeg_with_metadata, png_with_metadata, svg_with_metadata
from plugin.core.publication.map_files import may_contain_map, read_map_file
from plugin.core.publication.map_statement import MapSource, MapStatement, write_statement
from plugin.core.publication.pdf_description import Attachment
from plugin.core.publication.published_document import published_document
from plugin.core.publication.xmp import xmp_packet
from plugin.core.terms.model import Decision
from tests.irregular_files import at_once

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
SOURCES = st.builds(MapSource, TEXT, st.lists(TEXT, max_size=3).map(tuple), TEXT, st.just("https://a.example/wms"),
                    TEXT, st.sampled_from(Decision), TEXT, st.just("https://a.example/l"), TEXT,
                    TEXT, st.integers(0, 99))
STATEMENTS = st.builds(
    MapStatement, TEXT, st.just("es"), TEXT, TEXT, TEXT, st.none() | st.integers(1, 10**9).map(float),
    st.none() | st.builds(Box, st.integers(-180, -1), st.integers(-90, -1), st.integers(0, 180), st.integers(0, 90)),
    st.lists(TEXT, max_size=3).map(tuple), st.lists(SOURCES, max_size=3).map(tuple),
    st.lists(TEXT, max_size=2).map(tuple), st.lists(TEXT, max_size=2).map(tuple), TEXT)
STATEMENT = MapStatement("Mapa <1> & «ñ»", "es", "2026-11-22T10:00:00Z", "Cartoguide", credits=("© Consejería, 2014",),
                         sources=(MapSource("S", endpoint="https://a.example/wms", licence_url="https://a.example/l"),
                                  MapSource("T", licence_url="https://b.example/l")),
                         creators=("Consejería",), keywords=("ñ", "b"), summary="© Consejería")
DOCUMENT = write_document(CustomMap(title="Ñandú"))
ATTACHMENTS = [Attachment(DOCUMENT_NAME, "application/json", DOCUMENT, ""),
               Attachment(SOURCES_NAME, "application/json", write_statement(STATEMENT), "")]
DC = "{http://purl.org/dc/elements/1.1/}"


@given(STATEMENTS)
def test_all_of_a_statement_is_written(statement):
    written = json.loads(write_statement(statement))
    assert (written.pop("format"), written.pop("version")) == ("cartoguide-sources", 1)
    extent = written.pop("extent")
    assert (extent and tuple(extent[side] for side in ("west", "south", "east", "north"))) == statement.extent
    assert written == json.loads(json.dumps({name: value for name, value in asdict(statement).items()
                                             if name != "extent"}))


@given(STATEMENTS)
def test_any_statement_makes_a_well_formed_packet(statement):
    packet = xmp_packet(statement, "application/pdf", (3, "U"))
    assert etree.fromstring(packet).find(f".//{DC}format").text == "application/pdf"


def test_logins_are_not_published():
    login = "ana:" + "geheim"
    source = MapSource("S", endpoint=f"https://{login}@a.example/wms?apikey=42&map=a")
    written = write_statement(MapStatement("T", "es", "", "", sources=(source,))).decode()
    assert "geheim" not in written and "42" not in written and "map=a" in written


def image(kind):
    data = io.BytesIO()
    Image.new("RGB", (4, 3), "red").save(data, kind)
    return data.getvalue()


def test_a_png_has_the_packet_and_the_document():
    data = png_with_metadata(image("PNG"), STATEMENT, ATTACHMENTS)
    opened = Image.open(io.BytesIO(data))
    opened.load()
    assert opened.size == (4, 3) and "© Consejería, 2014" in opened.info["XML:com.adobe.xmp"]
    assert json.loads(opened.info[DOCUMENT_NAME])["title"] == "Ñandú"
    assert embedded_document(data) == DOCUMENT
    assert json.loads(opened.info[SOURCES_NAME])["credits"] == ["© Consejería, 2014"]
    assert embedded_document(image("PNG")) is None


def test_a_jpeg_has_the_packet_and_iptc():
    opened = Image.open(io.BytesIO(jpeg_with_metadata(image("JPEG"), STATEMENT)))
    opened.load()
    assert "© Consejería, 2014".encode() in dict(opened.applist)["APP1"]
    iptc = IptcImagePlugin.getiptcinfo(opened)
    assert iptc[(2, 116)].decode() == "© Consejería, 2014" and iptc[(2, 5)].decode() == STATEMENT.title
    huge = MapStatement("T", "es", "", "", credits=("ñ" * 50_000,))
    shortened = Image.open(io.BytesIO(jpeg_with_metadata(image("JPEG"), huge)))
    assert "APP1" not in dict(shortened.applist)
    assert IptcImagePlugin.getiptcinfo(shortened)[(2, 116)].decode() == "ñ" * 64


def test_an_svg_has_rdf():
    data = (b'<svg xmlns="http://www.w3.org/2000/svg"><title>T</title><desc>D</desc><metadata><a/></metadata><g/>'
            b"</svg>")
    root = etree.fromstring(svg_with_metadata(data, STATEMENT))
    assert [etree.QName(child).localname for child in root] == ["title", "desc", "metadata", "g"]
    assert "© Consejería, 2014" in root.find(f".//{DC}rights").xpath("string()")
    assert {item.get("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}resource") for item in
            root.iter("{*}li") if item.attrib} >= {"https://a.example/l", "https://b.example/l"}


WRITERS = {".png": lambda data: png_with_metadata(image("PNG"), data, ()),
           ".jpg": lambda data: jpeg_with_metadata(image("JPEG"), data),
           ".svg": lambda data: svg_with_metadata(b'<svg xmlns="http://www.w3.org/2000/svg"/>', data)}


@pytest.mark.parametrize("suffix", WRITERS)
def test_exiftool_reads_the_same_rights_in_each_format(tmp_path, suffix):
    path = tmp_path / f"map{suffix}"
    path.write_bytes(WRITERS[suffix](STATEMENT))
    done = subprocess.run(["exiftool", "-j", "-G1", "-validate", "-all", str(path)], capture_output=True, check=True)
    found, = json.loads(done.stdout)
    assert found["ExifTool:Validate"] == "OK"
    assert found["XMP-dc:Title"] == STATEMENT.title and found["XMP-dc:Rights"] == STATEMENT.credits[0]
    licences = subprocess.run(["exiftool", "-a", "-s3", "-XMP-cc:License", str(path)], capture_output=True, check=True)
    assert licences.stdout.decode().split() == ["https://a.example/l", "https://b.example/l"]
    assert found["XMP-xmpRights:WebStatement"] == "https://a.example/l"
    assert found["XMP-dc:Creator"] == "Consejería" and found["XMP-dc:Language"] == "es"
    assert found["XMP-dc:Source"] == "https://a.example/wms" and found["XMP-dc:Subject"] == ["ñ", "b"]


@pytest.mark.parametrize("write", [lambda data: png_with_metadata(data, STATEMENT, ()),
                                   lambda data: jpeg_with_metadata(data, STATEMENT),
                                   lambda data: svg_with_metadata(data, STATEMENT)])
def test_another_file_is_refused(write):
    with pytest.raises(ValueError, match="this is no"):
        write(b"something else")


def attached(data: bytes, packed: bool = True) -> bytes:
    """An attachment as another program may write it, between other objects."""
    stream = zlib.compress(data) if packed else data
    return (b"9 0 obj\n<< /Length %d /Type /EmbeddedFile /Filter /FlateDecode >>\nstream\r\n" % len(stream) + stream +
            b"\nendstream\nendobj\n")


@pytest.mark.parametrize("packed", [True, False])
def test_the_document_of_a_pdf_of_another_program_is_found(packed, tmp_path):
    data = b"%PDF-2.0\n" + attached(b"<invoice/>", packed) + attached(DOCUMENT, packed) + b"%%EOF"
    path = tmp_path / "map.pdf"
    path.write_bytes(data)
    assert read_map_file(path).title == "Ñandú"
    path.write_bytes(data.replace(b"/EmbeddedFile", b"/XObject"))
    with pytest.raises(CartoguideError, match="contains no custom map"):
        read_map_file(path)


def test_more_attachments_than_are_read_are_told(tmp_path):
    path = tmp_path / "map.pdf"
    path.write_bytes(b"%PDF-2.0\n" + attached(DOCUMENT) + attached(b"<invoice/>") * 199)
    assert read_map_file(path).title == "Ñandú"
    path.write_bytes(path.read_bytes() + attached(b"<invoice/>"))
    with pytest.raises(CartoguideError, match="more than 200 attachments"):
        read_map_file(path)


@given(st.sampled_from([b"%PDF-1.4\n", b"\x89PNG\r\n\x1a\n", b"II*\x00"]), st.binary(max_size=200) | st.lists(
    st.sampled_from([b"/EmbeddedFile stream\n", b"iTXt", b"map.custommap.json\x00\x01\x00\x00\x00", b"\x00\x00\x00\x20",
                     b'<Item name="map.custommap.json" domain="CARTOGUIDE">', b"</Item>",
                     zlib.compress(DOCUMENT)[:20]]),
    max_size=12).map(b"".join))
def test_a_broken_file_has_no_document(head, body):
    found = embedded_document(head + body)
    assert found is None or isinstance(found, bytes)


def test_a_published_document_names_no_folder_of_the_computer(tmp_path):
    sources = (str(tmp_path / "data" / "a.gpkg") + "|layername=x", "/data/ana/secret/b.gpkg", "D:\\ana\\c.shp")
    own = tuple(OwnLayer(str(number), "N", "vector", "ogr", source, "", 1.0, True, "", 0)
                for number, source in enumerate(sources))
    document = CustomMap(own_layers=own, page=PageSetup(template="/data/ana/my.qpt"),
                         snapshot=SnapshotReference("/data/ana/snapshot", True))
    published = published_document(document, tmp_path / "map.pdf", (-3.5, 38.25), 25_000.0)
    written = write_document(published).decode()
    assert "ana" not in written.replace('"standard"', "") and str(tmp_path) not in written
    assert [layer.source for layer in published.own_layers] == ["data/a.gpkg|layername=x", "b.gpkg", "c.shp"]
    again = read_document(written.encode())
    assert (again.centre, again.scale, again.extent, again.page.template) == ((-3.5, 38.25), 25_000.0, None, "my.qpt")


STYLE = """<qgis><symbol><layer class="SvgMarker"><Option name="name" value="{}" type="QString"/></layer></symbol>
<dd expression="if(a, &quot;{}&quot;, '{}')"/><text>{}</text><Option value="base64:/9j/4AA+/b/c="/>
<u suffix="/km"/></qgis>"""
HOMES = ["/srv/ana canaria/My Icons/tree.svg", "C:\\Users\\ana canaria\\tree.svg",
         "file:///srv/ana-canaria/tree.svg",
         "../../../srv/ana-canaria/tree.svg", "\\\\canaria\\share\\ana\\tree.svg", "~/canaria/tree.svg"]
DATABASES = [
    ("postgres",
     "dbname='gis' host=db.canaria.example port=5432 user='ana' sslmode=disable key='id' table=\"s\".\"t\" (g)"),
    ("postgresraster", "dbname='gis' host='db.canaria.example' username='ana' table=\"s\".\"t\""),
    ("mssql", "dbname='gis' host=canaria\\SQLEXPRESS user='ana' table=\"dbo\".\"t\""),
    ("oracle", "dbname='x' host=db.canaria.example port=1521 user='ana' table=\"T\" (G)"),
    ("spatialite", "dbname='/srv/ana canaria/x.sqlite' table=\"t\" (g)"),
    ("ogr", "PG:dbname='gis' host='db.canaria.example' user='ana'"),
    ("ogr", "MySQL:gis,host=db.canaria.example,user=ana"),
    ("ogr", "OCI:ana@db.canaria.example/x"),
    ("virtual", "?layer=ogr:/srv/ana-canaria/x.gpkg:n&query=SELECT%20%2A%20FROM%20n"),
    ("virtual", "?layer=postgres:host%3Ddb.canaria.example%20user%3Dana:n"),
    ("wms", "type=mbtiles&url=file%3A%2F%2F%2Fhome%2Fana-canaria%2Fx.mbtiles"),
    ("gdal", "GPKG:/srv/ana canaria/x.gpkg:table"), ("delimitedtext", "file:///srv/ana%20canaria/x.csv?type=csv"),
    ("ogr", "/srv/ana canaria/x.gpkg|layername=n|subset=\"a\" > 1")]


@pytest.mark.parametrize("path", HOMES)
def test_the_style_of_a_published_layer_names_no_folder(tmp_path, path):
    own = OwnLayer("1", "N", "vector", "ogr", str(tmp_path / "a.gpkg"), STYLE.format(*[path] * 4), 1.0, True, "", 0,
                   {"later": {"icon": [path]}})
    document = published_document(CustomMap(own_layers=(own,), extra={"newer": path}), tmp_path / "map.pdf", None, None)
    written = write_document(document).decode()
    assert "canaria" not in written and "Users" not in written
    assert "tree.svg" in document.own_layers[0].style and document.own_layers[0].source == "a.gpkg"
    for kept in ('value="base64:/9j/4AA+/b/c="', 'suffix="/km"'):
        assert kept in document.own_layers[0].style
    etree.fromstring(document.own_layers[0].style)


@pytest.mark.parametrize(("provider", "source"), DATABASES)
def test_the_source_of_a_published_layer_names_no_server_no_person_and_no_folder(tmp_path, provider, source):
    own = OwnLayer("1", "N", "vector", provider, source, "", 1.0, True, "", 0)
    document = published_document(CustomMap(own_layers=(own,)), tmp_path / "map.pdf", None, None)
    written = write_document(document).decode()
    assert not re.search(r"canaria|\bana\b", written), written
    assert read_document(written.encode()).own_layers[0].source


def test_addresses_of_published_layers_stay(tmp_path):
    for provider, source in (("wms", "crs=EPSG:25830&layers=a&url=https://a.example/b/c?d%3D/e/f"),
                             ("WFS", "typename='a:b' url='https://a.example/b/c' version='auto'"),
                             ("ogr", "/vsicurl/https://a.example/b/c.gpkg"),
                             ("ogr", "GPKG:/vsicurl/https://a.example/b/c.gpkg:t")):
        own = OwnLayer("1", "N", "vector", provider, source, "", 1.0, True, "", 0)
        document = published_document(CustomMap(own_layers=(own,)), tmp_path / "map.pdf", None, None)
        assert document.own_layers[0].source == source


def test_a_description_in_a_published_source_names_no_folder_beside_its_address(tmp_path):
    source = ("<VRTDataset><SourceFilename>/datos/ana/a.tif</SourceFilename>"
              "<SourceFilename>https://a.example/b.tif</SourceFilename></VRTDataset>")
    own = OwnLayer("1", "N", "raster", "gdal", source)
    document = published_document(CustomMap(own_layers=(own,)), tmp_path / "map.pdf", None, None)
    assert "ana" not in document.own_layers[0].source and "https://a.example/b.tif" in document.own_layers[0].source


@pytest.mark.parametrize("source", ["WMTS:/datos/ana/capas.xml,layer=a", "vrt:///datos/ana/capas.xml?bands=1"])
def test_a_driver_of_a_web_service_that_reads_a_local_file_names_no_folder(tmp_path, source):
    own = OwnLayer("1", "N", "raster", "gdal", source)
    document = published_document(CustomMap(own_layers=(own,)), tmp_path / "map.pdf", None, None)
    assert "ana" not in document.own_layers[0].source and "capas.xml" in document.own_layers[0].source


@pytest.mark.parametrize(("name", "expected"), [("a.custommap.json", True), ("A.PDF", True), ("a.tiff", True),
                                                ("a.json", False), ("a.xml", False)])
def test_names_of_files_that_may_contain_a_map(name, expected):
    assert may_contain_map(str(Path("x") / name)) is expected


def test_a_document_that_is_too_large_is_not_read_as_a_whole(tmp_path):
    path = tmp_path / "huge.custommap.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(CartoguideError, match="empty|too large"):
        read_map_file(path)


@pytest.mark.parametrize("number", ["&#" + "9" * 5_000 + ";", "&#x" + "f" * 5_000 + ";", "&amp;#" + "9" * 5_000 + ";"])
def test_long_numbers_of_characters_in_a_tiff_are_no_crash(number):
    data = tiff_with(b'<Item name="map.custommap.json" domain="CARTOGUIDE">' + number.encode() + b"a&amp;lt;b</Item>")
    assert embedded_document(data).endswith(b"a<b")


def tiff_with(metadata: bytes, order: str = "<", is_big: bool = False, directories: int = 1) -> bytes:
    """A TIFF whose last directory has GDAL's metadata, behind it."""
    head = b"II" if order == "<" else b"MM"
    number, count = ("Q", "Q") if is_big else ("I", "H")
    start = struct.pack(f"{order}HHHQ", 43, 8, 0, 16) if is_big else struct.pack(f"{order}HI", 42, 8)
    data = bytearray(head + start)
    size = struct.calcsize(f"{order}{count}HH{number}{number}{number}")
    for left in range(directories - 1, -1, -1):
        at = len(data)
        data += struct.pack(f"{order}{count}HH{number}{number}{number}", 1, 42112 if left == 0 else 256, 2,
                            len(metadata), at + size, at + size if left else 0)
    return bytes(data) + metadata


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("is_big", [False, True])
@pytest.mark.parametrize("directories", [1, 5])
def test_the_document_of_a_tiff_is_found_by_its_directories(order, is_big, directories):
    item = b'<GDALMetadata><Item name="map.custommap.json" domain="CARTOGUIDE">{&quot;a&quot;: 1}</Item></GDALMetadata>'
    data = tiff_with(item, order, is_big, directories)
    assert embedded_document(data) == b'{"a": 1}'
    for length in range(len(data)):
        found = embedded_document(data[:length])
        assert found is None or length > len(data) - 20


def test_a_tiff_whose_directories_go_round_in_a_circle_has_no_document():
    data = b"II*\x00" + struct.pack("<IHHHIII", 8, 1, 256, 3, 1, 9, 8)
    assert embedded_document(data) is None


@pytest.mark.parametrize("head", [b"II*\x00\x08\x00\x00\x00", b"II+\x00\x08\x00\x00\x00\x10", b"%PDF-1.7\n",
                                  b"\x89PNG\r\n\x1a\n", b"II*\x00" + struct.pack("<I", 2_900_000_000), b""])
def test_a_file_of_gigabytes_is_no_map_within_a_blink(tmp_path, head):
    path = tmp_path / "huge.tif"
    with path.open("wb") as file:
        file.write(head)
        file.truncate(3_000_000_000)
    with at_once(), pytest.raises(CartoguideError):
        read_map_file(path)


def test_a_large_pdf_is_searched_at_its_end_and_at_its_beginning(tmp_path):
    attachment = b"1 0 obj\n<< /Type /EmbeddedFile >>\nstream\n" + DOCUMENT + b"\nendstream\nendobj\n"
    for name, places in (("end.pdf", (0, 299_000_000)), ("beginning.pdf", (9, 299_000_000))):
        path = tmp_path / name
        with path.open("wb") as file:
            file.write(b"%PDF-1.7\n")
            file.seek(places[0] or places[1])
            file.write(attachment)
            file.truncate(300_000_000)
        assert read_map_file(path).title == "Ñandú"


def test_a_single_licence_is_a_bag_as_described():
    packet = etree.fromstring(xmp_packet(MapStatement("T", "es", "", "", sources=(STATEMENT.sources[0],)),
                                         "application/pdf", (3, "U")))
    container, = packet.find(".//{http://creativecommons.org/ns#}license")
    assert etree.QName(container).localname == "Bag" and len(container) == 1
