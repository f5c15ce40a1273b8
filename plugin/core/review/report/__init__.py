"""Presentation of a record as an HTML page and as plain text."""
