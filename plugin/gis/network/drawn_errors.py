"""Detection of errors that a server draws into the image that it was asked for."""

from __future__ import annotations

from typing import Callable, Tuple

from ...core.errors import Cancelled, CartoguideError
from ...core.request import Response
from ...core.wms.requests.urls import query_parameters, with_parameters
from ...core.wms.responses.exception_reports import read_exception_report
from ..runtime.images import looks_like_text


def check_for_drawn_error(url: str, response: Response, size: Tuple[int, int],
                          send: Callable[[str], Response]) -> None:
    """Raise the error of a server that draws it into the image.

    An image of ``size`` pixels that shows nothing but text is requested once more from ``url`` with errors as XML
    (06-042 7.3.3.11), by ``send``. If the response is an exception report, it is raised. Any other proves nothing.
    """
    if not looks_like_text(response.body, size):
        return
    given = {name.upper(): value for name, value in query_parameters(url)}
    version = given.get("VERSION", "1.3.0")
    as_xml = "XML" if version.startswith("1.3") else "application/vnd.ogc.se_xml"
    try:
        second = send(with_parameters(url, {"SERVICE": "WMS", "VERSION": version, "REQUEST": given.get("REQUEST", ""),
                                            "EXCEPTIONS": as_xml}))
    except Cancelled:
        raise
    except CartoguideError:
        return
    report = read_exception_report(second.body, second.content_type)
    if report is not None:
        raise report
