"""The Service as a value, its versions and its JSON."""
