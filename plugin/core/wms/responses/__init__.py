"""Checks and parsing of responses."""
