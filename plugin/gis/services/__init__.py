"""Capabilities of services: fetched, cached, shared."""
