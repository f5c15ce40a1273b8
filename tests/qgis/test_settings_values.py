"""Settings: declared once, and of their type whatever value is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from qgis.core import QgsApplication, QgsSettings

from plugin.app.maps.document_controller import recent_maps
from plugin.gis.runtime import settings


@pytest.fixture(autouse=True)
def clean(qgis_app):
    for name in settings.SETTINGS:
        settings.reset(name)
    yield
    for name in settings.SETTINGS:
        settings.reset(name)


def test_every_default_fits_its_own_declaration_and_has_a_help_line():
    for name, setting in settings.SETTINGS.items():
        assert setting.allows(setting.default), name
        assert setting.help().endswith("."), name
        assert settings.get(name) == setting.default


def test_what_is_set_is_got_and_reset_forgets_it():
    settings.set("first_byte_timeout", 3)
    assert settings.get("first_byte_timeout") == 3.0
    settings.set("profile", "/a/ñ.json")
    assert settings.get("profile") == "/a/ñ.json"
    settings.reset("first_byte_timeout")
    assert settings.get("first_byte_timeout") == 10.0


@pytest.fixture
def copied_profile(tmp_path):
    """The folder of QGIS 3's profile that this one is a copy of, with the settings as they came from there."""
    old, own = tmp_path / "QGIS" / "QGIS3" / "profiles" / "default", Path(QgsApplication.qgisSettingsDirPath())
    for profile in (old, own):
        for name in ("networks/parque/profile.json", "records.sqlite", "templates/mine.qpt"):
            file = profile / "cartoguide" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    settings.set("profile", str(old / "cartoguide" / "networks" / "parque" / "profile.json"))
    settings.set("store/path", str(old / "cartoguide" / "records.sqlite"))
    settings.set("templates_folder", str(old / "cartoguide" / "templates"))
    QgsSettings().setValue("cartoguide/qgis_profile", f"{old}/")
    return old


def test_paths_in_a_profile_that_was_copied_are_those_of_the_copy(copied_profile):
    own = Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide"
    assert Path(settings.get("profile")) == own / "networks" / "parque" / "profile.json"
    assert Path(settings.get("store/path")) == own / "records.sqlite"
    assert Path(settings.get("templates_folder")) == own / "templates"


def test_lists_of_paths_name_the_copies_too(copied_profile):
    own = Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide"
    for profile in (copied_profile, own.parent):
        (profile / "cartoguide" / "maps").mkdir(exist_ok=True)
        (profile / "cartoguide" / "maps" / "dunas ñ.custommap.json").write_text("{}")
    elsewhere = copied_profile / "elsewhere.custommap.json"
    elsewhere.write_text("{}")
    old_map = copied_profile / "cartoguide" / "maps" / "dunas ñ.custommap.json"
    settings.set("recent_maps", json.dumps([str(old_map), str(elsewhere), 3]))
    settings.set("last_folder", str(old_map.parent))
    QgsSettings().setValue("cartoguide/qgis_profile", f"{copied_profile}/")
    assert recent_maps() == [own / "maps" / "dunas ñ.custommap.json", elsewhere]
    assert settings.get("last_folder") == str(own / "maps")


@pytest.mark.parametrize("broken", ["[", "{}", "[\"a\\u0000b\"]", "3", ""])
def test_a_broken_list_of_paths_stays_as_it_is(copied_profile, broken):
    QgsSettings().setValue("cartoguide/recent_maps", broken)
    assert settings.get("store/path") and QgsSettings().value("cartoguide/recent_maps") == broken


def test_so_they_are_where_the_settings_do_not_say_which_profile_they_are_of(copied_profile):
    QgsSettings().remove("cartoguide/qgis_profile")
    assert Path(settings.get("store/path")).parent == Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide"


def test_what_is_not_in_the_profile_or_was_not_copied_stays_where_it_is(copied_profile, tmp_path):
    shared = tmp_path / "compartido" / "cartoguide" / "records.sqlite"
    QgsSettings().setValue("cartoguide/store/path", str(shared))
    QgsSettings().setValue("cartoguide/profile", str(copied_profile / "cartoguide" / "networks" / "gone.json"))
    assert settings.get("store/path") == str(shared)
    assert settings.get("profile") == str(copied_profile / "cartoguide" / "networks" / "gone.json")


def test_a_library_of_the_other_profile_that_is_chosen_later_is_shared(copied_profile):
    assert settings.get("templates_folder")
    shared = str(copied_profile / "cartoguide" / "records.sqlite")
    settings.set("store/path", shared)
    assert settings.get("store/path") == shared


def test_stored_under_the_plugins_own_prefix():
    settings.set("paper", "A3")
    assert QgsSettings().value("cartoguide/paper") == "A3"


@pytest.mark.parametrize(("name", "stored"), [
    ("first_byte_timeout", "soon"), ("first_byte_timeout", "-1"), ("first_byte_timeout", "nan"),
    ("first_byte_timeout", ["1", "2"]), ("retries", "99"), ("retries", None), ("paper", "A7"), ("profile", ["a", "b"]),
    ("export_dpi", "3.5"), ("export_dpi", {"a": 1}),
])
def test_a_wrong_stored_value_counts_as_the_default(name, stored):
    QgsSettings().setValue(f"cartoguide/{name}", stored)
    assert settings.get(name) == settings.SETTINGS[name].default


def test_numbers_that_came_back_as_text_are_numbers():
    QgsSettings().setValue("cartoguide/retries", "3")
    QgsSettings().setValue("cartoguide/total_timeout", "4.5")
    assert settings.get("retries") == 3
    assert settings.get("total_timeout") == 4.5


def test_a_value_that_is_not_allowed_is_not_stored():
    with pytest.raises(ValueError):
        settings.set("paper", "A7")
    with pytest.raises(ValueError):
        settings.set("retries", "3")
    with pytest.raises(KeyError):
        settings.set("no such setting", 1)
    assert settings.get("paper") == "A4"


@pytest.mark.parametrize("stored", ["null", "7", '{"a": 1}', "[", "[null, 7]"])
def test_recent_maps_that_are_no_list_of_paths_are_none(stored):
    settings.set("recent_maps", stored)
    assert recent_maps() == []
