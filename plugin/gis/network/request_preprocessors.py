"""Python functions that see or change every request of QGIS before it is sent, for as long as a context is open.

``QgsNetworkAccessManager.setRequestPreprocessor`` never releases the Python object that it was given, not even when it
is removed. So it is always given the same one, which refers to nothing but the list of the functions in use. A closure
would keep the layout, the layers and all modules of the plugin alive, through every reload.
"""

from __future__ import annotations

from contextlib import contextmanager
from types import FunctionType
from typing import Any, Callable, Iterator, List

from qgis.core import QgsNetworkAccessManager
from qgis.PyQt.QtNetwork import QNetworkRequest

RequestPreprocessor = Callable[[QNetworkRequest], None]


def _template(request: Any) -> None:
    for preprocessor in list(preprocessors):  # type: ignore[name-defined]  # noqa: F821 - a global of its copy
        preprocessor(request)


_preprocessors: List[RequestPreprocessor] = []
# a function refers to the globals of its module, so this one has globals of its own
_run_all = FunctionType(_template.__code__, {"__builtins__": {"list": list}, "preprocessors": _preprocessors})
_key: List[str] = []


@contextmanager
def request_preprocessor(preprocessor: RequestPreprocessor) -> Iterator[None]:
    """Call ``preprocessor`` with each request within the context, in the thread that makes the request.

    Enter and leave it on the main thread. Contexts may be nested or overlap.
    """
    if not _preprocessors:
        _key[:] = [QgsNetworkAccessManager.setRequestPreprocessor(_run_all)]
    _preprocessors.append(preprocessor)
    try:
        yield
    finally:
        _preprocessors.remove(preprocessor)
        if not _preprocessors:
            QgsNetworkAccessManager.removeRequestPreprocessor(_key.pop())
