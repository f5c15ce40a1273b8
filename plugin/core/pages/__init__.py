"""Page features: one module each, with its member of the document, its reading and writing, and its rules."""
