"""Options and the network profile's dialog."""
