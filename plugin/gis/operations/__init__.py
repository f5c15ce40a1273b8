"""Operations of a WMS used by a person: identify, requests sent from the form, and layers made from the responses."""
