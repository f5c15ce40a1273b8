"""Error responses of services: each explained, with the service's own text and code."""

from __future__ import annotations

import zlib

import pytest

from plugin.core.errors import ServiceError, UnexpectedResponse
from plugin.core.request import Response
from plugin.core.wms.responses.exception_reports import read_exception_report
from plugin.core.wms.responses.response_validation import check_response, page_summary

_HEAD = b"IHDR\x00\x00\x00\x04\x00\x00\x00\x03\x08\x02\x00\x00\x00"
PNG = (b"\x89PNG\r\n\x1a\n\x00\x00\x00\r" + _HEAD + zlib.crc32(_HEAD).to_bytes(4, "big")
       + b"\x00\x00\x00\x00IEND\xaeB`\x82")
OLD = (b'<?xml version="1.0"?>\n<!DOCTYPE ServiceExceptionReport SYSTEM "http://x.example/exception_1_1_1.dtd">'
       b'<ServiceExceptionReport version="1.1.1"><ServiceException code="LayerNotDefined">\nNo such layer: '
       b"<![CDATA[<rios>]]>\n</ServiceException></ServiceExceptionReport>")
NEW = (b'<?xml version="1.0" encoding="UTF-8"?><ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc">'
       b'<ServiceException code="InvalidCRS" locator="CRS">Sistema no v\xc3\xa1lido</ServiceException>'
       b"<ServiceException>Otro fallo</ServiceException></ServiceExceptionReport>")


def answer(body: bytes, content_type: str = "", status: int = 200, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, {"content-type": content_type, **named}, body, "http://x.example/wms?REQUEST=GetMap")


@pytest.mark.parametrize("root", [b"WMS_Capabilities", b"WMT_MS_Capabilities", b"w:WMS_Capabilities"])
def test_capabilities_are_not_parsed_to_learn_that_they_are_no_report(monkeypatch, root):
    def refuse(*_):
        raise AssertionError("parsed")

    monkeypatch.setattr("plugin.core.wms.responses.exception_reports.safe_xml.parse", refuse)
    head = b'\xef\xbb\xbf<?xml version="1.0"?>\n<!DOCTYPE x SYSTEM "y"><!-- z -->\n<' + root
    assert read_exception_report(head + b' version="1.3.0"><Exception><Format>XML</Format></Exception>') is None


def test_a_report_of_1_1_1_has_no_namespace_and_may_hold_cdata():
    error = read_exception_report(OLD)
    assert error.code == "LayerNotDefined"
    assert "does not know this layer" in error.user_text
    assert "No such layer: <rios>" in error.detail


def test_a_report_of_1_3_0_tells_all_its_exceptions():
    error = read_exception_report(NEW)
    assert error.code == "InvalidCRS"
    assert "Sistema no válido" in error.user_text
    assert error.detail == "InvalidCRS: CRS: Sistema no válido\nOtro fallo"


@pytest.mark.parametrize(("space", "code"), [
    ("", "InvalidParameterValue"), ("/1.1", "MissingParameterValue"), ("/2.0", "OperationNotSupported"),
    ("/1.1", "SuCódigo"),
])
def test_reports_of_ows(space, code):
    error = read_exception_report(
        f'<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows{space}" version="1.1.0">'
        f'<ows:Exception exceptionCode="{code}" locator="LAYER">'
        "<ows:ExceptionText>Una razón</ows:ExceptionText><ows:ExceptionText>y otra</ows:ExceptionText></ows:Exception>"
        "</ows:ExceptionReport>".encode())
    assert error.code == code
    assert "“Una razón y otra”" in error.user_text


@pytest.mark.parametrize("body", [
    b"<WMTException version=\"1.0.0\">Algo fall\xc3\xb3</WMTException>",
    b"<ServiceExceptionReport>Algo fall\xc3\xb3</ServiceExceptionReport>",
    b"\xef\xbb\xbf<ServiceExceptionReport><ServiceException>Algo fall\xc3\xb3</ServiceException>"
    b"</ServiceExceptionReport>",
    "<?xml version='1.0' encoding='UTF-16'?><ServiceExceptionReport><ServiceException>Algo falló</ServiceException>"
    "</ServiceExceptionReport>".encode("utf-16"),
    b'<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><soap:Fault><soap:Reason>'
    b"Algo fall\xc3\xb3</soap:Reason></soap:Fault></soap:Body></soap:Envelope>",
    b"<ServiceExceptionReport><ServiceException code='X'>Algo fall\xc3\xb3 & <b>mal</b></ServiceException>"
    b"</ServiceExceptionReport>",
    b"<ServiceExceptionReport><ServiceException>Algo fall\xc3\xb3",
])
def test_reports_in_odd_shapes_are_read_too(body):
    error = read_exception_report(body)
    assert error is not None
    assert "Algo falló" in error.user_text


@pytest.mark.parametrize("body", [b"", PNG, b"<html><body>Exception</body></html>",
                                  b"java.lang.NullPointerException at x",
                                  b"<msGMLOutput><Exception_layer/></msGMLOutput>"])
def test_anything_else_is_no_report(body):
    assert read_exception_report(body) is None


@pytest.mark.parametrize("code", [
    "InvalidFormat", "InvalidCRS", "InvalidSRS", "LayerNotDefined", "StyleNotDefined", "LayerNotQueryable",
    "InvalidPoint", "CurrentUpdateSequence", "InvalidUpdateSequence", "MissingDimensionValue",
    "InvalidDimensionValue", "OperationNotSupported"])
def test_every_code_of_the_standard_has_words_of_its_own(code):
    # 06-042 Table E.1
    def words(name):
        return read_exception_report(
            f'<ServiceExceptionReport><ServiceException code="{name}"/></ServiceExceptionReport>'.encode()).user_text
    assert words(code) != words("Otro")
    assert code not in words(code)
    assert "Otro" in words("Otro")


def test_a_very_long_text_is_told_shortened_and_kept_in_the_detail():
    error = read_exception_report(b"<ServiceExceptionReport><ServiceException>" + b"ab " * 1000 +
                                  b"</ServiceException></ServiceExceptionReport>")
    assert len(error.user_text) < 600
    assert len(error.detail) > 2900


@pytest.mark.parametrize("status", [200, 400, 404, 500])
@pytest.mark.parametrize("content_type", ["text/xml", "application/vnd.ogc.se_xml;charset=UTF-8", "text/html",
                                          "image/png"])
def test_a_report_counts_with_whatever_status_and_type(status, content_type):
    # 06-042 6.11: exceptions come with status 200 too
    with pytest.raises(ServiceError) as caught:
        check_response(answer(OLD, content_type, status), "image")
    assert caught.value.code == "LayerNotDefined"
    assert f"HTTP {status}" in caught.value.detail


@pytest.mark.parametrize(("expected", "body", "content_type"), [
    ("image", PNG, "image/png"), ("image/png; mode=8bit", PNG, "image/png"), ("image", PNG, "text/plain"),
    ("xml", b"<?xml version='1.0'?><a/>", "text/xml"),
    ("xml", b"Content-Type: text/xml\r\n\r\n<?xml version='1.0'?><a/>", ""),
    ("application/vnd.ogc.gml", b"<msGMLOutput/>", "application/vnd.ogc.gml"),
    ("text/plain", b"Sin resultados", "text/plain"),
    ("html", b"<html><body/></html>", "text/html"), ("json", b' {"a": 1}', "application/json"), ("any", b"\x00", ""),
])
def test_what_was_asked_for_passes(expected, body, content_type):
    check_response(answer(body, content_type), expected)


@pytest.mark.parametrize(("status", "told"), [
    (401, "Authentication"), (403, "Authentication"), (407, "proxy"), (404, "address"), (410, "address"),
    (414, "POST"), (405, "GET and POST"), (429, "number of requests"), (500, "failed"), (503, "not available"),
    (504, "not available"), (400, "refused"), (302, "sent no document"),
])
def test_statuses_say_what_to_do(status, told):
    with pytest.raises(UnexpectedResponse) as caught:
        check_response(answer(b"", "", status), "image")
    assert told in caught.value.user_text
    assert caught.value.status == status


def test_a_login_page_s_own_words_are_in_the_detail():
    page = (b"<html><head><title>Acceso</title><style>p{}</style></head>"
            b"<body><h1>Identif\xc3\xadquese</h1></body></html>")
    with pytest.raises(UnexpectedResponse, match="login") as caught:
        check_response(answer(page, "text/html", 401), "xml")
    assert "Acceso · Identifíquese" in caught.value.detail


def test_of_a_short_page_the_words_are_told_and_nothing_of_its_tags():
    page = b"<html><head><title>404</title></head><body><h1>404</h1><p>Nothing is here</p></body></html>"
    assert page_summary(page) == "404 \xb7 Nothing is here"


def test_the_wait_that_a_busy_server_asks_for_is_told():
    with pytest.raises(UnexpectedResponse, match="Wait 30 s and try again"):
        check_response(answer(b"", "", 429, retry_after="30"), "image")


def test_a_web_page_with_status_200_is_told_with_its_title_and_headings():
    page = (b"<!DOCTYPE html><html><title>Portal de mapas</title>"
            b"<body><h2>En mantenimiento &amp; m\xe1s</h2></body></html>")
    for expected in ("image", "xml"):
        with pytest.raises(UnexpectedResponse, match="web page") as caught:
            check_response(answer(page, "image/png"), expected)
        assert "Portal de mapas · En mantenimiento & más" in caught.value.user_text


def test_a_short_title_is_followed_by_what_the_page_says():
    page = (b"<HTML><HEAD><TITLE>MapServer Message</TITLE></HEAD>"
            b"<BODY>loadLayer(): Unknown <b>identifier</b>.</BODY></HTML>")
    with pytest.raises(UnexpectedResponse, match="Unknown identifier"):
        check_response(answer(page, "text/html"), "image")


@pytest.mark.parametrize(("body", "expected", "told"), [
    (b"", "image", "empty response"), (b"  \n", "xml", "empty response"), (PNG[:-12], "image", "incomplete"),
    (b"<a/>", "image", "XML instead"), (PNG, "xml", "an image instead"),
    (b"msDrawMap(): no", "image", "msDrawMap(): no"),
    (b"nada", "json", "JSON"), (PNG, "text", "text"), (b"msLoadMap(): no", "xml", "msLoadMap(): no"),
])
def test_wrong_answers_are_told_for_what_they_are(body, expected, told):
    with pytest.raises(UnexpectedResponse) as caught:
        check_response(answer(body, "text/plain"), expected)
    assert told in caught.value.user_text


def test_an_image_of_another_size_is_refused():
    check_response(answer(PNG, "image/png"), "image", size=(4, 3))
    with pytest.raises(UnexpectedResponse, match="4 × 3"):
        check_response(answer(PNG, "image/png"), "image", size=(800, 600))


def test_a_report_longer_than_any_is_read_by_its_beginning():
    fault = '<ServiceException code="LayerNotDefined">No hay capa</ServiceException>'
    report = f'<?xml version="1.0"?><ServiceExceptionReport version="1.3.0">{fault * 20_000}</ServiceExceptionReport>'
    error = read_exception_report(report.encode())
    assert len(report) > 1_000_000 and error.code == "LayerNotDefined" and "No hay capa" in error.user_text
    # a long document that mentions exceptions is none
    assert read_exception_report(f"<a><!-- Exception -->{fault * 20_000}</a>".encode()) is None
