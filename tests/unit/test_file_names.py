"""File names made from titles and identifiers: valid on every operating system, whatever the text."""

from __future__ import annotations

import ast
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plugin.core.files import plain_file_name, safe_file_name
from plugin.core.network_profile import unique_record_path
from plugin.core.snapshot.manifest import is_safe_path

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
#: parts of texts that make a file name dangerous somewhere
PARTS = st.sampled_from(["CON", "nul", "Com1", "LPT9", "aux.txt", "COM¹", "CONIN$", ".", "..", " ", "-", "~", "/", "\\",
                         ":", "*", "?", '"', "<", ">", "|", "\x00", "\n", "\u202e", "\u2066", "\u200f", "\ud800", "ñ",
                         "🗺", "a" * 200, "título", "desktop.ini", "C:", "file:///", "%2e%2e", "$(id)", "`id`"])
TEXTS = st.lists(PARTS | st.text(max_size=5), max_size=8).map("".join)
#: parts of proposed names that are no foreign text: translations and suffixes
_OWN_WORDS = ("tr(", "suffix", "kind", "report_format.value", "PACKAGE_SUFFIX")
DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$",
           *(f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789¹²³")}


def faults_of(name: str) -> list[str]:
    """What is wrong with ``name`` as a file name on Windows, macOS or Linux."""
    stem = name.partition(".")[0].rstrip().upper()
    return [fault for fault, found in {
        "empty": not name.strip(), "a path": PureWindowsPath(name).name != name or PurePosixPath(name).name != name,
        "a device": stem in DEVICES, "ends in a dot or a space": name.endswith((".", " ")),
        "begins with a dash, a dot or a space": name.startswith(("-", ".", " ", "~")),
        "a reserved character": bool(re.search(r'[\\/:*?"<>|\x00-\x1f\x7f]', name)),
        "marks of direction or nothing": bool(re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", name)),
        "half a character": bool(re.search("[\ud800-\udfff]", name)),
        "too long": len(name.encode("utf-8", "replace")) > 200,
    }.items() if found]


@given(TEXTS)
@example("CON")
@example("con .txt")
@example("..")
@example("-rf")
@example("a" * 119 + " .")
@example("\u202egnp.exe")
def test_any_title_gives_a_name_that_every_system_accepts(title):
    for suffix in ("", ".pdf", ".custommap.json"):
        assert faults_of(f"{safe_file_name(title)}{suffix}") == []
    assert faults_of(plain_file_name(title, "x")) == []
    assert re.fullmatch(r"[\w.-]+", plain_file_name(title, "x"))


@given(TEXTS, TEXTS)
def test_any_name_of_a_record_gives_a_safe_path_in_a_package(first, second):
    used: list[str] = []
    for text in (first, second, first):
        used.append(unique_record_path(text, used))
    assert len(set(used)) == 3
    for path in used:
        assert faults_of(path.rpartition("/")[2]) == [] and path.startswith("records/")
    assert all(is_safe_path(path) for path in used)


@pytest.mark.parametrize("title, name", [("Suelos 1:50.000 (2014)", "Suelos 1 50.000 (2014)"), ("CON", "_CON"),
                                         ("nul.xml", "_nul.xml"), ("...", "cartoguide"), ("-a", "a")])
def test_a_title_stays_readable(title, name):
    assert safe_file_name(title) == name


def test_every_dialog_that_proposes_a_name_makes_it_at_the_one_door():
    """A name that is proposed is a literal, or contains ``safe_file_name`` where it contains a value."""
    careless = []
    for path in sorted(PLUGIN.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "save_file" not in text:
            continue
        tree = ast.parse(text)
        safe = {target.id for node in ast.walk(tree)
                if isinstance(node, ast.Assign) and "file_name(" in ast.unparse(node.value)
                for target in node.targets if isinstance(target, ast.Name)}
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "save_file" and len(node.args) > 1):
                continue
            proposed = node.args[1]
            values = [part.value for part in ast.walk(proposed) if isinstance(part, ast.FormattedValue)]
            for value in values or ([] if isinstance(proposed, ast.Constant) else [proposed]):
                written = ast.unparse(value)
                if "file_name(" not in written and written not in safe and not written.startswith(_OWN_WORDS):
                    careless.append(f"{path.relative_to(PLUGIN)}:{node.lineno}: {written}")
    assert careless == []
