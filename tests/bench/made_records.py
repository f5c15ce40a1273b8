"""Service records in the shape that GeoNetwork's harvester writes, each different, made from a seed."""

from __future__ import annotations

import hashlib
import random
from typing import Iterator

PLACES = ("Sierra Nevada", "Doñana", "Cazorla", "Grazalema", "Despeñaperros", "Cabo de Gata", "Aracena", "Hornachuelos")
THEMES = ("precipitación diaria", "mapa guía", "equipamientos", "ortofotografía", "incendios", "humedales")
WORDS = ("servicio", "mapa", "red", "información", "ambiental", "base", "cartográfica", "interpolación", "estaciones",
         "espacios", "naturales", "uso", "público", "datos")
OPERATIONS = (
    ("GetCapabilities", ("text/xml",)),
    ("GetMap", ("image/png", "image/jpeg", "image/gif", "image/png; mode=8bit", "image/tiff", "image/vnd.jpeg-png")),
    ("GetFeatureInfo", ("text/html", "text/plain", "application/vnd.ogc.gml")),
    ("sld:DescribeLayer", ("text/xml",)),
    ("sld:GetLegendGraphic", ("image/png", "image/jpeg", "image/gif")),
    ("ms:GetStyles", ("text/xml",)),
)
CODE_LISTS = "http://standards.iso.org/iso/19139/resources/gmxCodelists.xml"
NAMESPACES = (
    'xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:srv="http://www.isotc211.org/2005/srv" '
    'xmlns:gco="http://www.isotc211.org/2005/gco" xmlns:gml="http://www.opengis.net/gml" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def nested(path: str, content: str) -> str:
    """``content`` inside the elements that ``path`` names, outermost first: "gmd:a gmd:b"."""
    for name in reversed(path.split()):
        content = f"<{name}>{content}</{name}>\n"
    return content


def text(element: str, value: str) -> str:
    """An element that holds a character string."""
    return nested(element, f"\n  <gco:CharacterString>{value}</gco:CharacterString>\n")


def code(element: str, code_list: str, value: str) -> str:
    """An element that holds a value of a code list."""
    prefix = element.split(":")[0]
    return nested(element, f'<{prefix}:{code_list} codeList="{CODE_LISTS}#{code_list}" codeListValue="{value}"/>')


def contact(element: str) -> str:
    """A responsible party."""
    mail = text("gmd:electronicMailAddress", "catalogo@example.org")
    return nested(
        f"{element} gmd:CI_ResponsibleParty",
        text("gmd:individualName", "--")
        + text("gmd:organisationName", "Consejería de pruebas")
        + nested("gmd:contactInfo gmd:CI_Contact gmd:address gmd:CI_Address", mail)
        + code("gmd:role", "CI_RoleCode", "pointOfContact"),
    )


def online(url: str, protocol: str, name: str = "") -> str:
    """An online resource, its address on a line of its own."""
    return nested(
        "gmd:CI_OnlineResource",
        nested("gmd:linkage gmd:URL", f"\n   {url}\n")
        + text("gmd:protocol", protocol)
        + (text("gmd:name", name) if name else ""),
    )


def operations(url: str) -> str:
    """The contained operations, on two platforms each, with a connect point for each format."""
    return "".join(
        nested(
            "srv:containsOperations srv:SV_OperationMetadata",
            text("srv:operationName", name)
            + code("srv:DCP", "DCPList", platform)
            + "".join(nested("srv:connectPoint", online(url, one, name)) for one in formats),
        )
        for name, formats in OPERATIONS
        for platform in ("HTTP-GET", "HTTP-POST")
    )


def constraints() -> str:
    """Terms that send the reader from the use limitation on to the other constraints."""
    return nested(
        "gmd:resourceConstraints gmd:MD_LegalConstraints",
        text("gmd:useLimitation", "Ver la licencia en los condicionantes de acceso y uso")
        + code("gmd:accessConstraints", "MD_RestrictionCode", "otherRestrictions")
        + code("gmd:useConstraints", "MD_RestrictionCode", "otherRestrictions")
        + text("gmd:otherConstraints", "Uso libre y gratuito siempre que se mencione la autoría y la propiedad"),
    )


def identification(chance: random.Random, title: str, keywords: tuple[str, ...], year: int, url: str) -> str:
    """What the service is, where and when."""
    west, south = round(chance.uniform(-7.5, -2.5), 4), round(chance.uniform(36, 38), 4)
    sides = {"westBoundLongitude": west, "eastBoundLongitude": west + 1,
             "southBoundLatitude": south, "northBoundLatitude": south + 0.7}
    box = "".join(nested(f"gmd:{name} gco:Decimal", f"{value:.4f}") for name, value in sides.items())
    date = nested(
        "gmd:date gmd:CI_Date",
        nested("gmd:date gco:DateTime", f"{year}-06-01T10:00:00") + code("gmd:dateType", "CI_DateTypeCode", "revision"),
    )
    return nested(
        "gmd:identificationInfo srv:SV_ServiceIdentification",
        nested("gmd:citation gmd:CI_Citation", text("gmd:title", title) + date)
        + text("gmd:abstract", " ".join(chance.choice(WORDS) for _ in range(150)).capitalize() + ".")
        + code("gmd:status", "MD_ProgressCode", "completed")
        + contact("gmd:pointOfContact")
        + nested("gmd:descriptiveKeywords gmd:MD_Keywords", "".join(text("gmd:keyword", word) for word in keywords))
        + constraints()
        + nested("srv:serviceType gco:LocalName", "OGC:WMS")
        + text("srv:serviceTypeVersion", "1.3.0")
        + nested("srv:accessProperties gmd:MD_StandardOrderProcess", text("gmd:fees", "Gratuito"))
        + nested("srv:extent gmd:EX_Extent gmd:geographicElement gmd:EX_GeographicBoundingBox", box)
        + code("srv:couplingType", "SV_CouplingType", "tight")
        + operations(url),
    )


def record(seed: int) -> bytes:
    """One ISO 19139 service record of about 23 kB."""
    chance = random.Random(seed)
    place, theme, year = chance.choice(PLACES), chance.choice(THEMES), chance.randint(1998, 2024)
    url = f"https://maps.example.org/medioambiente/mapwms/NODE_{seed}_{year}?"
    title = f"WMS {theme.capitalize()} de {place}, {year} ({seed})"
    keywords = ("WMS", place, theme, "humanInteractionService", *WORDS[:6])
    distribution = nested(
        "gmd:distributionInfo gmd:MD_Distribution",
        nested("gmd:distributionFormat gmd:MD_Format", text("gmd:name", "WMS") + text("gmd:version", "1.3.0"))
        + nested("gmd:transferOptions gmd:MD_DigitalTransferOptions gmd:onLine",
                 online(url, "OGC:WMS-1.3.0-http-get-map")),
    )
    body = (
        text("gmd:fileIdentifier", hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest())
        + code("gmd:language", "LanguageCode", "spa")
        + code("gmd:characterSet", "MD_CharacterSetCode", "utf8")
        + code("gmd:hierarchyLevel", "MD_ScopeCode", "service")
        + contact("gmd:contact")
        + nested("gmd:dateStamp gco:DateTime", f"{year}-07-01T00:00:00")
        + text("gmd:metadataStandardName", "ISO 19119/2005")
        + text("gmd:metadataStandardVersion", "1.0")
        + identification(chance, title, keywords, year, url)
        + distribution
    )
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n<gmd:MD_Metadata {NAMESPACES}>\n{body}</gmd:MD_Metadata>\n'
    return document.encode("utf-8")


def records(count: int) -> Iterator[bytes]:
    """``count`` different records, the same ones every time."""
    return (record(seed) for seed in range(count))
