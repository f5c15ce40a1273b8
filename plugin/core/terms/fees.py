"""Free use, as the texts of records and services state it. Texts that are not understood stay undecided."""

from __future__ import annotations

import re

from ..text import fold
from .credit_duty import credit_clause_start
from .model import Decision

#: fees are stated in a few words; longer texts are conditions, shown but not interpreted
MAX_FEES_LENGTH = 300

_FREE = (
    r"gratuit(?:o|a|os|as|e|es|ous|amente|ement|amente)?|gratis|gratuitament|kostenlos\w{0,2}|kostenfrei\w{0,2}"
    r"|gebuhrenfrei\w{0,2}"
    r"|geldleistungsfrei\w{0,2}|unentgeltlich\w{0,2}|kosteloos"
    r"|free of (?:any )?(?:charges?|costs?|fees?)|for free|at no (?:cost|charge)|without (?:charge|cost|fees?)"
    r"|(?:no|zero|nil) (?:fees?|charges?|costs?|payment)(?: (?:apply|applies|required))?"
    r"|sin (?:costes?|costos?|cargos?|tasas?|tarifas?|pago"
    r"|contraprestacion(?: economica)?)(?: algun[oa])?(?: economic[oa])?"
    r"|(?:no (?:tiene|conlleva|supone)|ningun) (?:coste|costo|cargo)|no se aplican? tasas?|exent[oa]s? de (?:tasas?"
    r"|pago)"
    r"|sans (?:frais|redevance)|senza (?:costi|oneri|spese)|sem (?:custos?|encargos|taxas)|sense (?:cost|carrec|taxes)"
    r"|ohne (?:kosten|gebuhren)|keine (?:gebuhren|kosten)|geen kosten|aucuns? (?:frais|redevance)")
_FREE_ALONE = (r"free|none|ningun[oa]s?|nil|zero|nessun[ao]?|nenhuma?|cap|aucune?s?|keine?|geen"
               r"|0+(?:[.,]0+)?(?: ?(?:€|eur|euros?|\$|usd|gbp|£))?|(?:€|\$|£) ?0+(?:[.,]0+)?")
#: words that do not change the meaning of "free" beside them
_NEUTRAL_WORDS = frozenset({
    "a", "acces", "acceso", "access", "accesso", "all", "and", "are", "available", "completamente", "completely",
    "consulta", "da", "das", "data", "dato", "datos", "de", "del", "der", "descarga", "die", "dienst", "do", "download",
    "e", "el", "entirely", "es", "est", "esta", "estan", "este", "et", "for", "forma", "i", "il", "informacion", "is",
    "ist", "la", "las", "le", "les", "libre", "libremente", "los", "manera", "modo", "nutzung", "o", "of", "ogc",
    "open", "para", "publica", "publico", "puede", "pueden", "se", "servei", "service", "services", "servicio",
    "servicios", "servico", "servizio", "son", "sont", "the", "this", "to", "todo", "todos", "totalmente", "un", "una",
    "und", "us", "usage", "usar", "usarse", "use", "users", "uso", "usuario", "usuarios", "utilisation", "view",
    "visualizacion", "wfs", "wms", "y", "zugang"
})
#: words that do not change the meaning of a bare "none", "0" or "free" beside them
_FEE_LABELS = frozenset({
    "acceso", "access", "charge", "charges", "cost", "coste", "costes", "costi", "costo", "costs", "de", "fee", "fees",
    "frais", "gebuhren", "kosten", "of", "precio", "precios", "preco", "preu", "prezzo", "price", "prix", "redevance",
    "service", "servicio", "tarifa", "tarifas", "tasa", "tasas", "taxas", "taxes", "the", "to", "use", "uso"
})
_PHRASE = re.compile(rf"(?<!\w)(?:{_FREE})(?!\w)")
_BARE = re.compile(rf"(?<![\w€$£])(?:{_FREE_ALONE})(?!\w)")
_DENIED = re.compile(r"\b(?:no|not|non|nicht|ne|pas|isn't|nao|niet|nunca|never|tampoco)\s+(?:(?:es|is|are|son|sera"
                     r"|siempre|always|sempre|esta|est|sind|ist|e|totalmente"
                     r"|entirely|completely|immer|toujours)\s+){0,2}\Z")
_LIMITED = re.compile(
    r"\b(?:excepto|salvo|except|excluding|unless|a menos que|a no ser que|ausser|sauf|tranne|exceto|solo|solamente"
    r"|unicamente|only|nur|seulement|uniquement|soltanto"
    r"|apenas|nomes|hasta|up to|bis zu|jusqu'a|trial|prueba|non?[\s-]+commercial\w*|no[\s-]+comercial\w*"
    r"|nicht[\s-]+kommerziell\w*"
    r"|(?:fines|usos?|purposes?|use|zwecke) (?:academic\w*|docent\w*|educativ\w*|personal\w*|privad\w*|investig\w*)"
    r"|(?:personal|private|academic|educational|research|internal|privaten?) (?:use|purposes?|gebrauch)"
    r"|but|pero|aber|mais|ma|sin embargo|however)\b")
_WORD = re.compile(r"\w+|[€$£%]")
_CONDITION = re.compile(r"\b(?:siempre que|siempre y cuando|a condicion de|con la condicion|provided|as long as"
                        r"|on condition|if|sofern|wenn|a condition|sous reserve"
                        r"|purche|desde que|sempre que)\b")


def free_of_charge(fees: str) -> Decision:
    """Return YES where the whole text of a fees field says that nothing is to be paid, else UNDECIDED. Never NO.

    A condition that only asks for credit ("gratuito siempre que se cite la fuente") does not change the answer.
    """
    folded = fold(fees[:MAX_FEES_LENGTH + 1])
    if not folded or len(fees) > MAX_FEES_LENGTH:
        return Decision.UNDECIDED
    start = credit_clause_start(folded)
    statement = folded if start is None else folded[:start].rstrip(" ,;")
    for pattern, allowed_words in ((_PHRASE, _NEUTRAL_WORDS), (_BARE, _FEE_LABELS)):
        # any other word may be a denial or a restriction
        if pattern.search(statement) and allowed_words.issuperset(_WORD.findall(pattern.sub(" ", statement))):
            return Decision.YES
    return Decision.UNDECIDED


def free_in_prose(text: str) -> Decision:
    """Return YES where a constraint says that the use is free of charge, NO where it also restricts that, else
    UNDECIDED.

    NO means "not simply free": denied, limited to some uses, or bound to a condition other than credit. The caller
    shows the text then.
    """
    decisions = [_classify_clause(clause) for clause in re.split(r"(?<=[.;!?])\s+|\n", text[:20_000])]
    if Decision.NO in decisions:
        return Decision.NO
    return Decision.YES if Decision.YES in decisions else Decision.UNDECIDED


def _classify_clause(text: str) -> Decision:
    folded = fold(text)
    match = _PHRASE.search(folded)
    if not match:
        return Decision.UNDECIDED
    if _DENIED.search(folded[:match.start()]) or _LIMITED.search(folded):
        return Decision.NO
    condition = _CONDITION.search(folded)
    start = credit_clause_start(folded)
    if condition and (start is None or start > condition.start() + 60):
        return Decision.NO
    return Decision.YES
