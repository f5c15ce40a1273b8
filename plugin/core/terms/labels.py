"""Labels of licences, of limits and of the fields that terms are read from, in the user's language."""

from __future__ import annotations

from typing import Callable, List, Mapping

from ..i18n import tr
from ..records.model.codelists import code_label
from .model import Licence, LimitKind, Terms, TrailStep

#: titles of entries of the table that are not licences
_TITLES: Mapping[str, Callable[[], str]] = {
    "public-domain": lambda: tr("Public domain"),
    "INSPIRE-noLimitations": lambda: tr("No limitations on public access (INSPIRE)"),
    "INSPIRE-Article13": lambda: tr("Public access limited (INSPIRE Directive, Article 13(1))"),
    "INSPIRE-noConditionsApply": lambda: tr("No conditions apply to access and use (INSPIRE)"),
    "INSPIRE-conditionsUnknown": lambda: tr("Conditions applying to access and use unknown (INSPIRE)"),
}
_LIMITS: Mapping[LimitKind, Callable[[], str]] = {
    LimitKind.PERSONAL_USE: lambda: tr("Personal use only"),
    LimitKind.NON_COMMERCIAL: lambda: tr("Not for commercial use"),
    LimitKind.EVALUATION: lambda: tr("Evaluation only"),
    LimitKind.INTERNAL_USE: lambda: tr("Internal use only"),
    LimitKind.GROUP: lambda: tr("For some people or organisations only"),
    LimitKind.NO_CACHING: lambda: tr("No storing or caching"),
    LimitKind.NO_REDISTRIBUTION: lambda: tr("No redistribution"),
    LimitKind.NO_DERIVATIVES: lambda: tr("No altered versions"),
    LimitKind.SHARE_ALIKE: lambda: tr("Derived works under the same terms"),
    LimitKind.PERMISSION_REQUIRED: lambda: tr("Permission required"),
    LimitKind.PRICE: lambda: tr("Charges apply"),
    LimitKind.ACCESS: lambda: tr("Public access limited"),
    LimitKind.OTHER: lambda: tr("Other restriction"),
}
#: the code lists of the fields that hold codes
_CODE_LISTS = {"access_constraints": "MD_RestrictionCode", "use_constraints": "MD_RestrictionCode",
               "classification": "MD_ClassificationCode"}


def licence_title(licence: Licence) -> str:
    """Return the licence's official title. Only INSPIRE's codes and "public domain" are translated."""
    return _TITLES[licence.id]() if licence.id in _TITLES else licence.title


def licence_name(licence: Licence) -> str:
    """Return the licence's short name ("CC BY 4.0"), else its title."""
    return licence_title(licence) if licence.id in _TITLES else licence.name or licence.title


def limit_label(kind: LimitKind) -> str:
    """Return the limit in two to five words for people."""
    return _LIMITS[kind]()


def field_label(field: str) -> str:
    """Return the label of a field. Fields of the service are marked as such."""
    names = {
        "use_limitations": tr("Use limitation"), "access_constraints": tr("Access constraints"),
        "use_constraints": tr("Use constraints"), "other_constraints": tr("Other constraints"),
        "references": tr("Licence reference"), "classification": tr("Classification"),
        "fees": tr("Fees"), "credits": tr("Credits"), "online": tr("Links"),
        "abstract": tr("Abstract"), "purpose": tr("Purpose"), "lineage": tr("Lineage"),
        "supplemental_information": tr("Supplemental information"),
    }
    service, _, element = field.partition(": ")
    if service == "service" and element:
        elements = {"AccessConstraints": tr("Access constraints"), "Fees": tr("Fees"), "Attribution": tr("Attribution"),
                    "Abstract": tr("Abstract"),
                    "Credit": tr("Attribution"), "Licence": tr("Licence")}
        return tr("{field} (from the service)", field=elements.get(element, element))
    return names.get(field, field.replace("_", " ").capitalize())


def step_text(step: TrailStep) -> str:
    """Return the text of a step. Codes are shown by their labels."""
    code_list = _CODE_LISTS.get(step.field)
    return ", ".join(code_label(code_list, code.strip()) for code in step.text.split(",")) if code_list else step.text


def incomplete_terms_text(title: str, reason: str) -> str:
    """Return that what a service says of a layer's terms is not known completely, as sentences."""
    return tr("The terms of “{title}” could not be read completely. {reason}", title=title, reason=reason)


def trail_text(terms: Terms) -> str:
    """Return the reading trail on one line: "Use limitation → Access constraints → Other constraints"."""
    names: List[str] = []
    for step in terms.chain:
        name = field_label(step.field)
        if not names or names[-1] != name:
            names.append(name)
    return " → ".join(names)
