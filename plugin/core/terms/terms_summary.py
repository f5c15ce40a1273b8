"""A summary of the effective terms in a few sentences for people."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Sequence, Tuple

from ..i18n import tr
from ..records.model.codelists import code_label
from ..text import fold, single_line
from .labels import licence_name, limit_label
from .model import Decision, LimitKind, Terms
from .reading import read_text
from .verdict import Kind, reach_verdict

#: statements of which nothing is lost where only cost, credit and licence are said
_SAID_WHOLE = frozenset((Kind.ATTRIBUTION_LICENCE, Kind.WAIVING_LICENCE, Kind.OPEN_LICENCE, Kind.COST_OPEN_LICENCE,
                         Kind.LINE, Kind.DUTY, Kind.EXEMPTION, Kind.FREE, Kind.IRRELEVANT))
#: the word for a licence in all languages that are read, folded
_LICENCE_WORD = re.compile("li[cz]en")


class UnderstoodTerms(NamedTuple):
    """Decisions that texts about use leave no doubt of. ``says_more``: they state other conditions too."""

    free: Decision
    credit: Decision
    licences: Tuple[str, ...]
    says_more: bool


def understood_terms(texts: Sequence[str], fees: str = "") -> UnderstoodTerms:
    """Return what is understood of texts about use and of the field about fees, to be said in another language."""
    evidence = [*(item for text in texts for item in read_text(text).evidence), *read_text(fees, True).evidence]
    verdict = reach_verdict(evidence)
    names = tuple(mention.licence.name or mention.licence.title for mention in verdict.licences)
    return UnderstoodTerms(verdict.free, verdict.credit, names, any(
        item.kind not in _SAID_WHOLE or item.mention is not None and item.mention.licence.limits
        # "free under licence" leaves open which conditions that has
        or not names and _LICENCE_WORD.search(fold(item.words)) for item in evidence))


def says_only_free(fees: str) -> bool:
    """Return whether all that a field about fees says is that there are none ("none", "Gratuito", "sin coste")."""
    understood = understood_terms((), fees)
    return understood.free is Decision.YES and not understood.says_more and not understood.licences and (
        understood.credit is Decision.UNDECIDED)


def names_licence(text: str) -> bool:
    """Return whether a text begins with the title of a well-known licence, which is its name in each language."""
    return any(text.startswith(item.mention.licence.title) for item in read_text(text).evidence if item.mention)


def summary_sentence(terms: Terms) -> str:
    """Return the terms as plain text: classification, cost, licence and its restrictions, credit."""
    classification_labels = [
        code_label("MD_ClassificationCode", step.text) for step in terms.chain if step.field == "classification"
    ]
    parts = [tr("Security classification: {classification}.", classification=", ".join(classification_labels))
             ] if classification_labels else []
    parts.append(_use_sentence(terms))
    parts += _limit_sentences(terms)
    parts.append(_credit_sentence(terms))
    if terms.states_date:
        parts.append(tr("State the date of the last update too."))
    return " ".join(part for part in parts if part)


def _use_sentence(terms: Terms) -> str:
    """Return the sentence about licence and cost."""
    if terms.conflict:
        return f"{terms.conflict} {_cost_sentence(terms)}"
    name = licence_name(terms.licence) if terms.licence else ""
    is_licence = bool(name) and not _is_condition(terms)
    if _is_licence_with_more(terms):
        return tr("The terms name {licence}, but say more that may limit it or cost a fee: “{words}”.", licence=name,
                  words=_shorten("\n\n".join(terms.leftovers)))
    if terms.free is not Decision.YES:
        parts = (_cost_before(terms), _terms_of_use(terms, name if is_licence else ""), _cost_sentence(terms))
        return " ".join(part for part in parts if part)
    if terms.licence and terms.licence.id == "public-domain":
        return tr("This is in the public domain, and free of charge.")
    if is_licence:
        return tr("You may use this free of charge under {licence}.", licence=name)
    if terms.licence and terms.licence.id == "INSPIRE-noConditionsApply":
        return tr("No conditions apply to access and use; it is free of charge.")
    if terms.texts and (terms.leftovers or terms.limits or terms.credit_required is Decision.UNDECIDED):
        return f"{_cost_sentence(terms)} {_quotation(terms)}"
    return tr("You may use this free of charge.") if terms.texts else _cost_sentence(terms)


def _terms_of_use(terms: Terms, licence: str) -> str:
    """Return the sentence about the terms of use where the use is not known to be free of charge."""
    if terms.licence and terms.licence.id == "public-domain":
        return tr("This is in the public domain.")
    if licence:
        return tr("You may use this under {licence}.", licence=licence)
    if terms.licence and terms.licence.id == "INSPIRE-conditionsUnknown":
        return tr("The conditions of use are unknown.")
    if terms.texts:
        return _quotation(terms)
    codes = [
        code_label("MD_RestrictionCode", step.text) for step in terms.chain
        if step.field == "use_constraints" and not step.leads_to
    ]
    if codes:
        return tr("The record gives no terms of use, only a restriction: {codes}.", codes=", ".join(codes))
    return tr("No terms of use are given.")


def _cost_before(terms: Terms) -> str:
    """Return the sentence about the cost that must stand before the terms: not free, or not for all."""
    if terms.free is Decision.NO:
        return tr("It is not free of charge.")
    if terms.free_for_some:
        return tr("It may not be free of charge for every use: read the terms.")
    return ""


def _cost_sentence(terms: Terms) -> str:
    if terms.free is Decision.YES:
        return tr("It is free of charge.")
    if not terms.fees:
        return "" if terms.free_for_some else tr("Fees are not stated.")
    if any(terms.fees in (text, read_text(text).cost_words) for text in terms.texts):
        return ""
    return tr("Fees: “{fees}”.", fees=_shorten(terms.fees))


def _quotation(terms: Terms) -> str:
    return tr("Terms of use: “{words}”.", words=_shorten("\n\n".join(terms.texts)))


def _limit_sentences(terms: Terms) -> List[str]:
    """Return the limits by name, then the words that restrict the use where they are not quoted already."""
    parts = []
    kinds = [limit.kind for limit in terms.limits if limit.kind is not LimitKind.PRICE or terms.free is not Decision.NO]
    if kinds:
        parts.append(tr("Restrictions: {limits}.", limits="; ".join(map(limit_label, kinds))))
    quoted = _shorten("\n\n".join(terms.texts))
    is_quoted = not (terms.licence and not _is_condition(terms)) and not terms.conflict
    more = () if _is_licence_with_more(terms) else terms.leftovers
    restricting = [*more, *(limit.text for limit in terms.limits if not limit.from_licence)]
    leftovers = [words for words in dict.fromkeys(restricting)
                 if (not is_quoted or _beginning(words) not in quoted) and words not in (terms.fees or "")]
    if leftovers:
        parts.append(tr("The terms say: “{words}”.", words=_shorten("\n\n".join(leftovers))))
    return parts


def _credit_sentence(terms: Terms) -> str:
    line = terms.credit
    if terms.credit_required is Decision.YES:
        if not line:
            return tr("You must credit its authors and owners.")
        return tr("You must credit: “{credit}”.", credit=line)
    if terms.credit_required is Decision.NO:
        return tr("No credit is required.")
    if line:
        return tr("It is not clear whether a credit is required. To be safe, credit: “{credit}”.", credit=line)
    return tr("It is not clear whether a credit is required.")


def _is_condition(terms: Terms) -> bool:
    return terms.licence is not None and terms.licence.id.startswith("INSPIRE-")


def _is_licence_with_more(terms: Terms) -> bool:
    """Return True if only words that are not understood keep a known licence from being free of charge for all."""
    return (terms.free_for_some and not terms.conflict and not terms.limits and not terms.fees
            and bool(terms.leftovers) and terms.licence is not None and not _is_condition(terms)
            and terms.licence.free_of_charge is Decision.YES and terms.licence.id != "public-domain")


def _beginning(words: str) -> str:
    """Return the words by which a text is known in a quotation that has no room for all of it: half of it or more."""
    shown = _shorten(words)
    return shown[:max(80, len(shown) // 2)].rstrip("…")


def _shorten(text: str, length: int = 280) -> str:
    """Return the text on one line, truncated where it is long, without the final full stop."""
    paragraphs = [single_line(paragraph) for paragraph in text[:10 * length].split("\n\n")]
    line = " ".join(paragraph if paragraph.endswith((".", ":", ";", ",", "!", "?")) else f"{paragraph};"
                    for paragraph in paragraphs if paragraph).rstrip(";")
    if len(line) > length:
        return line[:length - 1].rstrip() + "…"
    return line[:-1] if line.endswith(".") and not line.endswith("..") else line
