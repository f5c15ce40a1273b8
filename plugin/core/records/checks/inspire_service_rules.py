"""INSPIRE rules for services: requirements 3.1 to 4.1, C.17 and C.18 of the Technical Guidelines 2.0."""

from __future__ import annotations

import re
from typing import Iterable

from ...i18n import tr
from ...text import shorten
from ..model.endpoints import is_web_address
from ..model.record import RecordFormat
from .rules import CheckContext, Family, RuleSet, Severity, Violation

rule_set = RuleSet(Family.INSPIRE, lambda context: context.is_iso and context.is_service)

#: values of the code list of network services (TG Requirement 4.1), and of other spatial data services (5.1)
SERVICE_TYPES = ("view", "download", "discovery", "transformation", "other", "invoke")
_ACCESS_LIST = re.compile(r"LimitationsOnPublicAccess/", re.IGNORECASE)
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


@rule_set.rule("resource-type", Severity.WARNING, "TG Requirement 3.1: metadata/2.0/req/sds/resource-type",
               lambda: tr("Resource type"), lambda: tr("A service's record has the hierarchy level “Service”."),
               lambda: tr("Set the hierarchy level to “service”."))
def resource_type(context: CheckContext) -> Iterable[Violation]:
    """Check 3.1, the hierarchy level."""
    level = context.record.hierarchy_level
    if (level or "").lower() != "service":
        yield Violation("hierarchy_level",
                        tr("The record describes a service, but has a different hierarchy level."), level or "")


@rule_set.rule("resource-type-name", Severity.NOTE, "TG Requirement 3.1: metadata/2.0/req/sds/resource-type",
               lambda: tr("Name of the resource type"),
               lambda: tr("The name of the hierarchy level contains the word “service” in the metadata's language."),
               lambda: tr("Set the name of the hierarchy level to “service” in the record's language."),
               lambda context: context.record.source_format == RecordFormat.ISO19139)
def resource_type_name(context: CheckContext) -> Iterable[Violation]:
    """Check 3.1, second sentence: the name of the hierarchy level."""
    names = [item.text for item in context.record.unread if _LEVEL_NAME.search(item.path)]
    if not any(_SERVICE_WORD.search(name) for name in names):
        yield Violation(
            "hierarchy_level",
            tr("The name of the hierarchy level is not “service”.")
            if names else tr("The hierarchy level has no name."), shorten(", ".join(names)))


@rule_set.rule("category", Severity.WARNING, "TG Requirement 3.4: metadata/2.0/req/sds/sds-category",
           lambda: tr("Category of the service"),
           lambda: tr("A keyword gives the service's category from the classification of spatial data services (Part D "
                      "4 of Regulation 1205/2008), such as infoMapAccessService."),
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


@rule_set.rule("service-type", Severity.WARNING, "TG Requirement 4.1: metadata/2.0/req/ns/sds-type",
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


@rule_set.rule("coupled-resource", Severity.NOTE, "TG Requirement 3.6: metadata/2.0/req/sds/coupled-resource",
           lambda: tr("Coupled resources"),
           lambda: tr("The coupled data are given by the addresses of their metadata records."),
           lambda: tr("Give the http(s) address of the data's metadata record."))
def coupled_resource(context: CheckContext) -> Iterable[Violation]:
    """Check 3.6, the addresses of coupled resources."""
    for value in context.record.operates_on:
        if not is_web_address(value):
            yield Violation("operates_on", tr("The coupled data are named, but not by an address."),
                            shorten(value))


@rule_set.rule("resource-locator", Severity.ERROR, "TG Requirement 3.7: metadata/2.0/req/sds/resource-locator",
           lambda: tr("Resource locator"), lambda: tr("The record has a link to the service."),
           lambda: tr("Add the service's address as an online resource of the distribution."))
def resource_locator(context: CheckContext) -> Iterable[Violation]:
    """Check 3.7, the link to the service."""
    if not any(is_web_address(link.url) for link in context.record.online):
        yield Violation("online", tr("The distribution has no link to the service."),
                        severity=Severity.WARNING if context.endpoints else None)


@rule_set.rule("quality-scope", Severity.NOTE, "TG Requirement 3.8: metadata/2.0/req/sds/only-one-dq-element",
           lambda: tr("Scope of the data quality"),
           lambda: tr("The data quality section is scoped to the service."),
           lambda: tr("Set the level of the data quality's scope to “service”."),
           lambda context: context.record.source_format == RecordFormat.ISO19139 and bool(context.record.conformance))
def quality_scope(context: CheckContext) -> Iterable[Violation]:
    """Check 3.8, the scope of the data quality."""
    scopes = [item.text for item in context.record.unread if _SCOPE.search(item.path)]
    if not any(scope.lower() == "service" for scope in scopes):
        yield Violation("conformance", tr("The data quality section is not scoped to the service."),
                        shorten(", ".join(scopes)))


@rule_set.rule("public-access", Severity.WARNING,
           "TG Requirement C.17: metadata/2.0/req/common/limitations-on-public-access",
           lambda: tr("Limitations on public access"),
           lambda: tr("Limitations on public access, or that there are none, are given with a value of INSPIRE’s code "
                      "list."),
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


@rule_set.rule("conditions", Severity.WARNING,
           "TG Requirement C.18: metadata/2.0/req/common/conditions-for-access-and-use",
           lambda: tr("Conditions for access and use"),
           lambda: tr("The conditions for access and use are described in other constraints, or stated not to exist."),
           lambda: tr("Describe the conditions, or refer to “noConditionsApply” of INSPIRE’s code list."))
def conditions(context: CheckContext) -> Iterable[Violation]:
    """Check C.18, the conditions for access and use."""
    if any((item.text or item.href) and not _ACCESS_LIST.search(f"{item.text} {item.href}")
           for item in context.record.other_constraints):
        return
    if context.record.use_limitations:
        yield Violation("use_limitations",
                        tr("The conditions for access and use are in the use limitation, not in other constraints."),
                        shorten("; ".join(context.record.use_limitations)), severity=Severity.NOTE)
    else:
        yield Violation("other_constraints", tr("No conditions for access and use are described."))
