"""Records for people: the HTML sheet and the text summary."""
