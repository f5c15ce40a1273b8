"""The operations of a service other than GetMap, and identify on several services."""
