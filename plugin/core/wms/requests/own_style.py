"""SLD and SLD_BODY: a style of one's own for services that take one (OGC 05-078r4 7.2, 9.2; 02-070 6.2 for 1.1.x)."""

from __future__ import annotations

import re
from typing import Dict

from ...errors import InvalidRequest, UnreadableDocument
from ...i18n import tr
from ...safe_xml import parse
from ..model.service import Service
from ..model.xml_values import local_name
from .urls import ParameterValue

_WEB_ADDRESS = re.compile(r"https?://\S+\Z", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A<\?xml[^>]*\?>\s*")


def user_style_parameters(service: Service, style: str) -> Dict[str, ParameterValue]:
    """SLD for a web address, SLD_BODY for a StyledLayerDescriptor; nothing for an empty text.

    InvalidRequest where the service does not announce SupportSLD, or ``style`` is neither of the two.
    """
    text = style.strip().lstrip("\ufeff")
    if not text:
        return {}
    if not service.supports_sld:
        raise InvalidRequest(tr("The service does not say that it takes styles of your own (SLD)."))
    if _WEB_ADDRESS.match(text):
        return {"SLD": text}
    # it travels as UTF-8, whatever the file declares
    text = _XML_DECLARATION.sub("", text)
    try:
        root = parse(text.encode("utf-8"), tr("The style"))
    except UnreadableDocument as error:
        raise InvalidRequest(error.user_text, error.detail) from error
    if local_name(root) != "StyledLayerDescriptor":
        raise InvalidRequest(
            tr("A style of your own is a StyledLayerDescriptor (SLD), or its web address; this is "
               "“{element}”.", element=local_name(root)[:80]))
    return {"SLD_BODY": text}
