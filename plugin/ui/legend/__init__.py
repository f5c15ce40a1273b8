"""Legends in the window: in the rows of the custom map, and the editor of the page's."""
