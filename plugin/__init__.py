"""Cartoguide: catalogue records in, credited maps out."""
