"""Citations as BibTeX, read by a strict reader of its grammar, and as CSL-JSON."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.custommap.model import CustomMap
from plugin.core.publication.map_statement import map_citation, map_work
from plugin.core.records.model.record import Contact, Record, RecordDate, RecordFormat, ResourceKind
from plugin.core.review.report.bibliography import Author, Work, WorkKind, author_of, bibtex, csl_json, record_work

TODAY = date(2026, 11, 23)
#: what the commands that are written stand for
COMMANDS = {r"\textbackslash{}": "\\", r"\textbraceleft{}": "{", r"\textbraceright{}": "}", r"\textasciitilde{}": "~",
            r"\textasciicircum{}": "^", r"\%": "%", r"\&": "&", r"\#": "#", r"\$": "$", r"\_": "_"}
COMMAND = re.compile("|".join(map(re.escape, COMMANDS)))


def parsed(text):
    """The entries of a BibTeX file: (type, key, fields). AssertionError where BibTeX would stop."""
    entries, position = [], 0
    while text[position:].strip():
        head = re.compile(r"\s*@(\w+)\{([A-Za-z0-9-]+),\n").match(text, position)
        assert head, text[position:position + 50]
        position, fields = head.end(), {}
        while True:
            field = re.compile(r"  ([a-z]+) = \{").match(text, position)
            assert field, text[position:position + 50]
            end, depth = field.end(), 1
            while depth:  # BibTeX counts every brace, one behind a backslash too
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            fields[field[1]] = text[field.end():end - 1]
            position = end + 1
            if text[end:end + 2] == "\n}":
                position = end + 2
                break
            assert text[end:end + 2] == ",\n"
            position = end + 2
        entries.append((head[1], head[2], fields))
    return entries


def typeset(value):
    """The text that TeX prints."""
    assert not re.search(r"(?<!\\)[%&#$_~^]", COMMAND.sub("", value)), "a command of TeX"
    inner = value[1:-1] if value.startswith("{") and value.endswith("}") else value
    return COMMAND.sub(lambda found: COMMANDS[found[0]], inner)


TEXT = st.text(st.sampled_from("aé{}%&#$_~^\\\" ñÑ,@=\nand中"), max_size=20)


@given(TEXT.filter(str.strip), TEXT.filter(str.strip), TEXT, TEXT)
def test_every_text_is_printed_as_it_is(title, name, note, publisher):
    work = Work(WorkKind.DATASET, title, (Author(" ".join(name.split())),), "2014", publisher=publisher, note=note)
    (kind, _key, fields), = parsed(bibtex([work]))
    assert kind == "misc" and typeset(fields["title"]) == " ".join(title.split())
    assert typeset(fields["author"]) == " ".join(name.split())
    item, = json.loads(csl_json([work]))
    assert item["title"] == " ".join(title.split()) and item["author"] == [{"literal": " ".join(name.split())}]


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_addresses_do_not_end_their_field(path):
    address = f"https://a.example/{path}"
    fields = parsed(bibtex([Work(WorkKind.SERVICE, "T", address=address, accessed=TODAY)]))[0][2]
    assert fields["url"].isascii() and not set(fields["url"]) & set('{}\\" ') and fields["urldate"] == "2026-11-23"


@pytest.mark.parametrize(("organisation", "individual", "bib", "csl"), [
    ("Junta de Andalucía and Gobierno, S.A.", "Ana", "{Junta de Andalucía and Gobierno, S.A.}",
     {"literal": "Junta de Andalucía and Gobierno, S.A."}),
    ("", "Ana García López", "{Ana García López}", {"literal": "Ana García López"}),
    ("", "García López, Ana", "{García López}, {Ana}", {"family": "García López", "given": "Ana"}),
    ("", "García, Ana, Dra.", "{García, Ana, Dra.}", {"literal": "García, Ana, Dra."})])
def test_names_are_not_taken_apart_by_guesses(organisation, individual, bib, csl):
    work = Work(WorkKind.DATASET, "T", (author_of(organisation, individual),))
    assert parsed(bibtex([work]))[0][2]["author"] == bib
    assert json.loads(csl_json([work]))[0]["author"] == [csl]


def test_a_record_is_cited_with_what_csl_requires():
    record = Record(RecordFormat.DUBLIN_CORE, id="abc", title="Mapa guía del Parque 100 % {Despeñaperros}. 2014",
                    kind=ResourceKind.SERVICE, language="spa", dates=(RecordDate("2020-01-01", "publication"),),
                    contacts=(Contact(organisation="Consejería de Montañas", role="owner"),
                              Contact(organisation="REDIAM", role="publisher")))
    work = record_work(record, "https://x.org/wms?map=a%20b", TODAY)
    (_kind, key, fields), = parsed(bibtex([work]))
    assert key == "consejeria2014mapa" and typeset(fields["title"]) == record.title
    assert (fields["year"], fields["howpublished"]) == ("2014", "Web map service")
    assert fields["url"] == "https://x.org/wms?map=a%20b" and fields["publisher"] == "{REDIAM}"
    item, = json.loads(csl_json([work]))
    assert {"id", "type"} <= set(item) <= {"id", "type", "title", "author", "issued", "publisher", "URL", "accessed",
                                           "language", "scale", "note", "number"}
    assert item["type"] == "webpage" and item["issued"] == {"date-parts": [[2014]]}
    assert item["accessed"] == {"date-parts": [[2026, 11, 23]]} and item["id"] == key


def test_each_entry_has_a_key_of_ascii_letters():
    works = [Work(WorkKind.OTHER, title) for title in ("地図", "地図", "Ríos", "Ríos", "")]
    keys = [key for _kind, key, _fields in parsed(bibtex([w if w.title else Work(WorkKind.OTHER, "x") for w in works]))]
    assert len(set(keys)) == 5 and all(re.fullmatch(r"[a-z0-9-]+", key) for key in keys)
    assert [item["id"] for item in json.loads(csl_json(works))] == keys


def test_a_map_is_cited_with_its_scale_and_sources():
    work = map_work(CustomMap("Sierra & mar", "es", scale=25_000.0), ["© A, 2014", "B"], TODAY)
    assert map_citation(work) == "Sierra & mar (2026). 1:25 000. Map made of: © A, 2014; B."
    fields = parsed(bibtex([work]))[0][2]
    assert fields["note"] == "1:25 000. Map made of: © A, 2014; B" and fields["title"] == r"{Sierra \& mar}"
    item, = json.loads(csl_json([work]))
    assert (item["type"], item["scale"], item["issued"]) == ("map", "1:25 000", {"date-parts": [[2026, 11, 23]]})
    assert "author" not in item
