"""The person's language: QGIS's own choice of locale, and a compiled catalogue beside the plugin."""

from __future__ import annotations

import re
from datetime import date, time
from pathlib import Path
from typing import Optional

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QCoreApplication, QDate, QLocale, QTime, QTranslator

from ...core import date_formatting
from ...core import i18n as core_i18n
from ...core.resources import TRANSLATIONS

FOLDER = TRANSLATIONS

_installed: Optional[QTranslator] = None


def user_locale() -> str:
    """The locale that QGIS shows itself in (``es``, ``es_ES``): the person's override, else the system's."""
    settings = QgsSettings()
    chosen = str(settings.value("locale/userLocale", "") or "")
    overridden = str(settings.value("locale/overrideFlag", False)).lower() in ("true", "1")
    if overridden and chosen and chosen != "C":
        return chosen
    return QLocale().name()


def record_language() -> str:
    """The language (ISO 639) in which localised texts of records are wanted; an empty text leaves it to the record."""
    short = user_locale().split("_")[0].lower()
    return short if len(short) in (2, 3) else ""


def map_language() -> str:
    """The language of what is printed on a map, of two letters: QGIS's own, else English."""
    language = user_locale().split("_")[0].lower()
    return language if len(language) == 2 else "en"


def translation_file(locale: str, folder: Path = FOLDER) -> Optional[Path]:
    """The compiled catalogue for ``locale``, else for its language alone; None where there is none."""
    names = (locale.replace("-", "_"), locale.replace("-", "_").split("_")[0])
    return next((path for path in (folder / f"cartoguide_{name}.qm" for name in names) if path.is_file()), None)


def install(locale: str = "", folder: Path = FOLDER) -> bool:
    """Translate ``tr`` (and forms) into ``locale``, else into QGIS's, and write dates as it does; False where the
    English sources stay.
    """
    global _installed
    remove()
    date_formatting.set_formatter(_date_formatter(QLocale(locale or user_locale())))
    path = translation_file(locale or user_locale(), folder)
    if path is None:
        return False
    translator = QTranslator()
    if not translator.load(str(path)):
        return False
    QCoreApplication.installTranslator(translator)
    _installed = translator
    core_i18n.set_translator(_translate)
    return True


def remove() -> None:
    """Undo ``install``: the English sources again."""
    global _installed
    core_i18n.set_translator(None)
    date_formatting.set_formatter(None)
    if _installed is not None:
        QCoreApplication.removeTranslator(_installed)
        _installed = None


def _date_formatter(locale: QLocale) -> date_formatting.DateFormatter:
    """Writes dates as the locale does, short, but with the whole year: 12/8/5 could be any of three days."""
    short = QLocale.FormatType.ShortFormat
    pattern = re.sub("y+", "yyyy", locale.dateFormat(short))

    def write(when: date, moment: Optional[time]) -> str:
        words = locale.toString(QDate(when.year, when.month, when.day), pattern)
        if moment is None:
            return words
        return f"{words} {locale.toString(QTime(moment.hour, moment.minute), short)}"

    return write


def _translate(text: str, n: int) -> str:
    """``text`` from the catalogue; what it lacks falls back to English with its plural made right."""
    # Not QTranslator.translate: PyQt 5 takes nothing but ASCII there, and "…" is not.
    found = QCoreApplication.translate(core_i18n.CONTEXT, text, None, n)
    number = None if n < 0 else n
    untouched = text if number is None else text.replace("%n", str(number))
    return core_i18n.untranslated(text, number) if found == untouched else found
