"""The registries of page features on layouts and in the panel of the page."""

from plugin.core.pages.page_features import FEATURES
from plugin.gis.pages import page_features
from plugin.ui.composer.page_panel import PagePanel
from plugin.ui.pages.page_forms import FORMS


def test_all_layers_have_the_same_features_by_name():
    names = {feature.name for feature in FEATURES}
    assert {feature.name for feature in page_features.FEATURES} == names
    assert {form.feature for form in FORMS} == {feature for feature in FEATURES if feature.member}


def test_the_panel_shows_the_forms_of_the_features_that_the_page_has(qtbot):
    panel = PagePanel()
    qtbot.addWidget(panel)
    shown = {name for name, form in panel.features.items() if form.isVisibleTo(panel.form)}
    assert shown == {"qr_code", "logos"} and set(panel.features) == {"qr_code", "logos", "leaflet"}
    panel.template.setCurrentIndex(panel.template.findData("leaflet"))
    assert panel.features["leaflet"].isVisibleTo(panel.form)
    heard = []
    panel.feature_changed.connect(lambda name, value: heard.append((name, value)))
    panel.features["qr_code"].changed.emit("https://a.example/")
    assert heard == [("qr_code", "https://a.example/")]
