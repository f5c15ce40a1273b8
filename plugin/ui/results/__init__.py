"""The list of records and its filters."""
