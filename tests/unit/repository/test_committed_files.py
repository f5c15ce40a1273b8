"""Committed files are about the project only, and contain nothing from a developer's machine."""

from __future__ import annotations

import hashlib
import re
import subprocess

import pytest

TEXT = (".py", ".md", ".txt", ".sh", ".toml", ".json", ".xml", ".ts", ".qpt", ".map", ".svg", ".html", ".css", "")
PLACES = re.compile(rb"(?<![\w.}$])/(?:home|root|work|Users)/[\w.-]+")


@pytest.fixture(scope="module")
def tracked(repository):
    """Every file of the repository, committed or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    if answer.returncode:
        pytest.skip("this is no git repository")
    return [path for name in answer.stdout.splitlines() if (path := repository / name).is_file()]


def test_no_file_names_a_place_on_somebodys_machine(tracked, repository):
    wrong = [
        f"{path.relative_to(repository)}: {found.group().decode()}"
        for path in tracked
        if path.suffix in TEXT and path.name != "test_committed_files.py"
        for found in [PLACES.search(path.read_bytes())]
        if found
    ]
    assert wrong == []


def test_no_sample_document_is_committed(tracked, samples):
    documents = (path.read_bytes() for path in samples.rglob("*") if path.is_file())
    known = {hashlib.sha256(content).digest() for content in documents if content}
    assert [path.name for path in tracked if hashlib.sha256(path.read_bytes()).digest() in known] == []


def test_what_tools_leave_behind_is_ignored(repository):
    left = [".venv/x", "build/x", "plugin/__pycache__/a.pyc", "i18n/cartoguide_es.qm", ".mypy_cache/x", ".hypothesis/x"]
    answer = subprocess.run(["git", "check-ignore", *left], cwd=repository, capture_output=True, text=True, check=False)
    if answer.returncode > 1:
        pytest.skip("this is no git repository")
    assert answer.stdout.split() == left


def test_no_large_file_is_committed(tracked):
    assert [path.name for path in tracked if path.stat().st_size > 1_500_000] == []


def test_test_files_have_names_of_their_own(tracked):
    names = [path.name for path in tracked if path.name.startswith("test_")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
