"""Readers of the other formats: Dublin Core, Atom, OGC API Records (GeoJSON), and WMS capabilities."""
