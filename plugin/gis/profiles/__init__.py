"""Network profiles, and the loading of records from the addresses in them."""
