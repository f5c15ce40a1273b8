"""Overview images: limited in size, decoded off the main thread, never anything but pixels."""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
import time
import zlib

import pytest
from odd_server import OddServer
from qgis.PyQt.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QObject
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.errors import CartoguideError
from plugin.core.library.blob_cache import BlobKind
from plugin.core.library.record_store import RecordStore
from plugin.core.records.model.record import Overview, Record
from plugin.gis.library.thumbnails import AS_OF_KEY, Thumbnails, decode_image
from plugin.gis.runtime import tasks
from plugin.ui.record.overview_tab import OverviewTab
from tests.qgis.waiting import until
from tests.slowness import patience, slowness


def picture(width=40, height=20, kind="PNG") -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(data)


@pytest.mark.parametrize("kind", ["PNG", "JPG", "BMP"])
def test_pictures_are_read(qgis_app, kind):
    image = decode_image(picture(kind=kind))
    assert (image.width(), image.height()) == (40, 20)
    assert QColor(image.pixel(20, 10)).red() > 240


def test_a_large_picture_is_kept_small_in_its_proportions(qgis_app):
    image = decode_image(picture(2000, 1000), edge=256)
    assert (image.width(), image.height()) == (256, 128)


def test_a_picture_of_absurd_size_is_refused_before_it_is_decoded(qgis_app):
    data = bytearray(picture())
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    with pytest.raises(CartoguideError, match="too large"):
        decode_image(bytes(data))


@pytest.mark.parametrize("data", [
    b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", b"<html></html>", b"", b"GIF89a",
    b"\x89PNG\r\n\x1a\n",
    b"%PDF-1.4", b"plain text",
])
def test_what_is_no_picture_is_refused(qgis_app, data):
    with pytest.raises(CartoguideError):
        decode_image(data)


@pytest.fixture
def pictures():
    with OddServer() as server:
        server.files["/a.png"] = picture()
        server.files["/b.png"] = picture(kind="JPG")
        server.files["/no.png"] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
        yield server
        tasks.shutdown()


def test_a_picture_is_fetched_once_and_then_at_hand(qgis_app, pictures):
    thumbnails, images, errors = Thumbnails(), [], []
    url = pictures.url + "/a.png"
    thumbnails.request(url, images.append, errors.append)
    assert until(lambda: images)
    assert thumbnails.request(url, images.append, errors.append) is None
    assert len(images) == 2
    assert thumbnails.get(url).width() == 40
    assert pictures.count("/a.png") == 1


def test_a_failure_is_told_and_not_asked_for_again(qgis_app, pictures):
    thumbnails, images, errors = Thumbnails(), [], []
    for _ in range(2):
        before = len(errors)
        thumbnails.request(pictures.url + "/no.png", images.append, errors.append)
        assert until(lambda before=before: len(errors) > before)
    assert images == []
    assert pictures.count("/no.png") == 1


def test_only_the_latest_used_pictures_stay(qgis_app, pictures):
    thumbnails, images = Thumbnails(max_images=1), []
    for name in ("/a.png", "/b.png"):
        before = len(images)
        thumbnails.request(pictures.url + name, images.append, images.append)
        assert until(lambda before=before: len(images) > before)
    assert thumbnails.get(pictures.url + "/a.png") is None
    assert thumbnails.get(pictures.url + "/b.png") is not None


def test_a_deleted_owner_gets_nothing(qgis_app, pictures):
    from qgis.PyQt import sip

    owner, images = QObject(), []
    job = Thumbnails().request(pictures.url + "/a.png", images.append, images.append, owner)
    sip.delete(owner)
    assert until(lambda: not job.running)
    end = time.monotonic() + 0.2 * slowness()
    while time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)
    assert images == []


def test_a_kept_picture_is_there_without_a_network_and_says_of_which_day_it_is(qgis_app, pictures, tmp_path):
    store = RecordStore(tmp_path / "records.sqlite")
    url, images, errors = pictures.url + "/a.png", [], []
    Thumbnails(open_blob_cache=lambda: store.blob_cache).request(url, images.append, errors.append)
    assert until(lambda: images)
    kept = store.blob_cache.load(BlobKind.THUMBNAIL, url)
    assert kept.data == picture()
    assert kept.fetched_at.startswith("20")
    Thumbnails(open_blob_cache=lambda: store.blob_cache).request(url, images.append, errors.append)
    assert until(lambda: len(images) == 2)
    assert pictures.count("/a.png") == 1, "fresh ones are not asked for again"
    store.blob_cache.save(BlobKind.THUMBNAIL, url, kept.data, {}, "2020-05-01T10:00:00+00:00")
    del pictures.files["/a.png"]
    Thumbnails(open_blob_cache=lambda: store.blob_cache).request(url, images.append, errors.append)
    assert until(lambda: len(images) == 3)
    assert (images[2].width(), images[2].text(AS_OF_KEY), images[1].text(AS_OF_KEY)) == (40, "2020-05-01", "")
    overview = OverviewTab()
    overview.show_record(Record("iso19139", overviews=(Overview(url),)))
    overview.show_thumbnail(url, images[2])
    overview.show()
    assert until(lambda: "loaded on 2020-05-01. Its server does not respond now" in overview.toPlainText())
    pictures.files["/a.png"] = picture(50, 50)
    Thumbnails(open_blob_cache=lambda: store.blob_cache).request(url, images.append, errors.append)
    assert until(lambda: len(images) == 4)
    assert images[3].width() == 50 and not errors
    assert store.blob_cache.load(BlobKind.THUMBNAIL, url).data == picture(50, 50)
    store.close()


DECODERS = """
import sys, threading
sys.path.insert(0, {repository!r})
from qgis.core import QgsApplication
application = QgsApplication([], False)
from qgis.PyQt.QtGui import QImage
from plugin.gis.library.thumbnails import decode_image
from plugin.gis.runtime.images import image_from_bytes, png_bytes

image = QImage(1100, 1000, QImage.Format.Format_ARGB32)
image.fill(0xff00ff00)
large, small = png_bytes(image), png_bytes(image.copy(0, 0, 64, 64))


def decode(times, function, data):
    for _ in range(times):
        assert not function(data).isNull()


work = [(30, decode_image, large), (30, decode_image, large), (2000, decode_image, small),
        (2000, image_from_bytes, small), (2000, image_from_bytes, small)]
threads = [threading.Thread(target=decode, args=each, daemon=True) for each in work]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("decoded")
"""


@pytest.mark.slow
def test_images_decoded_in_several_threads_do_not_wait_for_each_other_without_end(repository):
    """A reader on a device made in Python held the lock of Qt's image plug-ins, and waited for Python's lock."""
    done = subprocess.run([sys.executable, "-c", DECODERS.format(repository=str(repository))], capture_output=True,
                          text=True, timeout=patience(90), stdin=subprocess.DEVNULL)
    assert done.stdout.strip() == "decoded", done.stderr


def test_a_large_image_leaves_no_file(qgis_app, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    image = decode_image(picture(2000, 1000), edge=256)
    assert (image.width(), image.height()) == (256, 128) and list(tmp_path.iterdir()) == []
