"""Requests of the WMS operations as values, checked against the capabilities."""
