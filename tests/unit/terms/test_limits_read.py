"""Limits read from sentences that no word table was made for: each formula in three languages, and what is no limit."""

from __future__ import annotations

import pytest

from plugin.core.terms import Decision
from plugin.core.terms.model import LimitKind
from plugin.core.terms.reading import limits_of, read_text
from plugin.core.terms.verdict import reach_verdict

LIMITS = {
    # something is not meant for a purpose
    LimitKind.OTHER: ("Not intended for flood insurance assessments.", "No debe usarse para trazar lindes.",
                      "Nicht zur Vermessung von Grenzen geeignet.", "Ne convient pas au calcul de surfaces agricoles."),
    LimitKind.PERMISSION_REQUIRED: ("© 2031 Atlas House. All rights reserved.", "© Atlas, tous droits réservés",
                                    "© Kartenhaus – alle Rechte vorbehalten", "Todos los derechos reservados a Atlas"),
    LimitKind.GROUP: ("Access is restricted to members of the council.", "Accesso riservato ai dipendenti comunali",
                      "Acceso reservado a los alumnos de la escuela"),
    LimitKind.PERSONAL_USE: ("Solely for private, non-commercial purposes", "Doar în scop privat și necomercial",
                             "Kun til personlig og ikke-kommerciel anvendelse"),
    LimitKind.NON_COMMERCIAL: ("Map sheets may not be sold.", "Queda prohibida la venta de las hojas.",
                               "La vendita dei fogli è vietata."),
    LimitKind.SHARE_ALIKE: ("Derived maps must be published under the same licence.",
                            "Las obras derivadas se publicarán con idéntica licencia.",
                            "Toute carte dérivée est publiée sous la même licence."),
}
FEES = {
    # what is said of one is denied of another, excepted, or has a price for some
    LimitKind.PRICE: ("The hills are free of charge; the harbours are not.",
                      "Der Plan ist kostenlos, das Luftbild nicht.",
                      "Le plan est gratuit, sauf les tirages.", "El plano es gratuito, menos las copias.",
                      "Il piano è gratuito, i rilievi sono a pagamento.", "Es werden Gebühren erhoben.",
                      "Se aplican tasas.", "Des frais s'appliquent.", "Citizens get it free of charge, companies pay."),
    # free of charge up to a number, within a place, or after something
    LimitKind.OTHER: ("Free of charge within the county", "Gratuito en el ámbito de la comarca",
                      "Kostenfrei innerhalb des Landkreises", "Free of charge up to 50 sheets per day",
                      "Gratuit après inscription", "Kostenlos nach Registrierung", "Gratuito previo registro"),
}
NO_LIMIT = ("No registration is needed.", "Eine Registrierung ist nicht erforderlich.", "No hace falta registrarse.",
            "The maps may be sold and published.", "Die Karten dürfen verkauft und veröffentlicht werden.",
            "Se permite la venta y la publicación.", "Suitable for navigation", "Apto para la navegación costera",
            "Für die Navigation geeignet", "No permission is needed.", "Una carta costera", "Viewing costs nothing.")


@pytest.mark.parametrize("kind, text", [(kind, text) for kind, texts in LIMITS.items() for text in texts])
def test_a_limit_is_read_from_a_text_about_use(kind, text):
    assert kind in {limit.kind for limit in limits_of(read_text(text).evidence)}


@pytest.mark.parametrize("kind, text", [(kind, text) for kind, texts in FEES.items() for text in texts])
def test_a_limit_is_read_from_a_text_about_fees_and_nothing_is_free(kind, text):
    evidence = read_text(text, True).evidence
    assert kind in {limit.kind for limit in limits_of(evidence)} and reach_verdict(evidence).free is not Decision.YES


@pytest.mark.parametrize("text", NO_LIMIT)
def test_what_is_allowed_or_needless_is_no_limit(text):
    assert limits_of(read_text(text).evidence) == ()
    assert reach_verdict(read_text(text, True).evidence).free is not Decision.NO


def test_neither_nor_denies_a_price():
    for text in ("Weder für Ansicht noch für Abruf werden Gebühren erhoben.",
                 "Neither viewing nor printing is charged.", "Ni la consultation ni l'impression ne sont facturées."):
        evidence = read_text(text, True).evidence
        assert reach_verdict(evidence).free is not Decision.NO
        assert LimitKind.PRICE not in {limit.kind for limit in limits_of(evidence)}
