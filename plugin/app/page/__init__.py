"""The page of the custom map: its picture, and its frame on the ground."""
