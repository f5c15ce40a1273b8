"""Review of records, above their terms: checks with findings, and reports for people."""
