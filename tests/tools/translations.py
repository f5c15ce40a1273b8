"""The catalogues of texts: reads all ``tr("…")`` and ``tr_noop("…")`` of the plugin into i18n/*.ts, and compiles these.

    translations.py update     merge the sources' texts into the .ts files, keep translations, drop vanished texts
    translations.py release    compile each .ts that is newer than its .qm (needs Qt's lrelease)
    translations.py check      say what is unfinished or out of step; status 1 if anything is
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

REPOSITORY = Path(__file__).resolve().parents[2]
CONTEXT = "Cartoguide"
LANGUAGES = {"es": ("es_ES", 2)}  # language: (locale, plural forms)
QT_FOLDERS = ("/usr/lib/qt5/bin", "/usr/lib/qt6/bin")
PLACES = re.compile(r"\{[^{}]*\}|%n")


class SourceError(Exception):
    """A call of ``tr`` that no catalogue can serve, with its file and line."""


@dataclass
class Message:
    """One text of the sources: whether it has plural forms, and the files that say it."""

    text: str
    plural: bool = False
    files: list[str] = field(default_factory=list)


def texts_of(source: str, name: str) -> list[tuple[str, bool]]:
    """The (text, plural) of every call of ``tr`` and ``tr_noop`` in ``source``, in the order of the file."""
    found: list[tuple[int, int, str, bool]] = []
    for node in ast.walk(ast.parse(source, name)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("tr", "translate") and node.args:
            owner = node.func.value
            if node.func.attr == "tr" and not (isinstance(owner, ast.Name) and owner.id == "i18n"):
                raise SourceError(f"{name}:{node.lineno}: call the function tr of core.i18n, not a method")
            if node.func.attr == "translate":
                continue
        elif not (isinstance(node.func, ast.Name) and node.func.id in ("tr", "tr_noop")):
            continue
        first = node.args[0] if node.args else None
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
            raise SourceError(f"{name}:{node.lineno}: tr takes one literal text, so that it can be translated")
        plural = len(node.args) > 1 or any(keyword.arg == "n" for keyword in node.keywords)
        if plural != ("%n" in first.value):
            raise SourceError(f"{name}:{node.lineno}: %n and the argument n belong together")
        found.append((node.lineno, node.col_offset, first.value, plural))
    return [(text, plural) for _line, _column, text, plural in sorted(found)]


def sources(root: Path = REPOSITORY) -> dict[str, Message]:
    """Every text of the plugin, in a stable order: by file, then by line."""
    messages: dict[str, Message] = {}
    for path in sorted((root / "plugin").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        for text, plural in texts_of(path.read_text(encoding="utf-8"), name):
            message = messages.setdefault(text, Message(text, plural))
            if message.plural != plural:
                raise SourceError(f"{name}: {text!r} is said with n and without it")
            if name not in message.files:
                message.files.append(name)
    return messages


def translations(ts: Path) -> dict[str, list[str]]:
    """source text -> its finished or unfinished forms (one, or one for each plural) as the .ts holds them."""
    if not ts.is_file():
        return {}
    found: dict[str, list[str]] = {}
    for message in etree.parse(str(ts)).iter("message"):
        translation = message.find("translation")
        forms = translation.findall("numerusform") if message.get("numerus") == "yes" else [translation]
        found[message.findtext("source") or ""] = [form.text or "" for form in forms]
    return found


def unfinished(ts: Path) -> set[str]:
    """The source texts whose translation is marked unfinished or has an empty form."""
    marked = {
        message.findtext("source") or ""
        for message in (etree.parse(str(ts)).iter("message") if ts.is_file() else ())
        if message.find("translation").get("type")
    }
    return marked | {source for source, forms in translations(ts).items() if not all(forms)}


def lost_places(source: str, forms: list[str]) -> set[str]:
    """The ``{name}`` and ``%n`` that one of the finished forms lacks or adds; a form for one may leave out ``%n``."""
    wanted = set(PLACES.findall(source))
    wrong: set[str] = set()
    for index, form in enumerate(forms):
        if not form:
            continue
        difference = wanted ^ set(PLACES.findall(form))
        wrong |= difference - ({"%n"} if index == 0 and len(forms) > 1 else set())
    return wrong


def written(messages: dict[str, Message], old: dict[str, list[str]], doubtful: set[str], language: str) -> bytes:
    """The .ts document for ``language``: every text of the sources, with the translations that there are."""
    locale, plurals = LANGUAGES[language]
    root = etree.Element("TS", version="2.1", language=locale, sourcelanguage="en")
    context = etree.SubElement(root, "context")
    etree.SubElement(context, "name").text = CONTEXT
    for text, message in messages.items():
        count = plurals if message.plural else 1
        forms = old.get(text, [])
        if len(forms) != count:
            forms = (forms + [""] * count)[:count] if message.plural else [""]
        element = etree.SubElement(context, "message", {"numerus": "yes"} if message.plural else {})
        for name in message.files:
            etree.SubElement(element, "location", filename=f"../{name}")
        etree.SubElement(element, "source").text = text
        translation = etree.SubElement(element, "translation")
        if text in doubtful or not all(forms):
            translation.set("type", "unfinished")
        if message.plural:
            for form in forms:
                etree.SubElement(translation, "numerusform").text = form
        else:
            translation.text = forms[0]
    etree.indent(root, "    ")
    body = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n'.encode()


def update(root: Path = REPOSITORY) -> None:
    """Merge the sources' texts into every catalogue and say what came and went."""
    messages = sources(root)
    for language in LANGUAGES:
        ts = root / "i18n" / f"cartoguide_{language}.ts"
        old = translations(ts)
        content = written(messages, old, unfinished(ts) & set(messages), language)
        ts.parent.mkdir(exist_ok=True)
        if not ts.is_file() or ts.read_bytes() != content:
            ts.write_bytes(content)
        gone = [text for text in old if text not in messages]
        for text in gone:
            print(f"  gone: {text!r}" + (f" (was: {old[text]})" if any(old[text]) else ""))
        new = sum(text not in old for text in messages)
        print(f"{ts.name}: {len(messages)} texts, {new} new, {len(gone)} gone, {len(unfinished(ts))} unfinished")


def lrelease() -> str:
    """Qt's compiler of catalogues, wherever the distribution keeps it."""
    for name in ("lrelease", "lrelease-qt5", "lrelease6", "lrelease-qt6"):
        found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), *QT_FOLDERS)))
        if found:
            return found
    raise SystemExit("translations: lrelease of the Qt linguist tools is not installed (Debian: qttools5-dev-tools)")


def release(root: Path = REPOSITORY) -> None:
    """Compile every catalogue that changed since it was compiled; each file is written whole or not at all."""
    for ts in sorted((root / "i18n").glob("*.ts")):
        qm = ts.with_suffix(".qm")
        if qm.is_file() and qm.stat().st_mtime >= ts.stat().st_mtime:
            continue
        part = qm.with_suffix(".qm.part")
        command = [lrelease(), "-silent", str(ts), "-qm", str(part)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode or not part.is_file():
            part.unlink(missing_ok=True)
            raise SystemExit(f"translations: lrelease failed on {ts.name}: {answer.stdout}{answer.stderr}")
        part.replace(qm)
        print(f"i18n/{qm.name} compiled")


def problems(root: Path = REPOSITORY) -> list[str]:
    """What keeps the catalogues from being complete and in step with the sources."""
    messages = sources(root)
    found: list[str] = []
    for language in LANGUAGES:
        ts = root / "i18n" / f"cartoguide_{language}.ts"
        known = translations(ts)
        found += [f"{ts.name} lacks {text!r}" for text in messages if text not in known]
        found += [f"{ts.name} has {text!r}, which no source says" for text in known if text not in messages]
        found += [f"{ts.name} has {text!r} unfinished" for text in sorted(unfinished(ts))]
        for text, forms in known.items():
            wrong = lost_places(text, forms)
            if wrong:
                found.append(f"{ts.name}: the translation of {text!r} differs in {', '.join(sorted(wrong))}")
    return found


def main(arguments: list[str]) -> int:
    """Do what the one argument says."""
    try:
        if arguments == ["update"]:
            update()
        elif arguments == ["release"]:
            release()
        elif arguments == ["check"]:
            found = problems()
            print("\n".join(found) or "The catalogues are complete and in step with the sources.")
            return 1 if found else 0
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except SourceError as error:
        print(f"translations: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
