"""A record as a page to read and to print: self-contained HTML, everything escaped, nothing loaded from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Sequence, Tuple

from ...i18n import tr
from ..model.codelists import code_label, language_label
from ..model.record import Record, is_starter, title_of_record
from . import html_fragments
from .html_fragments import escaped, link, with_line_breaks
from .sheet_rows import contact_html, metadata_rows, overview_rows, service_rows

if TYPE_CHECKING:
    from ...terms.model import Terms

_STYLE = """
:root { color-scheme: light; }
body { font: 10.5pt/1.5 "Noto Sans", "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1d2a26; background: #fff;
       margin: 2.2em auto; max-width: 52em; padding: 0 1.5em; }
h1 { font-size: 1.5em; line-height: 1.25; margin: 0 0 .2em; }
h2 { font-size: 1.35em; line-height: 1.25; margin: 0 0 .2em; }
h3 { font-size: 1em; letter-spacing: .02em; color: #1f6650; border-bottom: 1px solid #cfdcd6; margin: 1.6em 0 .5em;
     padding-bottom: .15em; }
p { margin: .4em 0; }
a { color: #1b5e8a; word-wrap: break-word; overflow-wrap: anywhere; }
.kind { color: #55645e; margin: 0 0 .8em; }
.sentence { font-size: 1.08em; }
.credit { border-left: 3px solid #1f6650; background: #f1f6f3; padding: .5em .9em; margin: .7em 0; }
.starter { border: 1px solid #c98a1b; background: #fdf6e7; padding: .5em .9em; margin: .7em 0; }
table.fields { border-collapse: collapse; width: 100%; table-layout: fixed; }
table.fields th { text-align: left; vertical-align: top; font-weight: 600; color: #3b4b45; width: 11.5em;
                  padding: .25em 1em .25em 0; }
table.fields td { vertical-align: top; padding: .25em 0; word-wrap: break-word; overflow-wrap: anywhere; }
table.fields tr + tr > * { border-top: 1px solid #edf2ef; }
article + article { margin-top: 3.5em; border-top: 2px solid #1f6650; padding-top: 1.5em; }
h4 { font-size: .92em; color: #55645e; margin: 1.2em 0 .3em; }
.rest { font-size: .85em; color: #3b4b45; }
.rest table.fields th { font-weight: 400; color: #55645e; width: 19em; }
.aside { color: #55645e; font-size: .92em; }
@media print {
  body { margin: 0; max-width: none; padding: 0; font-size: 9.5pt; }
  article + article { break-before: page; border: 0; margin: 0; padding: 0; }
  tr, .credit { break-inside: avoid; }
  h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
"""


def sheet_html(records: Sequence[Tuple[Record, Terms]]) -> str:
    """A whole HTML document with one article for each record."""
    title = title_of_record(records[0][0]) if len(records) == 1 else tr("%n catalogue record(s)", n=len(records))
    articles = "".join(f'<article id="record-{number}">{record_body(record, terms)}</article>'
                       for number, (record, terms) in enumerate(records, 1))
    head = _table_of_contents(title, records) if len(records) != 1 else ""
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escaped(title)}</title><style>{_STYLE}</style></head><body>{head}<main>{articles}</main></body></html>\n")


def record_body(record: Record, terms: Terms) -> str:
    """The record's sections: Overview, Terms, Service, Metadata."""
    kind = " · ".join(part for part in (code_label("MD_ScopeCode", record.hierarchy_level or record.kind),
                                        record.service_type or "", ", ".join(record.service_versions), ", ".join(
                                            code_label("MD_ProgressCode", status) for status in record.status),
                                        ) if part)
    return "".join((f"<h2>{escaped(title_of_record(record))}</h2>",
                    f'<p class="kind">{escaped(kind)}</p>' if kind else "",
                    _starter_notice(record),
                    html_fragments.section(tr("Overview"),
                                           f"<p>{with_line_breaks(record.abstract)}</p>" if record.abstract else "",
                                           html_fragments.table(overview_rows(record))),
                    html_fragments.section(tr("Terms"), terms_html(record, terms)),
                    html_fragments.section(tr("Service"), html_fragments.table(service_rows(record))),
                    html_fragments.section(tr("Metadata"), html_fragments.table(metadata_rows(record)),
                                           _unread(record)),
                    ))


def terms_html(record: Record, terms: Terms) -> str:
    """The terms in a sentence, the credit line, where they were read, and the constraints as they stand."""
    from ...terms import summary_sentence
    from ...terms.labels import field_label, licence_title, step_text

    required = terms.credit_required.value == "yes"
    credit = tr("A map that shows it must carry:") if required else tr("Credit line:")
    rows = [
        (tr("Licence"), link(terms.licence_url,
                             licence_title(terms.licence) if terms.licence else terms.licence_text)),
        (tr("Read from"),
         html_fragments.join_lines(f"{escaped(field_label(step.field))}: {link(step.href, step_text(step))}" if step.
                                   href else f"{escaped(field_label(step.field))}: {with_line_breaks(step_text(step))}"
                                   for step in terms.chain)), (tr("Fees"), escaped(record.fees or "")),
        (tr("Use limitations"), html_fragments.join_lines(with_line_breaks(text) for text in record.use_limitations)),
        (tr("Access constraints"), _restriction_labels(record.access_constraints)),
        (tr("Use constraints"), _restriction_labels(record.use_constraints)),
        (tr("Other constraints"),
         html_fragments.join_lines(
             link(value.href, value.text) if value.href else with_line_breaks(value.text)
             for value in record.other_constraints)),
        (tr("Undecided"), html_fragments.join_lines(escaped(text) for text in terms.undecided)),
    ]
    return "".join((f'<p class="sentence">{escaped(summary_sentence(terms))}</p>',
                    f'<div class="credit">{escaped(credit)} <strong>{escaped(terms.credit)}</strong></div>'
                    if terms.credit else "", html_fragments.table(rows),
                    ))


def _restriction_labels(values: Sequence[str]) -> str:
    return escaped(", ".join(code_label("MD_RestrictionCode", value) for value in values))


def _starter_notice(record: Record) -> str:
    if not is_starter(record):
        return ""
    text = tr("This is a starter record: what is not known of the service is absent or approximate, "
              "until the catalogue's own record replaces it.")
    return f'<p class="starter">{escaped(text)}</p>'


def _table_of_contents(title: str, records: Sequence[Tuple[Record, Terms]]) -> str:
    items = "".join(f'<li><a href="#record-{number}">{escaped(title_of_record(record))}</a></li>'
                    for number, (record, _) in enumerate(records, 1))
    return f"<header><h1>{escaped(title)}</h1><ol>{items}</ol></header>"


def _unread(record: Record) -> str:
    """What no field holds, so that nothing in a record stays out of sight."""
    places: Dict[str, Dict[str, None]] = {}
    for item in record.unread:
        places.setdefault(_short_path(item.path), {}).setdefault(item.text)
    if not places:
        return ""
    rows = [(place, html_fragments.join_lines(with_line_breaks(text) for text in texts))
            for place, texts in places.items()]
    return f'<h4>{escaped(tr("Also in the record"))}</h4><div class="rest">{html_fragments.table(rows)}</div>'


def _short_path(path: str) -> str:
    """A path as a reader wants it: the properties that lead to a value, without prefixes and the objects between."""
    steps = [step.rsplit(":", 1)[-1] for step in path.split("/")]
    named = [step for step in steps if step[:1].islower() and step not in ("identificationInfo", "codeListValue")]
    return " › ".join(named[-3:]) or path


__all__ = ["contact_html", "language_label", "record_body", "sheet_html", "terms_html"]
