"""Tables of ISO 19139 and ISO 19115-3: the field of a Record for each element."""
