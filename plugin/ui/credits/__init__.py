"""The credits of a project: menu and dialog."""
