"""The duty to credit, as texts express it: conditions, duties and exemptions in seven languages."""

from __future__ import annotations

import re
from typing import List, Optional, Pattern, Sequence

from ..text import fold
from .model import Decision

#: licence texts are short; the rest of an overlong text is not searched
MAX_TEXT = 20_000

# Per language: words for a duty, words for crediting, words for the persons or things to credit. All folded.
_SPANISH = (
    r"siempre que|siempre y cuando|a condicion de(?: que)?|con la (?:unica )?condicion de(?: que)?"
    r"|con (?:la )?obligacion de|se (?:debe|deben|debera|deberan|ha de|han de)|debe|deben|debera|deberan"
    r"|habra de|habran de|hay que|tiene que|tienen que|es obligatori[oa]|obligatoriamente|es necesari[oa]|es preciso"
    r"|se exige|se requiere|se obliga a|obliga a|obligados? a|requiere|exige|previa"
    r"|sera (?:obligatori[oa]|necesari[oa])|con tal de que|bajo (?:la )?condicion de(?: que)?",
    r"cit[aeo]\w*|mencion\w*|reconoc\w*|reconozc\w*|atribu\w+|indi(?:c|qu)\w+|acredit\w+|haga[n]? (?:referencia"
    r"|mencion|constar)|hacer (?:referencia|mencion|constar)|nombr\w+|identifi\w+|referenci\w+|conste\w*|figur\w+",
    r"autor\w*|propietari\w*|titular\w*|fuentes?|origen|procedencia|organismos?|productor\w*|creador\w*"
    r"|licenciante\w*|proveedor\w*|rediam|junta|ign|propiedad intelectual|responsables?")
_ENGLISH = (
    r"provided|providing|as long as|so long as|on (?:the )?condition|under the condition|subject to|must|shall"
    r"|requires?|required to|obliged to|need to|needs to|have to|has to|is conditional (?:up)?on",
    r"credit\w*|acknowledg\w*|attribut\w*|cit(?:e|ed|es|ing|ation)|mention(?:ed|ing|s)?|named|recogni[sz]ed|quoted"
    r"|referenced",
    r"authors?|owners?|sources?|providers?|publishers?|custodians?|creators?|originators?|producers?|copyright"
    r"|holders?|licensors?|contributors?|data|names?|credits?|attributions?|acknowledge?ments?|proper\w*")
_FRENCH = (
    r"sous reserve|a (?:la )?condition|a charge|doit|doivent|devra|devront|il faut|obligation de|oblige a|est tenu de"
    r"|sont tenus de|pourvu que|moyennant",
    r"mention\w*|cit\w+|indiqu\w+|indication|credit\w*|attribu\w+|reconnaiss\w+|reconnai\w+|figurer",
    r"auteurs?|sources?|proprietaires?|producteurs?|origine|paternite|titulaires?|provenance|obligatoires?")
_GERMAN = (
    r"sofern|wenn|unter der (?:bedingung|voraussetzung|auflage)|muss|mussen|ist|sind|verpflicht\w+|vorausgesetzt"
    r"|soweit|mit der auflage",
    r"genannt|nennen|zu nennen|anzugeben|angegeben|angeben|zitiert|zitieren|nennung|angabe|quellenangabe"
    r"|quellenvermerk\w*|namensnennung|zu zitieren|zu versehen|kenntlich",
    r"quell\w+|autor\w*|urheber\w*|eigentumer\w*|rechteinhaber\w*|herausgeber\w*|datenhalter\w*|bereitsteller\w*"
    r"|verpflicht\w+|erforderlich|anbieter\w*|namensnennung")
_PORTUGUESE = (
    r"desde que|sempre que|com a condicao de|na condicao de|deve|devem|devera|deverao|e obrigatori[oa]|obriga a"
    r"|com a obrigacao de|tem de|tem que",
    r"cit\w+|mencion\w+|referi\w+|refira\w*|atribu\w+|indi(?:c|qu)\w+|credit\w+|reconhec\w+|identifi\w+",
    r"autor\w*|fontes?|proprietari\w*|titular\w*|origem|produtor\w*|propriedade|entidades?")
_ITALIAN = (
    r"purche|a condizione che|a patto che|deve|devono|dovra|dovranno|e obbligatori[oa]|obbligo di|con l'obbligo di"
    r"|e necessario|salvo l'obbligo di",
    r"cit\w+|menzion\w+|indic\w+|attribu\w+|riconosc\w+|riport\w+|credit\w+",
    r"fonte|fonti|autor\w*|proprietari\w*|titolar\w*|origine|provenienza|produttor\w*|paternita")
_CATALAN = (
    r"sempre que|sempre i quan|a condicio (?:de )?que|amb la condicio (?:de )?que|cal|s'ha de|s'han de|ha de|han de"
    r"|es obligatori|es obligatoria|caldra|haura de|hauran de",
    r"cit\w+|menci\w+|esment\w+|reconeix\w+|reconegu\w+|atribu\w+|indi(?:c|qu)\w+|faci\w* (?:constar|referencia)"
    r"|fer (?:constar|referencia)|acredit\w+|consti\w*|figur\w+",
    r"autor\w*|font|fonts|propietari\w*|titular\w*|origen|procedencia|productor\w*|creador\w*")
_LANGUAGES = (_SPANISH, _ENGLISH, _FRENCH, _GERMAN, _PORTUGUESE, _ITALIAN, _CATALAN)

_GAP = r"[^.;]{0,110}?"


def _duty_patterns() -> List[Pattern[str]]:
    patterns = []
    for duty, giving, whom in _LANGUAGES:
        patterns.append(re.compile(rf"\b(?:{duty})\b{_GAP}\b(?:{giving})\b{_GAP}\b(?:{whom})\b"))
        patterns.append(re.compile(rf"\b(?:{whom})\b{_GAP}\b(?:{duty})\b{_GAP}\b(?:{giving})\b"))
        patterns.append(re.compile(rf"\b(?:{duty})\b{_GAP}\b(?:{whom})\b{_GAP}\b(?:{giving})\b"))
    return patterns


_REQUIRED: Sequence[Pattern[str]] = tuple(_duty_patterns()) + tuple(
    re.compile(pattern) for pattern in (
        # crediting as the manner of use: "citando la fuente", "by crediting the source"
        r"\b(?:citando(?:se)?|mencionando(?:se)?|reconociendo|indicando|acreditando|haciendo (?:constar|mencion"
        r"|referencia)(?: (?:a|de))?)\b[^.;]{0,60}?"
        r"\b(?:autor\w*|propietari\w*|titular\w*|fuentes?|origen|procedencia)\b",
        r"\b(?:crediting|citing|acknowledging|attributing|mentioning|quoting) (?:of )?(?:the |its |their "
        r"|data )*(?:original )?(?:authors?|owners?|sources?|providers?|publishers?)\b",
        r"\ben (?:citant|mentionnant|indiquant) [^.;]{0,40}?\b(?:sources?|auteurs?|producteurs?)\b",
        r"\b(?:citant|esmentant|mencionant|indicant) [^.;]{0,40}?\b(?:font|fonts|autor\w*|propietari\w*)\b",
        r"\b(?:citando|menzionando|indicando) (?:la |le |l'|gli )*(?:fonte|fonti|autor\w+)\b",
        r"\b(?:citando|mencionando|indicando) (?:a |as |o |os )*(?:fontes?|autor\w+)\b",
        r"\bunter (?:angabe|nennung) (?:der|des|von)\b",
        r"\bmit (?:quellenangabe|quellenvermerk|namensnennung)\b",
        r"\b(?:pflicht|verpflichtung) zur (?:quellenangabe|namensnennung|nennung)\b",
        r"\bonder vermelding van\b",
        r"\bbronvermelding (?:is )?verplicht\b",
        r"\bmits (?:de )?bron(?:vermelding| vermeld)",
        r"\b(?:unica|sola) (?:obligacion|condicion|exigencia)\b[^.;]{0,60}?"
        r"\b(?:cit|mencion|reconoc|indic|acredit|atribu)\w+",
        r"\b(?:con|mediante|previa) (?:la )?(?:mencion|cita|citacion|indicacion|atribucion|reconocimiento)"
        r"(?: expres[ao])? (?:de|del|a|al)\b[^.;]{0,40}?"
        r"\b(?:autor\w*|fuentes?|origen|procedencia|propietari\w*|titular\w*)\b",
        r"\b(?:cite|mencione)n?se\b",
        # a noun and "required": "attribution required", "atribución obligatoria"
        r"\b(?:attribution|acknowledge?ment|credit|citation|credits)\b(?: \w+){0,4}? (?:is |are )?(?:required|mandatory"
        r"|obligatory|necessary|compulsory)\b",
        r"\b(?:requires?|with|mandatory|required|obligatory|compulsory|proper|appropriate)(?: \w+){0,2}? (?:attribution"
        r"|acknowledge?ment|citation)\b",
        r"\b(?:atribucion|reconocimiento|mencion|cita(?:cion)?|autoria)\b(?: \w+){0,5}? (?:obligatori[oa]|requerid[oa]"
        r"|necesari[oa]|exigid[oa]|es obligad[oa])\b",
        r"\b(?:obligatori[oa]|obligacion de|obligad[oa]) (?:la |el |a )?(?:cita\w*|mencion\w*|atribucion|reconocimiento"
        r"|reconocer)\b",
        r"\bmentions? (?:\w+ ){0,5}?obligatoires?\b",
        r"\b(?:quellenangabe|quellenvermerk|namensnennung|nennung)\b[^.;]{0,50}?\b(?:erforderlich|verpflichtend|zwingend"
        r"|pflicht|notwendig|vorgeschrieben)\b",
        r"\b(?:atribuicao|citacao|mencao)\b[^.;]{0,30}? obrigatoria\b",
        r"\b(?:attribuzione|citazione|menzione)\b[^.;]{0,30}? obbligatoria\b",
        r"\b(?:atribucio|citacio|mencio|esment)\b[^.;]{0,30}? obligatori[a]?\b",
    ))
_BAN = (r"(?:prohibid\w+|prohibe\w*"
        r"|no (?:se )?(?:permit\w+|autoriz\w+|podra\w*|puede\w*|debe\w*|esta\w* permitid\w+)"
        r"|(?:may|must|can|shall|should) not|cannot|not (?:allowed|permitted|authori[sz]ed)|prohibited|forbidden"
        r"|interdit\w*|ne (?:peut|peuvent|doit|doivent)|nicht (?:gestattet|erlaubt|zulassig)|untersagt|verboten"
        r"|(?:darf|durfen) nicht|vietat\w+|non (?:e |sono )?(?:consentit|permess)\w+|proibid\w+|no es permet\w*)")
_UNCREDITED = (r"(?:sin (?:citar|mencionar|indicar|reconocer|atribuir|acreditar|(?:la )?(?:cita|mencion|atribucion)"
               r"|hacer (?:mencion|referencia|constar))|without (?:\w+ ){0,2}?(?:attribution|credit\w*|citing|citation"
               r"|acknowledg\w+|mention\w*)|sans (?:la )?(?:mention\w*|citer|citation|attribution|indiquer)"
               r"|ohne (?:quellenangabe|namensnennung|nennung|angabe)|senza (?:citare|citazione|menzione|indicare)"
               r"|sem (?:citar|mencionar|indicar)|sense (?:citar|esmentar|mencionar))")
#: use without credit is forbidden
_FORBIDDEN_UNCREDITED = re.compile(rf"\b{_BAN}\b{_GAP}\b{_UNCREDITED}\b|\b{_UNCREDITED}\b{_GAP}\b{_BAN}\b")
_NOT_REQUIRED = tuple(re.compile(pattern) for pattern in (
    r"\bno (?:es|sera|resulta) (?:\w+ )?(?:necesari[oa]|obligatori[oa]|preciso)\b(?: \w+){0,2}? (?:cit\w+|mencion\w+"
    r"|la cita|la atribucion|atribu\w+|reconoc\w+|indicar)",
    r"\b(?:no (?:se )?(?:exige|requiere|obliga a)|sin (?:necesidad|obligacion) de) (?:la )?(?:cit\w+|mencion\w+"
    r"|atribu\w+|reconoc\w+|indicar)", r"\bno hay que (?:cit\w+|mencion\w+)",
    r"\bno (?:\w+ )?obligad[oa]s? a (?:cit|mencion|reconoc|atribu|indic)\w+",
    r"\b(?:no (?:hay|existe\w*|tiene\w*|supone|implica)|ninguna) (?:la |ninguna )?(?:obligacion|necesidad)(?: alguna)?"
    r" de (?:cit|mencion|reconoc|atribu|indic)\w+",
    r"\b(?:puede\w*|podra\w*|se permite\w*|libre\w*)\b[^.;]{0,60}? sin (?:citar|mencionar|indicar|reconocer)\b",
    r"\bnot (?:mandatory|required|necessary|obligatory|compulsory) to (?:cit\w+|credit|attribute|acknowledge|mention)",
    r"\bno (?:obligation|need|requirement) to (?:cit\w+|credit|attribute|acknowledge|mention)",
    r"\bpas (?:necessaire|obligatoire|requis|tenus?|obliges?) (?:de |d')(?:citer|mentionner|indiquer)",
    r"\baucune obligation de (?:citer|mentionner|indiquer)",
    r"\bkeine (?:pflicht|verpflichtung) zur (?:quellenangabe|namensnennung|nennung)",
    r"\b(?:muss|mussen|braucht|brauchen) nicht (?:genannt|angegeben|zitiert)",
    r"\b(?:no|without) (?:\w+ )?(?:attribution|acknowledge?ment|credit|citation)\b(?: (?:is|are))?(?: (?:required"
    r"|needed|necessary))?(?=\W|\Z)",
    r"\b(?:attribution|acknowledge?ment|credit|citation)\b(?: \w+){0,3}? (?:is |are )?not (?:required|mandatory"
    r"|needed|necessary|obligatory)\b",
    r"\b(?:not|need not|needn't)(?: be)? (?:required|obliged|necessary|need)?(?: to)?(?: be)? ?(?:credit(?:ed)?"
    r"|attribut(?:e|ed)|cit(?:e|ed)|acknowledge[d]?) (?:the|by|authors?|sources?)\b",
    r"\b(?:keine|ohne) (?:quellenangabe|namensnennung|nennung)\b",
    r"\b(?:quellenangabe|namensnennung)\b[^.;]{0,30}? nicht (?:erforderlich|notwendig)\b",
    r"\bsans (?:obligation de )?(?:mention|citation|citer|attribution)\b",
    r"\bmention\w*[^.;]{0,30}? (?:n'est )?pas (?:obligatoire|requise|necessaire)\b",
    r"\bla (?:cita|atribucion|mencion)\b[^.;]{0,30}? no es (?:necesaria|obligatoria)\b",
))
#: a request is not a duty
_MERE_REQUEST = re.compile(
    r"\b(?:se (?:ruega|agradece\w*|recomienda|sugiere|aconseja)|rogamos|agradecemos|es recomendable"
    r"|seria deseable"
    r"|(?:please|kindly) (?:\w+ )?(?:credit|cite|acknowledge|mention|attribute|quote)"
    r"|appreciated|recommended|encouraged|suggested|welcome"
    r"|merci de|souhaite|bitte|erwunscht|empfohlen|si prega|agradece-se|es prega|s'agraeix"
    r"|preferably|preferiblemente)\b")
#: a ban is not a duty to credit
_FORBIDDEN = re.compile(r"\b(?:must|shall|may|can|puede[n]?|debe[n]?|debera[n]?|podra[n]?|darf|durfen|doit|doivent"
                        r"|peut) (?:not|no|nicht|pas|nunca|never)\b|\bno (?:debe|deben|debera|deberan|puede|pueden"
                        r"|podra|podran)\b")


def credit_required(text: str) -> Decision:
    """Return YES where a text makes credit a duty, NO where it says that none is needed, else UNDECIDED.

    Both in one text is UNDECIDED. So is a mere request ("please cite", "se agradece la cita").
    """
    decisions = {
        decision for decision in map(_classify_sentence, _split_sentences(text)) if decision is not Decision.UNDECIDED
    }
    return decisions.pop() if len(decisions) == 1 else Decision.UNDECIDED


def credit_clause_start(folded: str) -> Optional[int]:
    """Return the position in a folded text where the clause that requires credit begins, or None."""
    starts = [match.start() for match in (pattern.search(folded) for pattern in _REQUIRED) if match]
    return min(starts) if starts else None


def _split_sentences(text: str) -> List[str]:
    return [fold(part)[:2_000] for part in re.split(r"(?<=[.;!?])\s+|\n\s*\n", text[:MAX_TEXT]) if part.strip()]


def _classify_sentence(folded: str) -> Decision:
    if _FORBIDDEN_UNCREDITED.search(folded):
        return Decision.YES
    if any(pattern.search(folded) for pattern in _NOT_REQUIRED):
        return Decision.NO
    match = next((found for found in (pattern.search(folded) for pattern in _REQUIRED) if found), None)
    if match is None or _MERE_REQUEST.search(folded) or _FORBIDDEN.search(folded[max(0,
                                                                                     match.start() - 12):match.end()]):
        return Decision.UNDECIDED
    return Decision.YES
