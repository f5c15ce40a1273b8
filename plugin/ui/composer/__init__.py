"""The panel that composes a custom map."""
