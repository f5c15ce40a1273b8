"""Suppression of GDAL's messages where errors are expected."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Iterator

from osgeo import gdal


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """Suppress GDAL's messages, and report its errors by return values instead of exceptions."""
    # ExceptionMgr is new in GDAL 3.7. Before, exceptions are off unless another plugin has enabled them
    manager = getattr(gdal, "ExceptionMgr", None)
    with manager(useExceptions=False) if manager else nullcontext():
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        try:
            yield
        finally:
            gdal.PopErrorHandler()
