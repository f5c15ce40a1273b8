"""The widgets: they show what core read and gis fetched, and parse and fetch nothing themselves."""
