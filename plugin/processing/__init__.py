"""Everything that Cartoguide does as Processing algorithms: for scripts, models and ``qgis_process``."""
