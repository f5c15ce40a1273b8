"""Completion of the SVG files that Qt writes: the fonts of their texts, and layers that end at their maps."""
