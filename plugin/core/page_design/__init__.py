"""Design of printed pages: sizes of type, themes, logos and QR codes."""
