"""GDAL's messages on the console, silenced where they are expected."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Iterator

from osgeo import gdal


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """GDAL keeps its remarks to itself, and says by its results what failed, whatever another plugin asked it to do."""
    # before 3.7 there are exceptions only where somebody switched them on
    manager = getattr(gdal, "ExceptionMgr", None)
    with manager(useExceptions=False) if manager else nullcontext():
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        try:
            yield
        finally:
            gdal.PopErrorHandler()
