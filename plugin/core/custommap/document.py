"""Reading and writing of custom map documents (``*.custommap.json``).

A document is an object with these members, in this order. Unknown members are kept and written back after them:
``format`` ("cartoguide-custommap"), ``version`` (1), ``title``, ``language``, ``base`` (an entry or null), ``overlays``
(entries, bottom first), ``crs``, ``extent`` {west, south, east, north} in degrees or null, ``centre`` [lon, lat] or
null, ``scale`` (denominator) or null, ``page`` {paper, orientation, template: a name or the path of a .qpt file,
for a QR code ``link``: the web address that it leads to, for a rotated map ``rotation``: degrees clockwise on the page,
as QGIS's map rotation, and for a leaflet ``leaflet`` {visitor_text, directions, opening_hours, emergency_numbers}: the
texts of its reverse, with ``table``, the layers whose features are listed: objects with ``endpoint`` and ``layer``, or
with ``own_layer``, the id of an own layer, and ``photos``, at most three objects with ``path`` (of a JPEG or PNG file,
relative to the document's or absolute), ``text`` for those who do not see it, and ``credit``, and
``bleed``: whether the page has bleed and crop marks, and ``further_sheet``: whether what the table's panel has no room
for stands on a further sheet, else it is left out} (on any other paper it is read as A3 landscape), for a map that
carries its logos ``logos``, at most four objects with ``image``, a PNG or JPEG of at most 300,000 bytes and 2000 by
2000 pixels as base64, and ``text`` for those who do not see it: an empty list is a page without logos, and null or no
list one with those of the person's settings}, and for a map with a snapshot ``snapshot`` {path, in_use}: its folder,
relative to the document's or absolute, and whether it is shown. A map with layers of the cartographer's own has
``own_layers``. ``seal`` is a keyed digest of the files and sources that it names, by which the QGIS profile that saved
it knows it again (``plugin.core.trust.provenance``). ``fitted`` is true where ``centre`` and ``scale`` are those that
fit the page to the base, and nobody has chosen them: another page is fitted anew.

An entry has ``record_id``, ``endpoint``, ``title``, ``layers`` (bottom first, none means all), ``styles`` (one for each
layer, "" is the default), ``format``, ``opacity``, ``visible``, ``credit`` {line, required, licence, licence_url}, and
in it, where a person has completed what could not be printed, ``answers``: the completed line by the line as its source
has it ("" for a duty to credit without any line), and
for a time series ``moment``, the time shown on the map (ISO 8601: a day, or a time in UTC). Where they are needed it
has ``hidden``, the names of layers that are not drawn, ``layer_opacities``, the opacities of layers by name,
``names``, those that layers were given in QGIS by their own, ``private``, the layers that are drawn and not listed, and
``blend``, how its colours are mixed with what lies below ("multiply", "screen", …, the values of ``BlendMode``). An own
layer has that in its style. ``kind`` is that of its source, and absent for a WMS. A version that does not know
it keeps the entry and draws nothing of it.
``legend`` says how the page's legend differs from what the service has: ``titles`` {language: text}, ``heading``
{language: text}, ``hidden``, ``position`` (a whole number, topmost first), ``classes`` {text of a class: {language:
text}} and ``layers`` {name: the same members but ``layers``}. Each is written only where it says something.

An own layer has ``id``, ``name``, ``type`` ("vector", "raster", …), ``provider`` and ``source`` as QGIS has them (the
path of a file that lies beside or below the document is relative to it), ``style`` (QML), ``opacity``, ``visible``,
``credit`` (its source line) and ``entries_below``, the number of services drawn before it, ``private`` if it is drawn
and not listed, ``crs`` where it was given another one than its source says, and ``legend`` like a layer of an entry.
Logins and keys are not written: QGIS's authentication configurations (``authcfg``) are.
"""

from __future__ import annotations

from dataclasses import replace

from .. import json_document
from ..addresses import json_without_secrets
from ..i18n import tr
from ..json_fields import read_object, write_object
from ..pages.page_features import only_paper
from .model import FORMAT, VERSION, CustomMap, Orientation, PageSetup


def read_document(data: bytes, name: str = "") -> CustomMap:
    """Return the custom map in ``data``. ``name`` is the file's name, for messages.

    Raises UnreadableDocument where the data is not a JSON object or too large. Raises InvalidDocument, with the
    position as a JSON pointer, where it is not a custom map, was written by a newer version, or breaks a rule of the
    format.
    """
    loaded = json_document.load(data, name or tr("The custom map"))
    root = json_document.JsonNode(json_without_secrets(loaded.value), "", loaded.name)
    if root.value.get("format") != FORMAT:
        raise root.error("format", tr("must be “{format}”: this is not a custom map", format=FORMAT))
    version = root.number("version", 1, 1_000_000)
    if version > VERSION:
        raise root.error(
            "version",
            tr("is {version}: a newer Cartoguide wrote this map; update Cartoguide to open it", version=f"{version:g}"))
    return on_offered_paper(read_object(CustomMap, root, ("format", "version")))


def on_offered_paper(custom_map: CustomMap) -> CustomMap:
    """Return the map on a page that its template exists for, with a note on what was changed."""
    former, page = custom_map.page, custom_map.page.on_offered_paper()
    paper = only_paper(page.template)
    if page == former or paper is None:
        return custom_map
    note = paper.note(_size_text(page), _size_text(former))
    return replace(custom_map, page=page, change_notes=(*custom_map.change_notes, note))


def _size_text(page: PageSetup) -> str:
    turned = tr("Landscape") if page.orientation is Orientation.LANDSCAPE else tr("Portrait")
    return f"{page.paper} {turned.lower()}"


def write_document(custom_map: CustomMap) -> bytes:
    """Return ``custom_map`` as UTF-8 JSON, indented by two spaces, with its members in a fixed order."""
    members = {"format": FORMAT, "version": VERSION, **write_object(custom_map)}
    return json_document.dump(json_without_secrets(members))
