"""Design of printed pages: sizes of type, themes, and logos."""
