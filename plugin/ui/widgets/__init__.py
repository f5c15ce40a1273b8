"""Widgets and helpers that several windows share."""
