"""Catalogues and other sources of records, with requests and responses as values."""
