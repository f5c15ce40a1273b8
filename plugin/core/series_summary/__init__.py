"""Summary of a series, computed from its images: the highest class at each place, and the area of each class."""
