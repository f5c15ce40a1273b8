"""Design of printed pages: sizes of type, and themes."""
