"""Remote and local sources of records: every protocol as requests and responses that are values, with one face."""
