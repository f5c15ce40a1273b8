"""Draw the layout templates in resources/templates: `/usr/bin/python3 tests/tools/make_templates.py`.

The templates are ordinary .qpt files that anybody may open and change in QGIS; the scripts beside this one keep them
alike: template_drawing has the parts, template_sheets says where they stand.
"""

from __future__ import annotations

import os
import re
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Qt shuffles the attributes of its XML by a seed: the same drawing must give the same file
os.environ.setdefault("QT_HASH_SEED", "0")

from qgis.core import QgsApplication, QgsProject, QgsReadWriteContext  # noqa: E402
from template_drawing import Drawing, Sheet  # noqa: E402
from template_sheets import SHEETS  # noqa: E402


def stable(text: str, name: str) -> str:
    """The template with identifiers that do not change each time it is drawn."""
    seen: dict[str, str] = {}

    def replace(match: re.Match) -> str:
        number = len(seen)
        return seen.setdefault(match.group(0), f"{{{uuid.uuid5(uuid.NAMESPACE_URL, f'cartoguide:{name}:{number}')}}}")

    text = re.sub(r"\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}", replace, text)
    return re.sub(r'(<Picture|<LayoutItem)([^>]*?) file="[^"]*north-arrow\.svg"', r'\1\2 file="north-arrow.svg"', text)


def draw(sheet: Sheet, folder: Path) -> Path:
    drawing = Drawing(sheet)
    SHEETS[sheet](drawing)
    path = folder / f"{sheet.name}.qpt"
    drawing.layout.saveAsTemplate(str(path), QgsReadWriteContext())
    path.write_text(stable(path.read_text(encoding="utf-8"), sheet.name), encoding="utf-8")
    return path


def main() -> int:
    application = QgsApplication([], True)
    application.initQgis()
    folder = ROOT / "resources" / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    for sheet in SHEETS:
        print(draw(sheet, folder))
    QgsProject.instance().clear()
    return 0


if __name__ == "__main__":
    sys.exit(main())
