"""Request settings in the dialog: retries, parallel requests, trial requests before printing, accepted redirects."""

from __future__ import annotations

import pytest

from plugin.gis.network import origin_settings
from plugin.gis.runtime import settings
from plugin.ui.settings.settings_form import SettingsDialog

AGREED = (("https://a.example/wms?", "http://a.example/other"), ("https://b_c.example:8443/", "http://b_c.example:81/"))


@pytest.fixture
def dialog(qgis_app, qtbot):
    for before, after in AGREED:
        origin_settings.allow_http_redirect(before, after)
    made = SettingsDialog()
    qtbot.addWidget(made)
    made.show()
    yield made
    for before, _ in AGREED:
        origin_settings.revoke_http_redirect(before)
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
    shown = [dialog.form.redirect_list.list.item(row).text() for row in range(dialog.form.redirect_list.list.count())]
    assert shown == ["https://a.example → http://a.example", "https://b_c.example:8443 → http://b_c.example:81"]
    dialog.form.redirect_list.list.setCurrentRow(1)
    dialog.form.redirect_list.revoke_button.click()
    assert origin_settings.is_http_redirect_allowed(*AGREED[1]), "Cancel must still be possible"
    ok(dialog)
    assert not origin_settings.is_http_redirect_allowed(*AGREED[1])
    assert origin_settings.is_http_redirect_allowed(*AGREED[0])


def test_a_dialog_that_is_cancelled_forgets_nothing(dialog):
    dialog.form.redirect_list.revoke_button.click()
    dialog.form.redirect_list.revoke_button.click()
    assert dialog.form.redirect_list.none_label.isVisible() and not dialog.form.redirect_list.list.isVisible()
    dialog.buttons.button(dialog.buttons.StandardButton.Cancel).click()
    assert len(origin_settings.allowed_redirects()) == 2
