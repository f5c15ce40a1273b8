"""Phrases printed on the map, in the map's language, whatever the language of QGIS is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict

from ..runtime.i18n import user_locale

if TYPE_CHECKING:
    from datetime import date

#: languages of the map's phrases (ISO 639-1), each with its own name
MAP_LANGUAGES = {"en": "English", "es": "Español"}
_PHRASES: Dict[str, Dict[str, str]] = {
    "es": {
        "legend": "Leyenda", "location": "Situación", "credits": "Créditos", "terms": "Condiciones de uso",
        "sources": "Fuentes", "scale": "Escala {ratio}",
        "scale_across": "Escala {ratio} (en horizontal)", "bar_across": "Escala válida en horizontal",
        "bar_parallel": "Escala válida en {parallel}",
        "grid": "Cuadrícula {name} cada {step}, valores en km",
        "reference": "Sistema de referencia: {name} ({code}).", "north": "La flecha señala el norte geográfico.",
        "graticule": "Marcas superiores y derechas: longitud y latitud.", "source": "{title}:\n{address}",
        "consulted": "Fuentes, consultadas el {date}", "colophon": "Compuesto con Cartoguide el {date}",
        "west": "O", "east": "E", "north_letter": "N", "south": "S", "free": "Gratuito",
        "not_free": "No es gratuito", "no_credit": "Sin obligación de crédito",
        "original_terms": "Texto original: «{text}»", "more_terms": "Otras condiciones en el texto original: «{text}»",
        "stored_terms": "Las condiciones guardadas en la instantánea del {date} son otras: vale el crédito más "
                        "estricto.",
        "unknown": "Condiciones no indicadas en su registro", "incomplete": "MAPA INCOMPLETO: no apto para su difusión",
        "abstract": "Descripción", "facts": "Ficha técnica", "service": "Servicio", "organisation": "Organismo",
        "contact": "Contacto", "layers": "Capas", "system": "Sistema de referencia",
        "scales": "Escalas", "extent": "Extensión", "fees": "Tarifas",
        "credit_required": "Crédito obligatorio", "yes": "Sí", "no": "No",
        "undecided": "No consta", "any_scale": "Todas", "from_scale": "desde {scale}", "to_scale": "hasta {scale}",
        "decimal": ",", "and": " y ", "overflow_note": "{what}: página {page}",
        "page_number": "Página {number} de {count}", "frame_number": "{number} de {count}",
        "continued": "(continuación)", "sheet_number": "Hoja {number} de {count}",
        "adjoining_sheet": "{name}, hoja {number}", "sheet_overview": "Distribución de hojas",
        "sheets": "Hojas", "sheet_title": "hoja {number} ({name})",
        "name_index": "Índice de nombres", "names_from": "Nombres: {credits}",
        "alt_map": "Mapa: {title}. Escala {scale}.", "alt_layers": "Muestra: {layers}.",
        "alt_extent": "De {west} a {east} grados de longitud y de {south} a {north} grados de latitud.",
        "alt_credits": "Créditos: {credits}.", "alt_location": "Mapa de situación: {title}.",
        "alt_cover": "Portada: detalle del mapa {title}.",
        "alt_scale_bar": "Escala gráfica en {unit}.", "alt_logo": "Logotipo {number}.",
        "alt_named_logo": "Logotipo: {name}.",
        "mgrs": "MGRS: {squares}. Las dos últimas cifras de cada valor en km comienzan la referencia.",
        "magnetic_north": "El {date} el norte magnético queda a {declination} del norte geográfico ({model}; {change} "
                          "al año) y a {grid} del norte de la cuadrícula.",
        "maximum_days": "Máximo de {count} días", "maximum_maps": "Máximo de {count} mapas",
        "more_maps": "{count} mapas más no caben en esta página: {first} a {last}",
        "class_shares": "Parte de la superficie en cada clase",
        "computed_days": "Calculado con los colores de los {count} mapas diarios y de la leyenda",
        "computed_maps": "Calculado con los colores de los {count} mapas y de la leyenda",
        "class_shares_short": "Superficie por clase",
        "computed_short": "Según los colores de los {count} mapas",
        "alt_maximum": "Mapa de la clase más alta de los {count} mapas en serie en cada lugar, calculado con sus "
                       "imágenes.",
        "alt_chart": "Gráfico de la parte de la superficie en cada clase, para cada mapa de la serie. La mayor es la "
                     "de {moment}: {percent} %.",
        "visitor_text": "La visita", "directions": "Cómo llegar", "opening_hours": "Horario",
        "emergency_numbers": "Emergencias", "table": "Senderos y equipamientos", "table_data": "Datos: {credits}",
        "table_hint": "Los números son los del mapa.", "table_pointer": "{numbers}: véase la tabla al dorso",
        "current_time": "Lo más reciente del servicio",
        "other_features": "Otros elementos", "own_features": "Tema del mapa",
        "no_rain_or_data": "Sin lluvia o sin datos",
        "no_rain_uncoloured": "Sin color: sin lluvia o sin datos",
    }, "en": {
        "legend": "Legend", "location": "Location", "credits": "Credits", "terms": "Terms of use", "sources": "Sources",
        "scale": "Scale {ratio}", "scale_across": "Scale {ratio} (horizontally)",
        "bar_across": "Scale true horizontally", "bar_parallel": "Scale true along {parallel}",
        "grid": "{name} grid every {step}, values in km",
        "reference": "Reference system: {name} ({code}).", "north": "The arrow points to true north.",
        "graticule": "Upper and right ticks: longitude and latitude.", "source": "{title}:\n{address}",
        "consulted": "Sources, accessed {date}", "colophon": "Made with Cartoguide on {date}",
        "west": "W", "east": "E", "north_letter": "N", "south": "S", "free": "Free of charge",
        "not_free": "Not free of charge", "no_credit": "No credit required",
        "original_terms": "Original text: “{text}”", "more_terms": "Further conditions in the original text: “{text}”",
        "stored_terms": "Terms as stored in the snapshot of {date} differ: the stricter credit counts.",
        "unknown": "Terms not stated in its record", "incomplete": "INCOMPLETE MAP: not for distribution",
        "abstract": "Description", "facts": "Technical sheet", "service": "Service", "organisation": "Organisation",
        "contact": "Contact", "layers": "Layers", "system": "Reference system",
        "scales": "Scales", "extent": "Extent", "fees": "Fees",
        "credit_required": "Credit required", "yes": "Yes", "no": "No", "undecided": "Not stated",
        "any_scale": "All", "from_scale": "from {scale}", "to_scale": "to {scale}", "decimal": ".", "and": " and ",
        "overflow_note": "{what}: page {page}", "continued": "(continued)", "page_number": "Page {number} of {count}",
        "frame_number": "{number} of {count}",
        "sheet_number": "Sheet {number} of {count}", "adjoining_sheet": "{name}, sheet {number}",
        "sheet_overview": "Sheet overview", "sheets": "Sheets", "sheet_title": "sheet {number} ({name})",
        "name_index": "Index of names", "names_from": "Names: {credits}",
        "alt_map": "Map: {title}. Scale {scale}.", "alt_layers": "It shows: {layers}.",
        "alt_extent": "From {west} to {east} degrees of longitude and {south} to {north} degrees of latitude.",
        "alt_credits": "Credits: {credits}.", "alt_location": "Location map: {title}.",
        "alt_cover": "Cover: detail of the map {title}.",
        "alt_scale_bar": "Scale bar in {unit}.", "alt_logo": "Logo {number}.",
        "alt_named_logo": "Logo: {name}.",
        "mgrs": "MGRS: {squares}. The last two figures of each value in km begin a reference.",
        "magnetic_north": "On {date} magnetic north lies {declination} of true north ({model}; {change} a year) and "
                          "{grid} of grid north.",
        "maximum_days": "Maximum of {count} days", "maximum_maps": "Maximum of {count} maps",
        "more_maps": "{count} more maps have no room on this page: {first} to {last}",
        "class_shares": "Share of the area in each class",
        "computed_days": "Computed from the colours of the {count} daily maps and the legend",
        "computed_maps": "Computed from the colours of the {count} maps and the legend",
        "class_shares_short": "Area in each class",
        "computed_short": "From the colours of the {count} maps",
        "alt_maximum": "Map of the highest class of the {count} small maps at each place, computed from their images.",
        "alt_chart": "Chart of the share of the area in each class, for each small map. The largest is that of "
                     "{moment}: {percent} %.",
        "visitor_text": "Your visit", "directions": "How to get there", "opening_hours": "Opening hours",
        "emergency_numbers": "Emergency numbers", "table": "Trails and facilities", "table_data": "Data: {credits}",
        "table_hint": "The numbers are those on the map.", "table_pointer": "{numbers}: see table overleaf",
        "no_rain_or_data": "No rain, or no data", "other_features": "Other features",
        "own_features": "Subject of the map",
        "no_rain_uncoloured": "No colour: no rain, or no data",
        "current_time": "The service’s most recent",
    },
}
#: what marks a text in another language than the map's, by the map's language and the text's (ISO 639-1)
_LANGUAGE_MARKS = {
    "es": {"en": "(en inglés)", "ca": "(en catalán)", "gl": "(en gallego)", "eu": "(en euskera)", "fr": "(en francés)",
           "pt": "(en portugués)", "de": "(en alemán)", "it": "(en italiano)", "nl": "(en neerlandés)"},
    "en": {"es": "(in Spanish)", "ca": "(in Catalan)", "gl": "(in Galician)", "eu": "(in Basque)", "fr": "(in French)",
           "pt": "(in Portuguese)", "de": "(in German)", "it": "(in Italian)", "nl": "(in Dutch)"},
}
_MONTHS = {
    "es": ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
           "noviembre", "diciembre"),
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
}

_WEEKDAYS = {"es": ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
             "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")}


def map_language(language: str) -> str:
    """Return the language of the map's phrases: ``language`` if there are phrases in it, else English."""
    # the package of records loads lxml, which QGIS's start does without
    from ...core.records.model.languages import alpha3

    code = alpha3(language)
    return next((short for short in MAP_LANGUAGES if alpha3(short) == code), "en")


def default_map_language() -> str:
    """Return the language of a new map: QGIS's own if the map's phrases have it, else English."""
    return map_language(user_locale())


def map_phrase(language: str, key: str, **values: object) -> str:
    """Return the map's phrase for ``key``, with its placeholders filled from ``values``."""
    text = _PHRASES[map_language(language)][key]
    return text.format(**values) if values else text


def language_mark(language: str, other: str) -> str:
    """Return the mark of a text in the language ``other`` on a map in ``language``: "(in Spanish)", "" without one."""
    return _LANGUAGE_MARKS[map_language(language)].get(other, "")


def long_date(language: str, day: date) -> str:
    """Return ``day`` written out: 20 de noviembre de 2026, 20 November 2026."""
    short = map_language(language)
    month = _MONTHS[short][day.month - 1]
    return f"{day.day} de {month} de {day.year}" if short == "es" else f"{day.day} {month} {day.year}"


def short_date(language: str, day: date, year: bool = True) -> str:
    """Return ``day`` for the heading of a small map: 1 jun 2016 (es), 1 Jun 2016 (en)."""
    month = _MONTHS[map_language(language)][day.month - 1]
    # the Spanish abbreviation of septiembre is sept
    short = month[:4] if month.lower().startswith("sept") else month[:3]
    return f"{day.day} {short} {day.year}" if year else f"{day.day} {short}"


def moment_text(language: str, moment: str) -> str:
    """Return a value of TIME (ISO 8601) written out as precisely as it is given: junio de 2016, 1 June 2016, 06:00 UTC.

    Any other value is returned as written, "current" as a phrase.
    """
    # QGIS imports the languages above when it starts
    from datetime import timedelta

    from ...core.wms.dimensions.iso8601 import parse_time

    parsed = parse_time(moment)
    if parsed is None:
        return map_phrase(language, "current_time") if moment.lower() == "current" else moment
    instant, period = parsed
    short = map_language(language)
    if period.months == 12:
        return str(instant.year)
    if period.months:
        return f"{_MONTHS[short][instant.month - 1]} {'de ' if short == 'es' else ''}{instant.year}"
    day = long_date(language, instant.date())
    if period.duration >= timedelta(days=1):
        return day
    return f"{day}, {instant:%H:%M:%S} UTC" if instant.second else f"{day}, {instant:%H:%M} UTC"


def weekday(language: str, day: date) -> str:
    """Return the abbreviated weekday of ``day``: mié (es), Wed (en)."""
    return _WEEKDAYS[map_language(language)][day.weekday()]


def crs_name(language: str, description: str) -> str:
    """Return a CRS's name in the language's usage: ETRS89 / UTM huso 30N in Spanish (Real Decreto 1071/2007)."""
    return description.replace("UTM zone ", "UTM huso ") if map_language(language) == "es" else description
