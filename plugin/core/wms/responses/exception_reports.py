"""Exception reports of services as errors for people.

Supported are WMS 1.0.0 to 1.3.0 (06-042 6.11, 7.3.3.11), OWS 1.0 to 2.0, and SOAP faults.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from itertools import islice
from typing import List, Optional, Tuple

from lxml import etree

from ... import safe_xml
from ...errors import CartoguideError, ServiceError
from ...i18n import tr
from ...text import truncate, unescaped
from ..model.xml_values import attribute, has_name, local_name

#: exceptions read from one report, and the length of the texts shown
_MAX_FAULTS = 20
_MAX_QUOTE_LENGTH = 400
_MAX_DETAIL_LENGTH = 4000
#: bytes of a report that is read as XML, and of a longer or broken one that are searched for its exceptions
_MAX_REPORT_BYTES, _MAX_SEARCHED_BYTES = 1_000_000, 200_000
_REPORT_NAMES = ("serviceexceptionreport", "exceptionreport")
_BROKEN_REPORT = re.compile(
    r"<(?:\w+:)?(?:ServiceException|ExceptionText|WMTException)(?=[\s>])([^<>]*)>(.*?)"
    r"(?:</(?:\w+:)?(?:ServiceException|ExceptionText|WMTException)>|\Z)", re.DOTALL)
_CAPABILITIES = re.compile(rb"\A[^<]*(?:<[?!][^>]*>\s*)*<(?:\w+:)?WM(?:S|T_MS)_Capabilities[\s>]")
_REPORT = re.compile(rb"\A[^<]*(?:<[?!][^>]*>\s*)*"
                     rb"<(?:\w+:)?(?:ServiceExceptionReport|ExceptionReport|WMTException)[\s>]")
_CODE = re.compile(r"""(?:code|exceptionCode)\s*=\s*["']([^"']*)["']""")


@dataclass(frozen=True)
class ServiceFault:
    """One exception of a report: the service's code, the locator and the text."""

    code: str = ""
    locator: str = ""
    text: str = ""


def read_exception_report(body: bytes, content_type: str = "") -> Optional[ServiceError]:
    """Return the exception report in ``body`` as an error, or None if the body is anything else.

    The media type may be anything: servers send reports as text/html too. The beginning of a report that is no
    well-formed XML, or longer than any, is read by its tags.
    """
    head = body[:4096].replace(b"\x00", b"")
    # capabilities mention exceptions too, large documents must not be parsed for that
    if b"Exception" not in head and b"Fault" not in head or _CAPABILITIES.search(head):
        return None
    if not head.lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t").startswith(b"<") and b"xml" not in content_type.lower().encode():
        return None
    if len(body) <= _MAX_REPORT_BYTES or not _REPORT.search(head):
        with contextlib.suppress(CartoguideError):
            return error_from_report(safe_xml.parse(body))
    faults = [
        ServiceFault(code=_first_group(_CODE, match.group(1)), text=_without_markup(match.group(2)))
        for match in islice(_BROKEN_REPORT.finditer(body[:_MAX_SEARCHED_BYTES].decode("utf-8", "replace")), _MAX_FAULTS)
    ]
    return _error(faults) if faults else None


def error_from_report(root: etree._Element) -> Optional[ServiceError]:
    """Return the error for the root element of an exception report, or None if it is not a report."""
    name = local_name(root).lower()
    if name in _REPORT_NAMES or name == "wmtexception":
        return _error(read_faults(root))
    if name == "envelope":
        fault = _first_descendant(root, ("fault",))
        report = None if fault is None else _first_descendant(fault, _REPORT_NAMES)
        if report is not None:
            return _error(read_faults(report))
        return None if fault is None else _error([ServiceFault(text=_fault_text(fault))])
    return None


def _first_descendant(root: etree._Element, names: Tuple[str, ...]) -> Optional[etree._Element]:
    """Return the first descendant with one of ``names`` (lower case), or None."""
    return next((element for element in root.iter() if local_name(element).lower() in names), None)


def read_faults(root: etree._Element) -> List[ServiceFault]:
    """Return the exceptions of a report in order. A report without child elements (1.0.0) is one text."""
    faults = []
    for element in root.iter():
        if not has_name(element, "ServiceException", "Exception"):
            continue
        code = attribute(element, "code") or attribute(element, "exceptionCode") or ""
        faults.append(ServiceFault(code, attribute(element, "locator") or "", _fault_text(element)))
        if len(faults) == _MAX_FAULTS:
            break
    return faults or [ServiceFault(code=attribute(root, "code") or "", text=_fault_text(root))]


def _error(faults: List[ServiceFault]) -> ServiceError:
    """Return all exceptions as one error: the meaning of the code, the service's texts, and what to do."""
    code = next((fault.code for fault in faults if fault.code), "")
    texts = list(dict.fromkeys(fault.text for fault in faults if fault.text))
    quote = truncate(" · ".join(texts), _MAX_QUOTE_LENGTH)
    sentences = [_meaning_of_code(code) or tr("The service refused the request.")]
    if quote:
        sentences.append(tr("It says: “{words}”", words=quote))
    elif code and not _meaning_of_code(code):
        sentences.append(tr("Its code is {code}.", code=code))
    detail = "\n".join(": ".join(part for part in (fault.code, fault.locator, fault.text) if part) for fault in faults)
    return ServiceError(" ".join(sentences), detail[:_MAX_DETAIL_LENGTH], code)


def _meaning_of_code(code: str) -> str:
    """Return what a known code means and what to do, or "" for an unknown code."""
    table = {
        "invalidformat": tr("The service does not offer this format. Choose one that its capabilities list."),
        "invalidcrs": _unsupported_crs_text(), "invalidsrs": _unsupported_crs_text(), "layernotdefined": tr(
            "The service does not know this layer. Refresh its capabilities: the layer may have been "
            "renamed or withdrawn."), "stylenotdefined": tr(
                "The service does not know this style for the layer. Refresh its capabilities, "
                "or use the default style."),
        "layernotqueryable": tr("The layer cannot be queried."),
        "invalidpoint": tr("The point is outside the queried map."),
        "currentupdatesequence": tr("The capabilities have not changed since they were last read."),
        "invalidupdatesequence": tr("The service does not recognise the update sequence of its capabilities. Reload "
                                    "them."),
        "missingdimensionvalue": tr("The layer needs a value for a dimension, such as a time or an elevation. "
                                    "Choose one."), "invaliddimensionvalue": tr(
                                        "The layer has no data for this value of a dimension, such as the time or "
                                        "the elevation. Choose one of the values offered."),
        "operationnotsupported": tr("The service does not support this operation."),
        "missingparametervalue": tr("The request lacks a parameter that the service requires."),
        "invalidparametervalue": tr("The service does not accept a parameter of the request."),
        "versionnegotiationfailed": tr("The service does not support the requested version."),
        "optionnotsupported": tr("The service does not support an option of the request."),
    }
    return table.get(code.strip().rpartition(":")[2].lower(), "")


def _unsupported_crs_text() -> str:
    return tr("The service does not offer this coordinate reference system for the layer. Choose another one.")


def _fault_text(element: etree._Element) -> str:
    # each of several ExceptionText elements is a separate sentence (06-121r9 8.4)
    parts = [child for child in element if has_name(child, "ExceptionText")]
    return " ".join(" ".join("".join(part.itertext()).split()) for part in parts or [element])


def _without_markup(text: str) -> str:
    """Return the text of a report that is not well-formed, without markup, entities and repeated spaces."""
    text = text.replace("<![CDATA[", "").replace("]]>", "")
    return " ".join(unescaped(re.sub(r"</?[A-Za-z][^<>]{0,200}>", " ", text)).split())


def _first_group(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group(1) if match else ""
