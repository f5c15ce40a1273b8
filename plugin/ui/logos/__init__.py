"""The form of the logos that are part of a map."""
