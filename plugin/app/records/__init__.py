"""Sessions, searches and controllers that work on records, collections and catalogues."""
