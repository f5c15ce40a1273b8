"""Requests of the six operations as values."""
