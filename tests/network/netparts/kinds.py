"""The kinds of public-use facility: WMS layer, label, colour and pictogram of each."""

from __future__ import annotations

from typing import List, NamedTuple


class Kind(NamedTuple):
    """``layer`` is the WMS layer's name (one is not ASCII), ``code`` the prefix of its facilities' codes."""

    layer: str
    title: str
    single: str
    code: str
    colour: str
    symbol: str
    share: int


KINDS: List[Kind] = [
    Kind("aparcamientos", "Aparcamientos", "Aparcamiento", "AP", "#2b5c9e", "parking", 14),
    Kind("fuentes", "Fuentes y puntos de agua", "Fuente", "FU", "#3a8fb0", "water", 13),
    Kind("kioscos", "Kioscos y bares", "Kiosco", "KI", "#b9802b", "cup", 6),
    Kind("alojamientos", "Albergues y casas rurales", "Albergue o casa rural", "AL", "#75508f", "bed", 9),
    Kind("refugios", "Refugios", "Refugio", "RE", "#75573d", "hut", 7),
    Kind("zonas_acampada", "Zonas de acampada", "Zona de acampada", "ZA", "#4b7a3a", "tent", 8),
    Kind("Áreas_recreativas", "Áreas recreativas", "Área recreativa", "AR", "#357a4c", "picnic", 14),
    Kind("observatorios", "Observatorios de fauna", "Observatorio de fauna", "OB", "#8a6a1f", "binoculars", 6),
    Kind("miradores", "Miradores", "Mirador", "MI", "#b5612a", "viewpoint", 14),
    Kind("inicio_senderos", "Inicio de senderos señalizados", "Inicio de sendero", "SE", "#a63a32", "hiker", 3),
    Kind("aulas_naturaleza", "Aulas de la naturaleza", "Aula de la naturaleza", "AN", "#6b8f2e", "leaf", 5),
    Kind("puntos_informacion", "Puntos de información", "Punto de información", "PI", "#1f7a7a", "info", 6),
    Kind("centros_visitantes", "Centros de visitantes", "Centro de visitantes", "CV", "#8c2f2a", "house", 1),
]
"""From the least to the most important: the last is drawn on top."""

EXTENT_ANDALUSIA = (100000.0, 3975000.0, 622000.0, 4290000.0)
"""EPSG:25830, metres: west, south, east, north."""
