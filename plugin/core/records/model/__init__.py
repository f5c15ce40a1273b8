"""The Record and the values in it."""
