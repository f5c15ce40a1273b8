"""Numbers in texts for people, written as in the language of the texts."""

from __future__ import annotations

import re

from . import i18n

#: languages (ISO 639-1) of the texts that write a decimal comma
_DECIMAL_COMMA = {"ca", "da", "de", "es", "eu", "fi", "fr", "gl", "it", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr"}


def format_decimal(value: float, digits: int) -> str:
    """Return ``value`` with ``digits`` decimals: "0.5", in Spanish "0,5"."""
    return _localised(f"{value:.{digits}f}")


def format_figures(value: float, figures: int = 6) -> str:
    """Return ``value`` with at most ``figures`` significant figures and no superfluous zeros: "7", "4.5"."""
    return _localised(f"{value:.{figures}g}")


def format_distance(metres: float) -> str:
    """Return a distance in four figures: "513.2 m", "1.031 km"."""
    return f"{format_figures(metres, 4)} m" if metres < 1000 else f"{format_figures(metres / 1000, 4)} km"


def format_scale(denominator: float) -> str:
    """Return a scale such as 1:25 000, with narrow no-break spaces between the thousands."""
    return "1:" + f"{denominator:,.0f}".replace(",", "\u202f")


def parse_scale(text: str) -> float:
    """Return the denominator of a typed scale: "1:25 000", "25.000", "25,000" or "25000".

    Raises ValueError if it is not a number. A point or comma before three figures groups the thousands.
    """
    plain = re.sub(r"[\s'’]", "", text.rpartition(":")[2])
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", plain):
        plain = re.sub(r"[.,]", "", plain)
    return float(plain.replace(",", "."))


def format_angle(degrees: float) -> str:
    """Return an angle in degrees, with one decimal where it is not whole: "15°", "7.5°"."""
    return f"{_localised(f'{round(degrees, 1):g}')}°"


def _localised(number: str) -> str:
    return number.replace(".", ",") if i18n.language() in _DECIMAL_COMMA else number
