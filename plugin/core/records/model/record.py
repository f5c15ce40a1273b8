"""The Record: one catalogue record in terms of ISO 19115 and ISO 19119, whatever its format."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from itertools import islice
from typing import Any, Iterable, Optional, Tuple

from ...box import Box
from ...i18n import tr

FORMAT = "cartoguide-record/1"
#: keyword of the starter records that come with the plugin until the catalogue's own replace them, hidden from people
STARTER_KEYWORD = "cartoguide:starter"
#: unread values that a record holds: the smallest is 100 bytes, and all are shown
MAX_UNREAD = 20_000


class RecordFormat(str, Enum):
    """Formats that records are read from. The values are those of ``Record.source_format``."""

    ISO19139 = "iso19139"
    ISO19115_3 = "iso19115-3"
    DUBLIN_CORE = "csw-dc"
    ATOM = "atom"
    OGCAPI_RECORD = "ogcapi-record"
    DCAT = "dcat"
    STAC = "stac"
    CKAN = "ckan"
    OWS_CONTEXT = "ows-context"
    WMS_CAPABILITIES = "wms-capabilities"


class ResourceKind(str, Enum):
    """Kinds of resources that records describe."""

    SERVICE = "service"
    DATASET = "dataset"
    SERIES = "series"
    OTHER = "other"


@dataclass(frozen=True)
class Contact:
    """Responsible party (CI_ResponsibleParty, CI_Responsibility)."""

    organisation: Optional[str] = None
    individual: Optional[str] = None
    position: Optional[str] = None
    emails: Tuple[str, ...] = ()
    phones: Tuple[str, ...] = ()
    address: Optional[str] = None
    url: Optional[str] = None
    role: Optional[str] = None


@dataclass(frozen=True)
class RecordDate:
    """Date as written, and its CI_DateTypeCode (or lifecycle code)."""

    value: str
    type: Optional[str] = None


@dataclass(frozen=True)
class KeywordGroup:
    """One MD_Keywords block."""

    keywords: Tuple[str, ...] = ()
    type: Optional[str] = None
    thesaurus: Optional[str] = None


@dataclass(frozen=True)
class Constraint:
    """One free-text constraint with the address that an Anchor gives it."""

    text: Optional[str] = None
    href: Optional[str] = None


class ConstraintKind(str, Enum):
    GENERIC = "generic"
    LEGAL = "legal"
    SECURITY = "security"


@dataclass(frozen=True)
class ConstraintGroup:
    """One MD_Constraints, MD_LegalConstraints or MD_SecurityConstraints block, as grouped in the record.

    Codes are values of MD_RestrictionCode and MD_ClassificationCode.
    """

    kind: ConstraintKind
    use_limitations: Tuple[Constraint, ...] = ()
    access_constraints: Tuple[str, ...] = ()
    use_constraints: Tuple[str, ...] = ()
    other_constraints: Tuple[Constraint, ...] = ()
    classification: Optional[str] = None
    references: Tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class ConnectPoint:
    """One address of an operation (SV_OperationMetadata.connectPoint)."""

    url: str
    protocol: Optional[str] = None
    name: Optional[str] = None


@dataclass(frozen=True)
class Operation:
    """SV_OperationMetadata: name, distributed computing platforms and connect points, all as written."""

    name: str
    platforms: Tuple[str, ...] = ()
    connect_points: Tuple[ConnectPoint, ...] = ()


@dataclass(frozen=True)
class Extent:
    """EX_GeographicBoundingBox in decimal degrees, as written."""

    west: Optional[float] = None
    east: Optional[float] = None
    south: Optional[float] = None
    north: Optional[float] = None

    @property
    def box(self) -> Optional[Box]:
        """The sides as a box, or None if one of them is missing or not a number."""
        if self.west is None or self.south is None or self.east is None or self.north is None:
            return None
        box = Box(float(self.west), float(self.south), float(self.east), float(self.north))
        return None if any(map(math.isnan, box)) else box


@dataclass(frozen=True)
class TemporalExtent:
    """Begin and end as written. They are equal for an instant. An open end is None."""

    begin: Optional[str] = None
    end: Optional[str] = None


@dataclass(frozen=True)
class DistributionFormat:
    """Distribution format (MD_Format)."""

    name: Optional[str] = None
    version: Optional[str] = None


@dataclass(frozen=True)
class OnlineResource:
    """CI_OnlineResource. ``distribution_units`` is the label of the transfer options that contain it.

    ``protocol_uri`` is the address of an Anchor as protocol, ``application_profile`` what serves it (INSPIRE's data and
    service linking simplification), ``function`` also the relation of a link of OGC API Records. ``media_type`` is that
    of what is behind the link (RFC 6838).
    """

    url: str
    protocol: Optional[str] = None
    name: Optional[str] = None
    description: Optional[str] = None
    function: Optional[str] = None
    distribution_units: Optional[str] = None
    protocol_uri: Optional[str] = None
    application_profile: Optional[str] = None
    media_type: Optional[str] = None


@dataclass(frozen=True)
class Conformance:
    """DQ_ConformanceResult with the citation of its specification. ``passed`` is None if it was not evaluated."""

    title: Optional[str] = None
    date: Optional[str] = None
    identifier: Optional[str] = None
    explanation: Optional[str] = None
    passed: Optional[bool] = None


@dataclass(frozen=True)
class Overview:
    """Image of the resource (MD_BrowseGraphic)."""

    url: str
    description: Optional[str] = None
    type: Optional[str] = None


@dataclass(frozen=True)
class AssociatedResource:
    """Resource that the record refers to (aggregation, associated resource). ``type`` is the code of the association.
    """

    id: Optional[str] = None
    title: Optional[str] = None
    type: Optional[str] = None
    url: Optional[str] = None


@dataclass(frozen=True)
class UnreadValue:
    """Value that no field takes: its path in the document and its text."""

    path: str
    text: str


def bounded_unread(values: Iterable[Tuple[str, str]], left_out: int = 0) -> Tuple[UnreadValue, ...]:
    """Return at most ``MAX_UNREAD`` values (path and text), and as one more how many others there are.

    ``left_out`` are counted among the others.
    """
    waiting = iter(values)
    found = tuple(UnreadValue(path, text) for path, text in islice(waiting, MAX_UNREAD))
    left_out += sum(1 for _ in waiting)
    return (*found, UnreadValue(".", tr("… and %n more value(s)", n=left_out))) if left_out else found


@dataclass(frozen=True)
class Record:
    """One catalogue record. Absent values are None or empty, codes stay codes, and dates stay as written."""

    #: a RecordFormat value, or that of a catalogue's own index
    source_format: str
    format: str = FORMAT
    id: Optional[str] = None
    parent_id: Optional[str] = None
    language: Optional[str] = None
    character_set: Optional[str] = None
    hierarchy_level: Optional[str] = None
    kind: ResourceKind = ResourceKind.OTHER
    date_stamp: Optional[str] = None
    standard_name: Optional[str] = None
    standard_version: Optional[str] = None
    metadata_contacts: Tuple[Contact, ...] = ()
    title: Optional[str] = None
    alternate_titles: Tuple[str, ...] = ()
    abstract: Optional[str] = None
    purpose: Optional[str] = None
    dates: Tuple[RecordDate, ...] = ()
    status: Tuple[str, ...] = ()
    contacts: Tuple[Contact, ...] = ()
    #: MD_Identification.credit: recognition of contributors to the resource, as written
    credits: Tuple[str, ...] = ()
    keyword_groups: Tuple[KeywordGroup, ...] = ()
    keywords: Tuple[str, ...] = ()
    use_limitations: Tuple[str, ...] = ()
    access_constraints: Tuple[str, ...] = ()
    use_constraints: Tuple[str, ...] = ()
    other_constraints: Tuple[Constraint, ...] = ()
    constraint_groups: Tuple[ConstraintGroup, ...] = ()
    service_type: Optional[str] = None
    service_versions: Tuple[str, ...] = ()
    fees: Optional[str] = None
    coupling_type: Optional[str] = None
    operates_on: Tuple[str, ...] = ()
    operations: Tuple[Operation, ...] = ()
    extents: Tuple[Extent, ...] = ()
    temporal_extents: Tuple[TemporalExtent, ...] = ()
    reference_systems: Tuple[str, ...] = ()
    formats: Tuple[DistributionFormat, ...] = ()
    online: Tuple[OnlineResource, ...] = ()
    conformance: Tuple[Conformance, ...] = ()
    lineage: Optional[str] = None
    overviews: Tuple[Overview, ...] = ()
    associated: Tuple[AssociatedResource, ...] = ()
    unread: Tuple[UnreadValue, ...] = ()
    #: bytes of the document, or of the record's element if the document is an envelope of several
    original: bytes = field(default=b"", repr=False, compare=False)
    #: addresses from which a login or a key was removed on reading, without them; only known to who read the document
    addresses_with_secrets: Tuple[str, ...] = field(default=(), repr=False, compare=False)
    #: file or address, with the path inside a package (``records.zip!metadata/a.xml``)
    source: str = field(default="", compare=False)
    #: record of the data set by which the service is added, whose terms ask for credit beside its own
    data: Optional[Record] = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the Record as JSON-ready values in the stable format ``cartoguide-record/1``, without the original
        bytes.
        """
        values = asdict(replace(self, data=None))
        for name in ("original", "addresses_with_secrets", "data"):
            values.pop(name)
        return {name: _json_ready(value) for name, value in values.items()}


def is_starter(record: Record) -> bool:
    """Return True for a starter record, one of those that come with the plugin."""
    return any(STARTER_KEYWORD in group.keywords for group in record.keyword_groups)


def title_of_record(record: Record) -> str:
    """Return the title of ``record``, its identifier if it has none, or a text that says so."""
    return record.title or record.id or tr("Record without a title")


def _json_ready(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_json_ready(item) for item in value]
    if isinstance(value, dict):
        return {name: _json_ready(item) for name, item in value.items()}
    return value
