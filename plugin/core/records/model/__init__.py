"""The Record and functions on its values: endpoints, extents, dates, languages and code lists."""
