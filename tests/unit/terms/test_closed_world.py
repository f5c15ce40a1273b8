"""Properties of the closed-world reading: what is not understood never leads to a claim, and the time is linear."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.records.model.record import Constraint, ConstraintGroup, Record
from plugin.core.terms import Decision, TermsSettings, terms_for
from plugin.core.terms.labels import limit_label
from plugin.core.terms.lexicon import lexicons
from plugin.core.terms.licences import licence_table
from plugin.core.terms.model import LimitKind
from plugin.core.terms.reading import limits_of, read_text
from plugin.core.terms.verdict import reach_verdict
from tests.examples import examples
from tests.pairwise import some

FREE = ["Free of charge", "The service is free of charge for any purpose.", "Gratuito", "Uso libre y gratuito",
        "Die Nutzung ist kostenfrei.", "Usage gratuit pour tous", "Uso gratuito per tutti", "Utilização gratuita",
        "Gratis voor iedereen", "Ús gratuït per a tothom", "Gratis for alle", "Tjänsten är gratis för alla",
        "Palvelu on maksuton", "Usługa jest bezpłatna dla wszystkich", "Služba je zdarma pro všechny",
        "Free of charge, provided the source is cited.", "Gratuito siempre que se cite la fuente",
        "Kostenlos, sofern die Quelle genannt wird", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"]
NOT_FREE = ["Uso libre", "Kostenpflichtig", "130,00 €", "Free of charge for authorities", "Consultar",
            "Licence fees apply",
            "Prohibido el uso comercial", "Gratuito para uso docente", "The viewer software is free of charge", ""]
RESTRICTIONS = ["for authorities", "for schools only", "para administraciones públicas", "für Behörden",
                "pour les communes",
                "per le scuole", "para escolas", "voor overheden", "per a ajuntaments", "for kommuner", "för skolor",
                "viranomaisille", "dla urzędów", "pro školy", "pre školy", "az önkormányzatok számára", "pentru școli",
                "za škole", "za šole", "koolidele", "skolām", "mokykloms", "за училища", "για σχολεία",
                "administrazioentzat",
                "until 2030", "within Saxony", "if you are a member", "except for companies", "on weekdays"]
NEGATIONS = ["It is not true that it is: ", "Not ", "No es cierto: no es ", "Nicht ", "Pas ", "Non è ", "Não é ",
             "Niet ", "No és ",
             "Ikke ", "Inte ", "Ei ole ", "Nie jest ", "Není ", "Nem ", "Nu este ", "Nije ", "Ni ", "Nėra "]
LICENCES = ["CC BY 4.0", "CC0 1.0", "ODbL 1.0", "OGL UK 3.0", "dl-de/by-2-0", "Licence Ouverte 2.0", "NLOD 2.0",
            "IODL 2.0"]
LIMITS = {"For internal use only": LimitKind.INTERNAL_USE, "Solo para uso personal": LimitKind.PERSONAL_USE,
          "Nur zu Testzwecken": LimitKind.EVALUATION, "Usage commercial interdit": LimitKind.NON_COMMERCIAL,
          "Redistribution is prohibited": LimitKind.NO_REDISTRIBUTION, "Caching is not permitted": LimitKind.NO_CACHING,
          "The data must not be altered": LimitKind.NO_DERIVATIVES, "Kostenpflichtig": LimitKind.PRICE,
          "Prior written permission is required": LimitKind.PERMISSION_REQUIRED}
#: whole sentences of a grant that holds a limit, none of which leaves anything free
RESTRICTED = """Utilisation gratuite en Wallonie
Data are free of charge ACME
Universities may use the data free of charge.
Universiteiten mogen de data gratis gebruiken.
Las universidades pueden usar los datos gratuitamente.
Beekeepers may use the data free of charge.
The data are free of charge for beekeepers.
CC BY 4.0 for beekeepers
CC BY 4.0, except the orthophotos
Available under CC BY 4.0 until 31 December 2026.
CC BY 4.0 with the addition that the licensor has to be informed
The data may be used free of charge with the consent of the owner.
The maps are free to use for any purpose other than resale.
Use is free of charge unless more than 100 tiles are fetched.
Lots of constraints
Here be dragons.
Server is load limited
Imkern wird die Nutzung kostenfrei gestattet.
Die Daten sind kostenfrei für Imker.
CC BY 4.0, ausgenommen die Luftbilder
Die Daten dürfen nur im Rahmen der Ausbildung kostenfrei genutzt werden.
Die Nutzung ist nach Zustimmung des Eigentümers kostenfrei.
Kostenfreie Nutzung nach Maßgabe der Vereinbarung.
Los datos son gratuitos para apicultores.
CC BY 4.0, salvo las ortofotos
Uso gratuito previa autorización del titular.
Uso gratuito hasta 100 peticiones al día.
Los datos pueden usarse gratis con fines docentes.
Les données sont gratuites pour les apiculteurs.
Licence Ouverte 2.0 sauf pour les orthophotographies
Utilisation gratuite dans le cadre d'une convention.
Utilisation libre et gratuite à des fins non commerciales.
Utilisation gratuite sous réserve d'une autorisation.
I dati sono gratuiti per gli apicoltori.
Uso gratuito previa autorizzazione del titolare.
CC BY 4.0 tranne le ortofoto
Os dados são gratuitos para apicultores.
Utilização gratuita mediante autorização.
CC BY 4.0, exceto os ortofotomapas
De gegevens zijn gratis voor imkers.
Gratis gebruik na toestemming van de eigenaar.
CC BY 4.0, behalve de luchtfoto's
Les dades són gratuïtes per a apicultors.
Ús gratuït amb autorització prèvia.
Data er gratis for biavlere.
Gratis bruk etter avtale med eieren.
Gratis brug efter aftale med ejeren.
Data är gratis för biodlare.
Gratis användning efter tillstånd från ägaren.
Aineisto on maksuton mehiläishoitajille.
Mehiläishoitajille aineisto on maksuton.
Aineisto on maksuton vain tutkimukseen.
Dane są bezpłatne dla pszczelarzy.
Dane są udostępniane bezpłatnie wyłącznie do celów naukowych.
Bezpłatne wykorzystanie po uzyskaniu zgody.
Data jsou zdarma pro včelaře.
Včelařům jsou data poskytována zdarma.
Údaje sú bezplatné pre včelárov.
Včelárom sa údaje poskytujú bezplatne.
Az adatok ingyenesek a méhészeknek.
Méhészek számára az adatok ingyenesek.
Datele sunt gratuite pentru apicultori.
Utilizare gratuită cu acordul proprietarului.
Podaci su besplatni za pčelare.
Pčelarima su podaci besplatni.
Podatki so brezplačni za čebelarje.
Čebelarjem so podatki na voljo brezplačno.
Andmed on mesinikele tasuta.
Mesinikele on andmed tasuta.
Dati biškopjiem ir bez maksas.
Biškopjiem dati ir bez maksas.
Duomenys nemokami bitininkams.
Bitininkams duomenys teikiami nemokamai.
Данните са безплатни за пчелари.
Данните се предоставят безплатно след разрешение.
Τα δεδομένα είναι δωρεάν για μελισσοκόμους.
Datuak doakoak dira erlezainentzat.
Дані безкоштовні для пасічників.
Данные бесплатны для пчеловодов.
数据免费提供给养蜂人使用
商用利用を除き無料で利用できます。
양봉가에게 무료로 제공
이용허락범위 제한 없음. 공공누리 제2유형: 출처표시, 상업적 이용금지
Gögnin eru gjaldfrjáls fyrir býflugnabændur.""".splitlines()
letters = st.characters(categories=("Ll",), max_codepoint=0x24F)
unknown = st.lists(st.text(letters, min_size=4, max_size=12).map(lambda word: "q" + word + "x"), min_size=2,
                   max_size=6).map(" ".join)


def free(text):
    return reach_verdict(read_text(text).evidence).free


@pytest.mark.parametrize("text", FREE[:-2])
def test_what_is_free_of_charge_is_read(text):
    assert free(text) is Decision.YES


@pytest.mark.parametrize("text", RESTRICTED)
def test_a_grant_that_holds_a_limit_leaves_nothing_free(text):
    for fees in (None, "none"):
        assert terms_for(Record("x", other_constraints=(Constraint(text),), fees=fees)).free is not Decision.YES


@pytest.mark.parametrize("text", [
    "The cartographic boundary files of ACME may be downloaded without charge.",
    "All tables that we have compiled are available under CC BY 4.0.",
    "CC BY 4.0 © Institut Cartogràfic Valencià, Generalitat",
    "Všetky údaje, ktoré sú k dispozícii, podliehajú medzinárodnej licencii Creative Commons BY 4.0.",
    "dane PRG są udostępniane bezpłatnie i do dowolnego wykorzystania",
    "Данните се предоставят безплатно за всякаква употреба при условие, че се посочи източникът.",
    "Подаци се могу слободно користити без накнаде уз навођење извора."])
def test_neutral_words_beside_a_grant_take_nothing_away(text):
    assert free(text) is Decision.YES


@pytest.mark.parametrize("text", [
    "Aucune contrainte", "No constraints", "Ingen begrensninger på bruk er oppgitt.", "ei käyttörajoituksia",
    "Keine Nutzungsbeschränkungen", "Geen gebruiksbeperkingen", "Nessun vincolo", "利用制限なし", "没有限制"])
def test_that_there_are_no_limits_takes_nothing_from_a_licence(text):
    assert terms_for(Record("x", other_constraints=(Constraint("CC BY 4.0"), Constraint(text)))).free is Decision.YES


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(FREE[:-2]), unknown)
def test_a_clause_that_is_not_known_takes_the_claim_away(text, words):
    assert free(f"{text.rstrip('.')}. {words.capitalize()}.") is not Decision.YES
    assert free(f"{text.rstrip('.')} {words}") is not Decision.YES


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(NOT_FREE), unknown)
def test_a_clause_that_is_not_known_never_makes_it_free(text, words):
    for whole in (f"{text}. {words}.", f"{words}. {text}", f"{words} {text}"):
        assert free(whole) is not Decision.YES


@pytest.mark.parametrize("text", FREE)
def test_a_group_a_place_a_time_or_a_condition_takes_the_claim_away(text):
    for restriction in () if text.startswith("https") else RESTRICTIONS:
        record = Record("x", other_constraints=(Constraint(f"{text.rstrip('.')} {restriction}"),))
        assert terms_for(record).free is not Decision.YES, restriction


@pytest.mark.parametrize("text", FREE[:-2])
def test_a_denial_takes_the_claim_away(text):
    for negation in NEGATIONS:
        assert free(negation + text[0].lower() + text[1:]) is not Decision.YES, negation


@pytest.mark.parametrize("text", ["No attribution required", "No es necesario citar la fuente",
                                  "Keine Quellenangabe erforderlich",
                                  "Aucune mention de la source n'est exigée.", "Bronvermelding is niet verplicht"])
def test_an_exemption_for_some_is_no_exemption(text):
    assert reach_verdict(read_text(text).evidence).credit is Decision.NO
    for restriction in RESTRICTIONS:
        limited = read_text(f"{text.rstrip('.')} {restriction}")
        assert reach_verdict(limited.evidence).credit is not Decision.NO, restriction


@pytest.mark.parametrize("licence", LICENCES)
@pytest.mark.parametrize("text", LIMITS)
def test_a_licence_removes_no_limit(text, licence):
    for record in (Record("x", other_constraints=(Constraint(text), Constraint(licence))),
                   Record("x", other_constraints=(Constraint(f"{text}. {licence}."),))):
        terms = terms_for(record)
        assert LIMITS[text] in {limit.kind for limit in terms.limits}
        assert limit_label(LIMITS[text])
    assert LIMITS[text] in {limit.kind for limit in limits_of(read_text(text).evidence)}


def test_every_text_about_use_is_kept_in_order_beside_access_constraints_too():
    access = ConstraintGroup("legal", (), ("otherRestrictions",), (), (Constraint("Solo para uso interno"),))
    use = ConstraintGroup("legal", (Constraint("CC BY 4.0"),), (), ("otherRestrictions",),
                          (Constraint("Cite: «REDIAM»"),))
    terms = terms_for(Record("x", constraint_groups=(access, use)), None, TermsSettings())
    assert terms.texts == ("Solo para uso interno", "CC BY 4.0", "Cite: «REDIAM»")
    assert terms.free is Decision.UNDECIDED and terms.free_for_some
    assert "read the terms" in terms.sentence and "Solo para uso interno" in terms.sentence
    assert terms.credit == "REDIAM" and terms.to_dict()["limits"] == ["internal-use"]


PARTS = ["cc by ", "provided credit ", "siempre que se ", "autor ", "attribution ", "must be ", "a", "(", "Source: ",
         '"',
         "«x» cite ", "1. ", "© ", " - ", "open government licence (", "creative commons attribution ", "http://a ",
         "a.b "]


@pytest.mark.parametrize("part", some(PARTS, 2))
def test_time_is_linear_in_the_length(part):
    def seconds(length):
        text = (part * (length // len(part) + 1))[:length]
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            terms_for(Record("x", other_constraints=(Constraint(text),)))
            best = min(best, time.process_time() - start)
        return best

    seconds(100)
    small, large = seconds(4_500), seconds(18_000)
    assert large < 12 * small + 0.5
    assert seconds(1_000_000) < 4 * large + 2


@pytest.mark.parametrize("table", [lambda: lexicons().candidates(["attribution", "required"])[0], licence_table])
def test_a_table_is_few_objects_for_the_garbage_collection_that_holds_the_window(table):
    waiting, seen = [vars(table())], {}
    while waiting:
        one = waiting.pop()
        if gc.is_tracked(one) and id(one) not in seen and not callable(one):
            seen[id(one)] = one
            waiting += gc.get_referents(one)
    assert 300 < len(seen) < 5_000


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=5), st.integers(1, 3000))
def test_repeated_tokens_are_read_or_cut_with_a_word(parts, times):
    text = "".join(parts) * times
    terms = terms_for(Record("x", other_constraints=(Constraint(text),)))
    if len(text) > 20_000 and text.strip(" -"):  # dashes alone stand for no text
        assert terms.free is not Decision.YES
        assert any("only its beginning was read" in note for note in terms.undecided)


def test_a_licence_beside_a_text_that_is_too_long_to_be_read_leaves_the_cost_open():
    long = "Licencia CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). " * 4000
    found = terms_for(Record("iso19139", use_limitations=("Licencia CC BY 4.0", long)))
    assert found.free is Decision.UNDECIDED and any("too long" in note for note in found.undecided)
