"""The other formats of records: Dublin Core, Atom, OGC API Records, GeoJSON, a service's own capabilities."""
