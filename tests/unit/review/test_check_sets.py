"""Sets of records, the table of rules, CSV, and the command line."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from plugin.core.errors import CartoguideError
from plugin.core.network_profile import bundled_profile, read_profile_file
from plugin.core.records import read
from plugin.core.records.input.file_reader import read_path
from plugin.core.records.model.record import Extent, OnlineResource, Record, RecordDate
from plugin.core.review.checks import (
    LinkResult,
    Severity,
    all_rules,
    check_record,
    check_records,
    findings_csv,
    link_findings,
    rules_table,
    severity_summary,
)
from tests.command_line import run_command

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "tests" / "unit" / "fixtures" / "records"
TODAY = date(2026, 11, 1)


def record(**values):
    return Record(source_format="csw-dc", **{"id": "a", "title": "Mapa", **values})


def test_two_records_of_one_identifier_are_an_error_on_both():
    first, second, third = record(), record(title="Otro mapa"), record(id="b")
    checked = check_records([first, second, third], today=TODAY)
    assert [[finding.rule for finding in findings] for _, findings in checked] == [
        ["identity.duplicate"], ["identity.duplicate"], []]
    assert checked[0][1][0].severity is Severity.ERROR and checked[0][1][0].other == "Otro mapa"


def test_copies_of_one_record_are_only_noted():
    first, second = record(source="a.xml"), record(source="b.xml")
    checked = check_records([first, second], today=TODAY)
    assert [(finding.rule, finding.severity, finding.other) for finding in checked[0][1]] == [
        ("identity.duplicate", Severity.NOTE, "b.xml")]


def test_records_without_identifier_are_no_duplicates_of_each_other():
    checked = check_records([record(id=None), record(id=None)], today=TODAY)
    assert {finding.rule for _, findings in checked for finding in findings} == {"identity.missing"}


def test_counts_are_told_in_words():
    findings = check_record(record(id=None, extents=(Extent(1.0, 2.0, 5.0, 4.0), ), dates=(RecordDate("x"), )),
                            today=TODAY)
    assert severity_summary(findings) == "2 errors, 1 warning"
    assert severity_summary(()) == "no issues"


def test_the_table_documents_every_rule_once():
    table = rules_table()
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert sorted(row.split("`")[1] for row in rows) == sorted({rule.id for rule in all_rules()})
    assert len(all_rules()) == len(rows)
    assert all(row.count("|") - row.count("\\|") == 6 for row in rows)
    assert all(rule.name() and rule.requirement() and rule.advice() and rule.basis for rule in all_rules())


def test_csv_has_one_row_for_each_finding_and_survives_quotes_and_lines():
    bad = record(id=None, title='El "mapa",\nsegunda línea', dates=(RecordDate("20 de mayo"),))
    text = findings_csv(check_records([bad], today=TODAY))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["Rule"] for row in rows] == ["identity.missing", "dates.unreadable"]
    assert rows[0]["Title"] == 'El "mapa",\nsegunda línea' and rows[1]["The record says"] == "20 de mayo"
    assert text.count("\r\n") == 3


def test_csv_holds_no_formula_of_a_spreadsheet():
    bad = record(id=None, title="=HYPERLINK(\"http://a.example\")", source="+b", dates=(RecordDate("-3.5"),))
    rows = list(csv.reader(io.StringIO(findings_csv(check_records([bad], today=TODAY)), newline="")))
    assert rows[1][1].startswith("'=") and rows[1][2] == "'+b"
    assert rows[2][10] == "-3.5"


@pytest.mark.parametrize(("answer", "rule", "severity"), [
    (LinkResult("https://a.example/", status=200), None, None),
    (LinkResult("https://a.example/", status=404), "links.dead", Severity.ERROR),
    (LinkResult("https://a.example/", status=503), "links.dead", Severity.ERROR),
    (LinkResult("https://a.example/", error="a.example was not found."), "links.dead", Severity.ERROR),
    (LinkResult("https://a.example/wms?", status=400), "links.dead", Severity.NOTE),
    (LinkResult("https://a.example/", status=401), "links.refused", Severity.NOTE),
    (LinkResult("https://a.example/", status=200, final_url="https://b.example/"), "links.moved", Severity.WARNING),
    (LinkResult("https://a.example/", status=200, final_url="https://a.example/es/"), None, None),
    (LinkResult("http://a.example/", status=200, https_works=True), "links.https-works", Severity.WARNING),
])
def test_answers_of_servers_are_judged(answer, rule, severity):
    found = [(finding.rule, finding.severity) for finding in link_findings([answer])]
    assert found == ([(rule, severity)] if rule else [])


def test_https_is_proposed_as_an_address():
    (finding,) = link_findings([LinkResult("http://a.example/wms?", status=200, https_works=True)])
    assert (finding.value, finding.other) == ("http://a.example/wms?", "https://a.example/wms?")


def test_the_starter_records_show_no_error_and_say_what_they_are():
    profile = bundled_profile()
    for path in profile.records:
        (found,) = read(path.read_bytes(), path.name)
        findings = check_record(found, profile, TODAY)
        assert {finding.severity for finding in findings} == {Severity.NOTE}
        assert findings[0].rule == "identity.starter"


def test_every_sample_is_checked_without_an_exception(samples):
    profile = bundled_profile()
    records = [found for _, found in read_path(samples) if found is not None and not isinstance(found, CartoguideError)]
    checked = check_records(records, profile, TODAY)
    assert len(checked) == len(records) > 400
    text = findings_csv(checked)
    assert len(list(csv.reader(io.StringIO(text, newline="")))) == 1 + sum(len(findings) for _, findings in checked)


def test_the_test_networks_records_show_no_error_and_no_warning(network):
    profile = read_profile_file(Path(network.profile_path))
    for path in (*network.records, *network.editor_records):
        (found,) = read(Path(path).read_bytes(), str(path))
        findings = check_record(found, profile, TODAY)
        assert {finding.severity for finding in findings} <= {Severity.NOTE}, findings
        assert len(findings) <= 5


def run(*arguments):
    return run_command("check", *arguments)


def test_the_command_prints_findings_and_its_status_tells_of_errors(tmp_path):
    sound = (FIXTURES / "service_editor.xml").read_text(encoding="utf-8")
    good, bad = tmp_path / "good.xml", tmp_path / "bad.xml"
    good.write_text(sound, encoding="utf-8")
    bad.write_text(sound.replace(">38.3</gco:Decimal>", ">98.3</gco:Decimal>"), encoding="utf-8")
    done = run("--family", "geometry", str(good))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "no issues" in done.stdout.decode()
    done = run("--family", "geometry", str(bad))
    shown = done.stdout.decode()
    assert done.returncode == 1 and "Error: The extent is outside the world" in shown and "[geometry.outside]" in shown


def test_the_command_writes_csv(tmp_path):
    done = run("--csv", str(FIXTURES))
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert rows and {row["Severity"] for row in rows} <= {"error", "warning", "note"}
    assert {Path(row["Source"].split("!")[0]).parent for row in rows} == {FIXTURES}


def test_the_command_compares_with_a_service():
    capabilities = next((ROOT / "tests" / "unit" / "fixtures" / "wms").glob("*.xml"))
    done = run("--family", "geometry", "--against", str(capabilities), str(FIXTURES / "service_editor.xml"))
    assert "[service." in done.stdout.decode()


def test_the_command_says_what_it_cannot_read(tmp_path):
    done = run(str(tmp_path / "missing.xml"))
    assert done.returncode == 1 and b"does not exist" in done.stderr
    assert run().returncode == 2
    assert "`inspire.title`" in run("--rules").stdout.decode()


def test_an_address_that_stands_twice_is_asked_once():
    from plugin.core.review.checks.link_rules import record_addresses

    linked = replace(record(), online=(OnlineResource("https://a.example/"), OnlineResource("https://a.example/ ")))
    assert list(record_addresses(linked)) == [("online", "https://a.example/")]
