"""Mutants of the code that decides which credits a page owes: each must be noticed by the tests that lie nearest.

    .venv/bin/python tests/tools/mutants.py [--only WORD] [--list]

A mutant is one line changed in a copy of the repository. The status is 1 if the tests pass with one of them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
LINES, PROOF = "tests/qgis/test_credits_lines.py", "tests/qgis/test_page_proof.py"
PLAN = "tests/unit/custommap/test_plan.py"
EXPORT, OWN = "tests/qgis/test_export_checks.py", "tests/qgis/test_own_layers.py"
PHOTOS, TABLE = "tests/qgis/test_leaflet_photos.py", "tests/qgis/test_leaflet_table.py"
COPIED = ("plugin", "tests", "resources", "i18n", "docs", "pyproject.toml", "metadata.txt", "__init__.py")
_CREDIT_LINES, _CHECKS = "plugin/gis/credits/layer_credits.py", "plugin/gis/pages/completeness_checks.py"
_BUILDER, _METADATA = "plugin/gis/pages/layout_builder.py", "plugin/core/custommap/layer_metadata.py"


class Mutant(NamedTuple):
    """A wrong decision: its name, the file, what stands there once, what replaces it, and the tests that notice it."""

    name: str
    file: str
    right: str
    wrong: str
    tests: str


MUTANTS = (
    Mutant("a layer owes only its first line", _CREDIT_LINES, "return list(dict.fromkeys(_rights(layer))) or",
           "return list(dict.fromkeys(_rights(layer)))[:1] or", LINES),
    Mutant("a layer owes only its last line", _CREDIT_LINES, "return list(dict.fromkeys(_rights(layer))) or",
           "return list(dict.fromkeys(_rights(layer)))[-1:] or", LINES),
    Mutant("a page owes only the first line of a layer", _CREDIT_LINES, "for line in credit_lines(layer):",
           "for line in credit_lines(layer)[:1]:", PROOF),
    Mutant("undecided is not owed", _CREDIT_LINES, "        if credit_required(layer) is not Decision.NO:",
           "        if credit_required(layer) is Decision.YES:", LINES),
    Mutant("undecided is not owed, as a page shows", _CREDIT_LINES,
           "        if credit_required(layer) is not Decision.NO:",
           "        if credit_required(layer) is Decision.YES:", PROOF),
    Mutant("undecided is read as not required", _CREDIT_LINES, "else Decision.UNDECIDED", "else Decision.NO", LINES),
    Mutant("what is not required is owed", _CREDIT_LINES, "        if credit_required(layer) is not Decision.NO:",
           "        if True:", LINES),
    Mutant("only the last layer owes", _CREDIT_LINES, "    for layer in layers:\n        if credit_required",
           "    for layer in list(layers)[-1:]:\n        if credit_required", PROOF),
    Mutant("only the first layer owes", _CREDIT_LINES, "    for layer in layers:\n        if credit_required",
           "    for layer in list(layers)[:1]:\n        if credit_required", PROOF),
    Mutant("an attribution alone is not owed", _CREDIT_LINES, " or single_line(compat.attribution(layer))", "", LINES),
    Mutant("a hidden layer owes", _CREDIT_LINES, "layer.isValid() and layer.opacity() > 0 and", "layer.isValid() and",
           LINES),
    Mutant("an undecided layer without a credit is fine", _CREDIT_LINES,
           "if not layer_credit(layer) and credit_required(layer) is not Decision.NO and",
           "if not layer_credit(layer) and credit_required(layer) is Decision.YES and", LINES),
    Mutant("only one map of a page owes", _CREDIT_LINES, "layer for item in items for layer in visible_layers",
           "layer for item in list(items)[:1] for layer in visible_layers", LINES),
    Mutant("a page owes only what it was built with", _CHECKS, "return {**owed_credits(shown), **titles_by_credit}",
           "return titles_by_credit", PROOF),
    Mutant("a page owes nothing that it was built with", _CHECKS, "return {**owed_credits(shown), **titles_by_credit}",
           "return owed_credits(shown)", EXPORT),
    Mutant("a service is owed only if all its layers are drawn", _CHECKS, "if any(layer_id in drawn",
           "if all(layer_id in drawn", EXPORT),
    Mutant("a service owes only its first line", "plugin/gis/credits/map_credits.py",
           "for line in plan.rights if line.strip()", "for line in plan.rights[:1] if line.strip()",
           LINES),
    Mutant("a service owes only what its last layer does", "plugin/gis/credits/map_credits.py",
           "for plan in self.layers for line", "for plan in self.layers[-1:] for line", LINES),
    Mutant("an own layer owes nothing", _BUILDER, '"credits": [own.credit] if own.credit else []', '"credits": []',
           OWN),
    Mutant("photos and tables owe nothing", _CHECKS, "return {**_feature_credits(layout), **page_credits(layout)}",
           "return page_credits(layout)", PHOTOS),
    Mutant("photos and tables may leave their credits out", _CHECKS, "for credit, title in of_features.items()",
           "for credit, title in ()", PHOTOS),
    Mutant("only the first photo owes", "plugin/gis/pages/leaflet_photos.py", 'return _texts(layout, "credits")',
           'return _texts(layout, "credits")[:1]', PHOTOS),
    Mutant("only the first layer of a table owes", "plugin/gis/pages/leaflet_table.py",
           'return _texts(layout, "credits")', 'return _texts(layout, "credits")[:1]', TABLE),
    Mutant("the page's label shows only the first line", "plugin/gis/credits/layer_credits.py",
           "for layer in layers for line in credit_lines(layer)]",
           "for layer in layers for line in credit_lines(layer)[:1]]", LINES),
    Mutant("a credit that was entered stays not required", "plugin/gis/own_layers/references.py",
           "Decision.YES if credit and required is Decision.NO else required", "required", LINES),
    Mutant("a layer's own attribution is not owed", _METADATA, "        lines.append(attribution)\n",
           "        pass\n", PLAN),
    Mutant("a document's duty is forgotten without its record", _METADATA, "        required = Decision.YES\n",
           "        pass\n", PLAN),
    Mutant("the terms' decision is forgotten", _METADATA, "return EntryCredit((terms.credit,), terms.credit_required)",
           "return EntryCredit((terms.credit,), Decision.NO)", PLAN),
    Mutant("a document's undecided credit is not required", _METADATA,
           "return EntryCredit((single_line(entry.credit.line),), required, record is None)",
           "return EntryCredit((single_line(entry.credit.line),), Decision.YES if required is Decision.YES else "
           "Decision.NO, record is None)", PLAN),
    Mutant("terms that say nothing require nothing", "plugin/core/terms/resolve.py",
           "    return Decision.UNDECIDED, [tr(\"It is not stated, or not clearly, whether a credit is required.\")]",
           "    return Decision.NO, []", "tests/unit/terms/test_resolve.py"),
    Mutant("contradicting texts require nothing", "plugin/core/terms/resolve.py",
           "        return Decision.UNDECIDED, [\n            tr(\"The texts contradict",
           "        return Decision.NO, [\n            tr(\"The texts contradict", "tests/unit/terms/test_resolve.py"),
    Mutant("a list of credits leaves out the undecided", "plugin/core/terms/credit_line.py",
           "item.credit_required is Decision.NO)]", "item.credit_required is not Decision.YES)]",
           "tests/unit/terms/test_credit_line.py"),
)


def survives(mutant: Mutant, copy: Path) -> Optional[str]:
    """Return what the tests said if they pass with the mutant, else None."""
    file = copy / mutant.file
    sound = file.read_text("utf-8")
    if sound.count(mutant.right) != 1:
        raise SystemExit(f"{mutant.name}: the line stands {sound.count(mutant.right)} times in {mutant.file}")
    file.write_text(sound.replace(mutant.right, mutant.wrong), "utf-8")
    try:
        done = subprocess.run([sys.executable, "-m", "pytest", "-x", "-q", mutant.tests], cwd=copy, text=True,
                              capture_output=True, check=False)
    finally:
        file.write_text(sound, "utf-8")
    # 1: tests failed. Anything else than that and 0 is no verdict
    if done.returncode not in (0, 1):
        raise SystemExit(f"{mutant.name}: pytest ended with {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout if done.returncode == 0 else None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the tests of each mutant and print which of them passed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="mutants whose names have this word")
    given = parser.parse_args(arguments)
    chosen = [mutant for mutant in MUTANTS if given.only in mutant.name]
    living = []
    with tempfile.TemporaryDirectory(prefix="cartoguide-mutants-") as folder:
        copy = Path(folder)
        for name in COPIED:
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, copy / name)
        for mutant in chosen:
            said = survives(mutant, copy)
            print(f"{'SURVIVES' if said else 'killed':10}{mutant.name} ({mutant.tests})", flush=True)
            living += [mutant.name] if said else []
    print(f"{len(chosen)} mutants: {len(living)} survive")
    return 1 if living else 0


if __name__ == "__main__":
    sys.exit(main())
