"""Fills the mapfile templates: one mapfile for each endpoint, for this server's address and node."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import threading
from pathlib import Path
from typing import Dict, List, Match, NamedTuple

from netparts.kinds import KINDS

HERE = Path(__file__).resolve().parent
MAPS = HERE.parent / "maps"
SYMBOLS = HERE.parent / "symbols"

ORGANISATION = "Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía"
EMAIL = "red.ambiental@example.org"
DATASET_ID = "5b0c1f6e-7d2a-4c39-9a51-2f0e8d3b6a74"
"""The dataset record that the layers' MetadataURL leads to."""

FONTS = {
    "sans": "Open Sans",
    "sans-bold": "Open Sans:bold",
    "sans-semibold": "Open Sans:semibold",
    "sans-italic": "Open Sans:italic",
    "sans-condensed": "DejaVu Sans Condensed",
    "serif-italic": "Liberation Serif:italic",
}
"""Debian: fonts-open-sans, fonts-dejavu-core, fonts-dejavu-extra, fonts-liberation2. Others are taken if these lack."""

PAGE_END = "/formatters/xsl-view?root=div&view=advanced"
"""How the family's addresses of a record's page go on after the identifier."""

RESOLUTION = 96.0
"""What the mapfiles' sizes are meant for, dpi."""

RAIN = [
    ("0.1", "1", "0,1 – 1", "#e3f2e8"),
    ("1", "2", "1 – 2", "#c5e6d3"),
    ("2", "5", "2 – 5", "#9fd6cd"),
    ("5", "10", "5 – 10", "#6fbfd0"),
    ("10", "15", "10 – 15", "#4a9fce"),
    ("15", "20", "15 – 20", "#3579b9"),
    ("20", "30", "20 – 30", "#35549f"),
    ("30", "40", "30 – 40", "#4c3a8c"),
    ("40", "60", "40 – 60", "#76348e"),
    ("60", "200", "> 60", "#a8327f"),
]
"""From, up to (mm), label, colour."""

ENGLISH = {
    "relieve": "Relief and land cover",
    "nucleos_urbanos": "Towns and villages",
    "hidrografia": "Rivers and streams",
    "limite_parque": "Boundary of the nature park",
    "pistas_caminos": "Tracks and paths",
    "carreteras": "Roads",
    "senderos": "Marked trails",
}
"""Titles of the guide's layers in its second language. The others have none."""

ENGLISH_TITLES = {"guide": "WMS Guide map of Despeñaperros Nature Park, 2014"}
"""Titles of services that list English, by key."""

RAIN_SCALE = 3.0
"""netparts.rain.SCALE, repeated because the server runs without numpy."""


class Endpoint(NamedTuple):
    """One service: ``key`` names it in Network.endpoints, ``suffix`` follows the node in its path.

    ``title`` is the capabilities', ``record_title`` the catalogue's.
    """

    key: str
    suffix: str
    title: str
    record_title: str
    abstract: str
    keywords: str
    key_size: str


ENDPOINTS: List[Endpoint] = [
    Endpoint(
        "precipitation",
        "precipitacion_total_diaria_junio_2016",
        "WMS Precipitación total diaria en Andalucía, junio de 2016",
        "Precipitación total diaria. Junio de 2016",
        "Servicio WMS con las superficies de precipitación total diaria (de 0 a 24 h) de junio de 2016, obtenidas por "
        "interpolación según la inversa de la distancia a partir de las estaciones meteorológicas automáticas. "
        "Datos simulados de la red de pruebas.",
        "WMS, Andalucía, Red de Información Ambiental, precipitación atmosférica, cambio climático, lluvia",
        "26 16",
    ),
    Endpoint(
        "guide",
        "mapa_guia_pn_despenaperros_2014",
        "WMS Mapa guía del Parque Natural Despeñaperros, 2014",
        "Mapa guía del Parque Natural Despeñaperros. 2014",
        "Servicio WMS con la base cartográfica del mapa guía del Parque Natural Despeñaperros (2014), parte del mapa "
        "base de los espacios naturales protegidos. Puede combinarse con el servicio de equipamientos de uso público "
        "para componer mapas a medida. Datos simulados de la red de pruebas.",
        "WMS, Andalucía, Red de Información Ambiental, cartografía, guía, uso público",
        "30 16",
    ),
    Endpoint(
        "facilities",
        "equipamientos_uso_publico",
        "WMS Equipamientos de uso público de los espacios naturales de Andalucía",
        "Equipamientos de uso público de Andalucía",
        "Servicio WMS con los equipamientos de uso público de los espacios naturales protegidos: centros de "
        "visitantes, miradores, áreas recreativas, senderos y otros. Datos simulados de la red de pruebas.",
        "WMS, Andalucía, Red de Información Ambiental, uso público, equipamientos, espacios naturales protegidos",
        "26 26",
    ),
]


def endpoint_path(node: str, suffix: str) -> str:
    """The path of an endpoint on its host."""
    return f"/medioambiente/mapwms/{node}_{suffix}"


def record_id(path: str) -> str:
    """A service record's identifier: the SHA-1 of its endpoint's path, 40 hexadecimal digits."""
    return hashlib.sha1(path.encode("utf-8")).hexdigest()


class MapfileMaker:
    """Writes mapfiles, fonts and symbols into ``work`` for data in ``data``."""

    def __init__(self, work: Path, data: Path, url: str, node: str, max_size: int) -> None:
        self.work, self.data, self.url, self.node, self.max_size = work, data, url, node, max_size

    def write(self) -> Dict[str, Path]:
        """Write everything; return the mapfile of each endpoint path."""
        self._fonts()
        self._symbols()
        (self.work / "mapserver.conf").write_text(
            'CONFIG\n  ENV\n    MS_MAP_PATTERN "^/.*\\.map$"\n  END\n  MAPS\n  END\nEND\n'
        )
        return {endpoint_path(self.node, e.suffix): self._mapfile(e) for e in ENDPOINTS}

    def legend_variant(self, mapfile: Path, resolution: float) -> Path:
        """The mapfile with legend keys as large as ``resolution`` (dpi) asks: MapServer 8 scales all but these."""
        factor = min(max(resolution, 24.0), 1200.0) / RESOLUTION
        target = mapfile.with_name(f"{mapfile.stem}-legend-{round(factor * 100)}.map")
        if not target.exists():

            def scaled(match: Match[str]) -> str:
                return " ".join(
                    [match[1], *(str(max(5, round(float(number) * factor))) for number in match[2].split())]
                )

            text = re.sub(r"(KEYSIZE|KEYSPACING) ([\d ]+)", scaled, mapfile.read_text("utf-8"))
            part = target.with_name(f"{target.name}.{threading.get_ident()}")
            part.write_text(text, "utf-8")
            os.replace(part, target)
        return target

    def _mapfile(self, endpoint: Endpoint) -> Path:
        text = (
            (MAPS / f"{endpoint.key}.map")
            .read_text("utf-8")
            .replace("@@HEAD@@", (MAPS / "head.inc").read_text("utf-8"))
        )
        if endpoint.key == "facilities":
            text = text.replace("@@SYMBOLS@@", self._symbol_blocks()).replace("@@LAYERS@@", self._facility_layers())
        if endpoint.key == "precipitation":
            text = text.replace("@@LAYERS@@", self._day_layers())
        text = text.replace("@@RELIEF_CLASSES@@", _relief_classes()).replace("@@WATER_LABEL@@", WATER_LABEL)
        text = re.sub(r"@@META ([^|@]*)\|([^|@]*)\|([^|@]*)\|([01])@@", lambda m: self._metadata(*m.groups()), text)
        text = re.sub(r"@@ROAD_LABEL ([^|@]*)\|([^|@]*)@@", lambda m: _road_label(*m.groups()), text)
        path = endpoint_path(self.node, endpoint.suffix)
        width, height = endpoint.key_size.split()
        values = {
            "WORK": str(self.work),
            "DATA": str(self.data),
            "MAPS": str(MAPS),
            "URL": self.url,
            "NODE": self.node,
            "MAX_SIZE": str(self.max_size),
            "ENDPOINT": f"{self.url}{path}?",
            "TITLE": endpoint.title,
            "LANGUAGES": "spa,eng" if endpoint.key in ENGLISH_TITLES else "spa",
            "TITLE_ENGLISH": ENGLISH_TITLES.get(endpoint.key, endpoint.title),
            "ABSTRACT": endpoint.abstract,
            "KEYWORDS": endpoint.keywords,
            "ORGANISATION": ORGANISATION,
            "EMAIL": EMAIL,
            "RECORD": record_id(path),
            "KEY_WIDTH": width,
            "KEY_HEIGHT": height,
        }
        for name, value in values.items():
            text = text.replace(f"@@{name}@@", value)
        target = self.work / f"{endpoint.key}.map"
        target.write_text(text, "utf-8")
        return target

    def _metadata(self, name: str, title: str, abstract: str, opaque: str) -> str:
        page = f"{self.url}/geonetwork/srv/spa/catalog.search#/metadata/{DATASET_ID}{PAGE_END}"
        english = f'      "ows_title.eng" "{ENGLISH[name]}"\n' if name in ENGLISH else ""
        return f"""    METADATA
      "ows_title" "{title}"
{english}      "ows_abstract" "{abstract}"
      "ows_srs" "EPSG:3042"
      "wms_opaque" "{opaque}"
      "wms_extent" "{EXTENTS.get(name, EXTENTS[""]) if name in GUIDE_LAYERS else REGION_EXTENT}"
      "ows_metadataurl_href" "{page}"
      "ows_metadataurl_format" "text/xml"
      "ows_metadataurl_type" "ISO19115:2003"
      "ows_include_items" "all"
      "gml_include_items" "all"
    END"""

    def _facility_layers(self) -> str:
        template = (MAPS / "facility.layer").read_text("utf-8")
        blocks = []
        for kind in KINDS:
            blocks.append(
                template.replace("@@LAYER@@", kind.layer)
                .replace("@@LAYER_TITLE@@", kind.title)
                .replace("@@LAYER_LOWER@@", kind.title[0].lower() + kind.title[1:])
                .replace("@@SYMBOL@@", kind.symbol)
            )
        return "\n".join(blocks)

    def _day_layers(self) -> str:
        template = (MAPS / "day.layer").read_text("utf-8").replace("@@RAIN_CLASSES@@", _rain_classes())
        return "\n".join(
            template.replace("@@DAY@@", f"{day:02d}").replace("@@DAY_NUMBER@@", str(day)) for day in range(1, 31)
        )

    def _symbol_blocks(self) -> str:
        return "\n".join(
            f'  SYMBOL NAME "{kind.symbol}" TYPE SVG IMAGE "{self.work}/{kind.symbol}.svg" END' for kind in KINDS
        )

    def _symbols(self) -> None:
        for kind in KINDS:
            drawing = (SYMBOLS / f"{kind.symbol}.svg").read_text("utf-8").replace("#123456", kind.colour)
            (self.work / f"{kind.symbol}.svg").write_text(drawing, "utf-8")

    def _fonts(self) -> None:
        lines = []
        for alias, pattern in FONTS.items():
            found = subprocess.run(["fc-match", "-f", "%{file}", pattern], capture_output=True, text=True, check=True)
            lines.append(f"{alias} {found.stdout.strip()}")
        (self.work / "fonts.txt").write_text("\n".join(lines) + "\n")


REGION_EXTENT = "100000 3975000 622000 4290000"
GUIDE_LAYERS = {
    "relieve",
    "exterior_parque",
    "curvas_nivel",
    "nucleos_urbanos",
    "hidrografia",
    "limite_parque",
    "ferrocarril",
    "pistas_caminos",
    "carreteras",
    "senderos",
    "toponimia",
}
EXTENTS = {"": "442000 4236500 468000 4260500"}

WATER_LABEL = """LABEL TYPE TRUETYPE FONT "serif-italic" SIZE 11.5 MINSIZE 11 MAXSIZE 14 COLOR 44 100 150
        OUTLINECOLOR 246 250 250 OUTLINEWIDTH 2.4
        ANGLE FOLLOW MAXSCALEDENOM 110000 REPEATDISTANCE 900 MINFEATURESIZE 90 PRIORITY 5 BUFFER 3 OFFSET 0 7
        PARTIALS FALSE END"""


def _road_label(fill: str, ink: str) -> str:
    return f"""LABEL TYPE TRUETYPE FONT "sans-semibold" SIZE 8.5 MINSIZE 8 MAXSIZE 9.5 COLOR {ink} ANGLE 0
        MAXSCALEDENOM 140000 REPEATDISTANCE 620
        MINFEATURESIZE 60 PRIORITY 6 BUFFER 4 PARTIALS FALSE
        STYLE GEOMTRANSFORM "labelpoly" COLOR {fill} OUTLINECOLOR 255 255 255 OUTLINEWIDTH 1 END
      END"""


def _relief_classes() -> str:
    from netparts.legend import RELIEF_LEGEND

    return "\n".join(
        f'    CLASS NAME "{label}" STYLE COLOR "{colour}" OUTLINECOLOR 150 150 140 WIDTH 0.5 END END'
        for label, colour in RELIEF_LEGEND
    )


def _rain_classes() -> str:
    blocks = []
    for low, high, label, colour in RAIN:
        a, b = float(low) * RAIN_SCALE, float(high) * RAIN_SCALE
        blocks.append(
            f'    CLASS NAME "{label} mm" EXPRESSION ([pixel] >= {a:g} AND [pixel] < {b:g}) '
            f'STYLE COLOR "{colour}" END END'
        )
    return "\n".join(blocks)
