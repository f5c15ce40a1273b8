"""Revalidation of cached capabilities: the request and its responses (RFC 9110, 13.1; 06-042 7.2.3.5)."""

from __future__ import annotations

import pytest

from plugin.core.request import Response
from plugin.core.wms.model.service import Service
from plugin.core.wms.requests.get_capabilities import (
    cache_validators,
    conditional_request,
    is_not_modified,
    rejects_update_sequence,
)

REPORT = ('<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">'
          '<ServiceException code="{}">x</ServiceException></ServiceExceptionReport>')


def test_what_the_server_gave_is_what_it_is_asked_with():
    kept = cache_validators({"etag": '"a"', "last-modified": "Fri, 03 Jun 2016 10:00:00 GMT", "server": "x"},
                            Service("1.3.0", update_sequence="12"), "1.3.0")
    request = conditional_request("http://a.invalid/w?map=b&", kept)
    assert request.headers == {"If-None-Match": '"a"', "If-Modified-Since": "Fri, 03 Jun 2016 10:00:00 GMT"}
    assert request.url == ("http://a.invalid/w?map=b&SERVICE=WMS&VERSION=1.3.0&REQUEST=GetCapabilities"
                           "&UPDATESEQUENCE=12")


def test_a_server_that_gave_nothing_is_asked_as_ever():
    request = conditional_request("http://a.invalid/w?", cache_validators({}, Service("1.3.0")))
    assert (request.url, dict(request.headers)) == ("http://a.invalid/w?SERVICE=WMS&REQUEST=GetCapabilities", {})


@pytest.mark.parametrize(("status", "code", "unchanged", "refused"), [
    (304, "", True, False), (200, "CurrentUpdateSequence", True, False), (400, "CurrentUpdateSequence", True, False),
    (200, "InvalidUpdateSequence", False, True), (200, "OperationNotSupported", False, False),
    (200, "", False, False)])
def test_the_answers_are_told_apart(status, code, unchanged, refused):
    body = REPORT.format(code).encode() if code else b"" if status == 304 else b"<WMS_Capabilities/>"
    response = Response(status, {"content-type": "text/xml"}, body, "http://a.invalid/")
    assert (is_not_modified(response), rejects_update_sequence(response)) == (unchanged, refused)
