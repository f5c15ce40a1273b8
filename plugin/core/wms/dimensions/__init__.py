"""Dimensions of layers: TIME, ELEVATION and others (OGC 06-042 Annexes C and D), and time series of layers."""
