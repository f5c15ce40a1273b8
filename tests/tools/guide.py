"""Makes the user guide's HTML (resources/guide/html/LANGUAGE) from its Markdown (resources/guide/LANGUAGE).

    guide.py            write the pages
    guide.py check      only say what is wrong: a page, an anchor or a picture that is not there

The same sources give the same bytes. Pictures stay where they are; both languages' pages have the same names.
"""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path
from typing import Dict, List

import markdown

REPOSITORY = Path(__file__).resolve().parents[2]
GUIDE = REPOSITORY / "resources" / "guide"
LANGUAGES = {"en": "Cartoguide: user guide", "es": "Cartoguide: guía de usuario"}
#: the order in which the pages are read
PAGES = ("index", "first-map", "records", "catalogues", "terms", "services", "maps", "printing", "offline", "credits",
         "qgis", "processing", "settings", "fields", "problems")
_TEMPLATE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="../../guide.css">
</head>
<body>
<nav aria-label="{guide}">
{entries}
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def title_of(page: Path) -> str:
    """A page's first heading."""
    found = re.match(r"# (.+)", page.read_text(encoding="utf-8"))
    return found[1].strip() if found else page.stem


def rendered(language: str, name: str, folder: Path = GUIDE) -> str:
    """One page as HTML, with the list of all pages at its side."""
    text = (folder / language / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(([\w-]+)\.md(#[\w-]+)?\)", lambda link: f"]({link[1]}.html{link[2] or ''})", text)
    text = text.replace("](../pictures/", "](../../pictures/")
    body = markdown.markdown(text, extensions=["tables", "toc", "fenced_code", "sane_lists"], output_format="html")
    body = re.sub(r'(<img alt="([^"]*)" src="[^"]*")\s*/?>', r"\1>", body)
    # the dots are seen where the pages stand in one line: in the window of QGIS, which knows no blocks in a link
    entries = "<span> ·</span>\n".join(
        f'<a href="{page}.html"{" aria-current=page" if page == name else ""}>'
        f"{escape(title_of(folder / language / f'{page}.md'))}</a>" for page in PAGES)
    title = title_of(folder / language / f"{name}.md")
    return _TEMPLATE.format(language=language, title=escape(f"{title} – Cartoguide"), guide=escape(LANGUAGES[language]),
                            entries=entries, body=body)


def pictures(folder: Path = GUIDE) -> Dict[str, List[str]]:
    """The pictures that each language's pages show, by their path below ``folder``."""
    found = {}
    for language in LANGUAGES:
        texts = [page.read_text(encoding="utf-8") for page in (folder / language).glob("*.md")]
        found[language] = sorted({f"pictures/{path}" for text in texts
                                  for path in re.findall(r"\]\(\.\./pictures/([^)\s]+)\)", text)})
    return found


def problems(folder: Path = GUIDE) -> List[str]:
    """What a reader would stumble over; an empty list for a sound guide."""
    found = []
    for language in LANGUAGES:
        pages = {path.stem for path in (folder / language).glob("*.md")}
        found += [f"{language}/{name}.md is not there" for name in PAGES if name not in pages]
        found += [f"{language}/{name}.md is in no list of pages" for name in sorted(pages - set(PAGES))]
        found += [f"{path} is not there" for path in pictures(folder)[language] if not (folder / path).is_file()]
        anchors = {name: set(re.findall(r'<h\d id="([^"]+)"', rendered(language, name, folder)))
                   for name in PAGES if pages >= set(PAGES)}
        for name in sorted(pages & set(anchors)):
            text = (folder / language / f"{name}.md").read_text(encoding="utf-8")
            for page, anchor in re.findall(r"\]\(([\w-]*?)(?:\.md)?(?:#([\w-]+))?\)", text):
                target = page or name
                if target not in anchors:
                    found.append(f"{language}/{name}.md leads to {target}.md, which is not there")
                elif anchor and anchor not in anchors[target]:
                    found.append(f"{language}/{name}.md leads to {target}.md#{anchor}, which is not there")
    return found


def main(arguments: List[str]) -> int:
    """Write or check; 1 with one line for each problem."""
    found = problems()
    for problem in found:
        print(f"guide: {problem}", file=sys.stderr)
    if found:
        return 1
    if arguments != ["check"]:
        for language in LANGUAGES:
            (GUIDE / "html" / language).mkdir(parents=True, exist_ok=True)
            for name in PAGES:
                (GUIDE / "html" / language / f"{name}.html").write_text(rendered(language, name), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
