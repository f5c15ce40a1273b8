"""Checks and parsing of what a server returned."""
