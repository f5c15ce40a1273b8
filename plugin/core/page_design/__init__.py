"""Design of printed pages: sizes of type, themes, and the boxes of a print shop."""
