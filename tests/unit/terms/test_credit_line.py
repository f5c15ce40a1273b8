"""The credit line: owner, title, year and licence, without stray punctuation."""

import itertools
from dataclasses import replace

import pytest

from plugin.core.records.model.record import Constraint, Contact, Record, RecordDate, TemporalExtent
from plugin.core.terms import Decision, credit_line, credited_owner, credited_year, terms_for, unknown_placeholders
from plugin.core.terms.credit_duty import duty_of_terms
from plugin.core.terms.credit_line import fill_pattern
from plugin.core.terms.licences import licence_table
from plugin.core.wms.model.service import Attribution, Layer, Service, ServiceContact

CC_BY = licence_table().find_mentions("CC BY 4.0")[0].licence
VALUES = {"owner": "Consejería. Junta de Andalucía", "title": "Mapa guía", "year": "2014", "licence": "CC BY 4.0",
          "url": "https://x.org/"}


def contacts(*pairs):
    return tuple(Contact(organisation=name, role=role) for name, role in pairs)


@pytest.mark.parametrize(("pairs", "expected"), [
    ([("A", "pointOfContact"), ("B", "owner"), ("C", "author")], "B"),
    ([("A", "pointOfContact"), ("C", "author"), ("D", "publisher")], "C"),
    ([("A", "pointOfContact"), ("D", "publisher")], "D"),
    ([("A", "user"), ("B", "pointOfContact")], "B"),
    ([("A", "owner"), ("B", "owner"), ("a", "owner")], "A / B"),
    ([("A", None)], "A"), ([("--", "owner"), ("B", "author")], "B"), ([], ""),
])
def test_the_owner_comes_before_the_author_and_both_before_a_mere_contact(pairs, expected):
    assert credited_owner(Record("x", contacts=contacts(*pairs))) == expected


def test_a_name_that_is_no_name_takes_no_time_and_one_of_many_institutes_is_whole():
    many = ", ".join(f"Instituto {number}" for number in range(120))
    assert credited_owner(Record("x", contacts=contacts((many, "owner")))) == many
    assert len(credited_owner(Record("x", contacts=contacts(("nombre " * 1_000_000, "owner"))))) <= 2_000


def test_whoever_the_resource_does_not_name_is_looked_for_in_metadata_and_service():
    service = Service("1.3.0", root=Layer(attribution=Attribution(title="IGN")),
                      contact=ServiceContact(organisation="CNIG"))
    assert credited_owner(Record("x", metadata_contacts=contacts(("M", "pointOfContact"))), service) == "M"
    assert credited_owner(Record("x"), service) == "IGN"
    assert credited_owner(Record("x"), Service("1.3.0", contact=ServiceContact(organisation="CNIG"))) == "CNIG"


@pytest.mark.parametrize(("fields", "expected"), [
    ({"title": "Precipitación total diaria, junio de 2016", "dates": (RecordDate("2021-03-01", "revision"),)}, "2016"),
    ({"title": "Mapa guía 2014"}, "2014"),
    ({"title": "Lluvia", "temporal_extents": (TemporalExtent("2016-06-01", "2016-06-30"),),
      "dates": (RecordDate("2020", "creation"),)}, "2016"),
    ({"title": "Lluvia", "temporal_extents": (TemporalExtent("2001", "2016"),), "dates": (RecordDate("2020",
        "creation"),)}, "2020"),
    ({"title": "Áreas recorridas por el fuego (1975-actualidad)", "dates": (RecordDate("2013-02-08", "creation"),
        RecordDate("2023-06-06", "revision"))}, "2023"),
    ({"title": "Incendios desde 1975", "dates": (RecordDate("2023-06-06", "revision"),)}, "2023"),
    ({"title": "Fires since 1975", "dates": (RecordDate("2023", "revision"),)}, "2023"),
    ({"title": "Serie 1975–", "dates": (RecordDate("2023", "revision"),)}, "2023"),
    ({"title": "Mapa 2014-A", "dates": (RecordDate("2023", "revision"),)}, "2014"),
    ({"title": "Ozone", "temporal_extents": (TemporalExtent("1924-08-17", None),),
      "dates": (RecordDate("2019", "revision"),)}, "2019"),
    ({"title": "Ozone", "temporal_extents": (TemporalExtent("1924-08-17", None),)}, ""),
    ({"title": "A", "dates": (RecordDate("2010", "creation"), RecordDate("2012-01-01T00:00:00", "publication"),
                              RecordDate("2011", "revision"))}, "2011"),
    ({"title": "A", "dates": (RecordDate("01/05/2009", "publication"), RecordDate("2008", "creation"))}, "2009"),
    ({"title": "A", "dates": (RecordDate("2007", None),)}, "2007"),
    ({"title": "Red Natura 2000", "dates": (RecordDate("2019", "revision"),)}, "2019"),
    ({"title": "Mapa 1:2000", "dates": ()}, ""), ({"title": "Suelos 1956 y 2007", "dates": (RecordDate("2010",
        "creation"),)}, "2010"),
    ({"title": "A", "date_stamp": "2024-01-01"}, ""), ({}, ""),
])
def test_the_year_is_that_of_the_data(fields, expected):
    assert credited_year(Record("x", **fields)) == expected


def test_the_year_stands_in_the_line_once():
    made = Record("x", title="Precipitación, junio de 2016", contacts=contacts(("REDIAM", "owner")))
    assert credit_line(made, CC_BY) == "REDIAM, Precipitación, junio de 2016, CC BY 4.0"
    dated = Record("x", title="Mapa guía", contacts=contacts(("REDIAM", "owner")), dates=(RecordDate("2014-01-01",
                                                                                                     "revision"),))
    assert credit_line(dated) == "REDIAM, Mapa guía, 2014"


def test_a_record_that_says_nothing_has_no_line():
    assert credit_line(Record("x", dates=(RecordDate("2014", "revision"),)), CC_BY) == ""
    assert credit_line(None, None, service=Service("1.3.0", title="WMS de prueba")) == "WMS de prueba"


@pytest.mark.parametrize(("pattern", "missing", "expected"), [
    ("{owner}, {title}, {year}, {licence}", "", "Consejería. Junta de Andalucía, Mapa guía, 2014, CC BY 4.0"),
    ("{owner}, {title}, {year}, {licence}", "owner year", "Mapa guía, CC BY 4.0"),
    ("{owner}, {title}, {year}, {licence}", "licence", "Consejería. Junta de Andalucía, Mapa guía, 2014"),
    ("© {owner}. {title} ({year}). Licencia: {licence} <{url}>", "year licence url",
     "© Consejería. Junta de Andalucía. Mapa guía"),
    ("© {owner}. {title} ({year}). Licencia: {licence} <{url}>", "owner url", "Mapa guía (2014). Licencia: CC BY 4.0"),
    ("{title} – {owner} [{licence}; {url}]", "licence", "Mapa guía – Consejería. Junta de Andalucía [https://x.org/]"),
    ("{title} – {owner} [{licence}; {url}]", "licence url", "Mapa guía – Consejería. Junta de Andalucía"),
    ("{owner}: {title}", "owner", "Mapa guía"), ("{owner}: {title}", "title", "Consejería. Junta de Andalucía"),
    ("“{title}”, {owner}", "title", "Consejería. Junta de Andalucía"), ("Fuente: {owner}", "owner", ""),
    ("{unknown} {title}", "", "Mapa guía"),
])
def test_empty_parts_leave_with_their_labels_brackets_and_separators(pattern, missing, expected):
    assert fill_pattern(pattern,
                        {name: "" if name in missing.split() else value for name, value in VALUES.items()}) == expected


@pytest.mark.parametrize("pattern", ["{owner}, {title}, {year}, {licence}",
                                     "© {owner}. {title} ({year}). Licencia: {licence} <{url}>",
                                     "{title} | {owner} | {year} | {licence}", "{owner} ({title}; {year}). {licence}"])
def test_no_combination_of_empty_parts_leaves_stray_punctuation(pattern):
    for gone in itertools.chain.from_iterable(itertools.combinations(VALUES, n) for n in range(6)):
        line = fill_pattern(pattern, {name: "" if name in gone else value for name, value in VALUES.items()})
        assert not line.startswith((",", ".", "|", ";", ":")) and not line.endswith((",", "|", ";", ":", " "))
        for stray in ("()", "<>", ", ,", "..", "| |", "( ", " )", " ,", ". ."):
            assert stray not in line, (gone, line)


@pytest.mark.parametrize("pattern", ["{", "}{", "{}", "((((", "{owner", "{0}", "{title!r}", "{title.__class__}",
                                     "%s {title}", "\n{title}\n"])
def test_a_pattern_that_someone_mistyped_never_crashes(pattern):
    assert "__class__" not in fill_pattern(pattern, VALUES) and "\n" not in fill_pattern(pattern, VALUES)


def test_places_that_stand_for_nothing_can_be_told():
    assert unknown_placeholders("{owner} {año} {title} {x}") == ("año", "x")


@pytest.mark.parametrize(("licence", "title", "expected"), [
    ("Open Government Licence v3.0", "Map", "City, Map, 2020, OGL UK 3.0. Contains public sector information licensed "
                                            "under the Open Government Licence v3.0."),
    ("NLOD 2.0", "Kart", "City, Kart, 2020, NLOD 2.0. Contains data under the Norwegian licence for Open Government "
                         "data (NLOD) distributed by City"),
    ("dl-de/by-2-0", "Karte", "City, dl-de/by-2-0 (www.govdata.de/dl-de/by-2-0), Karte"),
    ("Licence Ouverte 2.0", "Plan", "City, Plan, 2020, Licence Ouverte 2.0"), ("CC BY 4.0", "Map",
                                                                               "City, Map, 2020, CC BY 4.0"),
    ("CC0 1.0", "Map", "City, Map, 2020, CC0 1.0")])
def test_the_credit_that_a_licence_prescribes_is_shown_where_its_blanks_are_known(licence, title, expected):
    record = Record("x", title=title, contacts=(Contact(organisation="City", role="owner"),),
                    dates=(RecordDate("2020-05-01", "publication"),), other_constraints=(Constraint(licence),))
    assert terms_for(record).credit == expected
    # a line that the publisher prescribes takes the place of the licence's
    asked = terms_for(replace(record, use_limitations=("Source: © Town Hall",)))
    assert asked.prescribed == ("© Town Hall",) and "Contains" not in asked.credit and "govdata" not in asked.credit


def test_a_licence_s_credit_with_a_blank_that_nobody_knows_is_left():
    nameless = Record("x", title="Map", other_constraints=(Constraint("Open Government Licence v3.0"),))
    assert terms_for(nameless).credit == ""
    dateless = Record("x", title="Kort", contacts=(Contact(organisation="Styrelsen", role="owner"),),
                      other_constraints=(Constraint("Vilkår for brug af frie geografiske data"),))
    assert terms_for(dateless).credit_required is Decision.YES
    assert "{" not in terms_for(dateless).credit and "Indeholder" not in terms_for(dateless).credit


def test_a_title_that_ends_in_the_year_keeps_the_licence_s_name():
    record = Record("x", title="Plan2020", contacts=(Contact(organisation="City", role="owner"),),
                    dates=(RecordDate("2020-05-01", "publication"),),
                    other_constraints=(Constraint("Licence Ouverte 2.0"),))
    assert terms_for(record).credit == "City, Plan2020, Licence Ouverte 2.0"


def test_what_is_prescribed_stands_in_the_line_with_the_same_year():
    record = Record("x", title="Karte", dates=(RecordDate("2020-05-01", "publication"),),
                    other_constraints=(Constraint("Quellenvermerk: © GeoBasis-DE / BKG [Jahr]"),))
    duty = duty_of_terms(terms_for(record))
    assert duty.prescribed == duty.lines == ("© GeoBasis-DE / BKG 2020",)


@pytest.mark.parametrize("title", ["Plan depuis 2010", "Orthophotos 2010 à aujourd'hui", "Carta 2010 fino a oggi",
                                   "Mapa 2010 até atualidade", "Mapa desde el año 2010", "Map (2010 till present)"])
def test_the_first_year_of_an_open_period_is_none_in_any_language(title):
    assert credited_year(Record("x", title=title, dates=(RecordDate("2021-05-01", "revision"),))) == "2021"
