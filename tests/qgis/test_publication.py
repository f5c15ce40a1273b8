"""Exported maps say what they are: structure, rights and sources, and the document that makes them again."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import subprocess
from collections import Counter

import pytest
from lxml import etree
from osgeo import gdal
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pypdf import PdfReader, PdfWriter
from qgis.core import QgsProject
from qgis.PyQt.QtCore import QByteArray
from qgis.PyQt.QtGui import QImage, QRawFont

from plugin.core.fonts.svg_fonts import FontFace, texts_by_face
from plugin.core.publication.content_digest import ContentState
from plugin.core.publication.embedded_documents import SOURCES_NAME, embedded_file
from plugin.core.publication.map_files import read_map_file
from plugin.core.publication.map_statement import read_statement
from plugin.core.publication.map_verification import CreditPresence, verify_map
from plugin.core.publication.pdf_pages import page_content
from plugin.core.publication.pdf_update import PdfUpdate
from plugin.core.publication.written_map import read_written_map
from plugin.core.terms import terms_for
from plugin.gis.credits.credit_lines import credits_of_layers
from plugin.gis.export import layout_export, map_pipeline
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.layout_export import ExportFormat
from plugin.gis.export.pixel_digest import digest_of_pixels
from plugin.gis.services import service_cache
from plugin.gis.svg import embedded_fonts
from tests.qgis.pdf_archive import broken_rules
from tests.qgis.print_maps import composed, known_records, small_map

DPI = 72


@pytest.fixture(scope="module")
def made_once(qgis_app):
    """What is made once for all tests."""
    made = {}
    yield made
    for project in made.pop("projects", ()):
        project.clear()


@pytest.fixture
def exported(network, made_once, tmp_path_factory):
    """The same map in all formats, and its layout, of a project of its own."""
    if "exported" in made_once:
        return made_once["exported"]
    project, folder = QgsProject(), tmp_path_factory.mktemp("exported")
    known = known_records(network)
    made = map_pipeline.compose_map(project, small_map(network, known), known, service_cache.shared(), 60)
    for export_format, name in ((ExportFormat.PDF, "map.pdf"), (ExportFormat.PNG, "map.png"),
                                (ExportFormat.JPEG, "map.jpg"), (ExportFormat.SVG, "map.svg"),
                                (ExportFormat.GEOTIFF, "map.tif")):
        layout_export.export_layouts(made.layout, folder / name, export_format, ExportOptions(DPI))
    made_once.update(exported=(made, folder), projects=[project])
    return made, folder


def structure(path):
    return subprocess.run(["pdfinfo", "-struct-text", str(path)], capture_output=True, check=True).stdout.decode()


def test_the_pdf_is_tagged_in_reading_order(exported):
    made, folder = exported
    told = structure(folder / "map.pdf")
    # newer versions of poppler print a figure's alternative text behind its name
    lines = ["Figure:" if line.strip().startswith("Figure") else line.strip() for line in told.splitlines()]
    assert lines[:3] == ["Document", "H1 (block)", '"Despeñaperros a mano"']
    order = [lines.index(word) for word in ("Figure:", '"Leyenda"', '"Créditos"', '"Condiciones de uso"')]
    assert order == sorted(order)
    assert lines.count("LBody (block)") > 4 and "Link (inline)" in lines
    # no text of the page is outside the structure
    text = subprocess.run(["pdftotext", "-raw", str(folder / "map.pdf"), "-"], capture_output=True, check=True).stdout
    tagged = Counter("".join("".join(line.strip('"').split()) for line in lines if line.startswith('"')))
    assert not Counter("".join(text.decode().split())) - tagged and tagged.total() > 1000


def test_the_pdf_has_language_rights_profile_and_alternative_texts(exported):
    made, folder = exported
    reader = PdfReader(str(folder / "map.pdf"), strict=True)
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "es" and root["/OutputIntents"][0]["/DestOutputProfile"].get_object().get_data()
    packet = root["/Metadata"].get_object().get_data().decode()
    for credit in credits_of_layers(made.layout.project().mapLayers().values()):
        assert credit in packet
    assert "pdfaid:part>3<" in packet and str(reader.metadata.author).startswith("Consejería")
    figures = [kid.get_object() for kid in root["/StructTreeRoot"]["/K"][0]["/K"]
               if kid.get_object()["/S"] == "/Figure"]
    assert "Escala 1:75" in figures[0]["/Alt"] and "Créditos: Consejería" in figures[0]["/Alt"]
    addresses = {note.get_object()["/A"]["/URI"] for note in reader.pages[0]["/Annots"]}
    assert addresses and all(address.startswith("http://127.0.0.1") for address in addresses)
    assert "\t" not in reader.pages[0].extract_text()


def test_the_pdf_keeps_the_rules_of_an_archive_copy(exported):
    _made, folder = exported
    assert broken_rules(folder / "map.pdf") == []


@pytest.mark.parametrize(("title", "claims"), [("خريطة 1 (a\\) %PDF endobj", True), ("a\ufdd0b", False),
                                               ("Título \\) " * 9_000, True)])
def test_only_a_pdf_that_keeps_the_rules_claims_to(network, project, tmp_path, title, claims):
    made = composed(network, project, title=title)
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    reader = PdfReader(str(tmp_path / "map.pdf"), strict=True)
    packet = reader.trailer["/Root"]["/Metadata"].get_object().get_data()
    assert (b"pdfaid:part" in packet) is claims is (broken_rules(tmp_path / "map.pdf") == [])
    said = reader.metadata.title.rstrip("…")
    assert said and title.startswith(said)


def test_the_update_changes_no_pixel(exported, tmp_path):
    _made, folder = exported
    data = (folder / "map.pdf").read_bytes()
    (tmp_path / "plain.pdf").write_bytes(data[:data.rindex(b"%%EOF", 0, data.rindex(b"%%EOF")) + 6])
    images = []
    for path in (folder / "map.pdf", tmp_path / "plain.pdf"):
        command = ["pdftoppm", "-r", "60", "-png", "-singlefile", str(path), str(tmp_path / path.stem)]
        subprocess.run(command, check=True)
        images.append(QImage(str(tmp_path / f"{path.stem}.png")))
    assert images[0] == images[1] and not images[0].isNull()


@pytest.mark.parametrize("name", ["map.pdf", "map.png", "map.tif"])
def test_sources_travel_inside(exported, network, name):
    made, folder = exported
    statement = read_statement(embedded_file((folder / name).read_bytes(), SOURCES_NAME))
    assert statement.title == "Despeñaperros a mano" and statement.scale == pytest.approx(75_000)
    assert {source.endpoint.split("?")[0] for source in statement.sources} == {
        address.split("?")[0] for address in (network.endpoints["guide"], network.endpoints["facilities"])}
    for source in statement.sources:
        assert source.credit in statement.credits and source.credit_required.value == "yes" and source.record_id
        assert source.requests == 2 and len(source.capabilities_sha256) == len(hashlib.sha256().hexdigest())


@pytest.mark.parametrize("name", ["map.pdf", "map.png", "map.tif"])
def test_the_map_makes_itself_again(exported, network, tmp_path, name):
    made, folder = exported
    document = read_map_file(folder / name)
    assert document.title == "Despeñaperros a mano" and len(document.entries) == 2
    project, known = QgsProject(), known_records(network)
    again = map_pipeline.compose_map(project, document, known, service_cache.ServiceCache(), 60)
    layout_export.export_layouts(again.layout, tmp_path / "again.png", ExportFormat.PNG, ExportOptions(DPI))
    first, second = (QImage(str(path)) for path in (folder / "map.png", tmp_path / "again.png"))
    assert first.size() == second.size() and first == second
    project.clear()


def test_images_carry_rights(exported):
    _made, folder = exported
    credit = "Consejería"
    png, jpeg = Image.open(folder / "map.png"), Image.open(folder / "map.jpg")
    png.load()
    jpeg.load()
    assert credit in png.info["XML:com.adobe.xmp"]
    assert any(kind == "APP1" and credit.encode() in body for kind, body in jpeg.applist)
    tiff = gdal.Open(str(folder / "map.tif"))
    assert credit in tiff.GetMetadata_List("xml:XMP")[0]
    assert b"rdf:RDF" in (folder / "map.svg").read_bytes()


def without_text(path, words):
    """The PDF without the lines of text that have one of the words, written anew by another program."""
    data = path.read_bytes()
    update = PdfUpdate(data)
    page = update.dictionary(update.pages()[0])
    content = page_content(update, page)
    gone = {number for text in content.texts if any(word in text.text for word in words)
            for number in range(text.first, text.last + 1)}
    kept = b"\n".join(line for number, line in enumerate(content.lines) if number not in gone)
    update.replace(update.pages()[0], {**page, "Contents": update.add({}, kept)})
    tampered, written = path.with_name("tampered.pdf"), path.with_name("written.pdf")
    tampered.write_bytes(data + update.appendix({}))
    PdfWriter(clone_from=str(tampered)).write(str(written))
    return tampered, written


def verified(path):
    return verify_map(read_written_map(path, digest_of_pixels), lambda source: None, terms_for)


@pytest.mark.parametrize(("name", "state"), [
    ("map.pdf", CreditPresence.ON_PAGE), ("map.svg", CreditPresence.ON_PAGE), ("map.png", CreditPresence.IN_METADATA),
    ("map.jpg", CreditPresence.IN_METADATA), ("map.tif", CreditPresence.IN_METADATA)])
def test_exported_maps_carry_what_they_owe(exported, name, state):
    found = verified(exported[1] / name)
    assert [source.presence for source in found.sources] == [state, state] and found.is_complete


def test_a_credit_that_was_removed_from_a_pdf_is_found_missing(exported):
    _made, folder = exported
    for path in without_text(folder / "map.pdf", ["Equipamientos de uso", "de uso público de Andalucía, 2019"]):
        assert "2019" not in PdfReader(str(path)).pages[0].extract_text()
        found = verified(path)
        assert {source.source.title.split()[0]: source.presence for source in found.sources} == {
            "Equipamientos": CreditPresence.MISSING, "Mapa": CreditPresence.ON_PAGE}
        assert "The page lacks 1 credit" in found.sentence and not found.is_complete


def test_pages_of_one_file_have_bookmarks(network, project, tmp_path):
    made = composed(network, project)
    another = made.layout.clone()
    another.setName("second")
    project.layoutManager().addLayout(another)
    layout_export.export_layouts([made.layout, another], tmp_path / "two.pdf", ExportFormat.PDF, ExportOptions(DPI))
    reader = PdfReader(io.BytesIO((tmp_path / "two.pdf").read_bytes()), strict=True)
    assert [item.title for item in reader.outline] == ["Despeñaperros a mano"] * 2
    assert structure(tmp_path / "two.pdf").count("H1 (block)") == 2
    assert reader.metadata.title == "Despeñaperros a mano"


def test_an_svg_brings_its_fonts(exported):
    """Each character of a text is in the font that it names, drawn like the one that is installed."""
    root = etree.parse(str(exported[1] / "map.svg")).getroot()
    texts = texts_by_face(root)
    assert {face.family for face in texts} == {"Open Sans"} and len(texts) >= 2
    rules = re.findall(r'font-family:"([^"]+)";font-weight:(\d+);font-style:(\w+);src:url\(data:font/ttf;base64,'
                       r"([^)]+)\)", root.findtext("{*}style"))
    found = {FontFace(family, weight, style == "italic"): base64.b64decode(data)
             for family, weight, style, data in rules}
    assert set(found) == set(texts) and sum(map(len, found.values())) < 300_000
    letters = 0
    for face, written in texts.items():
        embedded, installed = QRawFont(QByteArray(found[face]), 40.0), QRawFont.fromFont(embedded_fonts._font(face))
        installed.setPixelSize(40.0)
        assert embedded.isValid() and embedded.styleName() == installed.styleName()
        for character in sorted(set("".join(written))):
            glyph, own = embedded.glyphIndexesForString(character), installed.glyphIndexesForString(character)
            assert glyph == own and glyph[0], (face, character)
            assert embedded.pathForGlyph(glyph[0]) == installed.pathForGlyph(own[0]), (face, character)
            letters += 1
    assert letters > 60
    assert "Despeñaperros" in "".join(root.itertext()), "texts are texts"


def changed(picture):
    """The picture with a white area painted over its foot."""
    painted = picture.copy()
    painted.paste(tuple(255 for _band in painted.getbands()),
                  (0, painted.height * 9 // 10, painted.width, painted.height))
    return painted


EDITS = {"crop": lambda picture: picture.crop((0, 0, picture.width, picture.height - 40)),
         "resize": lambda picture: picture.resize((picture.width // 2, picture.height // 2)), "paint over": changed}


def saved_again(source, target, picture):
    """Write the picture with the metadata of the file that it was opened from, as editors do."""
    opened = Image.open(source)
    if source.suffix == ".png":
        opened.load()
        texts = PngInfo()
        for name, value in opened.info.items():
            if isinstance(value, str):
                texts.add_itxt(name, str(value), zip=True)
        picture.save(target, pnginfo=texts, compress_level=1)
    elif source.suffix == ".jpg":
        picture.save(target, quality=95)
        subprocess.run(["exiftool", "-q", "-overwrite_original", "-tagsfromfile", str(source), "-xmp", "-iptc:all",
                        str(target)], check=True)
    else:
        picture.save(target, compression="tiff_lzw")
        written, read = gdal.Open(str(target), gdal.GA_Update), gdal.Open(str(source))
        written.SetMetadata(read.GetMetadata_List("xml:XMP"), "xml:XMP")
        written.SetMetadata(read.GetMetadata("CARTOGUIDE"), "CARTOGUIDE")
        written = None


@pytest.mark.parametrize("name", ["map.png", "map.jpg", "map.tif"])
@pytest.mark.parametrize("edit", EDITS)
def test_a_picture_that_was_edited_with_its_metadata_kept_is_not_complete(exported, tmp_path, name, edit):
    source, target = exported[1] / name, tmp_path / name
    saved_again(source, target, EDITS[edit](Image.open(source)))
    found = verified(target)
    assert {source.presence for source in found.sources} == {CreditPresence.IN_METADATA}
    assert found.file.content is ContentState.CHANGED and not found.is_complete
    assert "The picture was changed since the map was exported" in found.sentence


@pytest.mark.parametrize("name", ["map.png", "map.tif"])
def test_a_picture_that_was_packed_again_without_loss_stays_complete(exported, tmp_path, name):
    source, target = exported[1] / name, tmp_path / name
    saved_again(source, target, Image.open(source).copy())
    assert target.read_bytes() != source.read_bytes()
    found = verified(target)
    assert found.file.content is ContentState.SAME and found.is_complete


def test_metadata_of_a_jpeg_may_be_added(exported, tmp_path):
    target = tmp_path / "map.jpg"
    subprocess.run(["exiftool", "-q", "-o", str(target), "-comment=Ñ", "-exif:artist=X", "-iptc:city=Jaén",
                    str(exported[1] / "map.jpg")], check=True)
    assert target.read_bytes() != (exported[1] / "map.jpg").read_bytes()
    assert verified(target).file.content is ContentState.SAME and verified(target).is_complete


@pytest.mark.parametrize("name", ["map.png", "map.jpg", "map.svg", "map.tif"])
def test_of_files_without_a_digest_it_is_not_known_whether_they_were_changed(exported, tmp_path, name):
    data = (exported[1] / name).read_bytes()
    target = tmp_path / name
    if name == "map.png":
        picture = Image.open(exported[1] / name)
        picture.load()
        picture.info["XML:com.adobe.xmp"] = picture.info["XML:com.adobe.xmp"].replace("contentDigest", "other")
        texts = PngInfo()
        for key, value in picture.info.items():
            if isinstance(value, str):
                texts.add_itxt(key, str(value))
        picture.save(target, pnginfo=texts)
    else:
        target.write_bytes(data.replace(b"contentDigest", b"otherProperty"))
    found = verified(target)
    assert found.file.content is ContentState.UNKNOWN and found.is_complete
    assert ("It is not known whether the picture was changed" in found.sentence) is (name != "map.svg")


def test_a_drawing_that_was_changed_says_so(exported, tmp_path):
    target = tmp_path / "map.svg"
    tree = etree.parse(str(exported[1] / "map.svg"))
    tree.find("{*}metadata").append(etree.Element("more"))
    tree.write(str(target), encoding="ascii")
    assert verified(target).file.content is ContentState.SAME, "other bytes of the same drawing"
    view = [float(number) for number in tree.getroot().get("viewBox").split()]
    etree.SubElement(tree.getroot(), "{http://www.w3.org/2000/svg}rect", width=str(view[2]), height=str(view[3]))
    tree.write(str(target))
    found = verified(target)
    assert found.file.content is ContentState.CHANGED and "The drawing was changed" in found.sentence


def metadata_by_exiftool(path):
    """What a program of others reads in a file: values by group and name, lists as lists."""
    done = subprocess.run(["exiftool", "-j", "-G1", "-charset", "iptc=utf8", str(path)], capture_output=True,
                          check=True)
    return json.loads(done.stdout)[0]


@pytest.mark.parametrize("name", ["map.pdf", "map.png", "map.jpg", "map.svg", "map.tif"])
def test_programs_of_others_read_the_same_rights_in_every_format(exported, name):
    _made, folder = exported
    statement = read_statement(embedded_file((folder / "map.png").read_bytes(), SOURCES_NAME))
    found = metadata_by_exiftool(folder / name)

    def values(key):
        value = found.get(key, [])
        return value if isinstance(value, list) else [value]

    assert found["XMP-dc:Title"] == statement.title == "Despeñaperros a mano"
    assert found["XMP-dc:Rights"] in ("\n".join(statement.credits), "..".join(statement.credits))
    assert values("XMP-dc:Creator") == list(statement.creators) and values("XMP-dc:Language") == ["es"]
    addresses = list(dict.fromkeys(source.endpoint for source in statement.sources))
    assert found["XMP-dc:Source"] in ("\n".join(addresses), "..".join(addresses))
    assert values("XMP-dc:Relation") == [source.record_id for source in statement.sources]
    if name == "map.jpg":
        credits = "; ".join(statement.credits)
        assert found["IPTC:ObjectName"] == statement.title and found["IPTC:Caption-Abstract"].endswith(credits)
        assert len(credits.encode()) > 128 and credits.startswith(found["IPTC:CopyrightNotice"])
    elif name == "map.tif":
        tags = gdal.Open(str(folder / name)).GetMetadata()
        assert tags["TIFFTAG_COPYRIGHT"] == found["IFD0:Copyright"]
        assert tags["TIFFTAG_COPYRIGHT"].startswith("; ".join(statement.credits))
        assert tags["TIFFTAG_DOCUMENTNAME"] == statement.title


#: a GeoTIFF is tiled and packed, which Exif's kind of TIFF knows nothing of
OF_GEOTIFF = ("GDALMetadata", "Compression", "StripOffsets", "RowsPerStrip", "StripByteCounts")


@pytest.mark.parametrize("name", ["map.pdf", "map.png", "map.jpg", "map.svg", "map.tif"])
def test_programs_of_others_find_nothing_wrong(exported, name):
    done = subprocess.run(["exiftool", "-warning", "-error", "-validate", "-a", "-s3", str(exported[1] / name)],
                          capture_output=True, check=True)
    told = [line for line in done.stdout.decode().splitlines() if not line.endswith(OF_GEOTIFF)]
    assert [line for line in told if name != "map.tif" or "Warnings" not in line] == ([] if name == "map.tif" else
                                                                                    ["OK"])
