"""Custom maps: the document that people compose, its editing, and the plan that QGIS carries out."""
