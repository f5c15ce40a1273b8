"""The local store: records in an append-only journal of original bytes, and an SQLite index that can be rebuilt
from it.
"""
