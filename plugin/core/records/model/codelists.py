"""Translated labels of ISO code lists (ISO 19115 B.5, ISO 19119)."""

from __future__ import annotations

import re
from typing import Dict, Optional

from ...i18n import tr_noop, translated

#: longer ones are texts in the place of a code or of its address
_MAX_CODE_LENGTH = 500
#: labels by the normal form of their codes
_CODE_LISTS: Dict[str, Dict[str, str]] = {
    "CI_RoleCode": {
        "resourceprovider": tr_noop("Resource provider"), "custodian": tr_noop("Custodian"), "owner": tr_noop("Owner"),
        "user": tr_noop("User"), "distributor": tr_noop("Distributor"), "originator": tr_noop("Originator"),
        "pointofcontact": tr_noop("Point of contact"), "principalinvestigator": tr_noop("Principal investigator"),
        "processor": tr_noop("Processor"), "publisher": tr_noop("Publisher"), "author": tr_noop("Author"),
        "sponsor": tr_noop("Sponsor"), "coauthor": tr_noop("Co-author"), "collaborator": tr_noop("Collaborator"),
        "editor": tr_noop("Editor"), "mediator": tr_noop("Mediator"), "rightsholder": tr_noop("Rights holder"),
        "contributor": tr_noop("Contributor"), "funder": tr_noop("Funder"), "stakeholder": tr_noop("Stakeholder"),
    },
    "CI_DateTypeCode": {
        "creation": tr_noop("Creation"), "publication": tr_noop("Publication"), "revision": tr_noop("Revision"),
        "expiry": tr_noop("Expiry"), "lastupdate": tr_noop("Last update"), "lastrevision": tr_noop("Last revision"),
        "nextupdate": tr_noop("Next update"), "unavailable": tr_noop("Unavailable from"),
        "inforce": tr_noop("In force"), "adopted": tr_noop("Adopted"), "deprecated": tr_noop("Deprecated"),
        "superseded": tr_noop("Superseded"), "validitybegins": tr_noop("Valid from"),
        "validityexpires": tr_noop("Valid until"), "released": tr_noop("Released"),
        "distribution": tr_noop("Distribution"),
    },
    "MD_ScopeCode": {
        "attribute": tr_noop("Attribute"), "attributetype": tr_noop("Attribute type"),
        "collectionhardware": tr_noop("Collection hardware"), "collectionsession": tr_noop("Collection session"),
        "dataset": tr_noop("Dataset"), "series": tr_noop("Series"),
        "nongeographicdataset": tr_noop("Non-geographic dataset"), "dimensiongroup": tr_noop("Dimension group"),
        "feature": tr_noop("Feature"), "featuretype": tr_noop("Feature type"), "propertytype": tr_noop("Property type"),
        "fieldsession": tr_noop("Field session"), "software": tr_noop("Software"), "service": tr_noop("Service"),
        "model": tr_noop("Model"), "tile": tr_noop("Tile"), "initiative": tr_noop("Initiative"),
        "application": tr_noop("Application"), "document": tr_noop("Document"), "map": tr_noop("Map"),
        "collection": tr_noop("Collection"), "metadata": tr_noop("Metadata"), "sample": tr_noop("Sample"),
        "aggregate": tr_noop("Aggregate"), "product": tr_noop("Product"), "coverage": tr_noop("Coverage"),
        "repository": tr_noop("Repository"),
    },
    "MD_ProgressCode": {
        "completed": tr_noop("Completed"), "historicalarchive": tr_noop("Historical archive"),
        "obsolete": tr_noop("Obsolete"), "ongoing": tr_noop("Ongoing"), "planned": tr_noop("Planned"),
        "required": tr_noop("Required"), "underdevelopment": tr_noop("Under development"), "final": tr_noop("Final"),
        "pending": tr_noop("Pending"), "retired": tr_noop("Retired"), "superseded": tr_noop("Superseded"),
        "tentative": tr_noop("Tentative"), "valid": tr_noop("Valid"), "accepted": tr_noop("Accepted"),
        "notaccepted": tr_noop("Not accepted"), "withdrawn": tr_noop("Withdrawn"), "proposed": tr_noop("Proposed"),
        "deprecated": tr_noop("Deprecated"),
    },
    "MD_RestrictionCode": {
        "copyright": tr_noop("Copyright"), "patent": tr_noop("Patent"), "patentpending": tr_noop("Patent pending"),
        "trademark": tr_noop("Trademark"), "license": tr_noop("Licence"), "licence": tr_noop("Licence"),
        "intellectualpropertyrights": tr_noop("Intellectual property rights"), "restricted": tr_noop("Restricted"),
        "otherrestrictions": tr_noop("Other restrictions"), "unrestricted": tr_noop("Unrestricted"),
        "licenceunrestricted": tr_noop("Licence, unrestricted"), "licenceenduser": tr_noop("End user licence"),
        "licencedistributor": tr_noop("Distributor licence"), "private": tr_noop("Private"),
        "statutory": tr_noop("Statutory"), "confidential": tr_noop("Confidential"),
        "sensitivebutunclassified": tr_noop("Sensitive but unclassified"), "inconfidence": tr_noop("In confidence"),
    },
    "MD_ClassificationCode": {
        "unclassified": tr_noop("Unclassified"), "restricted": tr_noop("Restricted"),
        "confidential": tr_noop("Confidential"), "secret": tr_noop("Secret"), "topsecret": tr_noop("Top secret"),
        "protected": tr_noop("Protected"), "sensitivebutunclassified": tr_noop("Sensitive but unclassified"),
        "forofficialuseonly": tr_noop("For official use only"), "limiteddistribution": tr_noop("Limited distribution"),
    },
    "SV_CouplingType": {
        "tight": tr_noop("Tight"), "loose": tr_noop("Loose"), "mixed": tr_noop("Mixed"),
    },
    "MD_KeywordTypeCode": {
        "discipline": tr_noop("Discipline"), "place": tr_noop("Place"), "stratum": tr_noop("Stratum"),
        "temporal": tr_noop("Time"), "theme": tr_noop("Theme"), "datacentre": tr_noop("Data centre"),
        "featuretype": tr_noop("Feature type"), "instrument": tr_noop("Instrument"), "platform": tr_noop("Platform"),
        "process": tr_noop("Process"), "project": tr_noop("Project"), "service": tr_noop("Service"),
        "product": tr_noop("Product"), "subtopiccategory": tr_noop("Subtopic category"), "taxon": tr_noop("Taxon"),
    },
    "CI_OnLineFunctionCode": {
        "download": tr_noop("Download"), "information": tr_noop("Information"),
        "offlineaccess": tr_noop("Offline access"), "order": tr_noop("Order"), "search": tr_noop("Search"),
        "completemetadata": tr_noop("Complete metadata"), "browsegraphic": tr_noop("Browse graphic"),
        "upload": tr_noop("Upload"), "emailservice": tr_noop("E-mail service"), "browsing": tr_noop("Browsing"),
        "fileaccess": tr_noop("File access"),
    },
    "MD_CharacterSetCode": {
        "ucs2": "UCS-2", "ucs4": "UCS-4", "utf7": "UTF-7", "utf8": "UTF-8", "utf16": "UTF-16", "usascii": "US-ASCII",
        "ebcdic": "EBCDIC", "jis": "JIS", "shiftjis": "Shift JIS", "eucjp": "EUC-JP", "euckr": "EUC-KR", "big5": "Big5",
        "gb2312": "GB 2312", **{f"8859part{part}": f"ISO 8859-{part}" for part in range(1, 17)},
    },
    "DS_AssociationTypeCode": {
        "crossreference": tr_noop("Cross reference"), "largerworkcitation": tr_noop("Larger work"),
        "partofseamlessdatabase": tr_noop("Part of a seamless database"), "source": tr_noop("Source"),
        "stereomate": tr_noop("Stereo mate"), "iscomposedof": tr_noop("Is composed of"),
        "collectivetitle": tr_noop("Collective title"), "series": tr_noop("Series"),
        "dependency": tr_noop("Dependency"), "revisionof": tr_noop("Revision of"),
    },
    "DCPList": {
        "webservices": tr_noop("Web services"), "http": "HTTP", "httpget": "HTTP-GET", "httppost": "HTTP-POST",
        "httpsoap": "HTTP-SOAP", "soap": "SOAP", "rest": "REST", "xml": "XML", "corba": "CORBA", "java": "Java",
        "com": "COM", "sql": "SQL", "wfs": "WFS", "ftp": "FTP", "z3950": "Z39.50",
    },
}


def code_label(code_list: str, code: Optional[str]) -> str:
    """Return the label of ``code`` in ``code_list`` (such as ``CI_RoleCode``). An unknown code is split into words."""
    if not code:
        return ""
    label = _CODE_LISTS.get(code_list, {}).get(_normalise_code(code))
    return translated(label) if label else _words_from_camel_case(code)


def is_known_code(code_list: str, code: str) -> bool:
    """Return True if ``code`` is in ``code_list``."""
    return _normalise_code(code) in _CODE_LISTS.get(code_list, {})


def _normalise_code(code: str) -> str:
    """Return the letters and digits after the last ``#``. A text that is too long for a code is none."""
    return re.sub(r"[^a-z0-9]", "", code.rsplit("#", 1)[-1].lower()) if len(code) <= _MAX_CODE_LENGTH else ""


def _words_from_camel_case(code: str) -> str:
    """Return "Some new code" for "someNewCode". Any other text is returned unchanged."""
    if len(code) > _MAX_CODE_LENGTH or not re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)*", code):
        return code
    words = re.sub(r"([A-Z])", lambda match: " " + match.group(1).lower(), code)
    return words[:1].upper() + words[1:]
