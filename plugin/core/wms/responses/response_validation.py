"""Checks that a response is what was requested, and explanations for people if it is not."""

from __future__ import annotations

import re
from datetime import datetime
from enum import Enum
from typing import Dict, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import parse_qsl

from ...addresses import host_and_port
from ...errors import CartoguideError, UnexpectedResponse
from ...i18n import tr
from ...request import Response
from ...safe_xml import decode
from ...text import truncate, unescaped
from ..dimensions.declared_dimensions import parameter_name
from ..dimensions.iso8601 import parse_time
from ..model.protocol import OPERATION_PARAMETERS
from .document_detection import is_html, looks_like_xml
from .exception_reports import read_exception_report
from .image_headers import image_format, image_size, is_complete_image

# each ends at the next tag of its kind: a row of tags that are never closed is read once, not once for each tag
_TITLE = re.compile(r"<title[^<>]*>((?:[^<]|<(?!/?title)){0,2000})</title", re.IGNORECASE)
_HEADINGS = re.compile(r"<h[1-3][^<>]*>((?:[^<]|<(?!/?h[1-3])){0,2000})</h[1-3]\s*>", re.IGNORECASE)
_BODY = re.compile(r"<body[^<>]*>(.{0,4000})", re.IGNORECASE | re.DOTALL)
_INVISIBLE_START = re.compile(r"<(script|style)\b", re.IGNORECASE)
_INVISIBLE_END = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style")}
_TAG = re.compile(r"<[^<>]{0,500}>")
_PASSWORD_FIELD = re.compile(rb"<input\b[^<>]{0,500}\btype\s*=\s*[\"']?password\b", re.IGNORECASE)
#: tab, ends of lines and pages, and the mark of ISO 2022
_TEXT_CONTROLS = b"\t\n\r\x0b\x0c\x1b"
_MAX_PAGE_BYTES = 65_536
_MAX_QUOTE_LENGTH = 300
#: a page with a shorter title and headings is summarised by its text too
_SHORT_TITLE = 60


class ExpectedContent(str, Enum):
    """The content that a response must have. ANY accepts everything but an error."""

    XML = "xml"
    IMAGE = "image"
    HTML = "html"
    TEXT = "text"
    JSON = "json"
    ANY = "any"

    @classmethod
    def from_media_type(cls, media_type: str) -> ExpectedContent:
        """Return the content described by a media type. One of the values is accepted too."""
        media = media_type.split(";")[0].strip().lower()
        if media.startswith("image/") or media == "image":
            return cls.IMAGE
        for content in (cls.JSON, cls.HTML, cls.XML):
            if content.value in media:
                return content
        if "gml" in media:
            return cls.XML
        return cls.TEXT if media in ("text", "text/plain") else cls.ANY


def check_response(response: Response, expected: str, size: Optional[Tuple[int, int]] = None) -> None:
    """Raise an error that explains the problem unless ``response`` is what was requested.

    ``expected`` is an ``ExpectedContent`` or a media type. ``size`` is the (width,
    height) in pixels that an image must have. Raises ServiceError for an exception report with any status (06-042
    6.11), and UnexpectedResponse for everything else. The detail contains status, media type and the server's text.

    The image of a GetMap, whose address is that of ``response``, must be of the requested time and of the requested
    values of other dimensions (its header ``Warning``, C.4), and each parameter requested with one value.
    """
    content = ExpectedContent.from_media_type(expected)
    detail = _technical_detail(response)
    if response.status in (401, 403, 407):
        raise _login_error(response, detail)
    report = read_exception_report(response.body, response.content_type)
    if report is not None:
        if response.url:
            report.user_text = tr("{host}: {problem}", host=_host(response), problem=report.user_text)
        report.detail = f"{_technical_head(response)}\n{report.detail}" if report.detail else detail
        raise report
    if response.status and not 200 <= response.status < 300:
        raise _status_error(response, detail)
    if not response.body.strip():
        raise UnexpectedResponse(
            tr("{host} returned an empty response. Try again later.", host=_host(response)), detail, response.status)
    if is_html(response.body) and _PASSWORD_FIELD.search(response.body[:_MAX_PAGE_BYTES]):
        raise _login_error(response, detail)
    if content is ExpectedContent.IMAGE:
        _check_image(response, detail, size)
        _check_map(response, detail)
    elif content is ExpectedContent.XML and not _is_parseable_xml(response.body):
        raise _wrong_type_error(response, tr("XML"), detail)
    elif content is ExpectedContent.JSON and not response.body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"{", b"[")):
        raise _wrong_type_error(response, tr("JSON"), detail)
    elif content in (ExpectedContent.TEXT, ExpectedContent.HTML) and (
            image_format(response.body) not in (None, "svg") or _is_binary(response.body)):
        raise _wrong_type_error(response, tr("text"), detail)


def _is_parseable_xml(body: bytes) -> bool:
    """Return whether the body is XML other than a web page. The parser skips CGI headers in front."""
    if is_html(body):
        return False
    return looks_like_xml(body) or b"<?xml" in body[:1024] or body[:2] in (b"\xff\xfe", b"\xfe\xff")


def _check_image(response: Response, detail: str, size: Optional[Tuple[int, int]]) -> None:
    body = response.body
    if image_format(body) is None:
        has_text = is_html(body) or looks_like_xml(body) or bool(_readable_text(body))
        if response.content_type.startswith("image/") and not has_text:
            return  # a format that perhaps only QGIS can read
        raise _wrong_type_error(response, tr("an image"), detail)
    if is_complete_image(body) is False:
        raise UnexpectedResponse(
            tr("The image of {host} is incomplete: the connection was interrupted, or the server failed while drawing. "
               "Try again, or request a smaller map.", host=_host(response)), detail, response.status)
    actual = image_size(body)
    if size is not None and actual is not None and actual != size:
        raise UnexpectedResponse(
            tr("{host} returned an image of {width} × {height} pixels instead of {asked_width} × {asked_height}. "
               "Request a smaller map.", host=_host(response), width=actual[0], height=actual[1], asked_width=size[0],
               asked_height=size[1]), detail, response.status)


def _check_map(response: Response, detail: str) -> None:
    """Raise UnexpectedResponse for a map that may be another one than requested."""
    # of an address that was sent, unlike one in a record, every parser reads the same
    pairs = [(name.upper(), value) for name, value in parse_qsl(response.url.partition("?")[2], keep_blank_values=True)]
    if ("REQUEST", "getmap") not in ((name, value.lower()) for name, value in pairs):
        return
    values: Dict[str, str] = {}
    for name, value in pairs:
        if values.setdefault(name, value) != value and name in OPERATION_PARAMETERS:
            raise UnexpectedResponse(
                tr("The request for the map has two values for {name}, of which {host} may take either: {first} and "
                   "{second}. Remove the parameters of a request from the address of the layer.", name=name,
                   host=_host(response), first=values[name], second=value), detail, response.status)
    other = find_other_value(response.headers.get("warning", ""), values)
    if other is None:
        return
    if other.delivered:
        text = tr("{host} has no map for {name}={requested}, and sent the one for {delivered}. Choose a value that the "
                  "service offers.", host=_host(response), name=other.name, requested=other.requested,
                  delivered=other.delivered)
    else:
        text = tr("{host} has no map for {name}={requested}, and sent another one. Choose a value that the service "
                  "offers.", host=_host(response), name=other.name, requested=other.requested)
    raise UnexpectedResponse(text, f"{detail} · Warning: {response.headers['warning']}", response.status)


def _host(response: Response) -> str:
    """Return the server's name for the beginning of a sentence."""
    return host_and_port(response.url) or tr("The server")


def _login_error(response: Response, detail: str) -> UnexpectedResponse:
    advice = tr("Add an authentication configuration in QGIS under Settings ▸ Options ▸ Authentication, and select "
                "it for this service.")
    if response.status == 407:
        return UnexpectedResponse(
            tr("The network proxy requires a login. Enter it in QGIS under Settings ▸ Options ▸ Network."), detail, 407)
    text = tr("{host} requires a login.", host=_host(response))
    status = response.status
    if 200 <= status < 300:
        # a page to log in on, which a proxy or a portal sends instead of any response
        status = 401
        text = tr("{host} sent a page to log in on instead of the response.", host=_host(response))
    elif status == 403:
        text = tr("{host} denied access: it requires a login, or the login in use has insufficient rights.",
                  host=_host(response))
    report = read_exception_report(response.body, response.content_type)
    quote = page_summary(response.body) if is_html(response.body) else _truncate(report.detail) if report else \
        _problem_detail(response.body)
    if quote:
        text = f"{text} {tr('It says: “{words}”', words=quote)}"
    return UnexpectedResponse(f"{text} {advice}", detail, status, response.url)


def _status_error(response: Response, detail: str) -> CartoguideError:
    """Return the error for a status other than success, with what to do about it."""
    status, host = response.status, _host(response)
    wait = response.headers.get("retry-after", "").strip()
    if status in (404, 410):
        text = tr("{host} found nothing at this address (status {status}). Check the service's address.", host=host,
                  status=status)
    elif status == 429:
        text = tr("{host} limits the number of requests (status 429). Wait a while and try again.", host=host)
        if wait.isdigit() and len(wait) < 7:
            text = tr("{host} limits the number of requests (status 429). Wait {seconds} s and try again.",
                      host=host, seconds=wait)
    elif status in (502, 503, 504):
        text = tr("{host} is not available at the moment (status {status}). Try again later.", host=host, status=status)
    elif status >= 500:
        text = tr("{host} failed (status {status}). Try again later, or contact its publisher.", host=host,
                  status=status)
    elif status in (413, 414, 431):
        text = tr("The request is too long for {host} (status {status}). Request fewer layers, or use POST.", host=host,
                  status=status)
    elif status == 405:
        text = tr("{host} does not accept this method at this address (status 405). "
                  "Use the other one of GET and POST.", host=host)
    elif 300 <= status < 400 and not response.headers.get("location"):
        text = tr("{host} sent no document (status {status}). Try again later, or contact its publisher.", host=host,
                  status=status)
    elif 300 <= status < 400:
        text = tr("{host} redirects to another address, which was not followed (status {status}): {address}", host=host,
                  status=status, address=response.headers["location"][:_MAX_QUOTE_LENGTH])
    else:
        text = tr("{host} refused the request (status {status}).", host=host, status=status)
    quote = page_summary(response.body) if is_html(response.body) else _problem_detail(response.body)
    return UnexpectedResponse(f"{text} {tr('It says: “{words}”', words=quote)}" if quote else text, detail, status)


def _problem_detail(body: bytes) -> str:
    """Return the message of a JSON document sent with an error status (RFC 7807 and similar)."""
    if body.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] != b"{" or len(body) > _MAX_PAGE_BYTES:
        return ""
    from ...json_document import parse_json, problem_text

    try:
        return _truncate(problem_text(parse_json(body)))
    except CartoguideError:
        return ""


def _wrong_type_error(response: Response, expected: str, detail: str) -> UnexpectedResponse:
    """Return the error for a response of another type than ``expected``, with the server's text if any."""
    body, host = response.body, _host(response)
    if is_html(body):
        text = tr("{host} returned a web page instead of {wanted}. Check the address.", host=host, wanted=expected)
        quote = page_summary(body)
    elif looks_like_xml(body):
        text = tr("{host} returned XML instead of {wanted}. Check the address.", host=host, wanted=expected)
        quote = ""
    elif image_format(body):
        text = tr("{host} returned an image instead of {wanted}. Check the address.", host=host, wanted=expected)
        quote = ""
    else:
        text = tr("{host} returned something other than {wanted} (declared as {type}). Check the address.", host=host,
                  wanted=expected, type=response.content_type[:80] or "?")
        quote = _readable_text(body)
    return UnexpectedResponse(f"{text} {tr('It says: “{words}”', words=quote)}" if quote else text, detail,
                              response.status)


def page_summary(body: bytes) -> str:
    """Return the title and headings of a web page as one line. If they are short its text follows."""
    page = _without_invisible_elements(_decode(body[:_MAX_PAGE_BYTES]))
    parts = [_without_markup(match) for match in _TITLE.findall(page)[:1] + _HEADINGS.findall(page)[:2]]
    parts = list(dict.fromkeys(part for part in parts if part))
    if len(" ".join(parts)) < _SHORT_TITLE:
        body_text = next((_without_markup(match) for match in _BODY.findall(_HEADINGS.sub(" ", page))[:1]), "")
        parts += [body_text] if body_text not in parts else []
    return _truncate(" · ".join(part for part in parts if part))


def _without_invisible_elements(page: str) -> str:
    """Return a web page without its scripts and style sheets. One that is not closed ends with the page."""
    visible, position = [], 0
    while start := _INVISIBLE_START.search(page, position):
        visible.append(page[position:start.start()])
        end = _INVISIBLE_END[start.group(1).lower()].search(page, start.end())
        position = end.end() if end else len(page)
    return " ".join([*visible, page[position:]])


def _technical_detail(response: Response) -> str:
    quote = page_summary(response.body) if is_html(response.body) else _readable_text(response.body[:2000])
    return " · ".join(part for part in (_technical_head(response), quote) if part)


def _technical_head(response: Response) -> str:
    status = f"HTTP {response.status}" if response.status else ""
    return " · ".join(part for part in (status, response.content_type, response.url) if part)


def _readable_text(body: bytes) -> str:
    """Return the response as plain text, or "" if it is not text."""
    text = _decode(body[:2000])
    printable = sum(character.isprintable() or character.isspace() for character in text)
    return _truncate(_without_markup(text)) if text and printable > 0.95 * len(text) else ""


def _is_binary(body: bytes) -> bool:
    """Return whether the body cannot be text in any encoding, by its control characters."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    head = body[:2000]
    return sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in head) > 0.05 * len(head)


def _decode(body: bytes) -> str:
    for encoding in ("utf-16",) if body[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8", "windows-1252"):
        try:
            return decode(body, encoding)
        except UnicodeDecodeError:
            continue
    return body.decode("utf-8", "replace")


def _without_markup(markup: str) -> str:
    return " ".join(unescaped(_TAG.sub(" ", markup)).split())


def _truncate(text: str) -> str:
    return truncate(text, _MAX_QUOTE_LENGTH)


#: headers "Warning: 99 Nearest value used: DIM_NAME=value units" and "… Default value used …" (06-042 C.4.1, C.4.2).
#: GeoServer says "No nearest value found on LAYER: time". Several are one text, each with or without quotes
_USED = re.compile(
    r"\b(?:(?P<nearest>nearest)|default) value used\b(?:\s{0,9}:?\s{0,9}(?:DIM_(?=TIME|ELEVATION))?"
    r"(?P<name>[\w:-]{1,80})\s{0,9}=\s{0,9}(?P<value>[^\s,;\"']{1,200}))?", re.IGNORECASE)
_NONE_FOUND = re.compile(r"\bno nearest value found\b(?:[^:,\"]{0,200}:\s{0,9}(?P<name>[\w-]{1,80}))?", re.IGNORECASE)
#: characters of a header that are read
_MAX_WARNING = 4_000


class OtherValue(NamedTuple):
    """A parameter, its requested value, and the one that was drawn instead ("" if the server does not say which)."""

    name: str
    requested: str
    delivered: str


def find_other_value(warning: str, requested: Mapping[str, str]) -> Optional[OtherValue]:
    """Return the first value in the header ``Warning`` of a map that is not the requested one, or None.

    ``requested`` are the parameters of the GetMap by their names in capital letters. A default counts only where
    another value was requested, and a moment inside of the requested time is that time: 2016-06-12T06:00Z is inside of
    2016-06-12.
    """
    asked = {name: value for name, value in requested.items()
             if value and (name in ("TIME", "ELEVATION") or name.startswith("DIM_"))}
    text = warning[:_MAX_WARNING] if asked else ""
    for found in _USED.finditer(text):
        # without a name it is that of the only dimension that was asked for, or any of them
        name = parameter_name(found["name"]) if found["name"] else next(iter(asked)) if found["nearest"] else ""
        if name in asked and not _is_requested(name, asked[name], found["value"] or ""):
            return OtherValue(name, asked[name], found["value"] or "")
    for found in _NONE_FOUND.finditer(text):
        name = parameter_name(found["name"]) if found["name"] else next(iter(asked))
        if name in asked:
            return OtherValue(name, asked[name], "")
    return None


def _is_requested(name: str, requested: str, delivered: str) -> bool:
    """Return whether a value is the requested one, or in a requested list or interval."""
    parts = [part.strip() for part in requested.split(",")]
    if delivered.lower() in (part.lower() for part in parts):
        return True
    if name == "TIME":
        # the latest, whichever that is
        if "current" in (part.lower() for part in parts):
            return True
        instant = parse_time(delivered)
        spans = [span for span in map(_time_span, parts) if span is not None]
        return instant is not None and any(begin <= instant[0] < end for begin, end in spans)
    try:
        value = float(delivered)
        return any(low <= value <= high for low, high in map(_number_span, parts))
    except ValueError:
        return False


def _time_span(text: str) -> Optional[Tuple[datetime, datetime]]:
    """Return begin and end (UTC, excluded) of a time of any precision, or of an interval of two, or None."""
    ends = [parse_time(end) for end in text.split("/")[:2]]
    first, last = ends[0], ends[-1]
    end = last[1].add_to(last[0]) if last is not None else None
    return (first[0], end) if first is not None and end is not None else None


def _number_span(text: str) -> Tuple[float, float]:
    """Return both ends of an interval, or twice the number. Raises ValueError for other texts."""
    ends = [float(end) for end in text.split("/")[:2]]
    return ends[0], ends[-1]
