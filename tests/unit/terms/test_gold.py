"""The gold set: texts in 26 languages with what they say, and the table of what is read from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from plugin.core.blanks import fill_year
from plugin.core.records.model.record import Constraint, ConstraintGroup, Record
from plugin.core.terms import terms_for
from plugin.core.text import single_line

GOLD = Path(__file__).with_name("gold.tsv")
OTHER = ("otherRestrictions",)


def rows():
    lines = GOLD.read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, [*line.split("\t"), "", "", "", ""])) for line in lines[1:]]


def terms_of(row):
    text = row["text"].replace("\\n", "\n")
    if row["field"] == "fees":
        return terms_for(Record("gold", fees=text))
    access, use = (OTHER, ()) if row["field"] == "access" else ((), OTHER)
    return terms_for(Record("gold", constraint_groups=(ConstraintGroup("legal", (), access, use, (Constraint(text),)),
                                                       )))


def comparable(text):
    return single_line(text).strip(" .,:;")


def test_no_claim_is_wrong_and_what_is_owed_is_found(capsys):
    counts = defaultdict(Counter)
    wrong = defaultdict(list)
    gold = rows()
    for row in gold:
        terms = terms_of(row)
        language = row["language"]
        for name, found in (("free", terms.free.value), ("credit_required", terms.credit_required.value)):
            counts[language][name, row[name], found] += 1
            if found != row[name]:
                wrong[name, row[name], found].append((row["id"], row["text"]))
        if row["credit"]:
            exact = any(comparable(line) == comparable(fill_year(row["credit"], "")) for line in terms.prescribed)
            counts[language]["line", "", exact] += 1
            if not exact:
                wrong["line", "", ""].append((row["id"], row["credit"], terms.prescribed))
        expected = set(filter(None, row["limits"].split(",")))
        counts[language]["limits", "", "expected"] += len(expected)
        limits = {limit.kind.value for limit in terms.limits}
        counts[language]["limits", "", "found"] += len(expected & limits)
        if expected - limits:
            wrong["limits", "", ""].append((row["id"], row["text"], expected - limits))
    total = sum(counts.values(), Counter())
    with capsys.disabled():
        print("\n" + table(counts, total, len(gold)))
    assert len(gold) >= 500 and len(counts) >= 12
    assert not [item for (name, _, found), items in wrong.items() if (name, found) == ("free", "yes") for item in items]
    assert not [item for (name, _, found), items in wrong.items() if (name, found) == ("credit_required", "no")
                for item in items]
    assert share(total, "credit_required", "yes") >= 0.95, wrong["credit_required", "yes", "undecided"]
    assert total["line", "", True] >= 0.95 * (total["line", "", True] + total["line", "", False]), wrong["line", "", ""]
    assert share(total, "free", "yes") >= 0.6
    assert total["limits", "", "found"] >= 0.95 * total["limits", "", "expected"], wrong["limits", "", ""]


def share(counts, name, value):
    expected = sum(count for key, count in counts.items() if key[:2] == (name, value))
    return counts[name, value, value] / expected if expected else 1.0


def table(counts, total, size):
    columns = (("free", "yes"), ("free", "no"), ("credit_required", "yes"), ("credit_required", "no"))
    head = "language  " + "".join(f"{name.split('_')[0]}={value:<7}" for name, value in columns) + "lines  limits"
    lines = [head]
    for language, found in [*sorted(counts.items()), ("all", total)]:
        cells = [f"{found[name, value, value]}/{sum(n for key, n in found.items() if key[:2] == (name, value))}"
                 for name, value in columns]
        lines.append(f"{language:10}" + "".join(f"{cell:<14}" if index > 1 else f"{cell:<12}"
                                                for index, cell in enumerate(cells)) +
                     f"{found['line', '', True]}/{found['line', '', True] + found['line', '', False]}  "
                     f"{found['limits', '', 'found']}/{found['limits', '', 'expected']}")
    false_free = sum(n for key, n in total.items() if key[0] == "free" and key[2] == "yes" and key[1] != "yes")
    false_no = sum(n for key, n in total.items() if key[0] == "credit_required" and key[2] == "no" and key[1] != "no")
    lines.append(f"{size} texts, wrong “free”: {false_free}, wrong “no credit”: {false_no}")
    return "\n".join(lines)
