"""The parts of WFS that a table of features needs: requests as values, and what the capabilities say of a type."""
