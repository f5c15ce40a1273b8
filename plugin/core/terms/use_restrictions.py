"""Words that restrict the use beyond credit: no commercial use, only with a permit, forbidden."""

from __future__ import annotations

import re

from ..text import fold

_RESTRICTIONS = re.compile(
    r"\b(?:prohib\w+|proib\w+|forbidden|verboten|untersagt|interdit\w*|vietat\w+|no[\s-]+comercial\w*"
    r"|non[\s-]*commercial\w*|nicht[\s-]*kommerziell\w*|sin (?:fines|animo) de lucro"
    r"|uso (?:interno|privado|personal)|(?:internal|private|personal) use"
    r"|only|solo|solamente|unicamente|exclusivamente|exclusively|uniquement|exclusivement|ausschliesslich|esclusivamente"
    r"|excepto|salvo|except|sauf|tranne|exceto"
    r"|not? (?:be )?(?:used|allowed|permitted|intended|redistribut\w+|for)|no se (?:permite|autoriza)\w*"
    r"|no (?:podra|podran|puede|pueden|debe|deben|debera|deberan)|nicht (?:gestattet|zulassig|erlaubt)"
    r"|(?:previa|sin|con|with|without|prior|written|vorheriger|schriftliche\w*|avec|sans)(?: \w+){0,2} (?:autorizacion"
    r"|permiso|permission|authori[sz]ation|consent|genehmigung|zustimmung|autorisation|consentimiento)"
    r"|derechos reservados|rights (?:are )?reserved|droits reserves|rechte vorbehalten|diritti (?:sono )?riservati"
    r"|direitos reservados|drets reservats"
    r"|requiere (?:autorizacion|permiso|licencia|registro)"
    r"|requires (?:an? )?(?:permission|permit|registration|authori[sz]ation))\b")


def restricts_use(text: str) -> bool:
    """Return true where a text about use contains restricting words. Their scope is for people to judge."""
    return bool(_RESTRICTIONS.search(fold(text[:20_000])))
