"""References between the constraint fields of a record, such as "see other restrictions"."""

from __future__ import annotations

import re
from typing import Tuple

from ..text import fold

_REFERRING_VERB = re.compile(
    r"\b(?:ver|vean?|veanse|vease|consult\w*|leer|lean?|lease|leanse|remit\w*|refi\w+|refer\w*|segun|conforme|acudir"
    r"|dirigirse|mirar"
    r"|indica\w*|especifica\w*|descri\w+|detalla\w*|recog\w+|establec\w+|expresa\w*|figura\w*|aparec\w+|encuentra\w*"
    r"|defini\w+"
    r"|see|read|check|look|cf|specified|stated|given|listed|indicated|defined|found|as (?:in|per)|according to"
    r"|siehe|vgl|beachten|voir|reportez|voyez|zie|raadpleeg|vedi|vedere|si veda|leggere|veja|vegeu|veure|mireu|llegiu"
    r"|llegir"
    r"|licen[cs]\w*(?: \w+){0,4} (?:en|in|im|dans|nell?\w*|em|als?)|l[ao]s (?:mism\w+ )?(?:de|que))\b")
_CONSTRAINT_WORD = r"(?:restriccion\w*|limitacion\w*|constriccion\w*|constraints?|restrictions?|limitations?)"
_CONSTRAINT_WORD_ROMANCE = (
    r"(?:contraintes|restrictions?|limitations?|vincoli|restrizioni|limitazioni|restricoes|limitacoes"
    r"|restriccions|limitacions)")
_TARGETS = ((
    "other_constraints",
    re.compile(
        r"\botr[ao]s? (?:restriccion\w*|limitacion\w*|constriccion\w*)|\bother[ _]?(?:constraints?|restrictions?"
        r"|limitations?)"
        r"|\bautres (?:contraintes|restrictions|limitations)|\b(?:andere|sonstige|weitere)n? (?:ein|be)schrankungen"
        r"|\baltri vincoli|\baltre (?:restrizioni|limitazioni)|\boutras (?:restricoes|limitacoes)"
        r"|\baltres (?:restriccions|limitacions)"
        r"|\boverige beperkingen")
), (
    "access_constraints",
    re.compile(
        rf"\b{_CONSTRAINT_WORD} (?:(?:de|del|al?|legales?|para|el|la|uso|y|on|of|to|for|the|use|and|or) ){{0,6}}"
        r"(?:acceso|access)\b"
        r"|\baccess[ _]?(?:(?:and|&|or|/) ?use )?(?:constraints?|restrictions?|limitations?)"
        rf"|\b{_CONSTRAINT_WORD_ROMANCE} (?:d'|di |de |d'utilisation et d'|d'uso e d'|d'us i d')?"
        r"(?:acces|accesso|acesso)\b"
        r"|\b(?:zugriffs|zugangs)-?(?: und nutzungs)?(?:ein|be)schrankung\w*"
        r"|\btoegangs-?(?: en gebruiks)?beperkingen")
), ("use_constraints",
    re.compile(
        r"\b(?:restriccion|constriccion)\w* (?:(?:de|del|al?|legales?|para|el|la|acceso|y) ){0,6}uso\b"
        r"|\blimitacion\w* (?:de |al? )(?:acceso|uso) y (?:de |al? )?(?:uso|acceso)\b"
        r"|\b(?:access (?:and|&|or) )?use[ _]?(?:constraints?|restrictions?)|\b(?:access (?:and|&) use) limitations?"
        r"|\b(?:constraints?|restrictions?) (?:on|of|to|for) (?:the )?(?:access (?:and|or) )?use\b"
        r"|\b(?:contraintes|restrictions) (?:d'acces et )?d'utilisation|\bvincoli (?:d'accesso e "
        r"|di accesso e )?(?:d'|di )uso"
        r"|\brestricoes de (?:acesso e )?(?:de )?uso|\brestriccions d'(?:acces i )?(?:d')?us\b"
        r"|\b(?:zugriffs- und |zugangs- und )?nutzungs(?:ein|be)schrankung\w*|\b(?:toegangs- en )?gebruiksbeperkingen"
        r"|\b(?:condiciones|conditions) (?:que se aplican|aplicables|applying) (?:al?|to) (?:acceso|access) (?:y"
        r"|and) (?:al? )?(?:uso|use)")), ("use_limitations",
                                          re.compile(r"\blimitacion(?:es)? de uso\b|\buse[ _]?limitations?\b"
                                                     r"|\blimitations? d'utilisation\b")),
            )
#: "ver restricciones", "see constraints": no field is named, so both fields with codes are meant
_UNSPECIFIC_REFERENCE = re.compile(
    r"\W*(?:(?:ver|vean?se|vea|consult\w*|leer|see|read|voir|vedi|vegeu|siehe)\W+)(?:\w+\W+){0,6}?"
    r"(?:restricciones|constraints|restrictions|contraintes|vincoli|restriccions|einschrankungen)\W*\Z")
_FILLER = re.compile(r"[\W_]|\b(?:y|and|de|del|uso|use|acceso|access|the|las?|los|see|legales?|constraints?"
                     r"|restrictions?|restricciones)\b")


def referenced_fields(text: str) -> Tuple[str, ...]:
    """Return the Record fields that a text refers to, in reading order. Most texts refer to none.

    A text that is only the name of a field ("Other restrictions") refers to it too. A text that contains an address
    refers to a field only where it names one.
    """
    folded = fold(text[:2_000])
    found = []
    rest = folded
    for field, pattern in _TARGETS:
        match = pattern.search(folded)
        if match is None:
            continue
        rest = pattern.sub(" ", rest)
        if _REFERRING_VERB.search(folded[max(0, match.start() - 110):match.start()]):
            found.append(field)
    if not found and rest != folded and not _FILLER.sub("", rest):
        found = [field for field, pattern in _TARGETS if pattern.search(folded)]
    if not found and len(folded) < 120 and _UNSPECIFIC_REFERENCE.match(folded):
        found = ["access_constraints", "use_constraints"]
    order = ("use_limitations", "access_constraints", "use_constraints", "other_constraints")
    return tuple(field for field in order if field in found)
