"""WFS: features by type (OGC 02-058, 04-094, 09-025r2)."""

from __future__ import annotations

from .identity import by_service
from .layer_source import LayerSource, SourceType
from .ows_capabilities import ows_terms
from .source_kind import LayerSourceKind, SentRequest, addresses_of_operations, capabilities_request, fetched_from
from .source_text import service_reader


def _draws(source: LayerSource, request: SentRequest) -> bool:
    return request.is_operation("GetFeature", source.names, "TYPENAMES", "TYPENAME")


KIND = LayerSourceKind(SourceType.WFS, service_reader(SourceType.WFS, "wfs", "geonode"), by_service,
                       fetched_from("wfs"), draws=_draws, terms=ows_terms("WFS"), described_by_layer=True,
                       first_request=capabilities_request("WFS"), next_addresses=addresses_of_operations)
