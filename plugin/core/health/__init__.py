"""Health checks of map services: one request for each operation, the results with date and explanation."""
