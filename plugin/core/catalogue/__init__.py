"""Where records come from and are found: the records at hand, and a catalogue's addresses and queries as values."""
