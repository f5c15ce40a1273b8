"""The judge of QGIS expressions of somebody else: what may be evaluated while a map is drawn.

Allowed are arithmetic, comparison, attributes, and functions of the feature itself whose time and memory are bounded by
the expression's length and the feature's size. Everything that is not listed is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Callable, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple

from ..i18n import tr


def words(text: str) -> FrozenSet[str]:
    """Return the words of a text, which is how long lists of names are written."""
    return frozenset(text.split())


#: limits of one expression: characters, brackets and CASE inside each other, tokens
MAX_LENGTH, MAX_DEPTH, MAX_TOKENS = 10_000, 40, 3_000
#: factor by which all functions of an expression together may lengthen a text or a geometry
_MAX_GROWTH = 1_000
#: geometry functions with many new vertices in one expression
_MAX_CURVES = 6

# as QGIS's lexer does it (qgsexpressionlexer.ll), except that what it knows and this does not is refused
_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n]+|--[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/))
    |(?P<string>'(?:''|\\[^\n]|[^'\\])*')
    |(?P<quoted>"(?:""|[^"])*")
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<variable>@[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*)
    |(?P<name>\$?[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*)
    |(?P<operator>:=|//|\|\||!=|<=|>=|<>|[-+*/%^=<>~,()\[\]])""", re.VERBOSE)
_ESCAPES = re.compile(r"\\(.)|''", re.DOTALL)
#: words that an opening bracket may follow without making a call of them
_KEYWORDS = words("and or not in like ilike is between case when then else end null true false")
#: what an expression in a text stands between (QgsExpression::replaceExpressionText)
_BEGIN, _END = "[%", "%]"
_CRS = re.compile(r"[A-Za-z]{2,10}:[0-9]{1,8}")

#: functions of numbers, texts, dates, colours, arrays and geometries that reveal nothing but what they are given, and
#: whose result is about as large as that
_PLAIN: FrozenSet[str] = words("""
sqrt radians degrees abs cos sin tan asin acos atan atan2 exp ln log10 log rand randf max min clamp scale_linear
scale_exp scale_polynomial scale_exponential floor ceil pi $pi
azimuth bearing inclination project length3d $geometry $area area $length $perimeter perimeter $x $y $z $m x y z m
is_valid point_n start_point end_point nodes_to_points segments_to_lines collect_geometries make_point make_point_m
make_line make_polygon make_triangle make_square make_rectangle_3points make_valid $x_at $y_at xat yat x_at y_at z_at
m_at geometry_type x_min xmin x_max xmax y_min ymin y_max ymax
flip_coordinates relate intersects_bbox bbox disjoint intersects touches crosses contains overlaps within equals
translate rotate scale affine_transform force_rhr force_polygon_cw force_polygon_ccw extend centroid point_on_surface
reverse exterior_ring interior_ring_n geometry_n boundary line_merge bounds simplify simplify_vw num_points
num_interior_rings num_rings num_geometries bounds_width bounds_height is_closed close_line is_empty is_empty_or_null
convex_hull convexhull oriented_bbox main_angle difference distance intersection sym_difference symdifference combine
union geom_to_wkb geometry extrude is_multipart z_max z_min m_max m_min sinuosity straight_distance_2d closest_point
shortest_line line_interpolate_point line_interpolate_angle line_interpolate_point_by_m line_locate_point
line_locate_m angle_at_vertex distance_to_vertex line_substring shared_paths roundness geometries_to_array
wedge_buffer
to_int toint to_real toreal to_decimal todecimal to_bool hash md5 sha256 to_base64 from_base64 to_string tostring
to_datetime todatetime to_date todate to_time totime to_interval tointerval
coalesce nullif if try
array array_sort array_length array_contains array_count array_find array_get array_first array_last array_min
array_max array_mean array_median array_sum array_append array_prepend array_insert array_remove_at array_cat
array_slice array_reverse
now $now age year month week day hour minute second epoch datetime_from_epoch day_of_week make_date make_time
make_datetime make_interval format_date timezone_id timezone_from_id get_timezone set_timezone convert_timezone
lower upper title trim ltrim rtrim char ascii unaccent substr concat strpos left right soundex length substr_count
hamming_distance
color_grayscale_average color_mix_rgb color_mix color_rgb color_rgba color_rgbf ramp_color ramp_color_object
create_ramp color_hsl color_hsla color_hslf color_hsv color_hsva color_hsvf color_cmyk color_cmyka color_cmykf
color_part darker lighter set_color_part
$scale $id $currentfeature feature_id uuid $uuid attributes attribute mime_type
map map_get map_exist map_delete map_insert map_concat map_akeys map_avals map_prefix_keys
crs_to_authid $face_index $face_area $vertex_as_point $vertex_index $vertex_x $vertex_y $vertex_z $face_area
""")

#: variables of what is being drawn. Those of the computer, the person, the project and other layers are left out
_VARIABLES: FrozenSet[str] = words("""
map_id map_rotation map_scale map_extent map_extent_center map_extent_width map_extent_height map_units map_crs
map_crs_acronym map_crs_definition map_crs_description map_crs_ellipsoid map_crs_proj4 map_crs_projection map_crs_wkt
map_start_time map_end_time map_interval map_z_range_lower map_z_range_upper zoom_level vector_tile_zoom
frame_duration frame_number frame_rate frame_timestep animation_start_time animation_end_time animation_interval
layout_name layout_numpages layout_page layout_pageheight layout_pagewidth layout_pageoffsets layout_dpi item_id
item_uuid atlas_featurenumber atlas_totalfeatures atlas_pagename
legend_title legend_column_count legend_split_layers legend_wrap_string legend_filter_by_map legend_filter_out_atlas
scale_value grid_number grid_axis grid_count grid_index row_number table_row_number column_number
symbol_color symbol_angle symbol_layer_count symbol_layer_index symbol_marker_row symbol_marker_column symbol_frame
symbol_label symbol_id symbol_count geometry_part_count geometry_part_num geometry_point_count geometry_point_num
geometry_ring_num cluster_color cluster_size value symbol_value diagram_color
feature id geometry layer_name layer_crs layer_crs_ellipsoid layer_vertical_crs map_vertical_crs
project_crs project_crs_acronym project_crs_arctypes project_crs_definition project_crs_description
project_crs_ellipsoid project_crs_proj4 project_crs_wkt project_units project_area_units project_distance_units
project_ellipsoid project_vertical_crs
""")
#: variables that name a CRS, for ``transform``
_CRS_VARIABLES = frozenset(("project_crs", "layer_crs", "map_crs"))
#: variables of a layout's item that ``item_variables`` may be asked for: of the many that it returns one is taken
_ITEM_VARIABLES = frozenset(name for name in _VARIABLES if name.startswith(("map_", "item_", "layout_", "legend_")))


@dataclass(frozen=True)
class _Token:
    """A part of an expression: its kind, its text as written, and for a string its value."""

    kind: str
    text: str
    value: str = ""


@dataclass
class _Bracket:
    """An opening bracket that waits for its end: the function that it calls, and where its arguments begin."""

    function: str
    arguments: List[int] = field(default_factory=list)
    is_named: bool = False


@dataclass(frozen=True)
class _Problem(Exception):
    """Ends the judgement of an expression with what people read about it."""

    text: str


Arguments = Sequence[Sequence[_Token]]


def expression_problem(text: str) -> str:
    """Return the words for an expression that may not be evaluated ("expressions that …"), or "" if it may.

    The time that this takes is linear in the length.
    """
    if not text.strip():
        return ""
    try:
        _Judge(_tokens(text)).judge()
    except _Problem as problem:
        return problem.text
    return ""


def texts_problem(text: str) -> str:
    """Return what is wrong with the first bad expression between ``[%`` and ``%]`` in a text, or ""."""
    if "[%" not in text:
        return ""
    return next(filter(None, map(expression_problem, expressions_in_text(text))), "")


def without_bad_expressions(text: str) -> str:
    """Return a text without those of its expressions between ``[%`` and ``%]`` that may not be evaluated."""
    kept = text
    for expression in expressions_in_text(text):
        if expression_problem(expression):
            kept = kept.replace(f"{_BEGIN}{expression}{_END}", " ", 1)
    return "" if texts_problem(kept) else kept


def expressions_in_text(text: str) -> List[str]:
    """Return the expressions between ``[%`` and ``%]``, as QGIS finds them. Linear in the length of the text."""
    found, position = [], text.find(_BEGIN)
    while position >= 0:
        end = text.find(_END, position + len(_BEGIN))
        if end < 0:
            break
        found.append(text[position + len(_BEGIN):end])
        position = text.find(_BEGIN, end + len(_END))
    return found


def reading_text() -> str:
    """Return the words for expressions that could read something else than what is drawn."""
    return tr("expressions that read files, settings or other layers, or that are not known to be harmless")


def endless_text() -> str:
    """Return the words for expressions whose evaluation or judgement could take very long."""
    return tr("expressions that could take very long")


def _unreadable_text() -> str:
    return tr("expressions that cannot be read")


def _tokens(text: str) -> List[_Token]:
    if len(text) > MAX_LENGTH:
        raise _Problem(endless_text())
    tokens: List[_Token] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None or not found.lastgroup:
            raise _Problem(_unreadable_text())
        place = found.end()
        if found.lastgroup != "space":
            written = found.group()
            value = _ESCAPES.sub(lambda part: part.group(1) or "'",
                                 written[1:-1]) if found.lastgroup == "string" else ""
            tokens.append(_Token(found.lastgroup, written, value))
            if len(tokens) > MAX_TOKENS:
                raise _Problem(endless_text())
    return tokens


class _Judge:
    """Goes through the tokens of one expression, once."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._open: List[_Bracket] = []
        self._cases = 0
        self._growth = 1.0
        self._curves = 0

    def judge(self) -> None:
        """Raise _Problem if the expression may not be evaluated."""
        for place, token in enumerate(self._tokens):
            word = token.text.lower()
            if token.kind == "variable":
                self._check_variable(token.text[1:])
            elif token.kind in ("name", "quoted"):
                self._check_name(place, word)
            elif word in ("(", "["):
                self._open_bracket(place, word)
            elif word in (")", "]"):
                self._close_bracket(place)
            elif word == "," and self._open:
                self._open[-1].arguments.append(place + 1)
            elif word == ":=":
                if not self._open or not self._open[-1].function:
                    raise _Problem(_unreadable_text())
                self._open[-1].is_named = True
            elif word == "~":
                self._check_pattern(place, _check_regular_expression)
        if self._open:
            raise _Problem(_unreadable_text())

    def _check_variable(self, name: str) -> None:
        if name not in _VARIABLES:
            raise _Problem(reading_text())

    def _check_name(self, place: int, word: str) -> None:
        follows = self._tokens[place + 1].text if place + 1 < len(self._tokens) else ""
        if word == "case":
            self._cases += 1
            self._check_depth()
        elif word == "end":
            self._cases -= 1
        elif word in ("like", "ilike"):
            self._check_pattern(place, _check_like)
        if self._tokens[place].kind == "quoted":
            if follows == "(":
                raise _Problem(_unreadable_text())
            return
        is_call = word.startswith("$") or follows == "(" and word not in _KEYWORDS
        if is_call and word not in ALLOWED_FUNCTIONS:
            raise _Problem(reading_text())

    def _check_depth(self) -> None:
        if len(self._open) + self._cases > MAX_DEPTH:
            raise _Problem(endless_text())

    def _open_bracket(self, place: int, bracket: str) -> None:
        before = self._tokens[place - 1] if place else None
        function = ""
        if bracket == "(" and before is not None and before.kind == "name":
            name = before.text.lower()
            function = "" if name in _KEYWORDS else name
        self._open.append(_Bracket(function, [place + 1]))
        self._check_depth()

    def _close_bracket(self, place: int) -> None:
        if not self._open:
            raise _Problem(_unreadable_text())
        bracket = self._open.pop()
        rule = _RULES.get(bracket.function)
        if rule is None:
            return
        ends = [start - 1 for start in bracket.arguments[1:]] + [place]
        # of longer arguments no rule looks at more than the beginning
        arguments = [self._tokens[start:min(end, start + 12)] for start, end in zip(bracket.arguments, ends)]
        arguments = [] if not any(arguments) else arguments
        if bracket.is_named:
            raise _Problem(reading_text())
        growth, curves = rule(arguments)
        if bracket.function == "item_variables" and not self._is_first_of_map_get(bracket, place):
            raise _Problem(reading_text())
        self._growth *= growth
        self._curves += curves
        if self._growth > _MAX_GROWTH or self._curves > _MAX_CURVES:
            raise _Problem(endless_text())

    def _is_first_of_map_get(self, bracket: _Bracket, end: int) -> bool:
        """Return whether a call up to the token ``end`` is the whole first argument of ``map_get``."""
        outer = self._open[-1] if self._open else _Bracket("")
        follows = self._tokens[end + 1].text if end + 1 < len(self._tokens) else ""
        return outer.function == "map_get" and outer.arguments == [bracket.arguments[0] - 2] and follows == ","

    def _check_pattern(self, place: int, check: Callable[[str], None]) -> None:
        """Check the pattern of LIKE and ~: a text, not one that is put together while the map is drawn."""
        pattern = self._tokens[place + 1] if place + 1 < len(self._tokens) else None
        follows = self._tokens[place + 2].text if place + 2 < len(self._tokens) else ""
        if pattern is None or pattern.kind != "string" or follows in ("||", "+", "["):
            raise _Problem(endless_text())
        check(pattern.value)


_Rule = Callable[[Arguments], Tuple[float, int]]


def _string(arguments: Arguments, place: int) -> str:
    """Return the value of an argument that must be one string. Raises _Problem for another."""
    if place >= len(arguments) or len(arguments[place]) != 1 or arguments[place][0].kind != "string":
        raise _Problem(endless_text())
    return arguments[place][0].value


def _number(argument: Sequence[_Token]) -> Optional[float]:
    """Return the value of an argument that is one number, with a sign perhaps. None if it is something else."""
    sign = -1 if len(argument) == 2 and argument[0].text == "-" else 1
    last = argument[-1] if argument and len(argument) <= (2 if sign < 0 else 1) else None
    return sign * float(last.text) if last is not None and last.kind == "number" else None


def _within(limits: Mapping[int, Tuple[float, float]], most: int, curves: int = 0,
            power: Optional[int] = None) -> _Rule:
    """Return a rule for a function some of whose arguments must be numbers within limits, if they are given.

    ``most`` is how many arguments it may have. The argument ``power`` doubles the result each time that it is raised.
    """
    def rule(arguments: Arguments) -> Tuple[float, int]:
        if len(arguments) > most:
            raise _Problem(endless_text())
        growth = 1.0
        for place, (low, high) in limits.items():
            if place < len(arguments):
                number = _number(arguments[place])
                if number is None or not low <= number <= high:
                    raise _Problem(endless_text())
                growth *= 2 ** number if place == power else 1.0
        return growth, curves

    return rule


def _check_like(pattern: str) -> None:
    if pattern.count("%") > 3:
        raise _Problem(endless_text())


def _check_regular_expression(pattern: str) -> None:
    """Refuse patterns that could be matched in very many ways: with several repetitions, or references back."""
    repetitions, options = sum(pattern.count(mark) for mark in "*+{"), pattern.count("?")
    if (repetitions > 1 or options > 3 or len(pattern) > 300 or pattern.count("(") > 1 and pattern.count("|") > 6
            or re.search(r"\\[1-9gkKRQ]|\(\?", pattern)):
        raise _Problem(endless_text())


def _matching(arguments: Arguments) -> Tuple[float, int]:
    _check_regular_expression(_string(arguments, 1))
    return 1.0, 0


def _replacing_matches(arguments: Arguments) -> Tuple[float, int]:
    _check_regular_expression(_string(arguments, 1))
    return 1.0 + len(_string(arguments, 2)) + 10 * _string(arguments, 2).count("\\"), 0


def _replacing(arguments: Arguments) -> Tuple[float, int]:
    if len(arguments) != 3:
        raise _Problem(endless_text())
    sought, new = _string(arguments, 1), _string(arguments, 2)
    return max(1.0, len(new) / len(sought)) if sought else len(new) + 1.0, 0


def _formatting(arguments: Arguments) -> Tuple[float, int]:
    return max(1.0, float(_string(arguments, 0).count("%"))) if arguments else 1.0, 0


def _joining(arguments: Arguments) -> Tuple[float, int]:
    return 1.0 + sum(len(_string(arguments, place)) for place in range(1, len(arguments))), 0


def _doubling(_arguments: Arguments) -> Tuple[float, int]:
    return 2.0, 0


def _splitting(arguments: Arguments) -> Tuple[float, int]:
    for place in range(1, len(arguments)):
        _string(arguments, place)
    return 1.0, 0


def _reading(arguments: Arguments) -> Tuple[float, int]:
    """Check that what is parsed is written in the expression: a feature could have it nested very deeply."""
    _string(arguments, 0)
    return 1.0, 0


def _transforming(arguments: Arguments) -> Tuple[float, int]:
    for argument in arguments[1:3]:
        token = argument[0] if len(argument) == 1 else None
        is_crs = token is not None and (token.kind == "string" and _CRS.fullmatch(token.value)
                                        or token.kind == "variable" and token.text[1:] in _CRS_VARIABLES)
        if not is_crs:
            raise _Problem(reading_text())
    return 1.0, 0


def _crediting(arguments: Arguments) -> Tuple[float, int]:
    """Check that credits are asked for a layout's map by its id, not for layers by their names."""
    for argument in arguments:
        if len(argument) != 1 or argument[0].kind not in ("string", "number") and argument[0].text.lower() not in (
                "true", "false", "null"):
            raise _Problem(reading_text())
    return 1.0, 0


def _asking_item(arguments: Arguments) -> Tuple[float, int]:
    if len(arguments) != 1 or len(arguments[0]) != 1 or arguments[0][0].kind != "string":
        raise _Problem(reading_text())
    return 1.0, 0


def _getting(arguments: Arguments) -> Tuple[float, int]:
    """Check that of an item's variables only one is taken that reveals nothing."""
    # elsewhere it is not allowed, see _is_first_of_map_get
    if arguments and arguments[0] and arguments[0][0].text.lower() == "item_variables":
        key = arguments[1][0] if len(arguments) == 2 and len(arguments[1]) == 1 else None
        if key is None or key.kind != "string" or key.value not in _ITEM_VARIABLES:
            raise _Problem(reading_text())
    return 1.0, 0


#: functions that may be called with certain arguments only
_RULES: Dict[str, _Rule] = {
    "round": _within({1: (-20, 20)}, 2),
    "format_number": _within({1: (0, 20)}, 4),
    "geom_to_wkt": _within({1: (0, 20)}, 2),
    "geomtowkt": _within({1: (0, 20)}, 2),
    **{name: _within({2: (0, 12)}, 4) for name in ("to_dm", "todm", "to_dms", "todms")},
    **{name: _within({1: (0, 1_000)}, 3) for name in ("lpad", "rpad")},
    "wordwrap": _within({1: (-10_000, 10_000)}, 3),
    **{name: _within({1: (1, 64)}, 2, 1) for name in ("minimal_circle", "buffer_by_m")},
    "buffer": _within({2: (1, 64)}, 6, 1),
    "make_circle": _within({2: (3, 360)}, 3, 1),
    "make_ellipse": _within({4: (3, 360)}, 5, 1),
    "make_regular_polygon": _within({2: (3, 360)}, 4, 1),
    "offset_curve": _within({2: (1, 32)}, 5, 1),
    "single_sided_buffer": _within({2: (1, 32)}, 5, 1),
    "tapered_buffer": _within({3: (1, 64)}, 4, 1),
    "smooth": _within({1: (1, 5)}, 5, 1, power=1),
    "densify_by_count": _within({1: (0, 100)}, 2, 2),
    "regexp_match": _matching, "regexp_substr": _matching, "regexp_matches": _matching,
    "regexp_replace": _replacing_matches, "replace": _replacing, "format": _formatting,
    "array_to_string": _joining, "string_to_array": _splitting, "to_json": _doubling, "map_to_json": _doubling,
    "from_json": _reading, "json_to_map": _reading, "geom_from_wkt": _reading, "geomfromwkt": _reading,
    "transform": _transforming, "item_variables": _asking_item, "map_get": _getting,
    **dict.fromkeys(("map_credits", "cartoguide_credits", "cartoguide_terms", "cartoguide_sources",
                     "cartoguide_scale"), _crediting)}
_PLAIN = _PLAIN - _RULES.keys()

#: all functions that may be called, some of them with certain arguments only
ALLOWED_FUNCTIONS: FrozenSet[str] = _PLAIN | _RULES.keys()
ALLOWED_VARIABLES: FrozenSet[str] = _VARIABLES


def names_in(text: str) -> FrozenSet[str]:
    """Return the names of an allowed expression in lower case: columns, functions and words, quoted ones too."""
    return frozenset(token.text[1:-1].replace('""', '"').lower() if token.kind == "quoted" else token.text.lower()
                     for token in _tokens(text) if token.kind in ("name", "quoted"))
