"""The panel that identifies features on all services."""
