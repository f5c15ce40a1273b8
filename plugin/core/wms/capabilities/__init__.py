"""Capabilities documents into Services."""
