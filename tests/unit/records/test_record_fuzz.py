"""Broken documents of any kind give records or one clear error."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from plugin.core.cli import text_summary
from plugin.core.errors import CartoguideError
from plugin.core.records import read
from plugin.core.review.report.record_sheet import sheet_html
from plugin.core.terms import terms_for
from tests.examples import examples

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"
XML = [path.read_bytes() for path in sorted(FIXTURES.glob("*.xml"))]
JSON = [path.read_bytes() for path in sorted(FIXTURES.glob("*.json"))]
TEXTS = ["", "--", "nan", "1e400", "-1,5", "\u202e", "http://[", "javascript:x", "#", "☃", "true"]
VALUES = [None, True, 0, -1.5, 1e300, "x", "..", [], {}, [1, 2], [[1]], {"a": 1}, ["a", None, {}], 10 ** 30]


def survives(data):
    try:
        records = read(data, "f", "es")
    except CartoguideError as error:
        assert error.user_text and len(error.user_text) < 600
        return
    for record in records:
        terms = terms_for(record)
        json.dumps(record.to_dict())
        assert text_summary(record, terms)
        assert sheet_html([(record, terms)]).encode("utf-8")


@settings(max_examples=examples(300))
@given(st.sampled_from(XML + JSON), st.data())
def test_changed_bytes_are_read_or_refused(document, data):
    changed = bytearray(document)
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(changed)))
        changed[position:position + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=20))
    survives(bytes(changed))


@settings(max_examples=examples(200))
@given(st.sampled_from(XML), st.integers(0, 2 ** 32))
def test_sound_xml_of_any_shape_is_read_or_refused(document, seed):
    choose = random.Random(seed)
    root = etree.fromstring(document)
    elements = list(root.iter("*"))
    for _ in range(choose.randint(1, 10)):
        element, other = choose.choice(elements), choose.choice(elements)
        change = choose.randrange(6)
        if change == 0 and element.getparent() is not None:
            element.getparent().remove(element)
        elif change == 1:
            element.text = choose.choice(TEXTS)
        elif change == 2:
            element.tag = other.tag
        elif change == 3:
            element.append(etree.fromstring(etree.tostring(other, with_tail=False)))
        elif change == 4:
            element.set(choose.choice(["uuidref", "codeListValue", "locale", "src", "crs"]), choose.choice(TEXTS))
        else:
            for child in list(element):
                element.remove(child)
    survives(etree.tostring(root))


@settings(max_examples=examples(200))
@given(st.sampled_from(JSON), st.integers(0, 2 ** 32))
def test_sound_json_of_any_shape_is_read_or_refused(document, seed):
    choose = random.Random(seed)

    def changed(value):
        if choose.random() < 0.06:
            return choose.choice(VALUES)
        if isinstance(value, dict):
            return {name: changed(member) for name, member in value.items() if choose.random() > 0.03}
        return [changed(member) for member in value] if isinstance(value, list) else value

    survives(json.dumps(changed(json.loads(document))).encode())


@settings(max_examples=examples(300))
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    survives(data)
