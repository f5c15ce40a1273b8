"""Custom maps: the document that a person composes, its changes, and the plan that QGIS carries out."""
