"""The catalogue records of this server, filled from the templates: three services in two shapes, and a dataset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Tuple
from xml.sax.saxutils import escape

from .mapfiles import DATASET_ID, EMAIL, ENDPOINTS, ORGANISATION, Endpoint, endpoint_path, record_id

TEMPLATES = Path(__file__).resolve().parent.parent / "records"

CONSTRAINTS = (
    "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios de "
    "la información"
)

BOXES: Dict[str, Tuple[str, str, str, str]] = {
    "guide": ("-3.665067", "-3.365851", "38.274680", "38.492275"),
    "precipitation": ("-7.596893", "-1.596043", "35.837638", "38.758700"),
    "facilities": ("-7.596893", "-1.596043", "35.837638", "38.758700"),
}
"""West, east, south, north in degrees: what the services' own capabilities say."""

DATES = {
    "precipitation": ("2016-09-14T09:30:00", "2024-02-12T08:45:10"),
    "guide": ("2014-11-20T12:00:00", "2024-02-12T08:46:55"),
    "facilities": ("2019-05-08T10:15:00", "2024-02-13T11:02:31"),
}
"""Revision of the service, date stamp of the record."""

MAP_FORMATS = ["image/png", "image/jpeg", "image/png; mode=8bit", "image/vnd.jpeg-png", "image/tiff", "image/svg+xml"]
OPERATIONS: List[Tuple[str, List[str]]] = [
    ("GetCapabilities", ["text/xml"]),
    ("GetMap", MAP_FORMATS),
    ("GetFeatureInfo", ["text/html", "application/vnd.ogc.gml", "text/plain"]),
    ("sld:DescribeLayer", ["text/xml"]),
    ("sld:GetLegendGraphic", MAP_FORMATS[:3]),
    ("ms:GetStyles", ["text/xml"]),
]

REGULATIONS = [
    (
        "Reglamento (CE) n.º 976/2009 de la Comisión, de 19 de octubre de 2009, por el que se ejecuta la Directiva "
        "2007/2/CE del Parlamento Europeo y del Consejo en lo que se refiere a los servicios de red",
        "2009-10-20",
    ),
    (
        "Reglamento (UE) n.º 1089/2010 de la Comisión, de 23 de noviembre de 2010, por el que se aplica la Directiva "
        "2007/2/CE del Parlamento Europeo y del Consejo en lo que se refiere a la interoperabilidad de los conjuntos y "
        "los servicios de datos espaciales",
        "2010-12-08",
    ),
]


class Link(NamedTuple):
    """One online resource; ``units`` is the label of its transfer options."""

    protocol: str
    url: str
    description: str
    units: str


class Book(NamedTuple):
    """What was written: file and title by identifier, endpoint key by identifier."""

    by_id: Dict[str, Path]
    titles: Dict[str, str]
    keys: Dict[str, str]


def write_records(work: Path, url: str, node: str) -> Book:
    """Write records/, records-editor/, records-dataset/ and profile.json into ``work``."""
    by_id: Dict[str, Path] = {}
    titles: Dict[str, str] = {}
    keys: Dict[str, str] = {}
    for endpoint in ENDPOINTS:
        path = endpoint_path(node, endpoint.suffix)
        identifier = record_id(path)
        values = _values(endpoint, identifier, url, path)
        for folder, template, gmd in (("records", "harvester", ""), ("records-editor", "editor", "gmd:")):
            text = _filled(template, {**values, **_fragments(endpoint, url, path, identifier, gmd)})
            _write(work / folder / f"{endpoint.key}.xml", text)
        by_id[identifier] = work / "records" / f"{endpoint.key}.xml"
        titles[identifier], keys[identifier] = endpoint.record_title, endpoint.key
    guide = next(e for e in ENDPOINTS if e.key == "guide")
    path = endpoint_path(node, guide.suffix)
    values = _values(guide, DATASET_ID, url, path)
    values["THUMBNAIL"] = _attachment(url, record_id(path), "thumbnail")
    _write(work / "records-dataset" / "guide.xml", _filled("dataset", values))
    by_id[DATASET_ID] = work / "records-dataset" / "guide.xml"
    titles[DATASET_ID], keys[DATASET_ID] = "Mapa guía del Parque Natural Despeñaperros (2014)", "guide"
    profile = {
        "format": "cartoguide-network",
        "version": 1,
        "id": "test-network",
        "title": "Red de pruebas (local)",
        "base_url": url,
        "node": node,
        "catalogue": {"type": "geonetwork", "url": f"{url}/geonetwork", "language": "spa"},
        "services": {e.key: f"{{base_url}}/medioambiente/mapwms/{{node}}_{e.suffix}?" for e in ENDPOINTS},
        "records": [f"records/{endpoint.key}.xml" for endpoint in ENDPOINTS],
    }
    _write(work / "profile.json", json.dumps(profile, ensure_ascii=False, indent=2) + "\n")
    return Book(by_id, titles, keys)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _filled(template: str, values: Dict[str, str]) -> str:
    text = (TEMPLATES / f"{template}.xml").read_text("utf-8")
    for name, value in values.items():
        text = text.replace(f"@@{name}@@", value)
    return text


def _values(endpoint: Endpoint, identifier: str, url: str, path: str) -> Dict[str, str]:
    revision, stamp = DATES[endpoint.key]
    west, east, south, north = BOXES[endpoint.key]
    return {
        "ID": identifier,
        "URL": escape(url),
        "ENDPOINT": escape(f"{url}{path}?"),
        "TITLE": escape(endpoint.record_title),
        "ABSTRACT": escape(endpoint.abstract),
        "ORGANISATION": ORGANISATION,
        "EMAIL": EMAIL,
        "REVISION": revision,
        "STAMP": stamp,
        "WEST": west,
        "EAST": east,
        "SOUTH": south,
        "NORTH": north,
        "CONSTRAINTS": CONSTRAINTS,
    }


def _attachment(url: str, identifier: str, name: str) -> str:
    return f"{url}/geonetwork/srv/api/records/{identifier}/attachments/{name}.png"


def _fragments(endpoint: Endpoint, url: str, path: str, identifier: str, gmd: str) -> Dict[str, str]:
    """The repeated parts; ``gmd`` is the prefix of the gmd namespace ("" where it is the default)."""

    def mark(text: str) -> str:
        return text.replace("<g:", f"<{gmd}").replace("</g:", f"</{gmd}")

    words = [word.strip() for word in endpoint.keywords.split(",")] + ["humanInteractionService"]
    keywords = "\n".join(
        mark(f"<g:keyword><gco:CharacterString>{word}</gco:CharacterString></g:keyword>") for word in words
    )
    overviews = "\n".join(
        mark(
            f"<g:graphicOverview><g:MD_BrowseGraphic><g:fileName>"
            f"<gco:CharacterString>{_attachment(url, identifier, name)}"
            f"</gco:CharacterString></g:fileName><g:fileDescription><gco:CharacterString>{name}</gco:CharacterString>"
            "</g:fileDescription><g:fileType><gco:CharacterString>png</gco:CharacterString></g:fileType></g:MD_BrowseGraphic>"
            "</g:graphicOverview>"
        )
        for name in ("thumbnail", "large_thumbnail")
    )
    regulations = REGULATIONS if endpoint.key == "guide" else REGULATIONS[:1]
    return {
        "KEYWORDS": keywords,
        "OVERVIEWS": overviews,
        "ONLINE": _online(endpoint, url, path, mark),
        "OPERATIONS": _operations(f"{url}{path}?", mark, harvested=not gmd),
        "CONFORMANCE": "\n".join(mark(_conformance(title, date)) for title, date in regulations),
    }


def _operations(address: str, mark: Callable[[str], str], harvested: bool) -> str:
    """Each operation by GET and POST; the harvester writes one connect point for each format, an editor one."""
    pad = "\n   " if harvested else ""
    blocks = []
    for name, formats in OPERATIONS:
        points = "".join(
            "<srv:connectPoint><g:CI_OnlineResource>"
            f"<g:linkage><g:URL>{pad}{escape(address)}{pad}</g:URL></g:linkage><g:protocol><gco:CharacterString>{protocol}"
            "</gco:CharacterString></g:protocol></g:CI_OnlineResource></srv:connectPoint>"
            for protocol in (
                formats if harvested else ["OGC:WMS-1.3.0-http-get-map" if name == "GetMap" else "OGC:WMS"]
            )
        )
        platforms = "".join(
            '<srv:DCP><srv:DCPList codeList="http://standards.iso.org/iso/19119/resources/Codelist/gmxCodelists.xml'
            f'#DCPList" codeListValue="{pad}{platform}{pad}"/></srv:DCP>'
            for platform in ("HTTP-GET", "HTTP-POST")
        )
        blocks.append(
            mark(
                "<srv:containsOperations><srv:SV_OperationMetadata><srv:operationName>"
                f"<gco:CharacterString>{pad}{name}{pad}</gco:CharacterString></srv:operationName>{platforms}{points}"
                "</srv:SV_OperationMetadata></srv:containsOperations>"
            )
        )
    return "\n".join(blocks)


def _online(endpoint: Endpoint, url: str, path: str, mark: Callable[[str], str]) -> str:
    sheet = "Ficha del servicio en el canal de la red"
    links = [Link("OGC:WMS-1.3.0-http-get-map", f"{url}{path}?", "", "")]
    if endpoint.key == "guide":
        links += [
            Link(
                "WWW:LINK-1.0-http--link",
                f"{url}/medioambiente/red/visor",
                "Visor básico de los servicios OGC de la red",
                "",
            ),
            Link("WWW:LINK-1.0-http--link", f"{url}/s/guia", sheet, ""),
        ]
    elif endpoint.key == "precipitation":
        links = [
            links[0]._replace(units="Servicio WMS"),
            Link("WWW:LINK-1.0-http--related", f"{url}/s/lluvia", sheet, "Ficha WMS"),
        ]
    else:
        links.append(Link("WWW:LINK-1.0-http--related", f"{url}/s/equipamientos", sheet, ""))
    blocks = []
    for link in links:
        units = (
            f"<g:unitsOfDistribution><gco:CharacterString>{link.units}</gco:CharacterString></g:unitsOfDistribution>"
            if link.units
            else ""
        )
        description = (
            f"<g:description><gco:CharacterString>{link.description}</gco:CharacterString></g:description>"
            if link.description
            else ""
        )
        blocks.append(
            mark(
                f"<g:transferOptions><g:MD_DigitalTransferOptions>{units}<g:onLine><g:CI_OnlineResource><g:linkage>"
                f"<g:URL>{escape(link.url)}</g:URL></g:linkage><g:protocol><gco:CharacterString>{link.protocol}"
                '</gco:CharacterString></g:protocol><g:name gco:nilReason="missing"><gco:CharacterString/></g:name>'
                f"{description}"
                "</g:CI_OnlineResource></g:onLine></g:MD_DigitalTransferOptions></g:transferOptions>"
            )
        )
    return "\n".join(blocks)


def _conformance(title: str, date: str) -> str:
    code_list = "http://standards.iso.org/iso/19139/resources/gmxCodelists.xml#CI_DateTypeCode"
    return (
        f"<g:report><g:DQ_DomainConsistency><g:result><g:DQ_ConformanceResult><g:specification><g:CI_Citation><g:title>"
        f"<gco:CharacterString>{title}</gco:CharacterString></g:title><g:date><g:CI_Date><g:date><gco:Date>{date}</gco:Date>"
        f'</g:date><g:dateType><g:CI_DateTypeCode codeList="{code_list}" codeListValue="publication"/></g:dateType>'
        '</g:CI_Date></g:date><g:identifier gco:nilReason="inapplicable"/></g:CI_Citation></g:specification>'
        "<g:explanation>"
        "<gco:CharacterString>Consultar el reglamento mencionado</gco:CharacterString></g:explanation><g:pass>"
        "<gco:Boolean>true</gco:Boolean></g:pass></g:DQ_ConformanceResult></g:result></g:DQ_DomainConsistency></g:report>"
    )
