"""Every recipe of docs/architecture.md works in a copy of the sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, NamedTuple

import pytest

from tests.slowness import patience

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "architecture.md"
COPIED = ("plugin", "resources", "i18n", "tests/tools", "metadata.txt", "__init__.py")
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """One fenced block of a recipe: its language, what is done with it, and its text."""

    language: str
    action: str
    text: str


def recipes() -> dict[str, List[Step]]:
    """Return the blocks of each recipe, by the recipe's name."""
    parts = re.split(r"<!-- recipe: (\w+) -->", PAGE.read_text(encoding="utf-8"))
    return {name: [Step(*block) for block in BLOCK.findall(text)] for name, text in zip(parts[1::2], parts[2::2])}


def change(path: Path, diff: str) -> None:
    """Replace in ``path`` what the diff's lines without ``+`` say by what those without ``-`` say."""
    lines = diff.splitlines()
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    after = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path.name} has {text.count(before)} places with:\n{before}"
    path.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the copies: what Python has compiled for one of them serves the others."""
    return tmp_path_factory.mktemp("recipes")


@pytest.fixture
def copy(place: Path) -> Path:
    """Return a copy of the sources."""
    root = place / "cartoguide"
    shutil.rmtree(root, ignore_errors=True)
    for name in COPIED:
        source, target = REPOSITORY / name, root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "pictures", "*.qm"))
        else:
            shutil.copy(source, target)
    programs = place / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python3").chmod(0o755)
    return root


def test_the_page_has_a_recipe_for_everything_that_is_often_added():
    assert set(recipes()) == {"reader", "check", "feature", "template", "algorithm", "setting", "language"}


@pytest.mark.parametrize("name", sorted(recipes()))
def test_a_recipe_works(name, copy):
    environment = {**os.environ, "PATH": f"{copy.parent / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                   "QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": str(copy.parent / "bytecode"),
                   "PYTHONPATH": os.pathsep.join(filter(None, (str(copy), os.environ.get("PYTHONPATH"))))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    printed = ""
    ran = 0
    for step in recipes()[name]:
        if step.action.startswith("create="):
            (copy / step.action.partition("=")[2]).write_text(step.text, encoding="utf-8")
        elif step.action.startswith("change="):
            change(copy / step.action.partition("=")[2], step.text)
        elif step.language == "text":
            assert step.text.strip() in printed, printed
            ran += 1
        else:
            command = ["sh", "-c", step.text] if step.language == "sh" else [sys.executable, "-c", step.text]
            answer = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True,
                                    stdin=subprocess.DEVNULL, timeout=patience(300), check=False)
            printed = answer.stdout + answer.stderr
            assert answer.returncode in (0, 1) and "Traceback" not in printed, printed
    assert ran, "a recipe shows what comes out"
