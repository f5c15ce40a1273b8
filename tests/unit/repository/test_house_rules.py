"""The rules of the house, read off the sources: who imports whom, sizes, docstrings, hints, forbidden calls."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path
from typing import Callable, Iterator, NamedTuple

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted(path.relative_to(ROOT).as_posix() for path in [*(ROOT / "plugin").rglob("*.py"), ROOT / "__init__.py"])

LONGEST_FILE = 350
LONGEST_FUNCTION = 70
NETWORKING = ("requests", "socket", "urllib.request", "http.client", "http.server", "ssl", "asyncio", "urllib3")
FORBIDDEN_IMPORTS = {
    "plugin/core/": ("qgis", "PyQt5", "PyQt6", "processing", *NETWORKING),
    "plugin/gis/": ("qgis.PyQt.QtWidgets", *NETWORKING),
    "plugin/processing/": ("qgis.PyQt.QtWidgets", "qgis.gui", "processing", *NETWORKING),
    "plugin/ui/": ("lxml", "owslib", "xml", "qgis.PyQt.QtNetwork", "qgis.PyQt.QtXml", *NETWORKING),
    "": ("PyQt5", "PyQt6", "xml.etree", "xml.sax", "xml.dom", "xml.parsers", "PySide2", "PySide6"),
}
FORBIDDEN_LAYERS = {
    "plugin/core/": ("plugin.gis", "plugin.ui", "plugin.main"),
    "plugin/gis/": ("plugin.ui", "plugin.processing", "plugin.main"),
    "plugin/processing/": ("plugin.ui", "plugin.main"),
}
PRINTERS = ("plugin/core/__main__.py", "plugin/core/cli")


class Function(NamedTuple):
    """One function of a source: its node, its dotted name, whether it is a method, whether it is inside a function."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    name: str
    method: bool
    nested: bool


def text(source: str) -> str:
    return (ROOT / source).read_text(encoding="utf-8")


@lru_cache(maxsize=1000)
def tree(source: str) -> ast.Module:
    return ast.parse(text(source), source)


def functions(source: str) -> list[Function]:
    found: list[Function] = []

    def walk(node: ast.AST, prefix: str, method: bool, nested: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append(Function(child, prefix + child.name, method, nested))
                walk(child, f"{prefix}{child.name}.", False, True)
            elif isinstance(child, ast.ClassDef):
                walk(child, f"{prefix}{child.name}.", True, nested)
            else:
                walk(child, prefix, method, nested)

    walk(tree(source), "", False, False)
    return found


def imports(source: str) -> Iterator[tuple[int, str]]:
    """(line, absolute dotted name) of everything that a source imports, at whatever depth; TYPE_CHECKING too."""
    package = Path(source).parts[:-1]
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            start = ".".join(base + ([node.module] if node.module else []))
            yield from ((node.lineno, f"{start}.{alias.name}" if start else alias.name) for alias in node.names)


def within(name: str, forbidden: tuple[str, ...]) -> bool:
    return any(name == entry or name.startswith(entry + ".") for entry in forbidden)


def everywhere(find: Callable[[str], Iterator[str]]) -> list[str]:
    """What ``find`` yields for every source of the plugin."""
    return [entry for source in SOURCES for entry in find(source)]


def test_the_sources_are_found():
    assert {"__init__.py", "plugin/core/i18n.py"} <= set(SOURCES)


def test_nothing_is_imported_across_the_walls():
    def find(source: str) -> Iterator[str]:
        for rules in (FORBIDDEN_IMPORTS, FORBIDDEN_LAYERS):
            for folder, forbidden in rules.items():
                for line, name in imports(source) if source.startswith(folder) else ():
                    if within(name, forbidden):
                        yield f"{source}:{line} imports {name}"

    assert everywhere(find) == []


def test_files_stay_short():
    assert [f"{source}: {n} lines" for source in SOURCES if (n := text(source).count("\n")) > LONGEST_FILE] == []


def test_functions_stay_short():
    def find(source: str) -> Iterator[str]:
        for function in functions(source):
            length = (function.node.end_lineno or 0) - function.node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield f"{source}:{function.node.lineno} {function.name}: {length} lines"

    assert everywhere(find) == []


def test_every_public_name_says_what_it_is():
    """Overridden Qt methods (camel case) are explained by Qt."""

    def find(source: str) -> Iterator[str]:
        if not ast.get_docstring(tree(source)):
            yield f"{source}: the module"
        for node in ast.walk(tree(source)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node):
                yield f"{source}:{node.lineno} {node.name}"
        for function in functions(source):
            last = function.node.name
            private = any(part.startswith("_") for part in function.name.split("."))
            overridden = function.method and last != last.lower()
            decorated = [ast.unparse(entry).endswith((".setter", "overload")) for entry in function.node.decorator_list]
            if private or overridden or function.nested or any(decorated):
                continue
            if not ast.get_docstring(function.node):
                yield f"{source}:{function.node.lineno} {function.name}"

    assert everywhere(find) == []


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
        annotated = any(isinstance(node, (ast.FunctionDef, ast.AnnAssign)) for node in ast.walk(tree(source)))
        if annotated and "from __future__ import annotations" not in text(source):
            yield source

    assert everywhere(find) == []


def test_nothing_is_asserted_printed_evaluated_or_swallowed():
    def find(source: str) -> Iterator[str]:
        for node in ast.walk(tree(source)):
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


def test_no_statement_of_sql_is_put_together_from_text():
    def find(source: str) -> Iterator[str]:
        for node in ast.walk(tree(source)):
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
