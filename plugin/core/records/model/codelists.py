"""Translated labels of ISO code lists (ISO 19115 B.5, ISO 19119)."""

from __future__ import annotations

import re
from typing import Callable, Dict, Optional

from ...i18n import tr

_Labels = Dict[str, str]
#: longer ones are texts in the place of a code or of its address
_MAX_CODE_LENGTH = 500


def code_label(code_list: str, code: Optional[str]) -> str:
    """Return the label of ``code`` in ``code_list`` (such as ``CI_RoleCode``). An unknown code is split into words."""
    if not code:
        return ""
    labels = _CODE_LISTS.get(code_list)
    label = labels().get(_normalise_code(code)) if labels else None
    return label or _words_from_camel_case(code)


def is_known_code(code_list: str, code: str) -> bool:
    """Return True if ``code`` is in ``code_list``."""
    labels = _CODE_LISTS.get(code_list)
    return labels is not None and _normalise_code(code) in labels()


def _normalise_code(code: str) -> str:
    """Return the letters and digits after the last ``#``. A text that is too long for a code is none."""
    return re.sub(r"[^a-z0-9]", "", code.rsplit("#", 1)[-1].lower()) if len(code) <= _MAX_CODE_LENGTH else ""


def _words_from_camel_case(code: str) -> str:
    """Return "Some new code" for "someNewCode". Any other text is returned unchanged."""
    if len(code) > _MAX_CODE_LENGTH or not re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)*", code):
        return code
    words = re.sub(r"([A-Z])", lambda match: " " + match.group(1).lower(), code)
    return words[:1].upper() + words[1:]


def _roles() -> _Labels:
    return {
        "resourceprovider": tr("Resource provider"), "custodian": tr("Custodian"), "owner": tr("Owner"),
        "user": tr("User"),
        "distributor": tr("Distributor"), "originator": tr("Originator"), "pointofcontact": tr("Point of contact"),
        "principalinvestigator": tr("Principal investigator"), "processor": tr("Processor"),
        "publisher": tr("Publisher"),
        "author": tr("Author"), "sponsor": tr("Sponsor"), "coauthor": tr("Co-author"),
        "collaborator": tr("Collaborator"),
        "editor": tr("Editor"), "mediator": tr("Mediator"), "rightsholder": tr("Rights holder"),
        "contributor": tr("Contributor"), "funder": tr("Funder"), "stakeholder": tr("Stakeholder"),
    }


def _date_types() -> _Labels:
    return {
        "creation": tr("Creation"), "publication": tr("Publication"), "revision": tr("Revision"),
        "expiry": tr("Expiry"),
        "lastupdate": tr("Last update"), "lastrevision": tr("Last revision"), "nextupdate": tr("Next update"),
        "unavailable": tr("Unavailable from"), "inforce": tr("In force"), "adopted": tr("Adopted"),
        "deprecated": tr("Deprecated"), "superseded": tr("Superseded"), "validitybegins": tr("Valid from"),
        "validityexpires": tr("Valid until"), "released": tr("Released"), "distribution": tr("Distribution"),
    }


def _scopes() -> _Labels:
    return {
        "attribute": tr("Attribute"), "attributetype": tr("Attribute type"),
        "collectionhardware": tr("Collection hardware"),
        "collectionsession": tr("Collection session"), "dataset": tr("Dataset"), "series": tr("Series"),
        "nongeographicdataset": tr("Non-geographic dataset"), "dimensiongroup": tr("Dimension group"),
        "feature": tr("Feature"), "featuretype": tr("Feature type"), "propertytype": tr("Property type"),
        "fieldsession": tr("Field session"), "software": tr("Software"), "service": tr("Service"), "model": tr("Model"),
        "tile": tr("Tile"), "initiative": tr("Initiative"), "application": tr("Application"),
        "document": tr("Document"),
        "map": tr("Map"), "collection": tr("Collection"), "metadata": tr("Metadata"), "sample": tr("Sample"),
        "aggregate": tr("Aggregate"), "product": tr("Product"), "coverage": tr("Coverage"),
        "repository": tr("Repository"),
    }


def _progress() -> _Labels:
    return {
        "completed": tr("Completed"), "historicalarchive": tr("Historical archive"), "obsolete": tr("Obsolete"),
        "ongoing": tr("Ongoing"), "planned": tr("Planned"), "required": tr("Required"),
        "underdevelopment": tr("Under development"), "final": tr("Final"), "pending": tr("Pending"),
        "retired": tr("Retired"), "superseded": tr("Superseded"), "tentative": tr("Tentative"), "valid": tr("Valid"),
        "accepted": tr("Accepted"), "notaccepted": tr("Not accepted"), "withdrawn": tr("Withdrawn"),
        "proposed": tr("Proposed"), "deprecated": tr("Deprecated"),
    }


def _restrictions() -> _Labels:
    return {
        "copyright": tr("Copyright"), "patent": tr("Patent"), "patentpending": tr("Patent pending"),
        "trademark": tr("Trademark"), "license": tr("Licence"), "licence": tr("Licence"),
        "intellectualpropertyrights": tr("Intellectual property rights"), "restricted": tr("Restricted"),
        "otherrestrictions": tr("Other restrictions"), "unrestricted": tr("Unrestricted"),
        "licenceunrestricted": tr("Licence, unrestricted"), "licenceenduser": tr("End user licence"),
        "licencedistributor": tr("Distributor licence"), "private": tr("Private"), "statutory": tr("Statutory"),
        "confidential": tr("Confidential"), "sensitivebutunclassified": tr("Sensitive but unclassified"),
        "inconfidence": tr("In confidence"),
    }


def _classifications() -> _Labels:
    return {
        "unclassified": tr("Unclassified"), "restricted": tr("Restricted"), "confidential": tr("Confidential"),
        "secret": tr("Secret"), "topsecret": tr("Top secret"), "protected": tr("Protected"),
        "sensitivebutunclassified": tr("Sensitive but unclassified"), "forofficialuseonly": tr("For official use only"),
        "limiteddistribution": tr("Limited distribution"),
    }


def _couplings() -> _Labels:
    return {"tight": tr("Tight"), "loose": tr("Loose"), "mixed": tr("Mixed")}


def _keyword_types() -> _Labels:
    return {
        "discipline": tr("Discipline"), "place": tr("Place"), "stratum": tr("Stratum"), "temporal": tr("Time"),
        "theme": tr("Theme"), "datacentre": tr("Data centre"), "featuretype": tr("Feature type"),
        "instrument": tr("Instrument"), "platform": tr("Platform"), "process": tr("Process"), "project": tr("Project"),
        "service": tr("Service"), "product": tr("Product"), "subtopiccategory": tr("Subtopic category"),
        "taxon": tr("Taxon"),
    }


def _functions() -> _Labels:
    return {
        "download": tr("Download"), "information": tr("Information"), "offlineaccess": tr("Offline access"),
        "order": tr("Order"), "search": tr("Search"), "completemetadata": tr("Complete metadata"),
        "browsegraphic": tr("Browse graphic"), "upload": tr("Upload"), "emailservice": tr("E-mail service"),
        "browsing": tr("Browsing"), "fileaccess": tr("File access"),
    }


def _character_sets() -> _Labels:
    named = {"ucs2": "UCS-2", "ucs4": "UCS-4", "utf7": "UTF-7", "utf8": "UTF-8", "utf16": "UTF-16",
             "usascii": "US-ASCII", "ebcdic": "EBCDIC", "jis": "JIS", "shiftjis": "Shift JIS",
             "eucjp": "EUC-JP", "euckr": "EUC-KR", "big5": "Big5", "gb2312": "GB 2312"}
    named.update({f"8859part{part}": f"ISO 8859-{part}" for part in range(1, 17)})
    return named


def _associations() -> _Labels:
    return {
        "crossreference": tr("Cross reference"), "largerworkcitation": tr("Larger work"),
        "partofseamlessdatabase": tr("Part of a seamless database"), "source": tr("Source"),
        "stereomate": tr("Stereo mate"), "iscomposedof": tr("Is composed of"),
        "collectivetitle": tr("Collective title"),
        "series": tr("Series"), "dependency": tr("Dependency"), "revisionof": tr("Revision of"),
    }


def _platforms() -> _Labels:
    return {"webservices": tr("Web services"), "http": "HTTP", "httpget": "HTTP-GET", "httppost": "HTTP-POST",
            "httpsoap": "HTTP-SOAP", "soap": "SOAP", "rest": "REST", "xml": "XML", "corba": "CORBA", "java": "Java",
            "com": "COM", "sql": "SQL", "wfs": "WFS", "ftp": "FTP", "z3950": "Z39.50"}


_CODE_LISTS: Dict[str, Callable[[], _Labels]] = {
    "CI_RoleCode": _roles, "CI_DateTypeCode": _date_types, "MD_ScopeCode": _scopes, "MD_ProgressCode": _progress,
    "MD_RestrictionCode": _restrictions, "MD_ClassificationCode": _classifications, "SV_CouplingType": _couplings,
    "MD_KeywordTypeCode": _keyword_types, "CI_OnLineFunctionCode": _functions, "MD_CharacterSetCode": _character_sets,
    "DS_AssociationTypeCode": _associations, "DCPList": _platforms,
}
