"""The custom map while it is composed: its state, its undo history, its documents, layouts and exports."""
