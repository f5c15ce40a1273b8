"""The page of one record and its tabs."""
