"""ISO 19139 and ISO 19115-3: which element fills which field of a Record."""
