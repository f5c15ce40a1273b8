"""Readers of XML documents into the fields of a Record, which list the values that no field takes."""
