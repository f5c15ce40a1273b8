"""Readers of the other formats: Dublin Core, Atom, OGC API Records, STAC, CKAN, OWS Context, DCAT, capabilities."""
