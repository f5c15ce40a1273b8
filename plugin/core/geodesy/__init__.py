"""Positions and directions on the ground: military grid references and magnetic declination."""
