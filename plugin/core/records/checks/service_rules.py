"""The rules by which a record is held against its live service; they are applied by ``records.against_service``."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Iterator

from ...i18n import tr
from ...text import fold, shorten
from ...wms.model.service import Service
from ..model.record import Record
from .rules import Family, Finding, RuleSet, Severity, Violation

rule_set = RuleSet(Family.SERVICE)
_BASIS = "OGC 06-042, 7.2.4"
#: how much of two texts must be alike for them to be taken as one
_SIMILARITY = 0.6
_MAX_TEXT = 4_000

TITLE = rule_set.add("title", Severity.NOTE, _BASIS, lambda: tr("Title"),
                     lambda: tr("Record and service have the same title, or nearly so."),
                     lambda: tr("Give both the same title: people look for the one and find the other."))
ABSTRACT = rule_set.add("abstract", Severity.NOTE, _BASIS, lambda: tr("Abstract"),
                        lambda: tr("Record and service describe the same."),
                        lambda: tr("Look which of the two texts is the newer one."))
FEES = rule_set.add("fees", Severity.WARNING, _BASIS, lambda: tr("Fees"),
                    lambda: tr("Record and service agree on what the use costs."),
                    lambda: tr("Ask the publisher which one applies; until then do not rely on it being free."))
CONSTRAINTS = rule_set.add("constraints", Severity.WARNING, _BASIS, lambda: tr("Constraints"),
                           lambda: tr("Record and service agree on the terms."),
                           lambda: tr("Keep to the stricter one until the publisher says which one applies."))
VERSION = rule_set.add("version", Severity.WARNING, "OGC 06-042, 6.2.4", lambda: tr("Version"),
                       lambda: tr("The service speaks the version that the record names."),
                       lambda: tr("Correct the version in the record."))
BOX = rule_set.add("box", Severity.WARNING, _BASIS, lambda: tr("Bounding box"),
                   lambda: tr("The record's box is that of the service."),
                   lambda: tr("Take the box from the service, unless the record is about a part of it."))
MOVED = rule_set.add("moved", Severity.WARNING, "OGC 06-042, 6.3.3", lambda: tr("Moved service"),
                     lambda: tr("The service names the address that the record gives."),
                     lambda: tr("Write the service's own address into the record."))
OPERATIONS = rule_set.add("operations", Severity.WARNING, _BASIS, lambda: tr("Operations"),
                          lambda: tr("The record lists the operations that the service offers."),
                          lambda: tr("List the operations as the capabilities do."))
PLATFORMS = rule_set.add("platforms", Severity.WARNING, _BASIS, lambda: tr("Platforms of the operations"),
                         lambda: tr("Each operation is offered by GET and POST as the record says."),
                         lambda: tr("List the platforms as the capabilities do."))
ADDRESS = rule_set.add("operation-address", Severity.WARNING, "OGC 06-042, 6.3.3",
                       lambda: tr("Addresses of the operations"),
                       lambda: tr("The operations have the addresses that the record gives."),
                       lambda: tr("Write the addresses of the capabilities into the record."))
LAYERS = rule_set.add("layers", Severity.WARNING, _BASIS, lambda: tr("Layers"),
                      lambda: tr("The layers and data that the record names are those of the service."),
                      lambda: tr("Write the layer's name as the capabilities have it."))
CRS = rule_set.add("reference-systems", Severity.NOTE, "OGC 06-042, 7.2.4.6", lambda: tr("Reference systems"),
                   lambda: tr("The service offers the reference systems that the record names."),
                   lambda: tr("List the reference systems of the capabilities."))
RECORD_ID = rule_set.add("record", Severity.NOTE, "INSPIRE view services: MetadataUrl",
                         lambda: tr("Record of the service"), lambda: tr("The service names this record as its own."),
                         lambda: tr("Look at the record that the service names; this one may be an older copy."))


def compare_texts(record: Record, service: Service) -> Iterator[Finding]:
    """Title and abstract, told apart by their words, not by case, accents or quotes."""
    for rule, field, message, own, live in (
            (TITLE, "title", tr("The titles are different."), record.title, service.title),
            (ABSTRACT, "abstract", tr("The abstracts are different."), record.abstract, service.abstract)):
        if own and live and not texts_are_similar(own, live):
            yield rule.finding(Violation(field, message, shorten(own), shorten(live)))


def texts_are_similar(first: str, second: str) -> bool:
    """Whether two texts are the same, one holds the other, or most of their words are the same in order."""
    one, other = fold(first[:_MAX_TEXT]), fold(second[:_MAX_TEXT])
    if one in other or other in one:
        return True
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio() >= _SIMILARITY
