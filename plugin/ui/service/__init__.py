"""The service tab of a record: layers and operations."""
