"""Print layouts: building, filling, measuring and checking a page."""
