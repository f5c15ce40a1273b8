"""Design of printed pages: sizes of type."""
