"""Checks that need the network: links, services, whole sets of records."""
