"""Statement of a published map to programs: rights, sources, structure, and the document that made it."""
