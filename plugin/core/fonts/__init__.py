"""Fonts in files: subsets of them, and the style sheet that brings them with an SVG."""
