"""The plugin's sources as syntax trees, and who imports whom: read by the tests of the coding conventions."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Set, Tuple

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted(path.relative_to(ROOT).as_posix() for path in [*(ROOT / "plugin").rglob("*.py"), ROOT / "__init__.py"])


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


@lru_cache(maxsize=1000)
def nodes(source: str) -> Tuple[ast.AST, ...]:
    """All nodes of a source: many tests look at each, and finding them takes longer than reading the file."""
    return tuple(ast.walk(tree(source)))


@lru_cache(maxsize=1000)
def functions(source: str) -> List[Function]:
    found: List[Function] = []

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


@lru_cache(maxsize=1000)
def imports(source: str) -> Tuple[Tuple[int, str], ...]:
    """(line, absolute dotted name) of everything that a source imports, at whatever depth; TYPE_CHECKING too."""
    found: List[Tuple[int, str]] = []
    package = Path(source).parts[:-1]
    for node in nodes(source):
        if isinstance(node, ast.Import):
            found.extend((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            start = ".".join(base + ([node.module] if node.module else []))
            found.extend((node.lineno, f"{start}.{alias.name}" if start else alias.name) for alias in node.names)
    return tuple(found)


def forget() -> None:
    """Give the trees away: they are millions of objects."""
    for cached in (tree, nodes, functions, imports):
        cached.cache_clear()


def within(name: str, forbidden: tuple[str, ...]) -> bool:
    return any(name == entry or name.startswith(entry + ".") for entry in forbidden)


def everywhere(find: Callable[[str], Iterator[str]]) -> List[str]:
    """What ``find`` yields for every source of the plugin."""
    return [entry for source in SOURCES for entry in find(source)]


def module_name(source: str) -> str:
    parts = Path(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_public_class(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and not node.name.startswith("_")


@lru_cache(maxsize=1)
def graph() -> Dict[str, Set[str]]:
    """Module to the modules of the plugin that it imports, lazy and TYPE_CHECKING imports included."""
    names = {module_name(source): source for source in SOURCES if source.startswith("plugin/")}
    found: Dict[str, Set[str]] = {name: set() for name in names}
    for name, source in names.items():
        for _, imported in imports(source):
            target = imported if imported in names else imported.rpartition(".")[0]
            if target in names and target != name:
                found[name].add(target)
    return found


def circles(arrows: Dict[str, Set[str]]) -> List[List[str]]:
    """The strongly connected groups of more than one node (Tarjan)."""
    index: Dict[str, int] = {}
    low: Dict[str, int] = {}
    stack: List[str] = []
    found: List[List[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(arrows[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found
