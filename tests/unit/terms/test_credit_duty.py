"""Wordings of a duty to credit in the languages of the records: required, expressly not required, or neither."""

import time

import pytest

from plugin.core.terms.model import Decision
from plugin.core.terms.reading import read_text
from plugin.core.terms.verdict import reach_verdict


@pytest.mark.parametrize("text", [
    "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y"
    " propietarios de la información",
    "Uso libre y gratuito siempre que se cite a los autores", "siempre que se reconozca a los autores",
    "siempre y cuando se indique la procedencia",
    "Uso libre citando la fuente: Junta de Andalucía", "Es obligatorio citar la fuente",
    "Se deberá citar a los autores",
    "Los autores deberán ser citados", "La fuente debe citarse", "Atribución obligatoria",
    "con la condición de citar al propietario",
    "A condición de que se haga constar el origen", "obligación de mencionar a los titulares",
    "Free use provided authors and owners are credited", "provided that the source is acknowledged",
    "as long as the authors are cited",
    "Attribution required", "Proper attribution is required for any usage.", "You must credit the authors.",
    "The source must be cited.",
    "Users shall acknowledge the data provider", "Use is subject to attribution of the source",
    "may be used crediting the source",
    "Please note that the source must be cited.", "Custodian’s name must be mentioned",
    'Usage libre sous réserve des mentions obligatoires sur tout document de diffusion : "Source : DGFIP"',
    "à condition de citer la source",
    "mention obligatoire de la source", "en citant la source",
    "Quellenangabe erforderlich", "Die Quelle ist anzugeben.", "unter Angabe der Quelle",
    "Nutzung frei, sofern die Urheber genannt werden",
    "desde que seja citada a fonte", "É obrigatória a citação da fonte", "purché sia citata la fonte",
    "è obbligatorio citare la fonte",
    "siendo la única obligación absoluta la de reconocer y mencionar el origen y propiedad de los productos",
    "Prohibida su reproducción sin citar la fuente", "No se permite su uso sin mencionar a los autores",
    "No podrán difundirse sin hacer referencia a la fuente", "The data may not be used without attribution",
    "Reproduction without crediting the source is prohibited", "Reproduction interdite sans mention de la source",
    "Vervielfältigung ohne Quellenangabe ist nicht gestattet", "Reutilización autorizada con mención de la fuente",
    "Reproducción permitida con indicación de la procedencia", "Cítese como: REDIAM (2014)", "Menciónese la fuente",
    "sempre que s'esmenti la font", "citant la font", "onder vermelding van de bron",
])
def test_a_duty_to_credit_is_read(text):
    assert reach_verdict(read_text(text).evidence).credit is Decision.YES


@pytest.mark.parametrize("text", [
    "Attribution is not required", "No attribution required", "No es necesario citar la fuente",
    "sin obligación de citar la fuente",
    "No es obligatorio mencionar a los autores", "Keine Namensnennung",
    "El usuario no está obligado a citar la fuente", "No hay obligación de mencionar a los autores",
    "No existe la obligación de citar la fuente", "It is not mandatory to cite the source",
    "There is no obligation to credit the authors", "Il n'est pas nécessaire de citer la source",
    "Aucune obligation de mentionner la source", "Es besteht keine Pflicht zur Quellenangabe",
    "Die Quelle muss nicht genannt werden", "Puede usarse sin necesidad de citar la fuente",
    "The data may be used without attribution", "Puede usarse sin citar la fuente",
    "mention de la source non requise, sans obligation de citer la source",
])
def test_an_express_release_is_read(text):
    assert reach_verdict(read_text(text).evidence).credit is Decision.NO


@pytest.mark.parametrize("text", [
    "", "Datos de la Junta de Andalucía", "La fuente de los datos es REDIAM", "copyright", "may be used freely",
    "Se ruega que, siempre que sea posible, se cite la fuente",

    "Se agradece citar la fuente", "Se ruega citar la fuente", "Please credit the authors",
    "Se recomienda que se cite a los autores",
    "The authors are not liable for any damage", "Los autores no se responsabilizan",
    "Must not be attributed to the authors",
    "No deben atribuirse errores a los autores", "Debe consultarse con los autores",
    "Los usuarios deben indicar su nombre y apellidos",
    "provided as is", "siempre que sea para uso interno",
    "Attribution is not required. But the source must be cited.",
])
def test_wishes_prohibitions_and_mere_mentions_decide_nothing(text):
    assert reach_verdict(read_text(text).evidence).credit is Decision.UNDECIDED


@pytest.mark.parametrize("part", ["provided credit ", "siempre que se ", "autor ", "attribution ", "mentions ",
                                  "must be ", "a"])
def test_hostile_repetition_is_read_in_no_time(part):
    started = time.process_time()
    read_text(part * 20_000)
    assert time.process_time() - started < 10
