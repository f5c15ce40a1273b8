"""metadata.txt, the versions that it names, and the zip that people install."""

from __future__ import annotations

import posixpath
import re
import shutil
import zipfile

import pytest


@pytest.fixture(scope="module")
def package(load_tool):
    return load_tool("tools/package")


@pytest.fixture
def tree(package, repository, tmp_path):
    """A copy of the runtime files, with a compiled catalogue, to build from and to spoil."""
    for path in package.runtime_files(repository):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(repository / path, tmp_path / path)
    (tmp_path / "i18n").mkdir(exist_ok=True)
    (tmp_path / "i18n" / "cartoguide_es.qm").write_bytes(b"compiled")
    (tmp_path / "resources" / "guide" / "html" / "en").mkdir(parents=True, exist_ok=True)
    (tmp_path / "resources" / "guide" / "html" / "en" / "index.html").write_text("<!DOCTYPE html>")
    return tmp_path


def test_metadata_says_what_the_plugin_site_asks_for(package, repository):
    about = package.metadata(repository)
    assert about["name"] == "Cartoguide"
    assert about["qgisMinimumVersion"] == "3.22"
    assert about["qgisMaximumVersion"] == "4.99"
    assert about["license"] == "GPL-2.0-or-later"
    assert "@" in about["email"]
    for key in ("homepage", "tracker", "repository"):
        assert re.match(r"https://[\w.-]+/", about[key]), key
    assert not re.search(r"[<>]|plugin", about["description"], re.IGNORECASE)


def test_a_processing_provider_is_declared_just_when_there_is_one(package, repository):
    declared = package.metadata(repository).get("hasProcessingProvider", "no").lower() in ("yes", "true")
    assert declared == (repository / "plugin" / "processing" / "provider.py").is_file()


def test_the_whole_package_is_sound(package, tree):
    assert package.problems(tree, package.runtime_files(tree)) == []


def test_the_packaged_pages_of_the_guide_find_their_style_sheet_and_pictures(package, tree, load_tool, tmp_path):
    guide = load_tool("tools/guide")
    for language in guide.LANGUAGES:
        for name in guide.PAGES:
            page = tree / "resources" / "guide" / "html" / language / f"{name}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(guide.rendered(language, name), encoding="utf-8")
    target = tmp_path / "out" / "a.zip"
    package.build(tree, package.runtime_files(tree), target)
    with zipfile.ZipFile(target) as archive:
        names, pages = set(archive.namelist()), [name for name in archive.namelist() if "/guide/html/" in name]
        assert len(pages) == len(guide.LANGUAGES) * len(guide.PAGES)
        for page in pages:
            text = archive.read(page).decode("utf-8")
            sheets = re.findall(r'<link rel="stylesheet" type="text/css" href="([^"]+)">', text)
            assert len(sheets) == 1
            files = [posixpath.normpath(posixpath.join(posixpath.dirname(page), address))
                     for address in [*sheets, *re.findall(r'<img [^>]*src="([^"]+)"', text)]]
            assert [file for file in files if file not in names] == [], page
            assert re.search(r"^main \{[^}]*max-width", archive.read(files[0]).decode("utf-8"), re.MULTILINE)


def test_the_zip_has_one_top_folder_and_runtime_files_only(package, tree, tmp_path):
    target = tmp_path / "out" / "a.zip"
    package.build(tree, package.runtime_files(tree), target)
    names = zipfile.ZipFile(target).namelist()
    assert {name.split("/")[0] for name in names} == {"cartoguide"}
    assert {"cartoguide/metadata.txt", "cartoguide/__init__.py", "cartoguide/LICENSE"} <= set(names)
    assert "cartoguide/plugin/core/i18n.py" in names
    assert not [name for name in names if re.search(r"/tests/|__pycache__|\.pyc$|Makefile|pyproject|/\.", name)]
    assert target.stat().st_size < package.LARGEST


def test_the_zip_is_the_same_byte_for_byte_whenever_and_wherever_it_is_built(package, tree, tmp_path):
    first, second = tmp_path / "out" / "a.zip", tmp_path / "out" / "b.zip"
    package.build(tree, package.runtime_files(tree), first)
    for path in package.runtime_files(tree):
        (tree / path).chmod(0o600)
        (tree / path).touch()
    package.build(tree, package.runtime_files(tree), second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda root: (root / "LICENSE").unlink(), "LICENSE is missing"),
        (lambda root: (root / "CHANGELOG.md").write_text("## 9.9.9\n"), "9.9.9"),
        (lambda root: (root / "resources" / "tool.so").write_bytes(b"\x7fELF"), "binary"),
        (lambda root: (root / "i18n" / "cartoguide_es.qm").unlink(), "catalogue"),
        (lambda root: shutil.rmtree(root / "resources" / "guide" / "html"), "no page"),
        (lambda root: (root / "resources" / "icons" / "cartoguide.svg").unlink(), "icon"),
    ],
)
def test_a_package_that_the_site_would_refuse_is_not_built(package, tree, spoil, complaint):
    spoil(tree)
    assert any(complaint in problem for problem in package.problems(tree, package.runtime_files(tree)))


def test_nothing_that_tools_leave_behind_is_packaged(package, tree):
    (tree / "plugin" / "__pycache__").mkdir()
    (tree / "plugin" / "__pycache__" / "main.cpython-311.pyc").write_bytes(b"x")
    (tree / "resources" / "icons" / "cartoguide.svg~").write_text("x")
    assert not [path for path in package.runtime_files(tree) if "__pycache__" in path.parts or path.name.endswith("~")]
