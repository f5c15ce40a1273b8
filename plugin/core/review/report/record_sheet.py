"""Record sheet: records with their terms as one HTML page to read and to print.

Each record leads with its title, what its terms allow, the credit, a map of its extents and a picture of it. Its
fields follow, and nothing in them repeats the lead but the record's own words. Several records have a list in front.
The page is self-contained: everything in it is escaped, and its Content-Security-Policy lets it load nothing, and run
nothing but its own script, which copies credits and sorts and filters the list. Without scripts it reads the same. Its
frame is the template ``record_sheet.html``.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Dict, Iterable, List, Optional, Sequence, Tuple

from ...addresses import is_web_address
from ...html_templates import TEMPLATES, render
from ...i18n import tr
from ...numbers import format_figures
from ...records.model.codelists import code_label
from ...records.model.extents import drawable_extents
from ...records.model.languages import html_language
from ...records.model.operation_grouping import group_operations
from ...records.model.record import Contact, Extent, OnlineResource, Overview, Record, title_of_record
from ...text import bounded_title, escaped, fold, list_quoted_names, sort_key, truncate, with_bounded_texts
from .extent_map import extent_map
from .html_fragments import aside, fields_table, html_link, join_lines, section, with_line_breaks
from .local_pictures import LocalPicture, SavedPicture, local_picture
from .record_fields import (
    Rows,
    absent_fields,
    constraint_rows,
    contact_html,
    extent_html,
    metadata_rows,
    overview_rows,
    service_rows,
    starter_notice,
    unread_values,
)

if TYPE_CHECKING:
    from ...terms.model import Terms

#: characters of one value, more than the longest licence has
_MAX_TEXT = 200_000
#: bytes of all pictures in one page. The others are links
_MAX_PICTURE_BYTES = 30_000_000
#: extents that stand in words below the map. More of them are a row of the fields
_MAX_CAPTION = 4
#: descriptions of overviews that say no more than that they are overviews
_PLAIN_DESCRIPTIONS = frozenset(("", "thumbnail", "large_thumbnail", "large thumbnail", "overview", "preview"))
#: characters by which a text of the record that stands in another row is known
_MAX_QUOTED = 60
_RIGHT_TO_LEFT = frozenset(("ar", "fa", "he", "ur", "yi"))
#: empty lines of which one is enough
_GAP = re.compile(r"(?:<br>\s*){3,}")
#: words in the quotation marks of either language
_QUOTATION = re.compile("[“«]([^”»]+)[”»]")


@dataclass(frozen=True)
class _ListRow:
    """A record in the list in front: its cells with what they are sorted by, both "" where there is nothing."""

    title: str
    language: str
    cells: Tuple[str, ...]
    keys: Tuple[str, ...]


def sheet_html(records: Sequence[Tuple[Record, Terms]], saved_picture: Optional[SavedPicture] = None) -> str:
    """Return an HTML document with one article for each record, and a list in front if there are several.

    A picture of a record is in the page where it is on this computer (see ``local_picture``), which asks
    ``saved_picture`` for the bytes of a web address. Of texts beyond 200,000 characters the beginning, which says so.
    Raises CartoguideError if Jinja2 is not installed.
    """
    several = len(records) != 1
    records = sorted(records, key=lambda pair: sort_key(title_of_record(pair[0])))
    title = tr("%n catalogue record(s)", n=len(records)) if several else title_of_record(records[0][0])
    articles, picture_bytes = [], 0
    for record, terms in records:
        picture = local_picture(record, saved_picture) if picture_bytes < _MAX_PICTURE_BYTES else None
        picture_bytes += len(picture.data) if picture is not None else 0
        articles.append(_article(with_bounded_texts(record, _MAX_TEXT), with_bounded_texts(terms, _MAX_TEXT), picture,
                                 2 if several else 1))
    style, script = _page_part("record_sheet.css"), _page_part("record_sheet.js")
    rows = [_list_row(record, terms) for record, terms in records] if several else []
    return render("record_sheet.html", title=title, style=style, style_hash=_hash(style), script=script,
                  script_hash=_hash(script), columns=_columns(), rows=rows, ranks=_ranks(rows), articles=articles,
                  words={"filter": tr("Filter the list"), "shown": tr("{shown} of {total} records shown"),
                         "list": tr("List of records"), "back": tr("Back to the list")})


def _article(record: Record, terms: Terms, picture: Optional[LocalPicture], level: int) -> str:
    """Return the sections of one record. ``level`` is that of the heading with its title."""
    language = html_language(record.language)
    map_svg = extent_map(record.extents, _map_label(record.extents))
    overview, link_html = _lead_overview(record, picture)
    figures = (_map_figure(record.extents, map_svg) + _picture_figure(picture, title_of_record(record), link_html))
    is_captioned = bool(map_svg) and len(record.extents) <= _MAX_CAPTION
    others = replace(record, overviews=tuple(other for other in record.overviews if other is not overview),
                     extents=() if is_captioned else record.extents)
    abstract = (f"<p{_lang(language)}>{with_line_breaks(record.abstract)}</p>"
                if record.abstract and fold(record.abstract) != fold(record.title or "") else "")
    return _GAP.sub("<br><br>", "".join((
        f"<h{level}{_lang(language)}>{escaped(title_of_record(record))}</h{level}>",
        _terms_lead(record, terms, language),
        starter_notice(record),
        f'<div class="figures">{figures}</div>' if figures else "",
        section(tr("Overview"), abstract, fields_table(_overview_rows(others, language)), level=level + 1),
        section(tr("Terms in the record’s words"), fields_table(_terms_rows(record, terms, language)), level=level + 1),
        section(tr("Service"), fields_table(_service_rows(record)), level=level + 1),
        section(tr("Metadata"), fields_table(_metadata_rows(record)), unread_values(record, level + 2),
                absent_fields(record), level=level + 1),
    )))


def _lang(language: str) -> str:
    """Return the attributes of an element with words in the record's language."""
    direction = ' dir="rtl"' if language in _RIGHT_TO_LEFT else ""
    return f' lang="{escaped(language)}"{direction}' if language else ""


def _in_language(language: str, value: str) -> str:
    return f"<div{_lang(language)}>{value}</div>" if value and language else value


def _terms_lead(record: Record, terms: Terms, language: str) -> str:
    """Return what the terms allow as a sentence, with the licence as a link, and the credit with a button to copy it.
    """
    from ...terms import Decision, credited_year, summary_sentence
    from ...terms.labels import licence_name, licence_title
    from ...terms.paper_gate import credit_for_paper

    sentence = escaped(summary_sentence(replace(terms, credit="")))
    is_code = terms.licence is not None and terms.licence.id.startswith("INSPIRE-")
    if terms.licence is not None and not is_code and is_web_address(terms.licence_url):
        name = escaped(licence_name(terms.licence))
        anchor = html_link(terms.licence_url, licence_name(terms.licence))
        anchor = anchor.replace("<a ", f'<a class="licence" title="{escaped(licence_title(terms.licence))}" ', 1)
        sentence = sentence.replace(name, anchor, 1) if name in sentence else f"{sentence} {anchor}"
    elif not is_code and is_web_address(terms.licence_url):
        sentence += " " + html_link(terms.licence_url)
    credit = credit_for_paper((terms.credit,), terms.credit_required, year=credited_year(record))
    parts = [f'<p class="sentence">{sentence}</p>']
    if credit.lines:
        label = (tr("To be safe, show this credit:") if terms.credit_required is Decision.UNDECIDED
                 else tr("Credit line:"))
        parts.append(f'<div class="credit"><p>{escaped(label)}</p><p class="line"{_lang(language)}>'
                     f'{join_lines(map(escaped, credit.lines))}</p>'
                     f'<p class="scripted" hidden><button type="button" class="copy">{escaped(tr("Copy the credit"))}'
                     f'</button> <span class="copied" role="status" data-done="{escaped(tr("Copied."))}" '
                     f'data-failed="{escaped(tr("Press Ctrl+C to copy the marked text."))}"></span></p></div>')
    for item in credit.unfit:
        if item.blanks:
            label = tr("The credit line has a blank to fill ({blanks}):", blanks=list_quoted_names(item.blanks))
            parts.append(f'<div class="credit starter"><p>{escaped(label)}</p><p class="line"{_lang(language)}>'
                         f'{escaped(item.line)}</p></div>')
        else:
            parts.append(f'<p class="starter">{escaped(item.message)}</p>')
    return "".join(parts)


def _map_label(extents: Sequence[Extent]) -> str:
    """Return the text for people who do not see the map."""
    words = "; ".join(_extent_words(extent) for extent in extents[:_MAX_CAPTION])
    if len(extents) > _MAX_CAPTION:
        return tr("Map of %n extents, among them: {extents}", n=len(extents), extents=words)
    return tr("Map of the extent: {extents}", extents=words)


def _extent_words(extent: Extent) -> str:
    return ", ".join(f"{name} {format_figures(value)}°" for name, value in (
        (tr("west"), extent.west), (tr("east"), extent.east), (tr("south"), extent.south), (tr("north"), extent.north))
        if value is not None)


def _map_figure(extents: Sequence[Extent], map_svg: str) -> str:
    if not map_svg:
        return ""
    left_out = len(extents) - len(drawable_extents(extents))
    lines = ([extent_html(extent) for extent in extents] if len(extents) <= _MAX_CAPTION
             else [escaped(tr("%n extents", n=len(extents)))])
    note = aside(tr("%n extent(s) cannot be drawn", n=left_out)) if left_out else ""
    return f"<figure>{map_svg}<figcaption>{join_lines([*lines, note])}</figcaption></figure>"


def _lead_overview(record: Record, picture: Optional[LocalPicture]) -> Tuple[Optional[Overview], str]:
    """Return the overview that the lead shows, with its link: that of the picture, or else the first on the web."""
    overview = picture.overview if picture is not None else next(
        (overview for overview in record.overviews if is_web_address(overview.url)), None)
    if overview is None:
        return None, ""
    return overview, html_link(overview.url, overview.description) + aside(overview.type)


def _picture_figure(picture: Optional[LocalPicture], title: str, link_html: str) -> str:
    """Return the picture with its link, or a link alone."""
    if picture is None:
        return f'<p class="picture-link">{escaped(tr("Picture on the web:"))} {link_html}</p>' if link_html else ""
    described = picture.overview.description if picture.overview is not None else None
    text = described if fold(described or "") not in _PLAIN_DESCRIPTIONS else tr("Picture of {title}", title=title)
    caption = f"<figcaption>{link_html}</figcaption>" if link_html else ""
    return (f'<figure class="picture"><img src="{picture.address}" width="{picture.width}" height="{picture.height}" '
            f'alt="{escaped(text)}">{caption}</figure>')


def _with_values(rows: Rows, values: Dict[str, str]) -> Rows:
    return [(name, values.get(name, value)) for name, value in rows]


def _overview_rows(record: Record, language: str) -> Rows:
    titles = [title for title in record.alternate_titles if fold(title) != fold(record.title or "")]
    rows = _with_values(overview_rows(replace(record, alternate_titles=tuple(titles))),
                        {tr("Contacts"): "".join(_contacts(record))})
    foreign = (tr("Other titles"), tr("Purpose"), tr("Credits"), tr("Lineage"))
    return [(name, _in_language(language, value) if name in foreign else value) for name, value in rows]


def _contacts(record: Record) -> List[str]:
    """Return each contact once, with all its roles, those for the record among them."""
    of_record = {replace(contact, role=None): [contact.role or "", *roles]
                 for contact, roles in _grouped_contacts(record.metadata_contacts)}
    shown = []
    for contact, roles in _grouped_contacts(record.contacts):
        own = of_record.get(replace(contact, role=None))
        labels = ", ".join(code_label("CI_RoleCode", role) for role in own or () if role)
        note = tr("for the record: {roles}", roles=labels) if labels else tr("for the record too")
        shown.append(contact_html(contact, roles, "" if own is None else note))
    return shown


def _grouped_contacts(contacts: Iterable[Contact]) -> List[Tuple[Contact, List[str]]]:
    """Return each contact once, with its further roles."""
    roles: Dict[Contact, Dict[Optional[str], None]] = {}
    for contact in contacts:
        roles.setdefault(replace(contact, role=None), {}).setdefault(contact.role)
    return [(replace(contact, role=next(iter(found))), [role for role in list(found)[1:] if role])
            for contact, found in roles.items()]


def _terms_rows(record: Record, terms: Terms, language: str) -> Rows:
    """Return the fields that the terms were read from, with the words of each, and what is open beside the lead."""
    from ...terms.labels import field_label, step_text, trail_text

    seen = {fold(record.fees): tr("Fees")} if record.fees else {}
    from_service = [f"{escaped(field_label(step.field))}: {html_link(step.href, step_text(step))}"
                    if step.href else f"{escaped(field_label(step.field))}: {with_line_breaks(step_text(step))}"
                    for step in terms.chain if step.field.startswith("service")]
    return [
        (tr("Fees"), _in_language(language, with_line_breaks(record.fees))),
        *((name, _in_language(language, value)) for name, value in constraint_rows(record, seen)),
        (tr("Service"), join_lines(from_service)),
        (tr("Read from"), escaped(trail_text(terms))),
        (tr("Unclear"), join_lines(escaped(note) for note in _open_questions(terms))),
    ]


def _open_questions(terms: Terms) -> List[str]:
    """Return the open questions that the lead does not tell already."""
    from ...terms import Decision, summary_sentence

    lead = summary_sentence(replace(terms, credit=""))
    seen = {tr("It is not stated, or not clearly, whether a credit is required.")
            } if terms.credit_required is Decision.UNDECIDED else set()
    if terms.licence is not None and terms.licence.id == "INSPIRE-conditionsUnknown":
        seen.add(tr("According to the record, the conditions of access and use are unknown."))
    notes = [note for note in terms.undecided if note not in seen and note not in lead and not _is_quoted(note, lead)]
    return [_QUOTATION.sub(lambda match: match[0].replace(match[1], truncate(match[1], _MAX_QUOTED)), note)
            for note in notes]


def _is_quoted(note: str, lead: str) -> bool:
    """Return whether the note is about one text, which the lead quotes as doubtful already."""
    words = [text.rstrip("…") for text in _QUOTATION.findall(note)]
    return len(words) == 1 and words[0] in lead


def _service_rows(record: Record) -> Rows:
    return _with_values(service_rows(record), {
        tr("Operations"): "".join(_operations_by_address(record)),
        tr("Links"): "".join(_links_by_address(record)),
    })


def _operations_by_address(record: Record) -> List[str]:
    """Return each address of operations once, with the operations that it serves."""
    found: Dict[str, Dict[Tuple[str, str], List[str]]] = {}
    for operation in group_operations(record):
        platforms = ", ".join(code_label("DCPList", platform) for platform in operation.platforms)
        for address in operation.addresses:
            notes = [tr("%n entries", n=address.count)] if address.count > 1 else []
            alike = platforms, ", ".join((*notes, *address.protocols, *address.names))
            found.setdefault(address.url, {}).setdefault(alike, []).append(operation.name)
        if not operation.addresses:
            found.setdefault("", {}).setdefault((platforms, ""), []).append(operation.name)
    return ["<p>" + join_lines([html_link(url), *(_operations_line(names, *alike) for alike, names in lines.items())])
            + "</p>"
            for url, lines in found.items()]


def _operations_line(names: Sequence[str], platforms: str, notes: str) -> str:
    shown = ", ".join(f"<strong>{escaped(name)}</strong>" for name in names)
    return shown + (f" ({escaped(platforms)})" if platforms else "") + aside(notes)


def _links_by_address(record: Record) -> List[str]:
    """Return each address of the links once, with what the record says about it, and that only once too."""
    found: Dict[str, List[OnlineResource]] = {}
    for resource in record.online:
        found.setdefault(resource.url, []).append(resource)
    return [f"<p>{join_lines([html_link(url), *_link_notes(record, resources)])}</p>"
            for url, resources in found.items()]


def _link_notes(record: Record, resources: Sequence[OnlineResource]) -> Iterable[str]:
    seen = {fold(text) for text in (record.title, record.abstract) if text}
    lines: Dict[str, None] = {}
    for resource in resources:
        notes = " · ".join(part for part in dict.fromkeys((
            resource.protocol, resource.protocol_uri, resource.application_profile, resource.media_type,
            resource.distribution_units,
            code_label("CI_OnLineFunctionCode", resource.function))) if part)
        texts = []
        for text in (resource.name, resource.description):
            if text and fold(text) not in seen:
                seen.add(fold(text))
                texts.append(with_line_breaks(text))
        lines.setdefault(join_lines(texts) + aside(notes))
    return lines


def _metadata_rows(record: Record) -> Rows:
    known = {replace(contact, role=None) for contact in record.contacts}
    others = [contact_html(contact, roles) for contact, roles in _grouped_contacts(record.metadata_contacts)
              if replace(contact, role=None) not in known]
    if any(replace(contact, role=None) in known for contact in record.metadata_contacts):
        others.insert(0, f'<p>{aside(tr("as under “{field}”", field=tr("Contacts"))).strip()}</p>')
    return _with_values(metadata_rows(record), {tr("Record contacts"): "".join(others)})


def _columns() -> Tuple[str, ...]:
    return tr("Title"), tr("Type"), tr("Organisation"), tr("Licence"), tr("Credit"), tr("Date stamp")


def _list_row(record: Record, terms: Terms) -> _ListRow:
    from ...dates import format_date
    from ...terms import Decision
    from ...terms.labels import licence_name

    credit = {Decision.YES: tr("required"), Decision.NO: tr("not required"), Decision.UNDECIDED: tr("not clear")}
    title = bounded_title(title_of_record(record))
    texts = (code_label("MD_ScopeCode", record.hierarchy_level or record.kind.value),
             next((contact.organisation for contact in record.contacts if contact.organisation), ""),
             licence_name(terms.licence) if terms.licence else "",
             credit[terms.credit_required], format_date(record.date_stamp))
    cells = tuple(map(bounded_title, texts))
    return _ListRow(title, html_language(record.language), cells, (title, *cells[:-1], record.date_stamp or ""))


def _ranks(rows: Sequence[_ListRow]) -> List[str]:
    """Return the places of each record in the order of each column, as people sort. -1 stands for an empty cell."""
    orders = []
    for column in zip(*(row.keys for row in rows)):
        places = {key: place for place, key in enumerate(sorted(set(column), key=sort_key))}
        orders.append([places[key] if key.strip() else -1 for key in column])
    return [" ".join(map(str, ranks)) for ranks in zip(*orders)]


@lru_cache(maxsize=4)
def _page_part(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    """Return a source expression that lets a page run or apply just ``text`` (Content Security Policy 3, 2.3.1)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
