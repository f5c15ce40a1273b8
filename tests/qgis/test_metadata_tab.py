"""The metadata tab shows every field of the record."""

from __future__ import annotations

from plugin.core.records.model.record import Constraint, Record
from plugin.core.terms import summary_sentence, terms_for
from plugin.ui.record.metadata_tab import MetadataTab
from tests.marked_record import DERIVED, Marks


def test_every_field_is_in_the_tab(qtbot):
    marks = Marks()
    record = marks.filled(Record)
    tab = MetadataTab()
    qtbot.addWidget(tab)
    tab.show_record(record, terms_for(record))
    tab.show()
    qtbot.waitUntil(lambda: record.title in tab.toPlainText())
    shown = tab.toPlainText() + tab.toHtml()
    assert {path for path, mark in marks.by_path.items() if mark not in shown} == DERIVED


def test_sentence_and_credit_of_the_pages_head_are_not_repeated(qtbot):
    record = Record("iso19139", title="Guía", other_constraints=(Constraint("CC BY 4.0"),), credits=("© Consejería",))
    terms = terms_for(record)
    tab = MetadataTab()
    qtbot.addWidget(tab)
    tab.show_record(record, terms)
    tab.show()
    qtbot.waitUntil(lambda: "Guía" in tab.toPlainText())
    assert summary_sentence(terms) not in tab.toPlainText()
    assert "this credit:" not in tab.toPlainText()
