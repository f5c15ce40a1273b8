"""The judge of expressions: what is listed may be evaluated, in bounded time, and nothing else."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.trust.expressions import (
    ALLOWED_FUNCTIONS,
    ALLOWED_VARIABLES,
    MAX_LENGTH,
    expression_problem,
    names_in,
    texts_problem,
    without_bad_expressions,
)

ALLOWED = (
    "", " ", "\"pop\" + 1", "pop/2 - -3.5e2 % 4 ^ 2", "name || ' (' || round(\"pop\", 2) || ')'", "1 // 2",
    "CASE WHEN \"a\" IN (1, 2, NULL) AND NOT (b = 'c') THEN 'x' ELSE upper(name) END", "a IS NOT NULL", "$area / 10000",
    "scale_linear(\"pop\", 0, 100, 1, 8)", "coalesce(name, '—')", "if(a > 1, 'x', 'y')", "name LIKE 'A%'",
    "name ILIKE '%sierra%'", "name NOT LIKE 'A%'", "color_rgb(1, 2, 3)", "ramp_color('Spectral', pop / 10)",
    "buffer($geometry, 5)", "buffer($geometry, 5, 16)", "centroid($geometry)", "x($geometry)", "$x_at(0)",
    "transform($geometry, 'EPSG:4326', @map_crs)", "format_date(now(), 'dd.MM.yyyy')", "year(\"date\") - 1900",
    "replace(replace(name, 'Calle ', 'C. '), 'ñ', 'n')", "regexp_replace(name, '^A +', '')", "name ~ '^[A-Z]'",
    "array_to_string(array(1, 2), ', ')", "format('%1 of %2', a, b)", "lpad(\"number\", 3, '0')",
    "to_string(@grid_number)",
    "map_get(map('a', 1), 'a')", "map_get(item_variables('map'), 'map_scale')", "cartoguide_credits('map')",
    "map_credits('map', true, ': ')", "'output_' || @atlas_featurenumber", "@map_scale < 5000", "a[0]",
    "\"a\"\"b\" = 'it''s'",
    "'\\'' || name", "attribute($currentfeature, 'name')", "geometry_n($geometry, @geometry_part_num)", "-- why\n1",
    "/* why */ 1", "within($geometry, @map_extent)", "make_line(start_point($geometry), end_point($geometry))",
)
REFUSED = (
    "env('HOME')", "Env('HOME')", "env/**/('HOME')", "env --\n('HOME')", "@user_account_name", "@\"user_account_name\"",
    "@qgis_os_name", "@project_path", "@project_title", "@layers", "@map_layers", "@my_own", "var('a')", "eval('1')",
    "eval_template('')", "aggregate('a', 'b', c)", "sum(a)", "maximum(a)", "get_feature('a', 'b', 1)",
    "layer_property('a', 'name')", "file_path('a')", "exif('a', 'b')", "raster_value('a', 1, $geometry)",
    "load_layer('a', 'ogr')", "represent_value(a)", "is_layer_visible('a')", "overlay_within('a')",
    "sqlite_fetch_and_increment('a', 'b', 'c', 'd', 'e')", "order_parts($geometry, 'env(''HOME'')')",
    "with_variable('a', 1, @a)", "array_foreach(array(1), @element)", "generate_series(1, 2)", "unheard_of(1)",
    "\"upper\"('a')",
    "$unheard", "$scale('a', env('b'))", "item_variables('map')", "map_get(item_variables('map'), 'user_full_name')",
    "map_get(item_variables('map'), 'map_' || 'scale')", "map_avals(item_variables('map'))",
    "map_get(CASE WHEN 1=1 AND 1=1 AND 1=1 AND 1=1 THEN item_variables('map') END, 'user_full_name')",
    "map_get(coalesce(item_variables('map')), 'map_scale')", "map_get(map_concat(item_variables('map')), 'a')",
    "map_get((item_variables('map')), 'map_scale')", "map_get(item_variables(name), 'map_scale')",
    "cartoguide_credits(array('private'))", "cartoguide_credits(name)",
    "transform($geometry, '+proj=x +nadgrids=/a', 'EPSG:4326')",
    "transform($geometry, a, b)", "from_json(a)", "geom_from_wkt(a)", "geom_from_gml('<a/>')",
)
ENDLESS = (
    "buffer($geometry, 5, 1e9)", "buffer($geometry, 5, a)",
    "buffer(segments:=1000000, geometry:=$geometry, distance:=1)",
    "make_regular_polygon($geometry, $geometry, 1e8)", "smooth($geometry, 60)",
    "smooth(smooth(smooth(smooth($geometry, 5), 5), 5), 5)",
    "lpad('a', 1e9, 'b')", "lpad('a', a, 'b')", "format_number(1, 1e9)",
    "replace(a, '', 'bbbbbbbbbbbb')" + " || replace(a, '', 'bbbbbbbbbb')" * 3,
    "replace(replace(replace(a, 'a', 'aaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaa')", "replace(a, b, c)",
    "replace(a, map('a', 'b'))", "regexp_replace(a, '(a+)+b', '')", "regexp_match(a, b)",
    "regexp_match(a, '(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)')",
    "regexp_match(a, 'a?a?a?a?a?a?aaaaaa')", "a ~ b", "a ~ '(a*)*'", "a LIKE '%a%a%a%a%a%'",
    "a LIKE '%' || b || '%a%a%'", "a LIKE b",
    "array_to_string(a, '" + "x" * 2000 + "')", "to_json(" * 12 + "a" + ")" * 12, "(" * 60 + "1" + ")" * 60,
    "CASE WHEN 1 THEN " * 60 + "1" + " END" * 60, "1" * (MAX_LENGTH + 1), "1+" * 4000 + "1",
    "format('%1%1%1%1%1%1', format('%1%1%1%1%1%1', format('%1%1%1%1%1%1', format('%1%1%1%1%1%1', a))))",
)
UNREADABLE = ("'a", "\"a", "a ? b", "a;b", "#", "(1", "1)", "`a`", "a := 1", "'a\\", "a\u2028 \\ b", "{1}")


@pytest.mark.parametrize("expression", ALLOWED)
def test_what_a_feature_is_drawn_with_is_allowed(expression):
    assert expression_problem(expression) == ""


@pytest.mark.parametrize("expression", REFUSED)
def test_what_reads_anything_else_is_not(expression):
    assert expression_problem(expression)
    assert expression_problem(f"coalesce(1, {expression}\n)"), "inside another"


@pytest.mark.parametrize("expression", ENDLESS, ids=lambda text: text[:60])
def test_what_could_take_very_long_is_not(expression):
    assert expression_problem(expression)


@pytest.mark.parametrize("expression", UNREADABLE)
def test_what_is_not_understood_is_not(expression):
    assert expression_problem(expression)


@pytest.mark.parametrize("piece", ("a", "(", "'", "\"", "f(", "a(1,", "/*", "*", "--", " ", "''",
    "\\", "@a", "case ", "1e", "'a' ~ "))
def test_the_time_is_linear_in_the_length(piece):
    began = time.process_time()
    for _again in range(5):
        expression_problem(piece * (MAX_LENGTH // len(piece)))
    assert time.process_time() - began < 10


@given(st.text(alphabet="ab(),'\"@$[]-+*/ \n:=~%|\\19.eé", max_size=60))
def test_any_text_gets_an_answer(text):
    assert isinstance(expression_problem(text), str)
    assert isinstance(without_bad_expressions(text), str)


@given(st.sampled_from(sorted(ALLOWED_FUNCTIONS | {"env", "eval", "sum", "x y",
    "layer_property"})), st.text(" \n\t", max_size=3))
def test_a_call_is_a_call_however_it_is_written(name, space):
    written = f"{name.upper()}{space}(1)"
    if name not in ALLOWED_FUNCTIONS:
        assert expression_problem(written)
    assert expression_problem(f'"{name}"{space}(1)')


@pytest.mark.parametrize(("text", "kept"), (
    ("plain 100 %", "plain 100 %"), ("[% \"name\" %]", "[% \"name\" %]"), ("a[% env('HOME') %]b", "a b"),
    ("[% 1 %][% env('HOME') %]", "[% 1 %] "), ("[% env('HOME')", "[% env('HOME')"), ("[[%env('A')%]% env('HOME') %]",
    "[ % env('HOME') %]"),
    ("[%[% env('A') %]%]", " %]")))
def test_bad_expressions_are_taken_out_of_texts(text, kept):
    assert without_bad_expressions(text) == kept
    assert texts_problem(kept) == ""


def test_the_names_in_an_expression_are_found():
    assert names_in("upper(\"Na\"\"me\") || Other || 'text' || @map_scale") == {"upper", 'na"me', "other"}


def test_nothing_of_the_computer_is_on_the_list():
    for word in ("user", "qgis", "os_", "_path ", "folder", "home", "file", "env", "eval", "aggregate", "layer_prop",
    "raster_v"):
        assert not [name for name in ALLOWED_FUNCTIONS | ALLOWED_VARIABLES if word in name], word
