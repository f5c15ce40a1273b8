"""Any number of varied catalogue records from a seed, in the two shapes that catalogues of the field are full of.

Two in three are what a harvester of capabilities writes (each operation on two platforms, a connect point for each
format, about 24 kB); the rest what an editor writes (thesauri, anchors, several contacts, conformance, about 12 kB).
Words follow Zipf's law over a Spanish and English vocabulary; some stand in every record.
"""

from __future__ import annotations

import hashlib
import random
from itertools import accumulate
from typing import Dict, Iterator, List, Sequence, Tuple

from made_records import code, contact, nested, online, operations, text

NAMESPACES = (
    'xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:srv="http://www.isotc211.org/2005/srv" '
    'xmlns:gco="http://www.isotc211.org/2005/gco" xmlns:gmx="http://www.isotc211.org/2005/gmx" '
    'xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink"'
)
_REAL = """
servicio mapa red datos información ambiental base cartográfica precipitación temperatura estaciones espacios
naturales protegidos uso público agua río embalse cuenca hidrográfica inundación riesgo suelo ocupación vegetación
hábitat bosque monte incendio forestal costa litoral playa marino batimetría puerto carretera ferrocarril transporte
municipio provincia región límites administrativos catastro parcela edificio dirección población censo vivienda
energía eólica solar red eléctrica minería geología falla sismo terremoto relieve elevaciones pendiente ortofoto
imagen satélite sensor radar clima viento humedad sequía calidad aire ruido contaminación residuos vertido industria
agricultura cultivo regadío olivar viñedo ganadería vía pecuaria sendero patrimonio histórico yacimiento
arqueológico turismo salud educación equipamiento planeamiento urbanismo suelo urbano parque jardín fauna ave
especie invasora biodiversidad humedal acuífero pozo manantial glaciar nieve avalancha map service network data
information environmental water river basin flood risk soil land cover use vegetation habitat forest fire coast
marine bathymetry harbour road railway transport municipality province region boundary cadastral parcel building
address population census housing energy wind solar grid mining geology fault earthquake relief elevation slope
orthophoto image satellite climate humidity drought air quality noise pollution waste industry agriculture crop
irrigation vineyard livestock trail heritage archaeological tourism health education facility planning urban park
wildlife bird species biodiversity wetland aquifer spring glacier snow avalanche survey monitoring annual monthly
daily total mean maximum minimum anual mensual diaria media máxima mínima interpolación red malla serie histórica
actualización escala capa vectorial ráster leyenda consulta visualización descarga geoportal infraestructura
espacial directiva conjunto elemento atributo hidrología meteorología topográfico temático nacional regional local
""".split()  # noqa: SIM905
_STARTS = (
    "al",
    "ben",
    "cas",
    "des",
    "esp",
    "fuen",
    "gra",
    "hue",
    "jar",
    "lu",
    "mon",
    "nav",
    "oli",
    "peñ",
    "que",
    "riv",
    "sal",
    "tor",
    "val",
    "zar",
    "mel",
    "pri",
    "cu",
    "bra",
    "cor",
    "gui",
    "lé",
    "mur",
    "ron",
    "sie",
)
_MIDDLES = (
    "a",
    "ará",
    "ba",
    "ce",
    "der",
    "eño",
    "fi",
    "gal",
    "í",
    "lon",
    "ma",
    "nar",
    "obre",
    "per",
    "qui",
    "rro",
    "se",
    "ta",
    "ú",
    "vi",
    "yo",
    "zue",
    "ndo",
    "lle",
    "cha",
)
_ENDS = (
    "da",
    "dor",
    "ena",
    "ería",
    "ez",
    "illa",
    "ín",
    "jo",
    "les",
    "mar",
    "nte",
    "ña",
    "ón",
    "pino",
    "ra",
    "res",
    "sol",
    "tín",
    "va",
    "zo",
    "gue",
    "cia",
    "mo",
    "ca",
    "bre",
)
ORGANISATIONS = tuple(
    f"{kind} de {field} {number}"
    for number in ("de pruebas", "del Norte", "del Sur", "del Este")
    for kind in ("Consejería", "Ministerio", "Instituto", "Agencia", "Dirección General", "Agency")
    for field in ("Medio Ambiente", "Agricultura", "Aguas", "Cartografía", "Geology", "Transportes")
)
CONSTRAINTS = (
    "Uso libre y gratuito siempre que se mencione la autoría y la propiedad",
    "Licencia Creative Commons Atribución 4.0 (CC BY 4.0) https://creativecommons.org/licenses/by/4.0/",
    "No se aplican condiciones",
    "CC BY-NC-SA 4.0",
    "Condiciones desconocidas",
    "Consulte al organismo responsable",
    "Open Data Commons Open Database License (ODbL)",
    "Public domain CC0 1.0",
    "No conditions apply to access and use",
    "Se permite el uso citando la fuente",
    "Etalab Licence Ouverte 2.0",
    "Open Government Licence v3.0",
)
SERVICES = ("OGC:WMS", "OGC:WMS", "OGC:WMS", "view", "download", "OGC:WFS", "discovery")


def _weights(count: int) -> List[float]:
    return list(accumulate(1 / (rank + 2.7) for rank in range(count)))


def _vocabulary() -> List[str]:
    chance = random.Random(1)
    made = [start + middle + end for start in _STARTS for middle in _MIDDLES for end in _ENDS]
    chance.shuffle(made)
    return list(dict.fromkeys(_REAL)) + made


WORDS = _vocabulary()
_WORD_WEIGHTS = _weights(len(WORDS))
_ORGANISATION_WEIGHTS = _weights(len(ORGANISATIONS))
_CONSTRAINT_WEIGHTS = _weights(len(CONSTRAINTS))


def some_words(chance: random.Random, count: int) -> List[str]:
    """Words as texts hold them: the common ones often, most of them hardly ever."""
    return chance.choices(WORDS, cum_weights=_WORD_WEIGHTS, k=count)


def some_box(chance: random.Random) -> Tuple[float, float, float, float]:
    """West, south, east, north: mostly places of Spain, some regions, Europe, the world."""
    luck = chance.random()
    if luck < 0.04:
        return (-180.0, -90.0, 180.0, 90.0)
    if luck < 0.10:
        west, south = chance.uniform(-160, 140), chance.uniform(-60, 60)
        return (west, south, west + chance.uniform(0.5, 20), south + chance.uniform(0.5, 15))
    if luck < 0.25:
        west, south = chance.uniform(-10, 30), chance.uniform(36, 65)
        return (west, south, west + chance.uniform(0.1, 6), south + chance.uniform(0.1, 4))
    west, south = chance.uniform(-9.3, 3.3), chance.uniform(36, 43)
    size = 10 ** chance.uniform(-2, 0.5)
    return (west, south, west + size, south + size * 0.7)


def _constraint(content: str) -> str:
    return nested(
        "gmd:resourceConstraints gmd:MD_LegalConstraints",
        text("gmd:useLimitation", "Ver la licencia en los condicionantes de acceso y uso")
        + code("gmd:accessConstraints", "MD_RestrictionCode", "otherRestrictions")
        + code("gmd:useConstraints", "MD_RestrictionCode", "otherRestrictions")
        + text("gmd:otherConstraints", content),
    )


def _date(kind: str, value: str) -> str:
    return nested(
        "gmd:date gmd:CI_Date", nested("gmd:date gco:Date", value) + code("gmd:dateType", "CI_DateTypeCode", kind)
    )


def _box() -> str:
    sides = (
        ("westBoundLongitude", "{west:.5f}"),
        ("eastBoundLongitude", "{east:.5f}"),
        ("southBoundLatitude", "{south:.5f}"),
        ("northBoundLatitude", "{north:.5f}"),
    )
    return nested(
        "gmd:EX_Extent gmd:geographicElement gmd:EX_GeographicBoundingBox",
        "".join(nested(f"gmd:{name} gco:Decimal", value) for name, value in sides),
    )


def _document(*parts: str) -> str:
    body = "".join(parts)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<gmd:MD_Metadata {NAMESPACES}>\n{body}</gmd:MD_Metadata>\n'


def _head(level: str) -> str:
    return (
        text("gmd:fileIdentifier", "{id}")
        + code("gmd:language", "LanguageCode", "spa")
        + code("gmd:characterSet", "MD_CharacterSetCode", "utf8")
        + code("gmd:hierarchyLevel", "MD_ScopeCode", level)
        + contact("gmd:contact").replace("Consejería de pruebas", "{organisation}")
        + nested("gmd:dateStamp gco:DateTime", "{stamp}T00:00:00")
        + text("gmd:metadataStandardName", "ISO 19119/2005")
        + text("gmd:metadataStandardVersion", "1.0")
    )


def _harvested() -> str:
    point = contact("gmd:pointOfContact").replace("Consejería de pruebas", "{organisation}")
    return _document(
        _head("service"),
        nested(
            "gmd:identificationInfo srv:SV_ServiceIdentification",
            nested("gmd:citation gmd:CI_Citation", text("gmd:title", "{title}") + _date("revision", "{date}"))
            + text("gmd:abstract", "{abstract}")
            + code("gmd:status", "MD_ProgressCode", "completed")
            + point
            + nested("gmd:descriptiveKeywords gmd:MD_Keywords", "{keywords}")
            + _constraint("{constraint}")
            + nested("srv:serviceType gco:LocalName", "{service}")
            + text("srv:serviceTypeVersion", "1.3.0")
            + nested("srv:accessProperties gmd:MD_StandardOrderProcess", text("gmd:fees", "{fees}"))
            + nested("srv:extent", _box())
            + code("srv:couplingType", "SV_CouplingType", "tight")
            + operations("{url}"),
        ),
        nested(
            "gmd:distributionInfo gmd:MD_Distribution",
            nested("gmd:distributionFormat gmd:MD_Format", text("gmd:name", "WMS") + text("gmd:version", "1.3.0"))
            + nested(
                "gmd:transferOptions gmd:MD_DigitalTransferOptions gmd:onLine",
                online("{url}", "OGC:WMS-1.3.0-http-get-map"),
            ),
        ),
    )


def _edited(level: str, identification: str, extent: str) -> str:
    anchor = (
        '<gmd:keyword><gmx:Anchor xlink:href="http://inspire.ec.europa.eu/metadata-codelist/SpatialDataService'
        'Category/infoMapAccessService">infoMapAccessService</gmx:Anchor></gmd:keyword>\n'
    )
    thesaurus = nested(
        "gmd:thesaurusName gmd:CI_Citation",
        text("gmd:title", "GEMET - INSPIRE themes, version 1.0") + _date("publication", "2008-06-01"),
    )
    conformance = nested(
        "gmd:report gmd:DQ_DomainConsistency gmd:result gmd:DQ_ConformanceResult",
        nested(
            "gmd:specification gmd:CI_Citation",
            text("gmd:title", "Reglamento (CE) Nº 976/2009") + _date("publication", "2009-10-20"),
        )
        + text("gmd:explanation", "Ver el reglamento referenciado")
        + nested("gmd:pass gco:Boolean", "true"),
    )
    people = "".join(
        contact("gmd:pointOfContact").replace("Consejería de pruebas", who) for who in ("{organisation}", "{other}")
    )
    links = "".join(
        nested(
            "gmd:transferOptions gmd:MD_DigitalTransferOptions",
            text("gmd:unitsOfDistribution", label) + nested("gmd:onLine", online(url, protocol, label)),
        )
        for url, protocol, label in (
            ("{url}", "OGC:WMS", "Servicio WMS"),
            ("https://example.org/ficha/{id}", "WWW:LINK-1.0-http--link", "Ficha"),
            ("https://example.org/visor?capa={id}", "WWW:LINK-1.0-http--related", "Visor"),
        )
    )
    service = nested("srv:serviceType gco:LocalName", "{service}") if level == "service" else ""
    return _document(
        _head(level),
        nested(
            f"gmd:identificationInfo {identification}",
            nested(
                "gmd:citation gmd:CI_Citation",
                text("gmd:title", "{title}")
                + text("gmd:alternateTitle", "{other_title}")
                + _date("publication", "{date}")
                + _date("creation", "{stamp}"),
            )
            + text("gmd:abstract", "{abstract}")
            + text("gmd:purpose", "{purpose}")
            + people
            + nested(
                "gmd:graphicOverview gmd:MD_BrowseGraphic", text("gmd:fileName", "https://example.org/vistas/{id}.png")
            )
            + nested("gmd:descriptiveKeywords gmd:MD_Keywords", "{keywords}" + thesaurus)
            + nested("gmd:descriptiveKeywords gmd:MD_Keywords", anchor)
            + _constraint("{constraint}")
            + service
            + nested(extent, _box()),
        ),
        nested("gmd:distributionInfo gmd:MD_Distribution", links),
        nested(
            "gmd:dataQualityInfo gmd:DQ_DataQuality",
            conformance + nested("gmd:lineage gmd:LI_Lineage", text("gmd:statement", "{lineage}")),
        ),
    )


_HARVESTED = _harvested()
_EDITED_SERVICE = _edited("service", "srv:SV_ServiceIdentification", "srv:extent")
_EDITED_DATASET = _edited("dataset", "gmd:MD_DataIdentification", "gmd:extent")
_KEYWORD = "<gmd:keyword>\n  <gco:CharacterString>{}</gco:CharacterString>\n</gmd:keyword>\n"


def _values(seed: int, chance: random.Random) -> Dict[str, object]:
    drawn = some_words(chance, 220)
    west, south, east, north = some_box(chance)
    year = min(2025, 1995 + int(30 * chance.random() ** 0.6))
    themes: Sequence[str] = ["WMS", *drawn[: chance.randint(3, 9)], "humanInteractionService"]
    number = chance.randint(40, 160)
    return {
        "id": hashlib.sha1(str(seed).encode(), usedforsecurity=False).hexdigest(),
        "title": f"{' '.join(drawn[10 : 10 + chance.randint(2, 8)]).capitalize()}, {year}",
        "other_title": " ".join(drawn[20:23]),
        "purpose": " ".join(drawn[23:40]),
        "lineage": " ".join(drawn[190:215]),
        "abstract": f"Servicio de mapas de la red de información: {' '.join(drawn[30 : 30 + number])}.",
        "keywords": "".join(_KEYWORD.format(theme) for theme in themes),
        "organisation": chance.choices(ORGANISATIONS, cum_weights=_ORGANISATION_WEIGHTS)[0],
        "other": chance.choice(ORGANISATIONS),
        "constraint": chance.choices(CONSTRAINTS, cum_weights=_CONSTRAINT_WEIGHTS)[0],
        "service": chance.choice(SERVICES),
        "fees": "Gratuito" if chance.random() < 0.8 else "Consultar tarifas",
        "url": f"https://maps{seed % 40}.example.org/medioambiente/mapwms/NODE_{drawn[0]}_{seed}?",
        "date": f"{year}-{chance.randint(1, 12):02}-01",
        "stamp": f"{year}-{chance.randint(1, 12):02}-15",
        "west": west,
        "south": south,
        "east": east,
        "north": north,
    }


def record(seed: int) -> bytes:
    """One record."""
    chance = random.Random(seed)
    luck = chance.random()
    template = _HARVESTED if luck < 0.66 else _EDITED_SERVICE if luck < 0.85 else _EDITED_DATASET
    return template.format_map(_values(seed, chance)).encode("utf-8")


def records(count: int, first: int = 0) -> Iterator[bytes]:
    """``count`` different records, the same ones every time."""
    return (record(seed) for seed in range(first, first + count))
