"""The page's legend: its tree, and its edits as texts, members of the document and changes."""
