"""What every other package uses: tasks, threads, settings, translation, log, differences of QGIS versions."""
