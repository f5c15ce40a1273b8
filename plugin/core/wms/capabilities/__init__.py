"""Reading of capabilities documents into Services."""
