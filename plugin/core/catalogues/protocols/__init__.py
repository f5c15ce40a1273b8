"""Protocols of remote catalogues: requests built and responses parsed, with nothing sent."""
