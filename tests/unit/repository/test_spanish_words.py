"""One Spanish word for one thing: the catalogue and the Spanish guide use the words of i18n/GLOSSARY.md."""

from __future__ import annotations

import re
from typing import Iterator, List, Tuple
from xml.etree import ElementTree

import pytest

from tests.unit.repository.sources import ROOT

#: (the word that is not used, as a regular expression; the word of the glossary)
REPLACED = (
    (r"por (?:omisión|defecto)\b", "predeterminado, de forma predeterminada"),
    (r"servicios? en línea\b", "servicio en vivo"),
    (r"\bsin decidir\b", "sin aclarar"),
    (r"\balmac[eé]n(?:es)?\b", "biblioteca de registros"),
    (r"\bregistros que (?:usted )?guard", "registros de su biblioteca"),
    (r"\bmarcador(?:es)?\b(?! de posición)", "marcador de posición"),
    (r"\bconjuntos? de caracteres\b", "juego de caracteres"),
    (r"\bzonas?\b", "área"),
    (r"\b[áa]mbito(?! de la calidad)(?! el servicio)(?!\.$)", "extensión"),
    (r"\brótulos?\b", "etiqueta"),
    (r"\bcontactando\b|\bcontactar con\b|\bcontacta con\b", "conectar con"),
    (r"\bpide[n]? credenciales\b|\biniciar sesión\b", "exigir credenciales"),
    (r"\brangos? de escalas?\b", "intervalo de escalas"),
    (r"\binstante\b", "momento"),
    (r"\bsacar\b", "quitar"),
    (r"(?<!qgis_process )\bplugins?\b|\bextensiones de QGIS\b", "complemento"),
    (r"\bficheros?\b|\bdirectorios?\b", "archivo, carpeta"),
    (r"\brecolec|\brecolect", "cosechar"),
    (r"\bmapas? a medida\b|\bmapa propio\b", "mapa personalizado"),
    (r"\bm[uú]ltiplos pequeños\b|\bmapas pequeños\b", "mapas en serie"),
    (r"\bhallazgos?\b", "aviso"),
    (r"\borganismos?\b", "organización"),
)


def spanish_texts() -> Iterator[Tuple[str, str]]:
    """Every Spanish text that people read, with its place."""
    for message in ElementTree.parse(ROOT / "i18n" / "cartoguide_es.ts").getroot().iter("message"):
        for element in message.iter():
            if element.tag in ("translation", "numerusform") and (element.text or "").strip():
                yield message.findtext("source") or "", element.text or ""
    for page in sorted((ROOT / "resources" / "guide" / "es").glob("*.md")):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{page.name}:{number}", line


@pytest.mark.parametrize(("replaced", "word"), REPLACED, ids=[word for _, word in REPLACED])
def test_one_word_for_one_thing(replaced, word):
    wrong = re.compile(replaced, re.IGNORECASE)
    found: List[str] = [f"{place}: {match.group()!r} in {text!r}, write {word!r}" for place, text in spanish_texts()
                        for match in [wrong.search(text)] if match]
    assert found == []


def test_the_table_finds_what_it_is_for():
    assert re.search(REPLACED[1][0], "el servicio en línea") and not re.search(REPLACED[5][0], "marcador de posición")
    assert sum(1 for _ in spanish_texts()) > 2000
