"""Input of records from documents, packages, files and folders."""
