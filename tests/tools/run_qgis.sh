#!/usr/bin/env bash
# QGIS with Cartoguide and the test network; everything is in run_qgis.py, which needs the Python that QGIS uses.
exec "${QGIS_PYTHON:-/usr/bin/python3}" -B "$(dirname "${BASH_SOURCE[0]}")/run_qgis.py" "$@"
