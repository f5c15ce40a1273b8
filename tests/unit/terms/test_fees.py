"""Wordings of fees: those that mean free of charge, and those that only look like it."""

import pytest

from plugin.core.terms.model import Decision
from plugin.core.terms.reading import read_text
from plugin.core.terms.verdict import reach_verdict


@pytest.mark.parametrize("fees", [
    "Gratuito", "gratuita", "GRATUITO.", "none", "None", "NONE", "ninguno", "Ninguna", "sin coste", "Sin coste alguno",
    "sin cargo",
    "free", "Free of charge", "no fees", "No fees", "no charge", "0", "0 €", "0,00 EUR", "€ 0", "kostenlos",
    "gebührenfrei", "gratuit",
    "Gratis", "aucun", "aucuns frais", "geen kosten", "sense cost", "senza costi", "sem custos", "Servicio gratuito",
    "libre y gratuito", "Uso gratuito para todos los usuarios", "No tiene coste", "Fees: none", "exento de tasas",
    "Gratuito siempre que se cite la fuente", "free of charge, provided the source is credited",
])
def test_words_that_say_free_are_read(fees):
    assert reach_verdict(read_text(fees, True).evidence).free is Decision.YES


@pytest.mark.parametrize("fees", [
    "", "no gratuito", "No es gratuito", "not free", "not free of charge", "no siempre gratuito", "no es sin coste",
    "gratuito excepto uso comercial", "gratuito salvo descarga masiva", "Gratuito para uso no comercial",
    "free for research",
    "free for non-commercial use", "gratuito hasta 100 peticiones", "free trial",
    "gratuito siempre que no sea comercial",
    "50 €", "10", "100", "1.0", "0 €/km hasta 5 km", "0.50 €", "licences", "conditions unknown",
    "Consultar",
    "None of the data is free", "Not Specified", "geldleistungspflichtig", "de pago", "libre", "freedom",
    "El servicio no es del todo gratuito",
    "cas courant 9.5€/feuille pour les commandes volumineuses", "ninguno de los productos es gratuito",
    "gratuito y 5 € de gastos",
])
def test_everything_else_is_not_free(fees):
    assert reach_verdict(read_text(fees, True).evidence).free is not Decision.YES


@pytest.mark.parametrize(("text", "expected"), [
    ("Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores", Decision.YES),
    ("Free and gratuitous use provided authors and owners are credited", Decision.YES),
    ("Usage gratuit pour tous", Decision.YES),
    ("El servicio no es gratuito", Decision.NO),
    ("Die Nutzung ist gebührenpflichtig nach der Gebührenordnung für das amtliche Vermessungswesen.", Decision.NO),
    ("Die Nutzung ist gebührenpflichtig nach der Gebührenordnung.", Decision.NO),
    ("Gebührenpflichtig für gewerbliche Nutzer", Decision.UNDECIDED),
    ("Gebührenfrei für amtliche Zwecke", Decision.UNDECIDED),
    ("Uso gratuito solo para fines docentes", Decision.UNDECIDED),
    ("gratuito siempre que no sea con fines comerciales", Decision.UNDECIDED),
    ("Free of charge for non-commercial purposes", Decision.UNDECIDED),
    ("The data may be used freely", Decision.UNDECIDED),
    ("Uso libre", Decision.UNDECIDED),
    ("", Decision.UNDECIDED),
])
def test_prose_says_free_or_takes_it_back_or_says_nothing(text, expected):
    assert reach_verdict(read_text(text).evidence).free is expected
