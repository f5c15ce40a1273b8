"""Judge of written maps, by programs of others: the credits that readers find on a page and in a file's metadata.

poppler, pypdf and exiftool know nothing of how the plugin writes. Letters in pixels or outlines are read by nobody
here: ``test_page_proof`` judges what is drawn.
"""

from __future__ import annotations

import json
import re
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterable, List

from lxml import etree
from PIL import Image
from pypdf import PdfReader

from plugin.core.publication.embedded_documents import SOURCES_NAME, TIFF_DOMAIN
from plugin.core.text import fold

#: points below which text is no longer text for readers
SMALLEST_TEXT = 1.0


def missing_credits(owed: Iterable[str], text: str) -> List[str]:
    """The credits of those that are owed that a text lacks."""
    return [credit for credit in owed if not shows_credit(text, credit)]


def required_credits(path: Path) -> List[str]:
    """The credits of all sources in the file but those that are known to require none, "" for one without a credit."""
    return [source["credit"] for source in sources(path)["sources"] if source["credit_required"] != "no"]


def sources(path: Path) -> Dict[str, Any]:
    """The list of sources inside a PDF, PNG or GeoTIFF, as JSON."""
    if path.suffix == ".pdf":
        inside, = PdfReader(str(path)).attachments[SOURCES_NAME]
    elif path.suffix == ".png":
        with Image.open(path) as picture:
            picture.load()
            inside = picture.info[SOURCES_NAME]
    else:
        from osgeo import gdal

        inside = gdal.Open(str(path)).GetMetadataItem(SOURCES_NAME, TIFF_DOMAIN)
    return json.loads(inside)


def metadata(path: Path) -> Dict[str, Any]:
    """What exiftool reads in a file: values by group and name, lists as lists."""
    return _metadata(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=20)
def _metadata(path: Path, _changed: int) -> Dict[str, Any]:
    done = subprocess.run(["exiftool", "-j", "-G1", "-charset", "iptc=utf8", str(path)], capture_output=True,
                          check=True)
    return json.loads(done.stdout)[0]


def rights(path: Path) -> List[str]:
    """The credits in a file's XMP. exiftool shows the ends of lines as two dots."""
    return str(metadata(path).get("XMP-dc:Rights", "")).replace("..", "\n").split("\n")


def shows_credit(text: str, credit: str) -> bool:
    """Whether ``text`` has the credit. Case, accents and the ends of lines do not count.

    A credit of several lines, separated by semicolons, may stand in several places.
    """
    page, parts = comparable(text), [part for part in map(comparable, credit.split("; ")) if part]
    return bool(parts) and (comparable(credit) in page or all(part in page for part in parts))


def comparable(text: str) -> str:
    return "".join(fold(text).split())


def page_text(path: Path) -> str:
    """The text that readers see on the pages of a PDF, which poppler finds within what is cropped of them.

    Text below a point does not count. Text that something covers does. A file with text that is drawn invisibly, as
    behind a scanned page, is refused.
    """
    done = subprocess.run(["pdftotext", "-raw", "-bbox", "-cropbox", str(path), "-"], capture_output=True, check=True)
    for page in PdfReader(str(path)).pages:
        # pypdf takes half a second to tell the operators of a page
        assert not re.search(rb"(?<![\d.])0*[37](\.0*)?\s+Tr(?!\w)", page.get_contents().get_data()), "invisible text"
    return "\n".join(word.text or "" for page in etree.fromstring(done.stdout, etree.XMLParser(recover=True)).iter(
        "{*}page") for word in page.iter("{*}word") if _is_seen(word, page))


def _is_seen(word: etree._Element, page: etree._Element) -> bool:
    left, top, right, bottom = (float(word.get(name)) for name in ("xMin", "yMin", "xMax", "yMax"))
    middle = (left + right) / 2, (top + bottom) / 2
    return bottom - top >= SMALLEST_TEXT and 0 <= middle[0] <= float(page.get("width")) and (
        0 <= middle[1] <= float(page.get("height")))
