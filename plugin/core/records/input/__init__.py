"""From files, packages and bytes to Records: detection of the format and reading."""
