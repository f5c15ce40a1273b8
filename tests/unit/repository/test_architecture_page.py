"""Statements of docs/architecture.md and CONTRIBUTING.md about the sources are true."""

from __future__ import annotations

import re

import pytest

PATH = re.compile(r"`((?:plugin|tests|resources|i18n|docs)/[\w./-]*)`")
CREATED = re.compile(r"create=(\S+)")


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md", "README.md"])
def test_every_path_on_the_page_exists(repository, page):
    text = (repository / page).read_text(encoding="utf-8")
    created = set(CREATED.findall(text))
    assert [path for path in PATH.findall(text) if path not in created and not (repository / path).exists()] == []


def test_the_walk_of_one_record_stays_within_few_packages(repository):
    """From the file to the printed map a reader opens at most twelve packages."""
    page = (repository / "docs" / "architecture.md").read_text(encoding="utf-8")
    walk = page.split("## One record")[1].split("\n## ")[0]
    packages = {path.rpartition("/")[0] for path in PATH.findall(walk)}
    assert 6 < len(packages) <= 12, sorted(packages)
