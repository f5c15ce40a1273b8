"""Credits and terms of layers, maps and projects."""
