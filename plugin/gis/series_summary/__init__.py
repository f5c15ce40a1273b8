"""Summary of a series on a page of small multiples: the map of its maximum, and a chart of the area of each class."""
