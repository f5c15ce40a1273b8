"""The command line as scripts call it: ``read``, and a Python without the modules.

What depends on the process (its streams, its pipes, the encoding of its arguments) runs in one of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run_command as run
from tests.slowness import patience

ROOT = Path(__file__).parents[2]
FIXTURES = Path(__file__).parent / "fixtures" / "records"
EDITOR = str(FIXTURES / "service_editor.xml")
CAPABILITIES = str(FIXTURES.parent / "wms" / "network-1.3.0.xml")
HARVESTER = str(FIXTURES / "service_harvester.xml")


def run_process(*arguments, data=None, **environment):
    return subprocess.run([sys.executable, "-m", "plugin.core", *arguments], cwd=ROOT, input=data, capture_output=True,
                          timeout=patience(60),
                          env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0", **environment})


def test_json_is_one_record_a_line_with_its_source():
    process = run_process("read", "--json", EDITOR, HARVESTER)
    records = [json.loads(line) for line in process.stdout.decode().splitlines()]
    assert (process.returncode, process.stderr) == (0, b"")
    assert [record["source"] for record in records] == [EDITOR, HARVESTER]
    assert records[0]["format"] == "cartoguide-record/1"
    assert records[0]["contacts"][0]["organisation"] == "Consejería de Montañas"
    assert records[0]["extents"] == [{"west": -3.65, "east": -3.4, "south": 38.3, "north": 38.45}]
    assert records[0]["terms"]["licence"]["url"].startswith("https://creativecommons.org/licenses/by/4.0")
    assert "original" not in records[0]


def test_text_names_title_terms_and_address():
    output = run("read", EDITOR).stdout.decode()
    assert output.startswith("Mapa guía de la sierra\n")
    assert "CC BY 4.0" in output and "https://mapas.example/wms/NODO_guia?" in output


def test_html_is_one_whole_page():
    page = run("read", "--html", EDITOR, HARVESTER).stdout.decode()
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert page.count("<article") == 2


def test_each_unreadable_file_is_one_line_on_standard_error_and_status_1(tmp_path):
    broken = tmp_path / "broken.xml"
    broken.write_text("<a>\n<b></a>")
    page = tmp_path / "page.xml"
    page.write_text("<html></html>")
    process = run("read", "--json", str(broken), EDITOR, str(tmp_path / "missing.xml"), str(page))
    lines = process.stderr.decode().splitlines()
    assert process.returncode == 1
    assert len(process.stdout.splitlines()) == 1
    assert len(lines) == 3
    assert str(broken) in lines[0] and "line 2" in lines[0]
    assert "does not exist" in lines[1] and "HTML" in lines[2]


def test_a_folder_is_read_with_its_subfolders(tmp_path):
    below = tmp_path / "b" / "c"
    below.mkdir(parents=True)
    (below / "two.xml").write_bytes(Path(HARVESTER).read_bytes())
    (tmp_path / "one.xml").write_bytes(Path(EDITOR).read_bytes())
    (tmp_path / "notes.txt").write_text("not looked at")
    process = run("read", "--json", str(tmp_path))
    assert process.returncode == 0
    assert [json.loads(line)["source"] for line in process.stdout.splitlines()] == \
        [str(tmp_path / "one.xml"), str(below / "two.xml")]
    empty = tmp_path / "b" / "empty"
    empty.mkdir()
    assert run("read", str(empty)).returncode == 1


def test_narrow_encodings_do_not_stop_the_output():
    for form in ((), ("--json",), ("--html",)):
        process = run("read", *form, EDITOR, encoding="ascii")
        assert (process.returncode, process.stderr) == (0, b"")
        if form == ("--json",):
            assert json.loads(process.stdout)["title"] == "Mapa guía de la sierra"
    process = run_process("capabilities", "--json", CAPABILITIES, PYTHONIOENCODING="ascii", LANG="C", LC_ALL="C")
    assert (process.returncode, process.stderr) == (0, b"")
    assert "Vehículos_contra_incendios" in str(json.loads(process.stdout))


def test_every_command_on_records_reads_the_standard_input():
    data = Path(EDITOR).read_bytes()
    for command in ("read", "terms", "check"):
        process = run(command, "-", data=data)
        assert "Mapa guía de la sierra".encode() in process.stdout and process.stderr == b""


def test_a_file_name_that_is_not_valid_utf8_is_read(tmp_path):
    odd = os.path.join(os.fsencode(tmp_path), b"caf\xe9.xml")
    with open(odd, "wb") as stream:
        stream.write(Path(HARVESTER).read_bytes())
    for form in (("--json",), ("--html",), ()):
        process = run("read", *form, os.fsdecode(odd))
        assert (process.returncode, process.stderr) == (0, b"")
    assert run_process("read", os.fsdecode(odd)).returncode == 0


def test_a_device_is_not_read():
    assert run("read", "/dev/null").returncode == 1


def test_a_closed_pipe_of_the_output_is_no_error():
    command = f"{sys.executable} -m plugin.core read --json {' '.join([EDITOR] * 40)} | head -c 10"
    process = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True,
                             timeout=patience())
    assert (process.returncode, process.stderr) == (0, b"")


def test_without_a_command_the_help_is_shown():
    process = run()
    assert process.returncode == 0 and b"read" in process.stdout


def test_the_language_chooses_among_translations(tmp_path):
    document = tmp_path / "two.xml"
    document.write_text(
        '<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">'
        "<identificationInfo><MD_DataIdentification><abstract><gco:CharacterString>Uno</gco:CharacterString><PT_FreeText>"
        '<textGroup><LocalisedCharacterString locale="#EN">One</LocalisedCharacterString></textGroup></PT_FreeText>'
        "</abstract></MD_DataIdentification></identificationInfo></MD_Metadata>")
    for language, abstract in (("en", "One"), ("fr", "Uno")):
        process = run("read", "--json", "--language", language, str(document))
        assert json.loads(process.stdout)["abstract"] == abstract


def test_a_pipe_and_standard_input_are_read():
    for name in ("-", "/dev/stdin"):
        process = run_process("read", "--json", name, data=Path(EDITOR).read_bytes())
        assert (process.returncode, process.stderr) == (0, b"")
        assert json.loads(process.stdout)["title"] == "Mapa guía de la sierra"
    process = run("read", "-")
    assert (process.returncode, process.stdout, process.stderr.decode().strip()) == (1, b"", "stdin is empty.")


def test_the_reading_trail_names_each_field_once_by_its_label():
    output = run("read", EDITOR).stdout.decode()
    trail = " ".join(output[output.index("Read from:"):output.index("Service:")].split())
    assert "Access constraints → Use constraints → Other constraints" in trail and "_constraints" not in trail


def test_a_response_without_records_is_a_note_on_standard_error_with_status_0(tmp_path):
    empty = tmp_path / "answer.json"
    empty.write_text('{"type": "FeatureCollection", "features": []}')
    for form in ((), ("--json",), ("--html",)):
        process = run("read", *form, str(empty))
        assert (process.returncode, process.stdout) == (0, b"")
        assert process.stderr.decode() == f"{empty}: a response without records.\n"


def test_a_missing_library_is_named_in_one_line_and_not_as_a_traceback(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "lxml.py").write_text("raise ModuleNotFoundError(\"No module named 'lxml'\", name='lxml')\n")
    started = subprocess.run(
        [sys.executable, "-c", "import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); "
         "sys.argv[0] = 'core'; runpy.run_module('plugin.core', run_name='__main__')", str(tmp_path), "read", "x.xml"],
        cwd=repository, capture_output=True, text=True, check=False)
    assert started.returncode == 1
    assert started.stderr.count("\n") == 1 and "lacks the Python module lxml" in started.stderr
    assert "Traceback" not in started.stderr


def test_the_version_is_that_of_the_plugin():
    process = run("--version")
    assert process.returncode == 0
    assert f"version={process.stdout.decode().split()[1]}\n" in (ROOT / "metadata.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", ["klingon", "xx", "12"])
def test_a_language_that_is_none_is_an_error_that_says_so(code):
    process = run("read", "--language", code, "x.xml")
    assert process.returncode == 2 and f"Unknown language “{code}”" in process.stderr.decode()
