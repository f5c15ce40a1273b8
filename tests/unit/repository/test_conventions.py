"""Coding conventions, checked on the sources: docstrings, type hints, calls that are not allowed."""

from __future__ import annotations

import ast
import re
from typing import Iterator

from tests.unit.repository.sources import SOURCES, everywhere, functions, nodes, text, tree

PRINTERS = ("plugin/core/__main__.py", "plugin/core/cli")


def test_every_function_has_full_type_hints():
    def find(source: str) -> Iterator[str]:
        for function in functions(source):
            given = function.node.args
            named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            plain = [a.arg for a in named if a is not None and a.annotation is None and a.arg not in ("self", "cls")]
            if plain or function.node.returns is None:
                yield f"{source}:{function.node.lineno} {function.name}({', '.join(plain)})"

    assert everywhere(find) == []


def test_annotations_are_not_evaluated_on_import():
    def find(source: str) -> Iterator[str]:
        annotated = any(isinstance(node, (ast.FunctionDef, ast.AnnAssign)) for node in nodes(source))
        if annotated and "from __future__ import annotations" not in text(source):
            yield source

    assert everywhere(find) == []


def test_nothing_is_asserted_printed_evaluated_or_swallowed():
    def find(source: str) -> Iterator[str]:
        for node in nodes(source):
            wrong = ""
            if isinstance(node, ast.Assert):
                wrong = "assert"
            elif isinstance(node, ast.ExceptHandler) and node.type is None:
                wrong = "bare except"
            elif isinstance(node, ast.ExceptHandler) and all(isinstance(entry, ast.Pass) for entry in node.body):
                wrong = "except: pass"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in ("eval", "exec", "compile", "__import__", "breakpoint"):
                    wrong = node.func.id
                elif node.func.id == "print" and not source.startswith(PRINTERS):
                    wrong = "print"
            if wrong:
                yield f"{source}:{node.lineno} {wrong}"

    assert everywhere(find) == []


def test_xml_is_read_and_written_without_a_converter_of_encodings():
    """``safe_xml._without_encoding`` says why: a GeoPackage that is closed meanwhile would end QGIS."""
    def find(source: str) -> Iterator[str]:
        for node in nodes(source):
            if isinstance(node, ast.Call) and "etree." in ast.unparse(node.func):
                encodings = [ast.unparse(given.value) for given in node.keywords if given.arg == "encoding"]
                writes = ast.unparse(node.func).endswith("tostring")
                if encodings != (["'unicode'"] if writes else []):
                    yield f"{source}:{node.lineno} {ast.unparse(node)[:80]}"

    assert everywhere(find) == []


def test_no_statement_of_sql_is_put_together_from_text():
    def find(source: str) -> Iterator[str]:
        for node in nodes(source):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                runs = node.func.attr in ("execute", "executemany", "executescript")
                if runs and isinstance(node.args[0], (ast.JoinedStr, ast.BinOp, ast.Call)):
                    yield f"{source}:{node.lineno}"

    assert everywhere(find) == []


def test_the_plugin_does_not_ask_whether_it_is_under_test():
    asks = re.compile(r"PYTEST|\bpytest\b|environ.*\bCI\b|getenv\(.CI.")
    assert [source for source in SOURCES if asks.search(text(source))] == []


def test_no_default_is_computed_once_for_all_calls():
    """A clock, a list or a translation in a default argument is made at import and then shared."""
    made = ("tr", "time.time", "list", "dict", "set")

    def find(source: str) -> Iterator[str]:
        for function in functions(source):
            for default in [*function.node.args.defaults, *function.node.args.kw_defaults]:
                shared = isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp))
                if shared or (isinstance(default, ast.Call) and ast.unparse(default.func) in made):
                    yield f"{source}:{function.node.lineno} {function.name}"

    assert everywhere(find) == []


def test_no_text_is_translated_at_import():
    """The translator does not exist yet when a module is read."""

    def at_import(node: ast.AST) -> Iterator[ast.Call]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                continue
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "tr":
                yield child
            yield from at_import(child)

    assert everywhere(lambda source: (f"{source}:{call.lineno}" for call in at_import(tree(source)))) == []


def test_controls_leave_the_wheel_to_the_page_around_them():
    """Combo boxes, spin boxes and sliders are made through ``wheel_needs_focus``, or by a function that does it."""
    controls = re.compile(r"(?!QStyleOption)(Qg?s?|Layer)\w*"
                          r"(ComboBox|SpinBox|Slider|Dial|DateEdit|DateTimeEdit|TimeEdit|ScaleWidget)")

    def find(source: str) -> Iterator[str]:
        guarded = {id(inner) for node in nodes(source)
                   if isinstance(node, ast.Call) and ast.unparse(node.func) == "wheel_needs_focus"
                   for inner in ast.walk(node)}
        for node in nodes(source):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and controls.fullmatch(node.func.id) \
                    and id(node) not in guarded:
                yield f"{source}:{node.lineno} {node.func.id}"

    assert everywhere(find) == []
