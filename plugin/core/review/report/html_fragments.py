"""Small pieces of HTML in which everything that comes from a record is escaped."""

from __future__ import annotations

from typing import Iterable, Optional, Tuple

from ...addresses import is_web_address
from ...dates import format_date
from ...text import escaped


def with_line_breaks(text: Optional[str]) -> str:
    return escaped(text or "").replace("\r\n", "\n").replace("\n", "<br>")


def html_link(url: Optional[str], text: Optional[str] = None) -> str:
    """Return a link to an http(s) address, or any other address as text only."""
    label = escaped(text or url or "")
    if not is_web_address(url):
        return label if not text or not url or text == url else f"{label} ({escaped(url)})"
    return f'<a href="{escaped((url or "").strip())}" rel="noreferrer noopener">{label}</a>'


def date_html(value: Optional[str]) -> str:
    """Return an ISO 8601 date formatted for people, with the date as written in a tooltip if the two differ."""
    written = (value or "").strip()
    formatted = format_date(written)
    if formatted == written:
        return escaped(formatted)
    return f'<span title="{escaped(written)}">{escaped(formatted)}</span>'


def join_lines(items: Iterable[str]) -> str:
    """Return pieces of HTML one below the other, without the empty ones."""
    return "<br>".join(item for item in items if item)


def fields_table(rows: Iterable[Tuple[str, str]]) -> str:
    """Return a table of names (plain text) and values (HTML), without the rows that have no value."""
    body = "".join(f'<tr><th scope="row">{escaped(name)}</th><td>{value}</td></tr>' for name, value in rows if value)
    return f'<table class="fields">{body}</table>' if body else ""


def aside(note: Optional[str]) -> str:
    """Return a note in small type behind a value, or an empty text."""
    return f' <span class="aside">{escaped(note)}</span>' if note else ""


def section(title: str, *content: str, level: int = 3) -> str:
    """Return a section with a heading of ``level``, or an empty text if ``content`` is empty."""
    body = "".join(content)
    return f'<section><h{level}>{escaped(title)}</h{level}>{body}</section>' if body else ""
