"""Files that anybody may have named: only regular ones are opened, nobody waits, and no other computer is looked at."""

from __future__ import annotations

import os

import pytest

from plugin.core.errors import CartoguideError, UnreadableDocument
from plugin.core.trust import files
from tests.irregular_files import IRREGULAR, at_once, make_irregular


@pytest.mark.skipif(os.name == "nt", reason="files of POSIX systems")
@pytest.mark.parametrize("kind", IRREGULAR)
@pytest.mark.parametrize("read", [lambda path: files.read_regular(path, 1000), files.open_regular, files.check_regular,
                                  files.check_kind])
def test_what_is_no_regular_file_is_refused_at_once_with_words(tmp_path, kind, read):
    path = make_irregular(tmp_path / "named.bin", kind)
    with at_once(), pytest.raises(files.UnusableFile) as caught:
        read(path)
    assert path.split("/")[-1].replace("\x00", " ") in caught.value.user_text
    assert caught.value.is_missing is (kind in ("missing", "dangling link"))


def test_a_file_is_read_within_its_limit(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"0123456789")
    assert files.read_regular(path, 10) == b"0123456789"
    assert files.read_regular(str(path), 10) == b"0123456789"
    with files.open_regular(path) as stream:
        assert stream.read(4) == b"0123"
    for read in (lambda: files.read_regular(path, 9), lambda: files.check_regular(path, 9)):
        with pytest.raises(UnreadableDocument, match="too large"):
            read()


def test_a_sparse_file_of_gigabytes_is_refused_by_its_size(tmp_path):
    path = tmp_path / "huge.json"
    with open(path, "wb") as stream:
        stream.truncate(3_000_000_000)
    with at_once(), pytest.raises(UnreadableDocument, match="3000 MB"):
        files.read_regular(path, 40_000_000)


@pytest.mark.skipif(not os.path.exists("/proc/self/pagemap"), reason="a file of Linux")
def test_a_file_of_the_system_that_hides_its_size_is_read_no_further_than_the_limit():
    with pytest.raises(CartoguideError):
        files.read_regular("/proc/self/pagemap", 100_000)


def test_a_file_that_became_a_pipe_between_look_and_opening_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_bytes(b"{}")
    regular = os.stat(path)
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(files.os, "stat", lambda _path: regular)
    with pytest.raises(files.UnusableFile, match="pipe"):
        files.read_regular(path, 100)


FOREIGN = ["\\\\host\\share\\a.tif", "//host/share/a.tif", " //host/share", "/\\host\\a", "\\\\?\\C:\\a",
           "\\\\.\\COM1", "/vsicurl/http://host/a.tif", "\\vsimem\\a", "/VSIZIP/a.zip", "http://host/a",
           "file:///etc/passwd", "smb://h/a", "PDF:1:/etc/passwd", "qrc:/a.svg", ":/images/a.svg", "<VRTDataset/>",
           "data:image/png;base64,AAAA", "javascript:x", "/dev/zero", "/dev/../dev/ptmx",
           "/tmp/../proc/self/environ", "/sys/kernel", "", "  ", "a\x00b", "a\nb", "photo.jpg:stream",
           "C:\\a\\photo.jpg:stream:$DATA", "folder::$INDEX_ALLOCATION"]
LOCAL = ["photo.jpg", "photos/photo.jpg", "/srv/ana/photo.jpg", "../photo.jpg", "C:\\maps\\photo.jpg",
         "c:/maps/a.png", "Fotos del día/vsi.png", "con/desvio.png", "Screenshot from 12:30:00.png", "a//b.png",
         "device/a.png", "/devices/a"]
WINDOWS_DEVICES = ["NUL", "con.txt", "C:\\a\\aux", "maps/LPT1.json", "COM1:", "nul ", "nul.", "C:relative",
                   "12:30.png", "CONIN$", "\\\\.\\PhysicalDrive0", "\\\\?\\GLOBALROOT\\Device\\x"]


@pytest.mark.parametrize("path", FOREIGN)
def test_a_path_to_elsewhere_is_refused_with_a_sentence(path):
    assert not files.is_local_path(path, windows=False)
    problem = files.foreign_path_problem(path, windows=False)
    assert problem.endswith(".")
    assert "\x00" not in problem and "\n" not in problem


@pytest.mark.parametrize("path", LOCAL)
def test_a_path_of_this_computer_is_not_refused(path):
    assert files.foreign_path_problem(path, windows=False) == ""


@pytest.mark.parametrize("path", WINDOWS_DEVICES)
def test_names_that_windows_takes_for_devices_are_refused_there(path):
    assert not files.is_local_path(path, windows=True)


def test_a_device_is_refused_before_it_is_opened_on_windows(monkeypatch):
    monkeypatch.setattr(files, "_WINDOWS", True)
    monkeypatch.setattr(files.os, "open", lambda *_given: pytest.fail("opened"))
    for path in ("NUL", "C:\\x\\con.json", "\\\\.\\PhysicalDrive0"):
        with pytest.raises(files.UnusableFile, match="device"):
            files.read_regular(path, 100)
    assert not files.is_device_name("C:\\maps\\console.json")
    assert not files.is_device_name("\\\\?\\C:\\maps\\a.json")


def test_a_link_that_leads_out_of_its_folder_is_outside(tmp_path):
    folder, other = tmp_path / "profile", tmp_path / "profile-other"
    folder.mkdir()
    other.mkdir()
    for place in (folder, other):
        (place / "a.xml").write_bytes(b"<a/>")
    (folder / "in.xml").symlink_to(folder / "a.xml")
    (folder / "out.xml").symlink_to(other / "a.xml")
    (folder / "sub").symlink_to(other)
    (tmp_path / "alias").symlink_to(folder)
    assert files.inside(folder / "a.xml", folder)
    assert files.inside(folder / "in.xml", folder)
    assert files.inside(tmp_path / "alias" / "a.xml", folder)
    assert files.inside(folder / "a.xml", tmp_path / "alias")
    for path in (folder / "out.xml", folder / "sub" / "a.xml", folder / ".." / "profile-other" / "a.xml", folder,
                 other / "a.xml", f"{folder}/a\x00"):
        assert not files.inside(path, folder)


def test_a_name_that_leads_to_another_file_than_the_agreed_one_is_not_read(tmp_path):
    mine, private, link = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "c.txt"
    mine.write_bytes(b"mine")
    private.write_bytes(b"private")
    link.symlink_to(mine)
    for path in (mine, link):
        assert files.read_regular(path, 10, files.leads_to(path)) == b"mine"
        agreed = files.leads_to(path)
        path.unlink()
        path.symlink_to(private)
        with pytest.raises(files.UnusableFile, match="replaced by a link"):
            files.read_regular(path, 10, agreed)
        path.unlink()
        mine.write_bytes(b"mine")
    with pytest.raises(files.UnusableFile):
        files.read_regular(tmp_path / "none", 10, files.leads_to(tmp_path / "none"))


def test_a_file_that_becomes_a_link_while_it_is_opened_is_not_read(tmp_path, monkeypatch):
    mine, private = tmp_path / "a.txt", tmp_path / "b.txt"
    mine.write_bytes(b"mine")
    private.write_bytes(b"private")
    check = files.check_kind

    def replaced(path, limit=None):
        check(path, limit)
        mine.unlink()
        mine.symlink_to(private)

    monkeypatch.setattr(files, "check_kind", replaced)
    with pytest.raises(files.UnusableFile):
        files.read_regular(mine, 10, files.leads_to(mine))


@pytest.mark.parametrize(("address", "path"), [
    ("file:///srv/a%20b.html", "/srv/a b.html"), ("FILE:///C:/a.html", "C:/a.html"), ("file:/a.html", "/a.html"),
    ("file://server/share/a.html", "//server/share/a.html"), ("file:////server/a.html", "//server/a.html"),
    ("file:%2F%2Fserver/a.html", "//server/a.html"), ("https://server/a.html", ""), ("a.html", ""), ("", "")])
def test_an_address_of_a_file_leads_to_a_path_that_can_be_judged(address, path):
    assert files.local_path(address) == path
    assert not path or (files.foreign_path_problem(path, windows=True) == "") is ("server" not in path)
