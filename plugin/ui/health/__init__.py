"""Health of services, checked and shown."""
