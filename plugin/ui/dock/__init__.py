"""The dock and the controllers that tie its parts together."""
