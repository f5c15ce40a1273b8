"""Legend images: fetched, kept in layers and snapshots, previewed."""
