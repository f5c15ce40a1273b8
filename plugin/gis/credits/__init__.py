"""Credits, licences and terms of layers: read, written, audited, and put into words for maps."""
