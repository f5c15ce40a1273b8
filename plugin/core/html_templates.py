"""HTML pages and fragments rendered from the Jinja2 templates in ``resources/html``.

Every value is escaped by the environment. Templates load nothing from the network and contain no text for people:
translated texts are passed to :func:`render`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .addresses import is_web_address
from .errors import CartoguideError
from .i18n import language, tr
from .resources import RESOURCES
from .text import printable

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = RESOURCES / "html"


def render(name: str, **values: object) -> str:
    """Return the HTML of the template called ``name`` (such as ``"audit.html"``), filled in with ``values``.

    Characters that HTML forbids are replaced, see :func:`text.printable`. A value of type ``markupsafe.Markup`` is
    inserted as it is. Templates can use the test ``web_address`` (``{% if url is web_address %}``)
    and the variable ``language`` (ISO 639) of the texts.

    Raises CartoguideError if Jinja2 is not installed. An undefined variable in the template raises
    ``jinja2.UndefinedError``.
    """
    return _environment().get_template(name).render(language=language(), **values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    # Jinja2 comes with QGIS. It is imported at the first use, because starting QGIS and reading records do without it.
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise CartoguideError(
            tr("The page cannot be written: Jinja2 is not installed for this Python. Install python3-jinja2, or run "
               "this inside QGIS."), str(error)) from error
    environment = Environment(loader=FileSystemLoader(TEMPLATES, encoding="utf-8"), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined,
                              finalize=_without_forbidden_characters)
    environment.tests["web_address"] = is_web_address
    return environment


def _without_forbidden_characters(value: object) -> object:
    """Clean a plain text before it is escaped. Markup and numbers stay as they are."""
    return printable(value) if type(value) is str else value
