"""The search index of the record library: rows of records, words, facets, and the queries on them."""
