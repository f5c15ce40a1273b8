"""Door for what foreign things name and claim."""
