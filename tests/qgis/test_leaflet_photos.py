"""Photos of a leaflet: as they were taken, each above its credit, and told by name where they cannot be printed."""

from __future__ import annotations

import struct
import time
import zlib

import pytest
from pypdf import PdfReader
from qgis.core import QgsLayoutExporter, QgsLayoutItemShape, QgsPrintLayout
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QFont, QImage, QPainter

from plugin.core.custommap.foreign_maps import Consent, admit, examine
from plugin.core.custommap.model import CustomMap
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts
from plugin.core.preflight import preflight_findings
from plugin.core.preflight.context import PreflightContext
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, template_loading, templates, text_fitting
from plugin.gis.pages import leaflet_photos as photos
from plugin.gis.pages.completeness_checks import IncompleteMap, check_complete, layout_problems
from plugin.gis.runtime import compat
from plugin.gis.runtime.tasks import Feedback
from plugin.ui.pages.leaflet import PhotoRow
from tests.qgis.print_maps import composed, leaflet_page, pdf_text
from tests.qgis.test_logos import _figures

CREDIT = "Foto: Ana Pérez, CC BY 4.0"
RED, BLUE = QColor(220, 30, 30), QColor(30, 30, 220)


def picture(path, width=600, height=400):
    """A picture whose left third is red and the rest blue."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(BLUE)
    painter = QPainter(image)
    painter.fillRect(0, 0, width // 3, height, RED)
    painter.end()
    assert image.save(str(path))
    return path


def turned(path, orientation=6):
    """The JPEG with an EXIF orientation: 6 is seen turned by a quarter clockwise (EXIF 2.32, 4.6.4 A)."""
    data = path.read_bytes()
    tiff = b"II*\0" + struct.pack("<IH", 8, 1) + struct.pack("<HHIHH", 0x112, 3, 1, orientation, 0) + b"\0" * 4
    body = b"Exif\0\0" + tiff
    path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:])
    return path


def leaflet(network, *photos_of, **texts):
    return leaflet_page(network, LeafletTexts("Un parque. " * 40, photos=photos_of, **texts))


def made(network, project, *photos_of, **texts):
    return composed(network, project, page=leaflet(network, *photos_of, **texts), guide=("limite_parque",)).layout


def items(layout):
    return [item for number in range(1, 4)
            for item in [layout.itemById(f"{photos.PHOTO_PREFIX}{number}")] if item is not None]


def area(item):
    return item.rect().translated(item.pagePos())


@pytest.mark.slow
def test_photos_lie_undistorted_on_the_cover_and_above_the_text_each_with_its_credit(network, project, tmp_path):
    wide, tall = picture(tmp_path / "ancha.png"), picture(tmp_path / "alta.jpg", 300, 900)
    layout = made(network, project, LeafletPhoto(str(wide), "Un puente", CREDIT),
                  LeafletPhoto(str(tall), "Un árbol", "Otra © Luis"))
    check_complete(layout)
    first, second = items(layout)
    assert first.rect().width() / first.rect().height() == pytest.approx(1.5, abs=0.01)
    assert second.rect().width() / second.rect().height() == pytest.approx(1 / 3, abs=0.01)
    credit = layout.itemById("photo-credit:1")
    text = layout.itemById("abstract")
    panel = layout.pageCollection().page(1).rect().width() / 4
    cover = [area(credit), area(layout.itemById("band_accent")), area(first)]
    assert area(layout.itemById("band")).contains(area(credit)) and layout.itemById("cover") is None
    assert area(first).bottom() == pytest.approx(layout.pageCollection().page(1).rect().height())
    assert area(first).left() == pytest.approx(3 * panel) and area(first).width() == pytest.approx(panel)
    order = [area(second), area(layout.itemById("photo-credit:2")), area(layout.itemById("heading:abstract")),
             area(text)]
    assert all(above.bottom() <= below.top() + 0.01 for column in (cover, order)
               for above, below in zip(column, column[1:]))
    assert all(box.left() >= panel and box.right() <= 2 * panel for box in order), "within one panel"
    assert layout.itemById("photos") is None
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, 60)
    said = pdf_text(path)
    assert CREDIT in said and "Otra © Luis" in said and said.count("Un parque.") == 40
    texts = [node.get("/Alt", "") for node in _figures(PdfReader(str(path)))]
    assert "Un puente" in texts and "Un árbol" in texts


def test_long_texts_beside_photos_are_whole_before_the_map_is_shown_below_them(network, project, tmp_path):
    photo = LeafletPhoto(str(picture(tmp_path / "ancha.png")), "Un puente", CREDIT)
    page = leaflet_page(network, LeafletTexts(
        "Un desfiladero de cuarcita en la puerta de Andalucía: buitres leonados, encinares y alcornocales. " * 6,
        "Por la autovía A-4, salida 257 (Santa Elena). Tren hasta Vilches, a 25 km.\n" * 8,
        "Centro de visitantes: de jueves a domingo, de 10 a 14 h.\nJulio y agosto: de 9 a 13 h.\n" * 3,
        "Emergencias: 112\nIncendios forestales: 112\nGuardia Civil: 062\n" * 2, photos=(photo, ) * 3))
    layout = composed(network, project, page=page, guide=("limite_parque",), language="es").layout
    assert not [note for note in layout_items.layout_notes(layout) if "too long" in note]
    labels = [layout.itemById(name) for name in (layout_items.ABSTRACT, *layout_items.LEAFLET_TEXTS)]
    assert all("…" not in label.text() for label in labels)
    for label in labels:
        heading = layout.itemById(layout_items.HEADING_PREFIX + label.id())
        taken = text_fitting.text_height(heading.text(), compat.label_font(heading), heading.rect().width())
        assert area(label).top() < area(heading).top() + 1.4 * taken, "no blank line below a heading"


def test_a_photo_is_shown_as_it_was_held(network, project, tmp_path):
    layout = made(network, project, LeafletPhoto(str(turned(picture(tmp_path / "vertical.jpg"))), "x", CREDIT))
    item, = items(layout)
    assert item.rect().height() > item.rect().width()
    image = QgsLayoutExporter(layout).renderRegionToImage(item.mapRectToScene(item.rect()), dpi=60)
    top, bottom = (image.pixelColor(image.width() // 2, int(image.height() * share)) for share in (0.15, 0.8))
    assert top.red() > 150 > top.blue() and bottom.blue() > 150 > bottom.red(), "the left third is on top"


def test_without_photos_nothing_of_them_is_on_the_page(network, project):
    layout = made(network, project)
    check_complete(layout)
    assert items(layout) == [] and layout.itemById("photos") is None
    template = template_loading.load_template(project, templates.BUNDLED_FOLDER / "leaflet-A3-landscape.qpt")
    assert area(layout.itemById("heading:abstract")).top() == pytest.approx(
        area(template.itemById("heading:legend")).top(), abs=0.1), "the text begins at the top"


#: what is wrong with a photo, two of them on each page
BAD = ((None, b""), (b"\xff\xd8\xff\xe0 broken", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
       (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\x86\xa0\0\1\x86\xa0\x08\2\0\0\0", "cut"), ("large",))


@pytest.mark.slow
def test_a_photo_that_cannot_be_printed_is_named_and_the_map_is_not_exported(network, project, tmp_path, monkeypatch):
    good = picture(tmp_path / "buena.png")
    for contents in BAD:
        files = []
        for number, content in enumerate(contents):
            files.append(file := tmp_path / f"mala {number}.jpg")
            if content == "cut":
                picture(file, 1600, 1200)
                file.write_bytes(file.read_bytes()[:700])
            elif content == "large":
                picture(file)
                file.write_bytes(file.read_bytes() + b"\0" * 20_000)
                monkeypatch.setattr(photos, "_MAX_BYTES", 20_000)
            elif content is not None:
                file.write_bytes(content)
        project.clear()
        layout = made(network, project, *(LeafletPhoto(str(file), "x", CREDIT) for file in (*files, good)))
        with pytest.raises(IncompleteMap) as refused:
            check_complete(layout)
        assert all(file.name in refused.value.user_text for file in files), contents
        assert "buena" not in refused.value.user_text
        with pytest.raises(IncompleteMap):
            layout_export.export_pdf(layout, tmp_path / "a.pdf", 60)
        assert not (tmp_path / "a.pdf").exists()


def test_photos_without_a_credit_or_with_a_blank_in_it_are_findings_and_the_map_is_not_exported(network, project,
                                                                                            tmp_path):
    shown = (LeafletPhoto(str(picture(tmp_path / "anónima.png")), "", " "),
             LeafletPhoto(str(picture(tmp_path / "puente.png")), "x", "© [name], CC BY 4.0"))
    composition = composed(network, project, page=leaflet(network, *shown), guide=("limite_parque",))
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_pdf(composition.layout, tmp_path / "a.pdf", 60)
    first, second = (next(problem for problem in refused.value.problems if name in problem)
                     for name in ("anónima.png", "puente.png"))
    assert "credit" in first and "[name]" in second and not (tmp_path / "a.pdf").exists()
    found = {finding.rule for finding in preflight_findings(PreflightContext(composition.document, composition.plan))}
    assert {"photo-credit", "photo-text"} <= found


@pytest.mark.slow
def test_the_credit_of_each_photo_is_owed_and_read_on_the_page(network, project, tmp_path):
    shown = [LeafletPhoto(str(picture(tmp_path / f"{name}.png")), "x", f"Foto de {name}") for name in ("Ana", "Luis")]
    layout = made(network, project, *shown)
    labels = [layout.itemById(f"photo-credit:{number}") for number in (1, 2)]
    check_complete(layout)
    for label in labels:
        label.setItemOpacity(0.02)
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_pdf(layout, tmp_path / "a.pdf", 60)
        assert f"“{label.id()}” is transparent" in refused.value.user_text and not (tmp_path / "a.pdf").exists()
        label.setItemOpacity(1)
    layout.removeLayoutItem(labels[1])
    with pytest.raises(IncompleteMap) as refused:
        check_complete(layout)
    assert "Foto de Luis" in refused.value.user_text and "Foto de Ana" not in refused.value.user_text
    # nor is it where QGIS itself exports the page
    (_title, sentence), = [one for one in layout_problems(layout) if "Foto de" in one[1]]
    assert "Foto de Luis" in sentence


def test_a_row_of_the_form_takes_a_file_and_gives_it_back(qgis_app, tmp_path):
    row = PhotoRow(1)
    heard = []
    row.changed.connect(lambda: heard.append(row.photo()))
    assert row.photo() is None and row.credit.isHidden()
    row.select_file(tmp_path / "a.jpg")
    row.credit.setText(CREDIT)
    row.credit.textEdited.emit(CREDIT)
    assert heard[-1] == LeafletPhoto(str(tmp_path / "a.jpg"), "", CREDIT) and not row.credit.isHidden()
    row.show_photo(LeafletPhoto("b.png", "x", "y"))
    assert row.choose.text() == "b.png" and row.photo() == LeafletPhoto("b.png", "x", "y")
    row.remove.click()
    assert row.photo() is None and heard[-1] is None


@pytest.mark.parametrize("when", ["before the page is made", "before it is drawn"])
def test_a_photo_that_became_a_link_after_it_was_agreed_to_is_not_printed(network, project, tmp_path, when):
    path, private = picture(tmp_path / "a.png"), picture(tmp_path / "private.png", 300, 200)
    document = CustomMap(page=leaflet(network, LeafletPhoto(str(path), "x", CREDIT)))
    foreign = examine(document, tmp_path, tmp_path / "templates")
    page = admit(foreign, Consent.LISTED).document.page
    if when == "before it is drawn":
        layout = layout_of(network, project, page)
        wanted = photos.photos_to_load(layout)
        path.unlink()
        path.symlink_to(private)
        loaded = photos.load_photos(wanted, Feedback())
        assert not loaded.images and "replaced by a link" in loaded.problems[0]
        return
    path.unlink()
    path.symlink_to(private)
    layout = composed(network, project, page=page, guide=("limite_parque",)).layout
    assert "replaced by a link" in photos.photo_problems(layout)[0] and items(layout) == []


def layout_of(network, project, page):
    """A page whose photos have not been read."""
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    slot = QgsLayoutItemShape(layout)
    layout.addLayoutItem(slot)
    slot.attemptSetSceneRect(QRectF(10, 10, 90, 120))
    photos.place_photos(layout, slot, page.leaflet.photos, QFont())
    return layout


@pytest.mark.parametrize("kind", ["texts of a PNG", "scans of a JPEG"])
def test_a_photo_that_hides_gigabytes_is_refused_at_once(tmp_path, kind):
    path = tmp_path / ("a.png" if kind == "texts of a PNG" else "a.jpg")
    picture(path, 30, 20)
    data = path.read_bytes()
    if kind == "texts of a PNG":
        text = b"zTXtk\0\0" + zlib.compress(bytes(7_900_000), 9)
        chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
        data = data[:33] + 400 * chunk + data[33:]
    else:
        frame = data.index(b"\xff\xc0")
        scans = b"\xff\xda\0\2\0" * 400
        data = data[:frame + 5] + struct.pack(">HH", 9000, 9000) + data[frame + 9:-2] + scans + data[-2:]
    path.write_bytes(data)
    began = time.process_time()
    loaded = photos.load_photos([photos.PhotoToLoad("photo:1", str(path))], Feedback())
    assert time.process_time() - began < 5 and not loaded.images and loaded.problems
