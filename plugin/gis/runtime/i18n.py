"""Translation of the plugin into the locale of QGIS, with the compiled translation files in ``i18n/``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QCoreApplication, QDate, QLocale, QTime, QTranslator

from ...core import i18n as core_i18n
from ...core.resources import TRANSLATIONS

if TYPE_CHECKING:
    from datetime import date, time

FOLDER = TRANSLATIONS

_installed: Optional[QTranslator] = None


def user_locale() -> str:
    """Return the locale of QGIS (``es``, ``es_ES``): the one in its settings, or the one of the system."""
    settings = QgsSettings()
    chosen = str(settings.value("locale/userLocale", "") or "")
    overridden = str(settings.value("locale/overrideFlag", False)).lower() in ("true", "1")
    if overridden and chosen and chosen != "C":
        return chosen
    return str(QLocale().name())


def record_language() -> str:
    """Return the language (ISO 639) for localised texts of records, or an empty text for the record's default."""
    short = user_locale().split("_")[0].lower()
    return short if len(short) in (2, 3) else ""


def translation_file(locale: str, folder: Path = FOLDER) -> Optional[Path]:
    """Return the compiled translation file for ``locale`` or for its language, or None."""
    names = (locale.replace("-", "_"), locale.replace("-", "_").split("_")[0])
    return next((path for path in (folder / f"cartoguide_{name}.qm" for name in names) if path.is_file()), None)


def install(locale: str = "", folder: Path = FOLDER) -> bool:
    """Install the translation and the date format of ``locale``, by default of QGIS's locale.

    Returns False if there is no translation, so that texts stay in English.
    """
    global _installed
    remove()
    core_i18n.set_date_formatter(_date_formatter(QLocale(locale or user_locale())))
    path = translation_file(locale or user_locale(), folder)
    if path is None:
        return False
    translator = QTranslator()
    if not translator.load(str(path)):
        return False
    QCoreApplication.installTranslator(translator)
    _installed = translator
    core_i18n.set_translator(_translate, (locale or user_locale()).split("_")[0].lower())
    return True


def remove() -> None:
    """Remove the translation and the date format."""
    global _installed
    core_i18n.set_translator(None)
    core_i18n.set_date_formatter(None)
    if _installed is not None:
        QCoreApplication.removeTranslator(_installed)
        _installed = None


def _date_formatter(locale: QLocale) -> core_i18n.DateFormatter:
    """Return a function that writes dates in the short format of the locale, but with a four-digit year.

    A month that comes first has its name: 6/1 is read as January wherever days come first.
    """
    short = QLocale.FormatType.ShortFormat
    pattern = re.sub("y+", "yyyy", locale.dateFormat(short))
    if pattern.startswith("M"):
        pattern = "MMM d, yyyy" if locale.language() == QLocale.Language.English else "d MMM yyyy"

    # some locales write seconds, which no date has here
    clock = re.sub(r"[:.]s+", "", locale.timeFormat(short))

    def write(when: date, moment: Optional[time]) -> str:
        day = locale.toString(QDate(when.year, when.month, when.day), pattern)
        if moment is None:
            return str(day)
        return f"{day} {locale.toString(QTime(moment.hour, moment.minute), clock)}"

    return write


def _translate(text: str, n: int) -> str:
    """Return the translation of ``text``, or the English text with the right plural form."""
    # not QTranslator.translate, because PyQt 5 only accepts ASCII there
    translated = QCoreApplication.translate(core_i18n.CONTEXT, text, None, n)
    number = None if n < 0 else n
    untouched = text if number is None else text.replace("%n", str(number))
    return core_i18n.untranslated(text, number) if translated == untouched else translated
