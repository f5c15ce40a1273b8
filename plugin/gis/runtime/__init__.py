"""Base of all other packages: tasks, threads, settings, translation, log, differences of QGIS versions."""
