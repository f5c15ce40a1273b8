"""Export of layouts: map images fetched in advance, checked and monitored, written to files completely or not at all.
"""
