"""Pages: the features of a page, one module each, and the page that is built, measured, checked and described."""
