"""Pictures of a page for the screen, drawn in the background."""
