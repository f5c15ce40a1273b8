"""A record's picture is taken from this computer only, and only from where the record itself came from."""

from __future__ import annotations

import os
import zipfile
import zlib

import pytest

from plugin.core.records.model.record import Overview, Record
from plugin.core.resources import RESOURCES
from plugin.core.review.report.local_pictures import MAX_BYTES, local_picture
from tests.unit.review.test_record_sheet import png
from tests.unit.wms.test_wms_images import png_with

WEB = "https://x.example/geonetwork/srv/api/records/a/attachments/thumb.png"


@pytest.fixture
def record_file(tmp_path):
    (tmp_path / "record.xml").write_text("<x/>")
    return tmp_path / "record.xml"


def found(source, *urls, saved=None):
    return local_picture(Record("x", source=str(source), overviews=tuple(map(Overview, urls))), saved)


def test_the_picture_with_the_records_own_name_is_its_picture(record_file):
    assert found(record_file) is None
    record_file.with_suffix(".png").write_bytes(png(3, 2))
    picture = found(record_file)
    assert (picture.width, picture.height, picture.mime_type, picture.overview) == (3, 2, "image/png", None)
    assert found(RESOURCES / "records" / "park-guide.xml").mime_type == "image/png"


def test_a_file_beside_the_record_counts_where_the_record_names_just_it(record_file):
    (record_file.parent / "thumb.png").write_bytes(png(3, 2))
    assert found(record_file, "thumb.png").overview.url == "thumb.png"
    assert found(record_file, WEB) is None, "an address of the web names no file beside the record"


@pytest.mark.parametrize("member", ["metadata.xml", "a/metadata/metadata.xml"])
@pytest.mark.parametrize("url", [WEB, "thumb.png", "https://x.example/resources.get?uuid=a&fname=thumb.png"])
def test_the_attachment_of_a_package_is_found(tmp_path, member, url):
    with zipfile.ZipFile(tmp_path / "r.mef", "w") as archive:
        archive.writestr(member, "<x/>")
        archive.writestr("a/public/thumb.png" if "/" in member else "public/thumb.png", png(3, 2))
    assert found(f"{tmp_path / 'r.mef'}!{member}", url).width == 3
    assert found(f"{tmp_path / 'r.mef'}!{member}", "other.png") is None


@pytest.mark.parametrize("folder", ["", "metadata"])
def test_the_attachment_of_an_unpacked_package_is_found(tmp_path, folder):
    for name in {folder, "public"} - {""}:
        (tmp_path / name).mkdir()
    (tmp_path / folder / "metadata.xml").write_text("<x/>")
    (tmp_path / "public" / "thumb.png").write_bytes(png(3, 2))
    assert found(tmp_path / folder / "metadata.xml", WEB) is None
    (tmp_path / "info.xml").write_text("<info/>")
    assert found(tmp_path / folder / "metadata.xml", WEB).width == 3


def test_no_file_of_another_folder_is_read(tmp_path):
    folder, secret = tmp_path / "records", tmp_path / "secret.png"
    folder.mkdir()
    (folder / "record.xml").write_text("<x/>")
    secret.write_bytes(png(3, 2))
    os.symlink(secret, folder / "link.png")
    for url in ("../secret.png", str(secret), secret.as_uri(), "link.png", "..%2fsecret.png", r"..\secret.png",
                "//host/share/a.png", ".png", "", "http://[", "CON.png\x00"):
        assert found(folder / "record.xml", url) is None, url
    os.symlink(secret, folder / "record.png")
    assert found(folder / "record.xml") is None, "not by a link with the record's own name either"
    for source in ("", "https://x.example/record.xml", "//host/share/record.xml", str(folder / "none.zip!a.xml")):
        assert found(source, "secret.png") is None, source


def test_only_whole_raster_images_of_moderate_size_are_pictures(record_file):
    picture = record_file.with_suffix(".png")
    for data in (b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html><script>1</script>", png(3, 2)[:-20],
                 png(100_000, 1)[:33], b"\x89PNG\r\n\x1a\n" + bytes(MAX_BYTES)):
        picture.write_bytes(data)
        assert found(record_file) is None
    picture.unlink()
    os.mkfifo(picture)
    assert found(record_file) is None, "a pipe is not waited for"


def test_what_was_saved_of_an_address_is_its_picture():
    asked = []
    assert found("", WEB, "thumb.png", saved=lambda url: asked.append(url)) is None
    assert asked == [WEB]
    assert found("", WEB, saved={WEB: png(3, 2)}.get).overview.url == WEB


def test_a_picture_that_hides_far_more_than_its_pixels_is_left_to_its_address(record_file):
    packed = zlib.compress(bytes(7_900_000), 9)
    for count in (1, 3):
        record_file.with_suffix(".png").write_bytes(png_with(*[(b"zTXt", b"k\0\0" + packed)] * count))
        assert (found(record_file) is None) is (count == 3)
