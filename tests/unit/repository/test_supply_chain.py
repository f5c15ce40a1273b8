"""What the project is made of: pinned tools with hashes, licences, a bill of materials, the same package each time."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def licences(load_tool):
    return load_tool("tools/licences")


@pytest.fixture(scope="module")
def package(load_tool):
    return load_tool("tools/package")


@pytest.mark.parametrize("group", ["", "-run"])
def test_every_tool_is_pinned_with_its_hashes(repository, group):
    tools = repository / "tests" / "tools"
    entries = re.split(r"(?m)^(?=[A-Za-z0-9])", (tools / f"locked{group}.txt").read_text())[1:]
    assert len(entries) > 5
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.!+]+( ;[^\\\n]+)? \\\n", entry), entry.split("\n")[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.split("\n")[0]
    names = {re.match(r"[\w.-]+", entry)[0].lower().replace("_", "-") for entry in entries}
    wanted = (tools / f"requirements{group}.txt").read_text()
    lines = [line.split("#")[0].strip() for line in wanted.splitlines() if not line.startswith("-r")]
    assert {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in lines if line} <= names
    assert "pycsw" in names


def test_the_lists_name_no_registry(repository):
    for path in (repository / "tests" / "tools").glob("*.txt"):
        assert not re.search(r"https?://|index-url|find-links|trusted-host", path.read_text()), path.name


def test_the_setup_installs_nothing_without_its_hash(repository):
    script = (repository / "tests" / "tools" / "setup.sh").read_text()
    calls = [line.strip() for line in script.splitlines() if re.search(r"\bpip_install\b(?!\(\))", line)]
    assert calls and all("--require-hashes" in call and "--no-deps" in call for call in calls), calls


def test_every_part_of_the_package_has_a_licence_that_lets_it_be_passed_on(licences, package, repository):
    without = [path.as_posix() for path in package.runtime_files(repository)
               if not licences.part_of_package(path.as_posix())]
    assert without == []
    assert all(licences.is_free(licence) for licence in licences.CARRIED.values())
    assert package.metadata(repository)["license"] in licences.CARRIED.values()
    assert licences.part_of_package("resources/photos/some.jpg") == ""


def test_what_the_tests_install_is_free_and_listed(licences, repository):
    installed = {name: licences.licence_of(name) for name in licences.locked()}
    stated = {name: licence for name, licence in installed.items() if licence}
    assert len(stated) > 30
    assert [name for name, licence in stated.items() if not licences.is_free(licence)] == []
    assert not licences.is_free("Proprietary, all rights reserved")
    listed = re.findall(r"^\| ([\w.-]+) \| (\S+) \|", (repository / "docs" / "licences.md").read_text(), re.MULTILINE)
    assert dict(listed).items() >= licences.locked().items()


def built(package, tree, target):
    package.build(tree, package.runtime_files(tree), target)
    return target.read_bytes(), package.bill_of_materials(tree, package.runtime_files(tree), target)


def test_two_clones_at_two_times_give_the_same_package_and_bill(package, repository, tmp_path):
    if not shutil.which("git") or subprocess.run(["git", "-C", str(repository), "rev-parse", "--verify", "HEAD"],
                                                 capture_output=True).returncode:
        pytest.skip("this is no git repository with a commit")
    results = []
    for name, mask in (("first", "022"), ("second", "077")):
        clone = tmp_path / name / "checkout"
        subprocess.run(["sh", "-c", f'umask {mask}; git clone -q --no-hardlinks "$1" "$2"', "sh", str(repository),
                        str(clone)], check=True)
        # each is built by its own tool in a process of its own, in another time zone
        code = ("import sys; sys.path.insert(0, 'tests/tools'); import package; from pathlib import Path;"
                "t = Path(sys.argv[1]); f = package.runtime_files(); package.build(package.REPOSITORY, f, t);"
                "t.with_suffix('.json').write_bytes(package.bill_of_materials(package.REPOSITORY, f, t))")
        target = tmp_path / name / "cartoguide.zip"
        subprocess.run([sys.executable, "-c", code, str(target)], cwd=clone, check=True,
                       env={"TZ": "Asia/Tokyo" if mask == "077" else "UTC", "PATH": "/usr/bin:/bin",
                            "PYTHONHASHSEED": mask})
        results.append((target.read_bytes(), target.with_suffix(".json").read_bytes()))
    assert results[0] == results[1]
    assert len(results[0][0]) > 100_000


def test_the_bill_names_every_file_with_its_hash(package, repository, tmp_path):
    import hashlib
    import zipfile

    files = package.runtime_files(repository)
    archive, data = built(package, repository, tmp_path / "a.zip")
    bill = json.loads(data)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert "serialNumber" not in bill and "timestamp" not in bill["metadata"]
    assert bill["metadata"]["component"]["hashes"][0]["content"] == hashlib.sha256(archive).hexdigest()
    listed = {part["name"]: part["hashes"][0]["content"] for part in bill["components"] if part["type"] == "file"}
    with zipfile.ZipFile(tmp_path / "a.zip") as held:
        assert listed == {name.partition("/")[2]: hashlib.sha256(held.read(name)).hexdigest()
                          for name in held.namelist()}
    assert len(listed) == len(files)
    assert not [part for part in bill["components"] if part["type"] == "library" and part["scope"] != "excluded"]


def test_placeholders_of_the_plugins_addresses_are_named_and_do_not_fail(package, repository):
    about = package.metadata(repository)
    named = package.placeholders(about)
    assert all(("example.org" in about[key]) == any(key in line for line in named)
               for key in ("homepage", "tracker", "repository"))
    real = {**about, **dict.fromkeys(("homepage", "tracker", "repository"), "https://maps.test/")}
    assert package.placeholders(real) == []


def test_the_screenshot_is_a_picture_in_the_package(package, repository):
    named = package.metadata(repository)["screenshot"]
    assert named in [path.as_posix() for path in package.runtime_files(repository)]
    assert (repository / named).read_bytes().startswith(b"\x89PNG")


def test_what_the_security_page_names_exists(repository):
    text = (repository / "SECURITY.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", text))
    assert len(named) > 10
    for path, test in named:
        assert (repository / path).is_file(), path
        assert not test or f"def {test}(" in (repository / path).read_text(encoding="utf-8"), (path, test)
