"""The commands of docs/command-line.md and of the guide run unchanged with the real qgis_process.

Where a document has the line ``<!-- run: qgis_process -->``, the code block behind it is run by a shell, line by line
until one fails, in a folder that holds ``records``; blocks of one document follow one another in the same folder. The
suite runs the lines with LINES, with the plugin enabled by the settings, since each starts QGIS anew and
test_processing_examples runs every algorithm.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from qgis.core import Qgis

from plugin.core.custommap.document import write_document
from plugin.processing import provider
from tests.pairwise import ALL
from tests.qgis.algorithm_runs import lay_out, parsed, write_small
from tests.qgis.print_maps import pdf_text, small_map
from tests.slowness import patience

MARK = "<!-- run: qgis_process -->"
#: in what the suite runs of docs/command-line.md, and the files that it writes
LINES = ("export QT", "run cartoguide:exportcustommap")
WRITTEN = {"park.custommap.json", "park.pdf"}
WRITTEN_BY_ALL = {"park.qgz", "records.csv", "footprints.gpkg", "records.html", "issues.csv", "terms.csv",
                  "health.html", "credits.html"}
#: Debian's wrapper around the program is broken in 3.22
PROGRAM = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="qgis_process is not installed")


def blocks(text: str) -> list[str]:
    """The code blocks behind the marks, indented or fenced, without their indent."""
    found = []
    for part in text.split(MARK)[1:]:
        fenced = re.match(r"\s*```\w*\n(.*?)```", part, re.DOTALL)
        indented = re.match(r"\s*?\n((?:[ ]{4}.*\n|\s*\n)+)", part)
        assert fenced or indented, f"no code block behind the mark: {part[:60]!r}"
        found.append((fenced[1] if fenced else re.sub(r"(?m)^ {4}", "", indented[1])).strip())
    return found


@pytest.fixture(scope="module")
def terminal(repository, network_for_session, tmp_path_factory):
    """``run(command)``: a shell with ``qgis_process`` on its path and the plugin in a plugin folder."""
    home = tmp_path_factory.mktemp("terminal")
    for name in ("bin", "plugins", "place", "cache", "run", "config/profiles/default/QGIS"):
        (home / name).mkdir(parents=True)
    (home / "run").chmod(0o700)
    (home / "bin" / "qgis_process").symlink_to(PROGRAM)
    (home / "plugins" / "cartoguide").symlink_to(repository, target_is_directory=True)
    ini = home / "config" / "profiles" / "default" / "QGIS" / f"QGIS{Qgis.QGIS_VERSION_INT // 10000}.ini"
    ini.write_text(f"[cartoguide]\nprofile={network_for_session.profile_path}\n"
                   f"[PythonPlugins]\ncartoguide={'false' if ALL else 'true'}\n", encoding="utf-8")
    lay_out(home / "place", network_for_session)
    environment = {**os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "QT_QPA_PLATFORM": "offscreen",
                   "QGIS_CUSTOM_CONFIG_PATH": str(home / "config"), "QGIS_PLUGINPATH": str(home / "plugins"),
                   "XDG_CACHE_HOME": str(home / "cache"), "XDG_RUNTIME_DIR": str(home / "run"), "LC_ALL": "C.UTF-8"}
    if not os.environ.get("QGIS_PREFIX"):
        environment.pop("PYTHONPATH", None)

    def run(command: str) -> subprocess.CompletedProcess:
        return subprocess.run(["bash", "-e", "-c", command], cwd=home / "place", env=environment, capture_output=True,
                              text=True, timeout=patience(280), stdin=subprocess.DEVNULL)

    run.place = home / "place"
    return run


def documents(repository: Path) -> list[Path]:
    return [repository / "docs" / "command-line.md", *sorted((repository / "resources" / "guide").glob("*/*.md"))]


def test_the_marks_are_found(repository):
    told = blocks((repository / "docs" / "command-line.md").read_text("utf-8"))
    assert len(told) >= 2 and all("qgis_process" in block for block in told)
    assert blocks(f"a\n{MARK}\n\n    one\n    two\n\nb\n{MARK}\n```sh\nthree\n```\n") == ["one\ntwo", "three"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_the_readme_tells_works_as_it_stands(repository, terminal, network):
    if not ALL:
        document = write_document(small_map(network, title="My park"))
        (terminal.place / "park.custommap.json").write_bytes(document)
    for block in blocks((repository / "docs" / "command-line.md").read_text("utf-8")):
        if not ALL:
            block = "\n".join(line for line in block.splitlines() if any(word in line for word in LINES))
        done = terminal(block)
        assert done.returncode == 0, block + done.stdout[-2000:] + done.stderr[-2000:]
        assert "Traceback" not in done.stderr + done.stdout
    written = {path.name for path in terminal.place.iterdir()}
    assert WRITTEN | (WRITTEN_BY_ALL if ALL else set()) <= written
    text = pdf_text(terminal.place / "park.pdf")
    assert text.count("Consejería de Sostenibilidad y Medio Ambiente") >= 2 and "My park" in text
    # the same program, without a service: words, a status that scripts see, and no file
    network.fault({"match": {"endpoint": "facilities"}, "action": {"type": "status", "code": 503}})
    write_small(terminal.place / "park.custommap.json", terminal.place / "few.custommap.json")
    done = terminal("qgis_process run cartoguide:exportcustommap -- INPUT=few.custommap.json DPI=72 OUTPUT=broken.pdf")
    assert done.returncode == 1
    assert "not complete" in done.stdout + done.stderr and not (terminal.place / "broken.pdf").exists()


def test_every_document_names_algorithms_and_parameters_that_there_are(repository, qgis_app):
    """The guide's commands are those of docs/command-line.md at more length, running each again would take minutes."""
    known = {kind.ID: kind() for kind in provider.ALGORITHMS}
    told = 0
    for document in documents(repository):
        for line in re.findall(r"qgis_process run cartoguide:.*", document.read_text("utf-8")):
            name, parameters = parsed(line)
            known[name].initAlgorithm()
            wrong = [key for key in parameters if known[name].parameterDefinition(key) is None]
            assert wrong == [], (document.name, line)
            told += 1
    assert told >= 7 + 2 * len(known)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_guide_tells_of_every_algorithm_where_its_help_button_leads(repository, language):
    text = (repository / "resources" / "guide" / language / "processing.md").read_text("utf-8")
    for kind in provider.ALGORITHMS:
        _, found, section = text.partition(f"### cartoguide:{kind.ID}\n")
        assert found and kind.EXAMPLE in section.partition("###")[0], kind.ID
