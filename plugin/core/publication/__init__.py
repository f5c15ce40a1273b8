"""What a published map says of itself to programs: rights, sources, structure, and the document that made it."""
