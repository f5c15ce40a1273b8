"""Widgets. They show what core parsed and gis fetched, and do neither themselves."""
