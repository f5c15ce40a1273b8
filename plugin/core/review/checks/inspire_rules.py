"""INSPIRE rules for data and services: requirements C.5 to C.22 of the Technical Guidelines 2.0.

The identifiers are those of "Technical Guidance for the implementation of INSPIRE dataset and service metadata based on
ISO/TS 19139:2007", version 2.0.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Iterable, Iterator, Optional, Sequence

from ...addresses import is_web_address
from ...i18n import tr
from ...records.model.codelists import code_label
from ...records.model.languages import alpha3
from ...records.model.record import ConstraintKind, Contact, RecordFormat
from ...text import shorten
from .rules import CheckContext, Family, RuleSet, Severity, Violation

services = RuleSet(Family.INSPIRE, lambda context: context.is_iso and context.is_service)

#: values of the code list of network services (TG Requirement 4.1), and of other spatial data services (5.1)
SERVICE_TYPES = ("view", "download", "discovery", "transformation", "other", "invoke")
_LEVEL_NAME = re.compile(r"(?:^|/)\w+:hierarchyLevelName/")
_SCOPE = re.compile(r"/\w+:(?:DQ|MD)_Scope/\w+:level/")
#: "service" in the official languages that use words of their own
_SERVICE_WORD = re.compile(r"serv[ií]|dienst|palvelu|tj[äe]n|tjenest|us[łl]ug|slu[žz]b|szolg[áa]l|υπηρεσ|услуг|teenus|"
                           r"pakalpoj|paslaug|storitev|uslug|seirbh", re.IGNORECASE)

#: spatial data services of Part D 4 of Regulation (EC) 1205/2008, after ISO 19119
_CATEGORY_NAMES = """
humanInteractionService humanCatalogueViewer humanGeographicViewer humanGeographicSpreadsheetViewer humanServiceEditor
humanChainDefinitionEditor humanWorkflowEnactmentManager humanGeographicFeatureEditor humanGeographicSymbolEditor
humanFeatureGeneralizationEditor humanGeographicDataStructureViewer
infoManagementService infoFeatureAccessService infoMapAccessService infoCoverageAccessService
infoSensorDescriptionService infoProductAccessService infoFeatureTypeService infoCatalogueService infoRegistryService
infoGazetteerService infoOrderHandlingService infoStandingOrderService
taskManagementService chainDefinitionService workflowEnactmentService subscriptionService
spatialProcessingService spatialCoordinateConversionService spatialCoordinateTransformationService
spatialCoverageVectorConversionService spatialImageCoordinateConversionService spatialRectificationService
spatialOrthorectificationService spatialSensorGeometryModelAdjustmentService spatialImageGeometryModelConversionService
spatialSubsettingService spatialSamplingService spatialTilingChangeService spatialDimensionMeasurementService
spatialFeatureManipulationService spatialFeatureMatchingService spatialFeatureGeneralizationService
spatialRouteDeterminationService spatialPositioningService spatialProximityAnalysisService
thematicProcessingService thematicGoparameterCalculationService thematicGeoparameterCalculationService
thematicClassificationService thematicFeatureGeneralizationService thematicSubsettingService
thematicSpatialCountingService thematicChangeDetectionService thematicGeographicInformationExtractionService
thematicImageProcessingService thematicReducedResolutionGenerationService thematicImageManipulationService
thematicImageUnderstandingService thematicImageSynthesisService thematicMultibandImageManipulationService
thematicObjectDetectionService thematicGeoparsingService thematicGeocodingService
temporalProcessingService temporalReferenceSystemTransformationService temporalSubsettingService
temporalSamplingService temporalProximityAnalysisService
metadataProcessingService metadataStatisticalCalculationService metadataGeographicAnnotationService
comService comEncodingService comTransferService comGeographicCompressionService comGeographicFormatConversionService
comMessagingService comRemoteFileAndExecutableManagement
"""

#: language-neutral names in lower case. The Regulation itself spells "thematicGoparameter…".
CATEGORIES = frozenset(name.casefold() for name in _CATEGORY_NAMES.split())
rule_set = RuleSet(Family.INSPIRE, lambda context: context.is_iso and context.is_resource)
#: ISO 639-2/B codes of the official languages of the European Union
EU_LANGUAGES = frozenset((
    "bul", "hrv", "cze", "dan", "dut", "eng", "est", "fin", "fre", "ger", "gre", "hun", "gle", "ita", "lav", "lit",
    "mlt", "pol", "por", "rum", "slo", "slv", "spa", "swe"))
#: date types of a temporal reference (Part B 5 of Regulation 1205/2008)
REFERENCE_DATES = ("publication", "revision", "creation")
_THESAURUS_DATE = re.compile(r"/\w+:thesaurusName/.*/\w+:date/\w+:Date(?:Time)?\Z")
_ACCESS_LIST = re.compile(r"LimitationsOnPublicAccess/", re.IGNORECASE)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


@services.rule("resource-type", Severity.WARNING, "TG Requirement 3.1: metadata/2.0/req/sds/resource-type",
               lambda: tr("Resource type"), lambda: tr("A service's record has the hierarchy level “Service”."),
               lambda: tr("Set the hierarchy level to “service”."))
def resource_type(context: CheckContext) -> Iterable[Violation]:
    level = context.record.hierarchy_level
    if (level or "").lower() != "service":
        yield Violation("hierarchy_level",
                        tr("The record describes a service, but has a different hierarchy level."), level or "")


@services.rule("resource-type-name", Severity.NOTE, "TG Requirement 3.1: metadata/2.0/req/sds/resource-type",
               lambda: tr("Name of the resource type"),
               lambda: tr("The name of the hierarchy level contains the word “service” in the metadata's language."),
               lambda: tr("Set the name of the hierarchy level to “service” in the record's language."),
               lambda context: context.record.source_format == RecordFormat.ISO19139)
def resource_type_name(context: CheckContext) -> Iterable[Violation]:
    names = [item.text for item in context.record.unread if _LEVEL_NAME.search(item.path)]
    if not any(_SERVICE_WORD.search(name) for name in names):
        yield Violation(
            "hierarchy_level",
            tr("The name of the hierarchy level is not “service”.")
            if names else tr("The hierarchy level has no name."), shorten(", ".join(names)))


@services.rule("category", Severity.WARNING, "TG Requirement 3.4: metadata/2.0/req/sds/sds-category",
               lambda: tr("Category of the service"),
               lambda: tr("A keyword gives the service's category from the classification of spatial data services "
                          "(Part D 4 of Regulation 1205/2008), such as infoMapAccessService."),
               lambda: tr("Add the keyword infoMapAccessService for a map service, or humanInteractionService for a "
                          "viewer."))
def category(context: CheckContext) -> Iterable[Violation]:
    """Check 3.4. Keywords given as an Anchor may have the value only in their address."""
    record = context.record
    keywords = [*record.keywords, *(item.text.rstrip("/").rpartition("/")[2] for item in record.unread
                                 if "SpatialDataServiceCategory" in item.text)]
    if not any(word.strip().casefold() in CATEGORIES for word in keywords):
        yield Violation("keywords", tr("No keyword gives the category of the service."),
                        shorten(", ".join(record.keywords)))


@services.rule("service-type", Severity.WARNING, "TG Requirement 4.1: metadata/2.0/req/ns/sds-type",
               lambda: tr("Spatial data service type"),
               lambda: tr("The service type is view, download, discovery, transformation or other."),
               lambda: tr("INSPIRE expects “view” for a map service. Keep the value if another profile requires the "
                          "name of the protocol."))
def service_type(context: CheckContext) -> Iterable[Violation]:
    """Check 3.5, 4.1 and 5.1. Names of protocols (OGC:WMS) are common, and only a note."""
    stated_type = context.record.service_type
    if stated_type and stated_type.strip().lower().rsplit("/", 1)[-1] not in SERVICE_TYPES:
        named = stated_type.strip().upper().startswith("OGC")
        yield Violation("service_type", tr("The service type is not one of those of INSPIRE."), stated_type,
                        severity=Severity.NOTE if named else None)


@services.rule("coupled-resource", Severity.NOTE, "TG Requirement 3.6: metadata/2.0/req/sds/coupled-resource",
               lambda: tr("Coupled resources"),
               lambda: tr("The coupled data are given by the addresses of their metadata records."),
               lambda: tr("Give the http(s) address of the data's metadata record."))
def coupled_resource(context: CheckContext) -> Iterable[Violation]:
    for value in context.record.operates_on:
        if not is_web_address(value):
            yield Violation("operates_on", tr("The coupled data are named, but not by an address."), shorten(value))


@services.rule("resource-locator", Severity.ERROR, "TG Requirement 3.7: metadata/2.0/req/sds/resource-locator",
               lambda: tr("Resource locator"), lambda: tr("The record has a link to the service."),
               lambda: tr("Add the service's address as an online resource of the distribution."))
def resource_locator(context: CheckContext) -> Iterable[Violation]:
    if not any(is_web_address(link.url) for link in context.record.online):
        yield Violation("online", tr("The distribution has no link to the service."),
                        severity=Severity.WARNING if context.endpoints else None)


@services.rule("quality-scope", Severity.NOTE, "TG Requirement 3.8: metadata/2.0/req/sds/only-one-dq-element",
               lambda: tr("Scope of the data quality"),
               lambda: tr("The data quality section is scoped to the service."),
               lambda: tr("Set the level of the data quality's scope to “service”."),
               lambda context: context.record.source_format == RecordFormat.ISO19139
               and bool(context.record.conformance))
def quality_scope(context: CheckContext) -> Iterable[Violation]:
    scopes = [item.text for item in context.record.unread if _SCOPE.search(item.path)]
    if not any(scope.lower() == "service" for scope in scopes):
        yield Violation("conformance", tr("The data quality section is not scoped to the service."),
                        shorten(", ".join(scopes)))


@services.rule("public-access", Severity.WARNING,
               "TG Requirement C.17: metadata/2.0/req/common/limitations-on-public-access",
               lambda: tr("Limitations on public access"),
               lambda: tr("Limitations on public access, or that there are none, are given with a value of INSPIRE’s "
                          "code list."),
               lambda: tr("Add a legal constraint with access constraint “otherRestrictions” and an Anchor to the code "
                          "list LimitationsOnPublicAccess, noLimitations where there are none."))
def public_access(context: CheckContext) -> Iterable[Violation]:
    """Check C.17. A text instead of the code is understood by people, and only a note."""
    from ...terms.statements import record_statements

    record = context.record
    statements = [text for item in record.other_constraints for text in (item.text, item.href) if text]
    if any(_ACCESS_LIST.search(text) for text in statements) or any(item.access_condition
                                                              for item in record_statements(record)):
        return
    if not record.access_constraints:
        yield Violation("access_constraints", tr("Limitations on public access are not stated."))
    else:
        yield Violation("access_constraints",
                        tr("Limitations on public access are not given with a value of INSPIRE’s code list."),
                        shorten("; ".join(statements)), severity=Severity.NOTE)


@services.rule("conditions", Severity.WARNING,
               "TG Requirement C.18: metadata/2.0/req/common/conditions-for-access-and-use",
               lambda: tr("Conditions for access and use"),
               lambda: tr("The conditions for access and use are described in other constraints, or stated not to "
                          "exist."),
               lambda: tr("Describe the conditions, or refer to “noConditionsApply” of INSPIRE’s code list."))
def conditions(context: CheckContext) -> Iterable[Violation]:
    if any((item.text or item.href) and not _ACCESS_LIST.search(f"{item.text} {item.href}")
           for item in context.record.other_constraints):
        return
    if context.record.use_limitations:
        yield Violation("use_limitations",
                        tr("The conditions for access and use are in the use limitation, not in other constraints."),
                        shorten("; ".join(context.record.use_limitations)), severity=Severity.NOTE)
    else:
        yield Violation("other_constraints", tr("No conditions for access and use are described."))


@rule_set.rule("title", Severity.ERROR, "TG Requirement C.8: metadata/2.0/req/common/resource-title",
               lambda: tr("Resource title"), lambda: tr("The resource has a title."),
               lambda: tr("Give the resource the title by which people know it."))
def title(context: CheckContext) -> Iterable[Violation]:
    if not context.record.title:
        yield Violation("title", tr("The record has no title."))


@rule_set.rule("abstract", Severity.ERROR, "TG Requirement C.9: metadata/2.0/req/common/resource-abstract",
               lambda: tr("Resource abstract"), lambda: tr("The resource has an abstract that is more than its title."),
               lambda: tr("Describe in a few sentences what the resource contains, and for which area and time."))
def abstract(context: CheckContext) -> Iterable[Violation]:
    record = context.record
    if not record.abstract:
        yield Violation("abstract", tr("The record has no abstract."))
    elif record.title and record.abstract.strip().casefold() == record.title.strip().casefold():
        yield Violation("abstract", tr("The abstract only repeats the title."), shorten(record.abstract),
                        severity=Severity.WARNING)


@rule_set.rule("language", Severity.ERROR, "TG Requirement C.5: metadata/2.0/req/common/metadata-language-code",
               lambda: tr("Metadata language"),
               lambda: tr("The language of the metadata is given by its three-letter code (ISO 639-2/B)."),
               lambda: tr("Give the language's three-letter code, such as spa for Spanish."))
def language(context: CheckContext) -> Iterable[Violation]:
    code = context.record.language
    if not code:
        yield Violation("language", tr("The record does not state its language."))
    elif alpha3(code) != code.lower():
        yield Violation("language", tr("The language is not written as a three-letter code of ISO 639-2/B."), code,
                        severity=Severity.WARNING)
    elif code.lower() not in EU_LANGUAGES:
        yield Violation("language", tr("The language is not an official language of the European Union."), code,
                        severity=Severity.NOTE)


@rule_set.rule("metadata-date", Severity.ERROR, "TG Requirement C.7: metadata/2.0/req/common/md-date",
               lambda: tr("Metadata date"), lambda: tr("The record states when it was last changed."),
               lambda: tr("Give the date on which the record was created or last changed."))
def metadata_date(context: CheckContext) -> Iterable[Violation]:
    if not context.record.date_stamp:
        yield Violation("date_stamp", tr("The record has no date stamp."))


@rule_set.rule("metadata-contact", Severity.ERROR, "TG Requirement C.6: metadata/2.0/req/common/md-point-of-contact",
               lambda: tr("Metadata point of contact"),
               lambda: tr("The metadata name a responsible organisation with its e-mail address and the role “Point of "
                          "contact”."),
               lambda: tr("Name the organisation responsible for the record, with an e-mail address."))
def metadata_contact(context: CheckContext) -> Iterable[Violation]:
    contacts = context.record.metadata_contacts
    yield from _check_contacts("metadata_contacts", contacts, tr("The record names no contact for the metadata."))
    if contacts and not any((contact.role or "").lower() == "pointofcontact" for contact in contacts):
        yield Violation("metadata_contacts", tr("No contact of the metadata has the role “Point of contact”."),
                        ", ".join(code_label("CI_RoleCode", contact.role) for contact in contacts
                                  if contact.role), severity=Severity.NOTE,
                        advice=tr("Give one contact of the metadata the role “Point of contact”."))


@rule_set.rule("responsible-party", Severity.ERROR,
               "TG Requirement C.10: metadata/2.0/req/common/responsible-organisation",
               lambda: tr("Responsible organisation"),
               lambda: tr("The resource names a responsible organisation with e-mail address and role."),
               lambda: tr("Name the organisation responsible for the resource, with an e-mail address."))
def responsible_party(context: CheckContext) -> Iterable[Violation]:
    contacts = context.record.contacts
    yield from _check_contacts("contacts", contacts, tr("The record names no contact for the resource."))
    if contacts and not any(contact.role for contact in contacts):
        yield Violation("contacts", tr("No contact of the resource has a role."), severity=Severity.WARNING)


@rule_set.rule("temporal-reference", Severity.ERROR,
               "TG Requirement C.11: metadata/2.0/req/common/temporal-reference",
               lambda: tr("Temporal reference"),
               lambda: tr("The resource has a date of publication, of last revision or of creation."),
               lambda: tr("Give the date on which the resource was published, last revised or created."))
def temporal_reference(context: CheckContext) -> Iterable[Violation]:
    """Check C.11. A temporal extent is a temporal reference too (Part B 5.1)."""
    record = context.record
    if any((date.type or "").lower() in REFERENCE_DATES for date in record.dates):
        return
    severity = Severity.WARNING if record.dates or record.temporal_extents else Severity.ERROR
    yield Violation("dates", tr("The resource has no date of publication, revision or creation."),
                    ", ".join(date.value for date in record.dates), severity=severity)


@rule_set.rule("one-creation-date", Severity.WARNING,
               "TG Requirement C.12: metadata/2.0/req/common/max-1-date-of-creation",
               lambda: tr("One date of creation"), lambda: tr("There is at most one date of creation."),
               lambda: tr("Keep the date on which the resource was created. The others are revisions or publications."))
def one_creation_date(context: CheckContext) -> Iterable[Violation]:
    yield from _at_most_one(context, "creation", tr("More than one date of creation is given."))


@rule_set.rule("one-revision-date", Severity.WARNING,
               "TG Requirement C.13: metadata/2.0/req/common/max-1-date-of-last-revision",
               lambda: tr("One date of last revision"), lambda: tr("There is at most one date of last revision."),
               lambda: tr("Keep only the date of the last revision."))
def one_revision_date(context: CheckContext) -> Iterable[Violation]:
    yield from _at_most_one(context, "revision", tr("More than one date of revision is given."))


@rule_set.rule("bounding-box", Severity.ERROR, "TG Requirement C.19: metadata/2.0/req/common/bounding-box",
               lambda: tr("Geographic bounding box"), lambda: tr("The resource has a bounding box."),
               lambda: tr("Give the smallest bounding box in degrees that contains the resource."))
def bounding_box(context: CheckContext) -> Iterable[Violation]:
    """Check C.19. Services need an extent only if it is explicit (Part C of Regulation 1205/2008)."""
    if not context.record.extents:
        yield Violation("extents", tr("The record has no bounding box."),
                        severity=Severity.WARNING if context.is_service else None)


@rule_set.rule("conformity", Severity.WARNING, "TG Requirement C.20: metadata/2.0/req/common/conformity",
               lambda: tr("Conformity"),
               lambda: tr("The record states the specifications to which the resource conforms."),
               lambda: tr("Declare the conformity to Regulation 976/2009 (services) or 1089/2010 (data), even if it "
                          "was not evaluated."))
def conformity(context: CheckContext) -> Iterable[Violation]:
    if not context.record.conformance:
        yield Violation("conformance", tr("The record declares no conformity to any specification."))


@rule_set.rule("conformity-specification", Severity.WARNING,
               "TG Requirement C.21: metadata/2.0/req/common/conformity-specification",
               lambda: tr("Specification of the conformity"),
               lambda: tr("Each declaration of conformity cites its specification by official title and date."),
               lambda: tr("Cite the specification by its official title and its date of publication."))
def conformity_specification(context: CheckContext) -> Iterable[Violation]:
    for result in context.record.conformance:
        if not result.title:
            yield Violation("conformance", tr("A declaration of conformity does not name its specification."),
                            shorten(result.explanation or result.identifier))
        elif not result.date:
            yield Violation("conformance", tr("The specification of a conformity has no date."), shorten(result.title))


@rule_set.rule("conformity-degree", Severity.NOTE, "TG Requirement C.22: metadata/2.0/req/common/conformity-degree",
               lambda: tr("Degree of conformity"),
               lambda: tr("Each declaration of conformity states whether the resource conforms."),
               lambda: tr("State whether the resource conforms once it has been evaluated."))
def conformity_degree(context: CheckContext) -> Iterable[Violation]:
    """Check C.22. A result that was not evaluated yet is only a note."""
    for result in context.record.conformance:
        if result.passed is None:
            yield Violation("conformance", tr("It is not stated whether the resource conforms."), shorten(result.title))


@rule_set.rule("vocabulary", Severity.NOTE, "TG Requirement C.15: metadata/2.0/req/common/keyword-originating-cv",
               lambda: tr("Vocabulary of the keywords"),
               lambda: tr("The vocabulary of keywords is cited by its title and date."),
               lambda: tr("Add the vocabulary's date of publication, creation or last revision to its citation."))
def vocabulary(context: CheckContext) -> Iterable[Violation]:
    """Check C.15. The dates of vocabularies have no field, so they are counted among the unread values."""
    cited = [group.thesaurus for group in context.record.keyword_groups if group.thesaurus]
    dates = sum(1 for item in context.record.unread if _THESAURUS_DATE.search(item.path))
    if cited and dates < len(cited):
        yield Violation("keyword_groups", tr("A vocabulary of keywords is cited without its date."),
                        shorten("; ".join(dict.fromkeys(cited))))


@rule_set.rule("vocabulary-once", Severity.NOTE, "TG Requirement C.16: metadata/2.0/req/common/group-keywords-by-cv",
               lambda: tr("Keywords of one vocabulary together"),
               lambda: tr("All keywords of one vocabulary are in one group."),
               lambda: tr("Put the keywords of the vocabulary in one group."))
def vocabulary_once(context: CheckContext) -> Iterable[Violation]:
    """Check C.16. Groups of different types may cite the same vocabulary."""
    counted = Counter((group.thesaurus, group.type) for group in context.record.keyword_groups if group.thesaurus)
    for (name, _), count in counted.items():
        if count > 1:
            yield Violation("keyword_groups", tr("Keywords of one vocabulary are in %n group(s).", n=count),
                            shorten(name))


@rule_set.rule("constraints-apart", Severity.NOTE,
               "TG Requirement C.18: metadata/2.0/req/common/conditions-for-access-and-use",
               lambda: tr("Limitations separate from conditions"),
               lambda: tr("Limitations on public access and conditions for access and use are in separate blocks of "
                          "constraints, each in only one."),
               lambda: tr("Create one block with the access constraint and the limitations, and another with the use "
                          "constraint and the conditions."))
def constraints_apart(context: CheckContext) -> Iterable[Violation]:
    legal = [group for group in context.record.constraint_groups if group.kind == ConstraintKind.LEGAL]
    for group in legal:
        if group.access_constraints and group.use_constraints:
            yield Violation(
                "constraint_groups",
                tr("One block of constraints contains both the limitations on access and the conditions of use."),
                shorten("; ".join(item.text or item.href or "" for item in group.other_constraints)))
    limits = [group for group in legal if any(_ACCESS_LIST.search(f"{item.text} {item.href}")
                                              for item in group.other_constraints)]
    if len(limits) > 1:
        yield Violation("constraint_groups", tr("Limitations on public access are in %n block(s).", n=len(limits)))


def _check_contacts(field: str, contacts: Sequence[Contact], none_at_all: str) -> Iterator[Violation]:
    if not contacts:
        yield Violation(field, none_at_all)
        return
    if not any(contact.organisation for contact in contacts):
        yield Violation(field, tr("No contact names its organisation."), _contact_names(contacts),
                        severity=Severity.WARNING)
    emails = [email for contact in contacts for email in contact.emails]
    if not emails:
        yield Violation(field, tr("No contact has an e-mail address."), _contact_names(contacts),
                        severity=Severity.WARNING)
    for email in emails:
        if not _EMAIL.fullmatch(email.strip()):
            yield Violation(field, tr("This is not an e-mail address."), shorten(email), severity=Severity.WARNING,
                            advice=tr("Write the address as name@organisation.example, one address in each field."))


def _contact_names(contacts: Sequence[Contact]) -> str:
    return shorten("; ".join(contact.organisation or contact.individual or contact.position or ""
                             for contact in contacts).strip("; "))


def _at_most_one(context: CheckContext, kind: str, message: str) -> Iterator[Violation]:
    dates: Sequence[Optional[str]] = [date.value for date in context.record.dates if (date.type or "").lower() == kind]
    if len(dates) > 1:
        yield Violation("dates", message, ", ".join(value or "" for value in dates))
