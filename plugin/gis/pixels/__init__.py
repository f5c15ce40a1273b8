"""Pictures of web layers: planned, fetched, proved by their pixels, and drawn from memory without a request."""
