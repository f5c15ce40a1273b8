"""Reading of XML documents into the fields of a Record, with what no field takes listed as unread."""
