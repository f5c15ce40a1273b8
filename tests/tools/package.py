"""Builds build/cartoguide-VERSION.zip for QGIS's "Install from ZIP": runtime files only, the same bytes every time.

    package.py            build the zip and its bill of materials, and say what it holds
    package.py --list     only print the files that it would hold
    package.py --check    only print what the plugin site would refuse
"""

from __future__ import annotations

import configparser
import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TOP = "cartoguide"
LARGEST = 5 * 1000 * 1000
FILES = ("metadata.txt", "__init__.py", "LICENSE", "README.md", "CHANGELOG.md")
FOLDERS = {"plugin": "*.py", "resources": "*", "i18n": "cartoguide_*.[qt][ms]"}
#: the guide's sources are packaged as HTML
LEFT_OUT = ("resources/guide/en/", "resources/guide/es/", "__pycache__",
            ".part", ".pyc", "~", ".swp", ".orig", ".DS_Store")
REQUIRED = ("name", "qgisMinimumVersion", "description", "about", "version", "author", "email", "homepage", "tracker",
            "repository", "license", "icon", "tags", "category", "qgisMaximumVersion")
BINARIES = (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xfe\xed\xfa")
#: what QGIS brings and the plugin imports; none of it is in the package
PROVIDED = {"GDAL": "MIT", "Jinja2": "BSD-3-Clause", "OWSLib": "BSD-3-Clause", "lxml": "BSD-3-Clause",
            "numpy": "BSD-3-Clause", "pyproj": "MIT", "qgis": "GPL-2.0-or-later"}
ADDRESSES = ("homepage", "tracker", "repository")
PLACEHOLDER = re.compile(r"https?://(?:[\w-]+\.)*example\.(?:org|com|net)(?:/|$)")
WHEN = (1980, 1, 1, 0, 0, 0)


def metadata(root: Path = REPOSITORY) -> dict[str, str]:
    """The general section of metadata.txt."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((root / "metadata.txt").read_text(encoding="utf-8"))
    return dict(parser["general"])


def runtime_files(root: Path = REPOSITORY) -> list[Path]:
    """What the package holds, sorted, relative to ``root``."""
    found = [root / name for name in FILES if (root / name).is_file()]
    for folder, pattern in FOLDERS.items():
        found += [path for path in (root / folder).rglob(pattern) if path.is_file()]
    relative = sorted(path.relative_to(root).as_posix() for path in found)
    return [Path(name) for name in relative if not any(part in name for part in LEFT_OUT)]


def problems(root: Path, files: list[Path]) -> list[str]:
    """What the plugin site or a person would stumble over; an empty list for a sound package."""
    about = metadata(root)
    found = [f"metadata.txt lacks {key}" for key in REQUIRED if not about.get(key, "").strip()]
    found += [f"{name} is missing" for name in FILES if not (root / name).is_file()]
    version = about.get("version", "")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"the version {version!r} is not three numbers")
    changes = root / "CHANGELOG.md"
    newest = re.search(r"^## (\S+)", changes.read_text(encoding="utf-8"), re.MULTILINE) if changes.is_file() else None
    if newest is None or newest[1] != version:
        found.append(f"CHANGELOG.md begins with {newest[1] if newest else 'nothing'}, metadata.txt says {version}")
    if version not in about.get("changelog", ""):
        found.append(f"the changelog in metadata.txt does not speak of {version}")
    if not (root / about.get("icon", "?")).is_file():
        found.append("the icon that metadata.txt names is not there")
    screenshot = about.get("screenshot", "").strip()
    if screenshot not in [path.as_posix() for path in files]:
        found.append("the screenshot that metadata.txt names is not in the package")
    found += [f"the {key} in metadata.txt is not an address" for key in ADDRESSES
              if not re.match(r"https://[\w.-]+(?:/|$)", about.get(key, "https://a/"))]
    if "supportsQt6" in about:
        found.append("metadata.txt has supportsQt6, which QGIS no longer reads")
    for path in files:
        content = (root / path).read_bytes()
        if content.startswith(BINARIES) or path.suffix in (".so", ".dll", ".pyd", ".exe", ".dylib"):
            found.append(f"{path} is a binary program")
        if path.suffix == ".py" and not content.strip():
            found.append(f"{path} is empty")
    if not any(path.suffix == ".qm" for path in files):
        found.append("i18n holds no compiled catalogue")
    if not any(path.suffix == ".html" and path.as_posix().startswith("resources/guide/") for path in files):
        found.append("resources/guide/html holds no page")
    return found


def placeholders(about: dict[str, str]) -> list[str]:
    """One line for each address of the plugin that is still a placeholder, which the plugin site would refuse."""
    return [f"{key} is a placeholder until the owner names the real one: {about[key]}" for key in ADDRESSES
            if PLACEHOLDER.match(about.get(key, ""))]


def bill_of_materials(root: Path, files: list[Path], archive: Path) -> bytes:
    """The bill of materials of ``archive``, built of ``files`` below ``root``, as CycloneDX 1.5 JSON.

    Equal packages give equal bytes: the bill has no time and no serial number.
    """
    about = metadata(root)
    carried = [{"type": "file", "name": path.as_posix(),
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256((root / path).read_bytes()).hexdigest()}]}
               for path in sorted(files)]
    provided = [{"type": "library", "bom-ref": name, "name": name, "scope": "excluded",
                 "licenses": [{"license": {"id": licence}}]} for name, licence in PROVIDED.items()]
    plugin = {"type": "application", "bom-ref": TOP, "name": about["name"], "version": about["version"],
              "licenses": [{"license": {"id": about["license"]}}],
              "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(archive.read_bytes()).hexdigest()}]}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": plugin},
            "components": [*provided, *carried], "dependencies": [{"ref": TOP, "dependsOn": list(PROVIDED)}]}
    return (json.dumps(bill, indent=1, sort_keys=True) + "\n").encode()


def build(root: Path, files: list[Path], target: Path) -> None:
    """Write the zip whole or not at all: sorted entries, one fixed time, one fixed mode, one way of compression."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as archive:
        for path in files:
            entry = zipfile.ZipInfo(f"{TOP}/{path.as_posix()}", WHEN)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (root / path).read_bytes(), compresslevel=9)
    part.replace(target)


def _check(files: list[Path]) -> int:
    """Print what the plugin site would refuse, and the placeholders, which are no failure."""
    made = {"i18n holds no compiled catalogue", "resources/guide/html holds no page"}  # by `make package`
    found = [problem for problem in problems(REPOSITORY, files) if problem not in made]
    for line in (*found, *(f"note: {line}" for line in placeholders(metadata()))):
        print(line)
    return 1 if found else 0


def main(arguments: list[str]) -> int:
    """Build, check, and say where the package is; 1 with one line for each problem."""
    files = runtime_files()
    if arguments == ["--list"]:
        print("\n".join(path.as_posix() for path in files))
        return 0
    if arguments == ["--check"]:
        return _check(files)
    target = REPOSITORY / "build" / f"{TOP}-{metadata()['version']}.zip"
    found = problems(REPOSITORY, files)
    if not found:
        build(REPOSITORY, files, target)
        if target.stat().st_size > LARGEST:
            found.append(f"{target.name} has {target.stat().st_size} bytes, the plugin site takes {LARGEST}")
            target.unlink()
    for problem in found:
        print(f"package: {problem}", file=sys.stderr)
    if found:
        return 1
    for line in placeholders(metadata()):
        print(f"package: note: {line}")
    bill = target.with_suffix(".cdx.json")
    part = bill.with_suffix(".part")
    part.write_bytes(bill_of_materials(REPOSITORY, files, target))
    part.replace(bill)
    print(f"{target.relative_to(REPOSITORY)}: {len(files)} files, {target.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
