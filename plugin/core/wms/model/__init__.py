"""The Service as a value, its JSON form, WMS versions, and the values in WMS documents."""
