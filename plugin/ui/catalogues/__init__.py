"""Dialogs and rows of remote catalogues."""
