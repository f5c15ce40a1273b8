"""Reads the kind of service, file or page that each link of a record leads to, by the evidence of the link."""
