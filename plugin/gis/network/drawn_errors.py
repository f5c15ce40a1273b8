"""Detection of errors that a server draws into the image that it was asked for."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Callable, Dict, Tuple, Union

from ...core.errors import Cancelled, CartoguideError
from ...core.request import Response
from ...core.wms.requests.urls import host_and_path, query_parameters, with_parameters
from ...core.wms.responses.exception_reports import read_exception_report
from ..runtime.images import TextColours, is_grey

#: service, layers and styles, with the two colours of an image, or the image itself
_Signature = Tuple[str, str, str, Union[TextColours, bytes]]


class ConfirmedImages:
    """Images of layers that look like text and are none, as their services confirmed. For several threads.

    One confirmation serves all images of the same layers in the same two colours. Of those in greys, as errors mostly
    are, it serves only equal ones.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._confirmed: Dict[_Signature, Future[bool]] = {}

    def check(self, signature: _Signature, ask: Callable[[], bool]) -> None:
        """Call ``ask``, which returns whether it confirmed the image, unless one with this signature was confirmed.

        Other threads wait for the first. Errors of ``ask`` are raised.
        """
        with self._lock:
            first = signature not in self._confirmed
            confirmed = self._confirmed.setdefault(signature, Future())
        if not first:
            if not confirmed.result():
                ask()
            return
        is_confirmed = False
        try:
            is_confirmed = ask()
        finally:
            confirmed.set_result(is_confirmed)


def check_for_drawn_error(url: str, response: Response, colours: TextColours, send: Callable[[str], Response],
                          confirmed: ConfirmedImages) -> None:
    """Raise the error of a server that draws it into the image.

    An image that shows nothing but text, in ``colours``, is requested once more from ``url`` with errors as XML
    (06-042 7.3.3.11), by ``send``. If the response is an exception report, it is raised. Any other proves nothing.
    A layer whose second image equals the first is not requested again for images with the same signature.
    """
    given = {name.upper(): value for name, value in query_parameters(url)}
    version = given.get("VERSION", "1.3.0")
    as_xml = "XML" if version.startswith("1.3") else "application/vnd.ogc.se_xml"

    def ask() -> bool:
        try:
            second = send(with_parameters(url, {"SERVICE": "WMS", "VERSION": version,
                                                "REQUEST": given.get("REQUEST", ""), "EXCEPTIONS": as_xml}))
        except Cancelled:
            raise
        except CartoguideError:
            return False
        report = read_exception_report(second.body, second.content_type)
        if report is not None:
            raise report
        return second.body == response.body

    signature = (host_and_path(url), given.get("LAYERS", ""), given.get("STYLES", ""),
                 response.body if is_grey(colours[0]) else colours)
    confirmed.check(signature, ask)
