"""Cartoguide's page in QGIS's options: networks, requests and consents are edited, imported and exported there."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from qgis.gui import QgsOptionsPageWidget
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QCheckBox

from plugin.core import i18n
from plugin.core.network_profile import read_profile_file
from plugin.gis.network import origin_settings
from plugin.gis.profiles import network_profiles, record_loading
from plugin.gis.runtime import settings
from plugin.ui.settings.network_profile_field import NetworkProfileDialog
from plugin.ui.settings.options_factory import OptionsFactory
from plugin.ui.settings.settings_form import SettingsDialog, help_text, make_field, setting_groups, setting_labels


@pytest.fixture
def page(qtbot):
    changed = []
    made = OptionsFactory(QIcon(), lambda: None, changed.extend, changed.append)
    widget = made.createWidget(None)
    qtbot.addWidget(widget)
    widget.show()
    widget.said = changed
    return widget


def test_the_page_stores_what_was_changed_and_says_what(page):
    assert isinstance(page, QgsOptionsPageWidget)
    page.form.fields["paper"].setCurrentText("A2")
    page.form.fields["retries"].setValue(3)
    assert settings.get("paper") == "A4", "nothing before OK"
    page.apply()
    assert (settings.get("paper"), settings.get("retries")) == ("A2", 3)
    assert sorted(page.said) == ["paper", "retries"]


def test_what_cannot_be_stored_keeps_the_options_open(page):
    page.form.fields["catalogue_url"].setText("ftp://somewhere")
    assert not page.isValid()
    assert "http" in page.form.problem_label.text()
    page.form.fields["catalogue_url"].setText("https://somewhere.invalid")
    assert page.isValid()


def test_every_setting_stands_once_with_its_help_and_default(page):
    names = [name for _, group in setting_groups() for name in group]
    assert len(names) == len(set(names)) == len(setting_labels()) == len(page.form.fields)
    for name, widget in page.form.fields.items():
        assert widget.toolTip() == help_text(name)
        assert widget.accessibleName()
    assert help_text("first_byte_timeout").endswith("Default: 10 s")
    assert help_text("paper").endswith("Default: A4")
    assert help_text("check_before_export").endswith("Default: switched on")
    assert help_text("base_url").endswith("Default: from the profile")
    assert all("Default: " in help_text(name) for name in names)
    keys = [word[word.index("&") + 1].lower() for word in setting_labels().values()]
    assert sorted(keys) == sorted(set(keys)), "no two fields share a shortcut"


def test_a_network_is_copied_edited_and_used(page, qtbot, tmp_path):
    field = page.form.fields["profile"]
    dialog = field.open_editor()
    qtbot.addWidget(dialog)
    assert isinstance(dialog, NetworkProfileDialog)
    assert dialog.records.count() == 3
    dialog.title.setText("Red de prueba")
    dialog.base_url.setText("nowhere")
    dialog.save()
    assert "http" in dialog.problem_label.text() and dialog.isVisible()
    dialog.base_url.setText("https://maps.invalid/")
    dialog._add_service("relief", "{base_url}/{node}_relieve?")
    dialog.save()
    path = field.path()
    assert network_profiles.is_user_profile(path)
    assert field.combo.currentText() == "Red de prueba"
    page.apply()
    used = record_loading.current_profile()
    assert used.title == "Red de prueba"
    assert used.endpoint("relief") == "https://maps.invalid/REDIAM_relieve?"
    assert [record.is_file() for record in used.records] == [True] * 3
    again = field.open_editor()
    qtbot.addWidget(again)
    again.node.setText("OTRA")
    again.save()
    assert field.path() == path, "one's own is changed in its place"
    assert record_loading.current_profile().service_prefix == "OTRA"


def test_a_network_travels_as_a_zip_with_its_records(page, tmp_path):
    field = page.form.fields["profile"]
    target = tmp_path / "out.zip"
    field.export_to(str(target))
    assert target.name in field.status_label.text()
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["network.json", "records/precipitation.xml", "records/park-guide.xml",
                                      "records/public-use-facilities.xml"]
    field.import_from(str(target))
    path = field.path()
    assert network_profiles.is_user_profile(path)
    guide = network_profiles.load_profile("").records["records/park-guide.xml"]
    assert read_profile_file(Path(path)).records[1].read_bytes() == guide
    alone = tmp_path / "alone.json"
    field.export_to(str(alone))
    assert json.loads(alone.read_text("utf-8"))["records"] == []


def test_a_removed_network_comes_back_and_one_in_use_stays(page):
    field = page.form.fields["profile"]
    path = network_profiles.save_profile(network_profiles.load_profile(""))
    field.set_path(path)
    field.remove()
    assert field.path() == "" and not Path(path).exists()
    field.status_label.linkActivated.emit("#undo")
    assert network_profiles.is_user_profile(field.path()) and Path(field.path()).is_file()
    page.apply()
    field.remove()
    assert "in use" in field.status_label.text()
    assert Path(field.path()).is_file()


def test_each_switch_says_in_its_own_words_what_it_does(page):
    words = [field.text() for field in page.form.fields.values() if isinstance(field, QCheckBox)]
    assert len(set(words)) == len(words) == 3


@pytest.mark.parametrize("content", [b"{", b'{"format": "other"}', b"PK\x03\x04 no zip", b""])
def test_what_is_no_network_is_refused_in_words(page, tmp_path, content):
    field = page.form.fields["profile"]
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    field.import_from(str(bad))
    assert field.path() == ""
    assert field.status_label.isVisible() and field.status_label.text()
    assert network_profiles.list_profiles() == []


def test_the_unit_of_the_resolution_is_in_the_readers_language(qgis_app):
    i18n.set_translator(lambda text, n: {"{number} dpi": "{number} ppp"}.get(text, text))
    try:
        field = make_field("export_dpi", lambda: None)
        assert field.text() == "300 ppp" and "300 ppp" in help_text("export_dpi")
    finally:
        i18n.set_translator(None)


INSECURE = origin_settings.RedirectRisk.INSECURE
AGREED = (("https://a.example/wms?", "http://a.example/other"), ("https://b_c.example:8443/", "http://b_c.example:81/"))


@pytest.fixture
def dialog(qgis_app, qtbot):
    for before, after in AGREED:
        origin_settings.allow_redirect(before, after, INSECURE)
    made = SettingsDialog()
    qtbot.addWidget(made)
    made.show()
    yield made
    for before, _ in AGREED:
        origin_settings.revoke_redirect(before, INSECURE)
    for name in ("retries", "parallel_requests", "check_before_export"):
        settings.reset(name)


def ok(dialog):
    dialog.buttons.button(dialog.buttons.StandardButton.Ok).click()


def test_how_requests_are_sent_can_be_set(dialog):
    dialog.form.fields["retries"].setValue(3)
    dialog.form.fields["parallel_requests"].setValue(2)
    dialog.form.fields["check_before_export"].setChecked(False)
    assert dialog.form.fields["parallel_requests"].maximum() == 6
    ok(dialog)
    assert [settings.get(name) for name in ("retries", "parallel_requests", "check_before_export")] == [3, 2, False]


def test_redirects_to_http_that_were_agreed_to_are_listed_and_one_is_forgotten(dialog):
    shown = [dialog.form.consent_list.list.item(row).text() for row in range(dialog.form.consent_list.list.count())]
    assert shown == ["https://a.example → http://a.example", "https://b_c.example:8443 → http://b_c.example:81"]
    dialog.form.consent_list.list.setCurrentRow(1)
    dialog.form.consent_list.revoke_button.click()
    assert origin_settings.is_redirect_allowed(*AGREED[1], INSECURE), "Cancel must still be possible"
    ok(dialog)
    assert not origin_settings.is_redirect_allowed(*AGREED[1], INSECURE)
    assert origin_settings.is_redirect_allowed(*AGREED[0], INSECURE)


def test_a_dialog_that_is_cancelled_forgets_nothing(dialog):
    dialog.form.consent_list.revoke_button.click()
    dialog.form.consent_list.revoke_button.click()
    assert dialog.form.consent_list.none_label.isVisible() and not dialog.form.consent_list.list.isVisible()
    dialog.buttons.button(dialog.buttons.StandardButton.Cancel).click()
    assert len(origin_settings.allowed_redirects(INSECURE)) == 2
