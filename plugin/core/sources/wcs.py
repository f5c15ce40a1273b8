"""WCS: coverages (OGC 03-065r6 to 09-110r4)."""

from __future__ import annotations

from ..addresses import is_web_address
from .identity import by_service
from .layer_source import LayerSource, SourceType
from .ows_capabilities import ows_terms
from .source_kind import LayerSourceKind, SentRequest, SourceProof, capabilities_request
from .source_text import encoded_parameters, service_reader


def _draws(source: LayerSource, request: SentRequest) -> bool:
    return request.is_operation("GetCoverage", source.names, "COVERAGEID", "IDENTIFIER", "COVERAGE")


def _proof(source: LayerSource) -> SourceProof:
    """Return that its coverage is fetched, if it is one of WCS 1.0.0 without time."""
    parameters = encoded_parameters(source.text)
    is_known = source.provider.lower() == "wcs" and parameters.get("version", "1.0.0") == "1.0.0" and bool(source.names)
    is_known = is_known and not parameters.get("time") and bool(parameters.get("format"))
    return SourceProof.WATCHED if is_known and is_web_address(source.address) else SourceProof.UNCHECKED


KIND = LayerSourceKind(SourceType.WCS, service_reader(SourceType.WCS, "wcs"), by_service, _proof, draws=_draws,
                       terms=ows_terms("WCS"), described_by_layer=True, first_request=capabilities_request("WCS"))
