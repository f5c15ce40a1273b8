"""A catalogue's addresses and queries as values."""
