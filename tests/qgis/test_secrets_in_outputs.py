"""Logins and keys in addresses: no exported file, saved answer of a server or package has them."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from odd_server import OddServer
from qgis.core import Qgis, QgsApplication, QgsLayoutExporter, QgsProject

from plugin.core.custommap.document import read_document, write_document
from plugin.core.library.blob_cache import BlobKind
from plugin.core.library.record_store import RecordStore
from plugin.gis.runtime import tasks
from plugin.gis.services.service_cache import ServiceCache, capabilities_url
from tests.qgis.print_maps import composed, pdf_text, small_map

WORD = "n0tToBeSeen"
FIXTURE = Path(__file__).parents[1] / "unit" / "fixtures" / "wms" / "network-1.3.0.xml"


def contains_the_word(path):
    """Whether a file has the word, in UTF-8, UTF-16, the letters of a PDF in hexadecimal, or compressed."""
    data = path.read_bytes()
    pieces = [data]
    for start in re.finditer(rb"stream\r?\n|IDAT|zTXt|iTXt", data):
        try:
            pieces.append(zlib.decompressobj().decompress(data[start.end():], 50_000_000))
        except zlib.error:
            continue
    marks = (WORD.encode(), WORD.encode("utf-16-le"), WORD.encode("utf-16-be"), WORD.encode().hex().encode(),
             WORD.encode("utf-16-be").hex().encode())
    return any(mark in piece or mark in piece.lower() for mark in marks for piece in pieces)


def test_the_search_finds_the_word_in_a_compressed_stream(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF\nstream\n" + zlib.compress(f"({WORD})".encode()) + b"\nendstream")
    assert contains_the_word(tmp_path / "a.pdf")


def with_secrets(custom_map):
    """The document of a map with a key in each address, as another program may have written it."""
    document = json.loads(write_document(custom_map))
    for entry in (document["base"], *document["overlays"]):
        entry["endpoint"] += f"&token={WORD}" if "?" in entry["endpoint"] else f"?token={WORD}"
        entry["credit"] = {"line": f'Source: "https://ana:{WORD}@maps.example.org/", 2014', "required": "yes",
                           "licence_url": f"https://maps.example.org/licence?apikey={WORD}"}
    document["title"] = f"Map of https://maps.example.org/?password={WORD}"
    document["later"] = [f"https://ana:{WORD}@maps.example.org/"]
    return json.dumps(document).encode()


def test_exports_and_documents_of_a_map_have_no_secrets(network, tmp_path, qgis_new_project):
    data = with_secrets(small_map(network))
    custom_map = read_document(data)
    messages = []
    QgsApplication.messageLog().messageReceived.connect(lambda text, tag, level: messages.append(text))
    (tmp_path / "a.custommap.json").write_bytes(write_document(custom_map))
    assert read_document(write_document(custom_map)) == custom_map
    layout = composed(network, QgsProject.instance(), title=custom_map.title, base=custom_map.base,
                      overlays=custom_map.overlays).layout
    exporter = QgsLayoutExporter(layout)
    settings, images = QgsLayoutExporter.PdfExportSettings(), QgsLayoutExporter.ImageExportSettings()
    images.dpi = 60
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    assert exporter.exportToPdf(str(tmp_path / "a.pdf"), settings) == QgsLayoutExporter.ExportResult.Success
    assert exporter.exportToSvg(str(tmp_path / "a.svg"), QgsLayoutExporter.SvgExportSettings()) == 0
    assert exporter.exportToImage(str(tmp_path / "a.png"), images) == QgsLayoutExporter.ExportResult.Success
    assert QgsProject.instance().write(str(tmp_path / "a.qgs"))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {".pdf", ".svg", ".png", ".qgs", ".json"} <= {path.suffix for path in files}
    assert [path for path in files if contains_the_word(path)] == []
    page = pdf_text(tmp_path / "a.pdf")
    assert "maps.example.org" in page and WORD not in page
    assert not [text for text in messages if WORD in text]


@pytest.mark.parametrize("title", [f'see "https://a.example/?token={WORD}"', f"https://ana:{WORD}@a.example/\\n"])
def test_a_title_with_a_secret_and_quotation_marks_stays_a_document(network, title):
    custom_map = replace(small_map(network), title=title)
    read = read_document(write_document(custom_map))
    assert WORD not in read.title and "a.example" in read.title and read.title.count('"') == title.count('"')


def test_saved_capabilities_have_no_secrets_that_the_server_repeats(qgis_app, tmp_path, wait_until):
    store = RecordStore(tmp_path / "records.sqlite")
    with OddServer() as server:
        endpoint = f"{server.url}/wms?"
        document = re.sub(rb'href="http[^"]*"', f'href="{server.url}/wms?map=a&amp;token={WORD}"'.encode(),
                          FIXTURE.read_bytes())
        assert WORD.encode() in document
        server.files["/wms"] = document
        found = []
        ServiceCache(lambda: store.blob_cache).request(endpoint, found.append, found.append, None, False)
        wait_until(lambda: found)
        wait_until(lambda: not tasks._jobs)
        service = found[0]
        assert WORD.encode() not in service.original and WORD not in json.dumps(service.to_dict())
        assert "map=a" in json.dumps(service.to_dict())
        blob = store.blob_cache.load(BlobKind.CAPABILITIES, capabilities_url(endpoint))
        assert blob is not None and WORD.encode() not in blob.data
        store.close()
    cached = Path(QgsApplication.qgisSettingsDirPath())
    assert [path for folder in (tmp_path, cached) for path in folder.rglob("*")
            if path.is_file() and contains_the_word(path)] == []
