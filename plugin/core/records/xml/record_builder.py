"""Builders of a Record from the field values that a reader gathered, whatever the format."""

from __future__ import annotations

from typing import Any, Dict, Iterable

from ..model.record import STARTER_KEYWORD, Constraint, ConstraintGroup, Record
from .element_walker import ElementWalker, FieldValues

_SERVICE_LEVELS = frozenset(("service", "services"))
#: as FGDC calls the forms of data ("vector digital data"), from which catalogues make Dublin Core's type
_FGDC_DATA_FORM = "digital data"
_DATASET_LEVELS = frozenset(("dataset", "nongeographicdataset", "tile"))
#: the bag's fields that are the Record's as they stand, one value or a list of values
_SINGLE_FIELDS = ("id", "parent_id", "language", "character_set", "hierarchy_level", "date_stamp", "standard_name",
                  "standard_version", "title", "abstract", "purpose", "service_type", "fees", "coupling_type",
                  "lineage")
_LIST_FIELDS = ("metadata_contacts", "alternate_titles", "credits", "dates", "status", "keyword_groups",
                "constraint_groups", "service_versions", "operations", "extents", "temporal_extents",
                "reference_systems", "formats", "online", "conformance", "overviews", "associated")


def build_record(reading: ElementWalker, bag: FieldValues, source_format: str, original: bytes,
                 source: str = "") -> Record:
    """A Record from everything that the walk gathered."""
    values: Dict[str, Any] = {field: bag[field] for field in _SINGLE_FIELDS if field in bag}
    for field in _LIST_FIELDS:
        if field in bag:
            values[field] = tuple(bag[field])
    values["contacts"] = tuple(bag.get("contacts", ())) + tuple(bag.get("cited", ()))
    values["keywords"] = flat_keywords(values.get("keyword_groups", ()))
    values.update(flat_constraints(values.get("constraint_groups", ())))
    values["operates_on"] = tuple({**dict.fromkeys(bag.get("operates_on", ())), **bag.get("coupled", {})})
    values["kind"] = resource_kind(bag.get("hierarchy_level"), bag.get("identified", ""))
    return Record(source_format=source_format, unread=reading.unread_values(), original=original, source=source,
                  **values)


def flat_keywords(groups: Any) -> tuple[str, ...]:
    """Every keyword of the groups once, in their order; the mark of a starter record is not one for people."""
    flat: Dict[str, None] = {}
    for group in groups:
        flat.update(dict.fromkeys(group.keywords))
    flat.pop(STARTER_KEYWORD, None)
    return tuple(flat)


def resource_kind(level: Any, identified: str = "") -> str:
    """ "service", "dataset", "series" or "other": by the hierarchy level, else by the type of the identification."""
    word = (level or "").strip().lower()
    if word in _SERVICE_LEVELS:
        return "service"
    if word == "series":
        return "series"
    if word in _DATASET_LEVELS or word.endswith(_FGDC_DATA_FORM):
        return "dataset"
    if "Service" in identified:
        return "service"
    if not word and "Data" in identified:
        return "dataset"  # ISO 19115 B.2.1: hierarchyLevel is dataset unless told
    return "other"


def flat_constraints(groups: Iterable[ConstraintGroup]) -> Dict[str, Any]:
    """The record's flat constraint fields from its groups, in the record's order, without repeats."""
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
