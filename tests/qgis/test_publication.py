"""Exported maps say what they are: structure, rights and sources, and the document that makes them again."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
from collections import Counter

import numpy
import pytest
from lxml import etree
from osgeo import gdal
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from plugin.core.publication.map_files import read_map_file
from plugin.core.publication.pdf_content import page_content
from plugin.core.publication.pdf_update import PdfUpdate
from plugin.gis.credits.layer_credits import credits_of_layers
from plugin.gis.export import layout_export, map_pipeline
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.layout_export import ExportFormat
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.credit_legibility import pixel_window, rgb_pixels
from plugin.gis.services import service_cache
from tests.pairwise import some
from tests.qgis.pdf_archive import broken_rules
from tests.qgis.print_maps import composed, known_records, small_map
from tests.written_files import metadata, missing_credits, page_text, required_credits, rights, sources

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


@pytest.mark.slow
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


@pytest.mark.parametrize(("title", "claims"), [
    ("خريطة 1 (a\\) %PDF endobj" + "Título \\) " * 9_000, True), ("a\ufdd0b", False)])
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
    statement = sources(folder / name)
    assert statement["title"] == "Despeñaperros a mano" and statement["scale"] == pytest.approx(75_000)
    assert {source["endpoint"].split("?")[0] for source in statement["sources"]} == {
        address.split("?")[0] for address in (network.endpoints["guide"], network.endpoints["facilities"])}
    for source in statement["sources"]:
        assert source["credit"] in statement["credits"] and source["credit_required"] == "yes" and source["record_id"]
        assert source["requests"] == 2 and len(source["capabilities_sha256"]) == len(hashlib.sha256().hexdigest())


def test_the_map_makes_itself_again(exported, network, tmp_path):
    made, folder = exported
    document = read_map_file(folder / "map.png")
    assert read_map_file(folder / "map.pdf") == document == read_map_file(folder / "map.tif")
    assert document.title == "Despeñaperros a mano" and len(document.entries) == 2
    project, known = QgsProject(), known_records(network)
    again = map_pipeline.compose_map(project, document, known, service_cache.ServiceCache(), 60)
    layout_export.export_layouts(again.layout, tmp_path / "again.png", ExportFormat.PNG, ExportOptions(DPI))
    first, second = (QImage(str(path)) for path in (folder / "map.png", tmp_path / "again.png"))
    assert first.size() == second.size() and first == second
    project.clear()


@pytest.mark.slow
@pytest.mark.parametrize("crs", some(["EPSG:3857", "EPSG:4326", "EPSG:25829"], 3))
def test_the_map_makes_itself_again_at_the_scale_of_the_ground(network, project, tmp_path, crs):
    made = composed(network, project, crs=crs)
    layout_export.export_png(made.layout, tmp_path / "map.png", DPI)
    document, stated = read_map_file(tmp_path / "map.png"), sources(tmp_path / "map.png")
    assert document.scale == stated["scale"] == (80_000 if crs == "EPSG:25829" else 75_000)
    again_project = QgsProject()
    again = map_pipeline.compose_map(again_project, document, known_records(network), service_cache.shared(), 60)
    layout_export.export_png(again.layout, tmp_path / "again.png", DPI)
    first, second = (QImage(str(tmp_path / name)) for name in ("map.png", "again.png"))
    assert first == second
    again_project.clear()


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


@pytest.mark.parametrize("name", ["map.pdf", "map.png", "map.jpg", "map.svg", "map.tif"])
def test_exported_maps_carry_what_they_owe(exported, name):
    made, folder = exported
    owed = credits_of_layers(made.layout.project().mapLayers().values())
    listed = folder / (name if name in ("map.pdf", "map.png", "map.tif") else "map.png")
    assert len(owed) == 2 and sorted(required_credits(listed)) == sorted(owed)
    assert missing_credits(owed, "\n".join(rights(folder / name))) == []
    if name == "map.pdf":
        assert missing_credits(owed, page_text(folder / name)) == []


def removed(lines):
    return []


def invisible(lines):
    return [b"BT 3 Tr" if line.strip() == b"BT" else line for line in lines]


def off_the_page(lines):
    return [b"q 1 0 0 1 900000 0 cm", *lines, b"Q"]


def tiny(lines):
    return [b"q 0.02 0 0 0.02 0 0 cm", *lines, b"Q"]


def changed_texts(path, words, change):
    """The PDF with its texts changed that have one of the words, as it is and written anew by another program."""
    data = path.read_bytes()
    update = PdfUpdate(data)
    page = update.dictionary(update.pages()[0])
    content = page_content(update, page)
    kept, end = [], 0
    for text in content.texts:
        if any(word in text.text for word in words):
            kept += [*content.lines[end:text.first], *change(content.lines[text.first:text.last + 1])]
            end = text.last + 1
    update.replace(update.pages()[0], {**page, "Contents": update.add({}, b"\n".join(kept + content.lines[end:]))})
    tampered, written = path.with_name("tampered.pdf"), path.with_name("written.pdf")
    tampered.write_bytes(data + update.appendix({}))
    PdfWriter(clone_from=str(tampered)).write(str(written))
    return tampered, written


@pytest.mark.parametrize("change", some([removed, off_the_page, invisible, tiny], 2))
def test_the_judge_of_these_tests_sees_what_a_reader_sees(exported, change):
    made, folder = exported
    owed = credits_of_layers(made.layout.project().mapLayers().values())
    words = ["Equipamientos de uso", "de uso público de Andalucía, 2019"]
    for path in changed_texts(folder / "map.pdf", words, change):
        if change is invisible:
            with pytest.raises(AssertionError, match="invisible"):
                page_text(path)
            continue
        missing, = missing_credits(owed, page_text(path))
        assert "Equipamientos" in missing
        assert missing_credits(owed, "\n".join(rights(path))) == [], "the metadata still have it"


def test_the_judge_of_these_tests_sees_no_more_than_is_left_of_a_page(exported, tmp_path):
    made, folder = exported
    owed = credits_of_layers(made.layout.project().mapLayers().values())
    writer = PdfWriter(clone_from=str(folder / "map.pdf"))
    box = writer.pages[0].mediabox
    writer.pages[0].cropbox = RectangleObject([0, float(box.height) / 2, float(box.width), float(box.height)])
    writer.write(str(tmp_path / "cropped.pdf"))
    assert missing_credits(owed, page_text(tmp_path / "cropped.pdf")) == owed


@pytest.mark.slow
def test_pages_of_one_file_have_bookmarks(exported, tmp_path):
    made, _folder = exported
    another = made.layout.clone()
    another.setName("second")
    made.layout.project().layoutManager().addLayout(another)
    layout_export.export_layouts([made.layout, another], tmp_path / "two.pdf", ExportFormat.PDF, ExportOptions(DPI))
    reader = PdfReader(io.BytesIO((tmp_path / "two.pdf").read_bytes()), strict=True)
    assert [item.title for item in reader.outline] == ["Despeñaperros a mano"] * 2
    assert structure(tmp_path / "two.pdf").count("H1 (block)") == 2
    assert reader.metadata.title == "Despeñaperros a mano"
    made.layout.project().layoutManager().removeLayout(another)


def drawn(path, size):
    """An SVG as Qt draws it."""
    from qgis.PyQt.QtSvg import QSvgRenderer

    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    return image


def ink(image, area):
    """Which pixels of an area of a page, in millimetres, differ from its ground."""
    scale = image.width() / 297
    grey = rgb_pixels(image.copy(*pixel_window(area, scale, (image.width(), image.height())))).mean(axis=2)
    return abs(grey - numpy.median(grey)) > 90


def shifted(pixels, down, right):
    return numpy.roll(pixels, (down, right), (0, 1))


def unlike(some, others):
    """The share of ink that is not where the other has some, within two pixels once one is shifted by up to four.

    The lines of an SVG have the widths of letters that are not hinted to pixels.
    """
    around, near = range(-4, 5), range(-2, 3)
    wide, other_wide = (numpy.any([shifted(pixels, down, right) for down in near for right in near], axis=0)
                        for pixels in (some, others))
    return min(max((shifted(some, down, right) & ~other_wide).sum() / some.sum(),
                   (others & ~shifted(wide, down, right)).sum() / others.sum()) for down in around for right in around)


def test_texts_of_an_svg_are_outlines_that_look_like_those_of_the_png(exported, tmp_path):
    made, folder = exported
    root = etree.parse(str(folder / "map.svg")).getroot()
    assert not list(root.iter("{*}text", "{*}style")), "no viewer needs a font"
    layout_export.export_layouts(made.layout, tmp_path / "map.png", ExportFormat.PNG, ExportOptions(200))
    png = QImage(str(tmp_path / "map.png"))
    svg = drawn(folder / "map.svg", png.size())
    for name in (layout_items.TITLE, layout_items.CREDITS):
        item = made.layout.itemById(name)
        area = item.mapRectToScene(item.rect())
        in_png, in_svg = ink(png, area), ink(svg, area)
        assert in_png.sum() > 500 and in_svg.sum() > 500
        assert unlike(in_png, in_svg) < 0.02 < unlike(in_png[:, ::-1], in_svg)


def test_texts_of_an_svg_are_texts_where_the_projects_labels_are(network, project, tmp_path):
    made = composed(network, project)
    labels = project.labelingEngineSettings()
    labels.setDefaultTextRenderFormat(Qgis.TextRenderFormat.AlwaysText)
    project.setLabelingEngineSettings(labels)
    layout_export.export_layouts(made.layout, tmp_path / "map.svg", ExportFormat.SVG, ExportOptions(DPI))
    texts = "\n".join("".join(text.itertext()) for text in etree.parse(str(tmp_path / "map.svg")).iter("{*}text"))
    owed = credits_of_layers(project.mapLayers().values())
    assert len(owed) == 2 and missing_credits(owed, texts) == [] and "Despeñaperros a mano" in texts


FORMER = '<cartoguide:contentDigest xmlns:cartoguide="urn:cartoguide:xmp#">rgba:0123</cartoguide:contentDigest>'


@pytest.mark.parametrize("name", ["map.png", "map.tif"])
def test_a_map_of_a_former_version_with_a_digest_of_its_picture_opens(exported, tmp_path, name):
    _made, folder = exported
    path = tmp_path / name
    if name == "map.png":
        with Image.open(folder / name) as picture:
            picture.load()
            texts = PngInfo()
            for key, value in picture.info.items():
                if isinstance(value, str):
                    texts.add_itxt(key, value.replace("</rdf:Description>", FORMER + "</rdf:Description>"), zip=True)
            picture.save(path, pnginfo=texts)
    else:
        path.write_bytes((folder / name).read_bytes())
        image = gdal.Open(str(path), gdal.GA_Update)
        packet, = image.GetMetadata_List("xml:XMP")
        image.SetMetadata([packet.replace("</rdf:Description>", FORMER + "</rdf:Description>")], "xml:XMP")
        image = None
    assert "Digest" in str(metadata(path))
    assert read_map_file(path) == read_map_file(folder / name)


@pytest.mark.parametrize("name", ["map.pdf", "map.png", "map.jpg", "map.svg", "map.tif"])
def test_programs_of_others_read_the_same_rights_in_every_format(exported, name):
    _made, folder = exported
    statement = sources(folder / "map.png")
    found = metadata(folder / name)

    def values(key):
        value = found.get(key, [])
        return value if isinstance(value, list) else [value]

    assert found["XMP-dc:Title"] == statement["title"] == "Despeñaperros a mano"
    assert found["XMP-dc:Rights"] in ("\n".join(statement["credits"]), "..".join(statement["credits"]))
    assert values("XMP-dc:Creator") == statement["creators"] and values("XMP-dc:Language") == ["es"]
    addresses = list(dict.fromkeys(source["endpoint"] for source in statement["sources"]))
    assert found["XMP-dc:Source"] in ("\n".join(addresses), "..".join(addresses))
    assert values("XMP-dc:Relation") == [source["record_id"] for source in statement["sources"]]
    if name == "map.jpg":
        credits = "; ".join(statement["credits"])
        assert found["IPTC:ObjectName"] == statement["title"] and found["IPTC:Caption-Abstract"].endswith(credits)
        assert len(credits.encode()) > 128 and credits.startswith(found["IPTC:CopyrightNotice"])
    elif name == "map.tif":
        tags = gdal.Open(str(folder / name)).GetMetadata()
        assert tags["TIFFTAG_COPYRIGHT"] == found["IFD0:Copyright"]
        assert tags["TIFFTAG_COPYRIGHT"].startswith("; ".join(statement["credits"]))
        assert tags["TIFFTAG_DOCUMENTNAME"] == statement["title"]


#: a GeoTIFF is tiled and packed, which Exif's kind of TIFF knows nothing of
OF_GEOTIFF = ("GDALMetadata", "Compression", "StripOffsets", "RowsPerStrip", "StripByteCounts")


def test_programs_of_others_find_nothing_wrong(exported):
    names = ("map.pdf", "map.png", "map.jpg", "map.svg", "map.tif")
    done = subprocess.run(["exiftool", "-warning", "-error", "-validate", "-a", "-s3",
                           *(str(exported[1] / name) for name in names)], capture_output=True, check=True)
    told = re.split("(?m)^=+ .*/(map.*)$", done.stdout.decode())[1:]
    assert tuple(told[::2]) == names
    for name, said in zip(names, told[1::2]):
        lines = [line for line in said.strip().splitlines() if not line.endswith(OF_GEOTIFF) and "read" not in line]
        assert [line for line in lines if name != "map.tif" or "Warnings" not in line] == ([] if name == "map.tif" else
                                                                                         ["OK"])
