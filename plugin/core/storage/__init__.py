"""Files under everything that is saved: locks, synced writes, and temporary files that outlive no crash."""
