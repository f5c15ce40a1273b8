"""Elements of a page with their roles, texts and order, as a program that reads it aloud takes them."""
