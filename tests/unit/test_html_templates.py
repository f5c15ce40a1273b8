"""Pages from the templates in resources/html: everything is escaped, and a missing Jinja2 is explained."""

from __future__ import annotations

import sys

import pytest
from markupsafe import Markup

from plugin.core import html_templates
from plugin.core.errors import CartoguideError
from plugin.core.html_templates import render


def test_values_are_escaped_and_cleaned():
    page = render("page.html", title="<script>a\x00b\u202e & c")
    assert "<title>&lt;script&gt;a\ufffdb &amp; c</title>" in page and page.startswith("<!DOCTYPE html>")
    assert "<h1><b>x</b></h1>" in render("page.html", title=Markup("<b>x</b>"))


def test_a_page_loads_nothing():
    page = render("page.html", title="x")
    assert "default-src 'none'" in page and "http" not in page.replace("http-equiv", "")


def test_a_missing_value_is_no_silent_gap():
    with pytest.raises(Exception, match="title"):
        render("page.html")


def test_without_jinja2_the_error_says_what_to_install(monkeypatch):
    html_templates._environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(CartoguideError, match="Jinja2"):
        render("page.html", title="x")
    html_templates._environment.cache_clear()
