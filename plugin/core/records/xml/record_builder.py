"""Builders of a Record from the field values that a reader collected, for every format."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional

from ..model.record import STARTER_KEYWORD, Constraint, ConstraintGroup, KeywordGroup, Record, ResourceKind
from .element_walker import ElementWalker, FieldValues

_SERVICE_LEVELS = frozenset(("service", "services"))
#: end of FGDC's names for forms of data ("vector digital data"), which catalogues use as type in Dublin Core
_FGDC_DATA_FORM = "digital data"
_DATASET_LEVELS = frozenset(("dataset", "nongeographicdataset", "tile"))
#: field values that become fields of the Record unchanged: single values and lists
_SINGLE_FIELDS = ("id", "parent_id", "language", "character_set", "hierarchy_level", "date_stamp", "standard_name",
                  "standard_version", "title", "abstract", "purpose", "service_type", "fees", "coupling_type",
                  "lineage")
_LIST_FIELDS = ("metadata_contacts", "alternate_titles", "credits", "dates", "status", "keyword_groups",
                "constraint_groups", "service_versions", "operations", "extents", "temporal_extents",
                "reference_systems", "formats", "online", "conformance", "overviews", "associated")


def build_record(walker: ElementWalker, values: FieldValues, source_format: str, original: bytes,
                 source: str = "") -> Record:
    record_values: Dict[str, Any] = {field: values[field] for field in _SINGLE_FIELDS if field in values}
    for field in _LIST_FIELDS:
        if field in values:
            record_values[field] = tuple(values[field])
    record_values["contacts"] = tuple(values.get("contacts", ())) + tuple(values.get("cited", ()))
    record_values["keywords"] = flat_keywords(record_values.get("keyword_groups", ()))
    record_values.update(flat_constraints(record_values.get("constraint_groups", ())))
    record_values["operates_on"] = tuple({**dict.fromkeys(values.get("operates_on", ())), **values.get("coupled", {})})
    record_values["kind"] = resource_kind(values.get("hierarchy_level"), values.get("identified", ""))
    return Record(source_format=source_format, unread=walker.unread_values(), original=original, source=source,
                  **record_values)


def flat_keywords(groups: Any) -> tuple[str, ...]:
    """Return every keyword of the groups once, in their order, without the mark of starter records."""
    flat: Dict[str, None] = {}
    for group in groups:
        flat.update(dict.fromkeys(group.keywords))
    flat.pop(STARTER_KEYWORD, None)
    return tuple(flat)


def keyword_groups_by_scheme(keywords: Mapping[Optional[str], Iterable[str]]) -> List[KeywordGroup]:
    """Return one group for each scheme (thesaurus) of ``keywords``. The scheme None stands for free keywords."""
    return [KeywordGroup(tuple(group), None, scheme) for scheme, group in keywords.items()]


def resource_kind(level: Any, identified: str = "") -> ResourceKind:
    """Return the kind of resource for a hierarchy level, or for the type of the identification.

    A missing hierarchy level means a dataset (ISO 19115 B.2.1) if ``identified`` is a data identification.
    """
    word = (level or "").strip().lower()
    if word in _SERVICE_LEVELS:
        return ResourceKind.SERVICE
    if word == "series":
        return ResourceKind.SERIES
    if word in _DATASET_LEVELS or word.endswith(_FGDC_DATA_FORM):
        return ResourceKind.DATASET
    if "Service" in identified:
        return ResourceKind.SERVICE
    if not word and "Data" in identified:
        return ResourceKind.DATASET
    return ResourceKind.OTHER


def flat_constraints(groups: Iterable[ConstraintGroup]) -> Dict[str, Any]:
    """Return the constraint fields of a Record from its groups, in the record's order and without repeats."""
    limitations: Dict[str, None] = {}
    access: Dict[str, None] = {}
    use: Dict[str, None] = {}
    other: Dict[Constraint, None] = {}
    for group in groups:
        limitations.update((value.text or value.href or "", None) for value in group.use_limitations)
        access.update((value, None) for value in group.access_constraints)
        use.update((value, None) for value in group.use_constraints)
        other.update((value, None) for value in group.other_constraints)
    return {"use_limitations": tuple(limitations), "access_constraints": tuple(access), "use_constraints": tuple(use),
            "other_constraints": tuple(other)}
