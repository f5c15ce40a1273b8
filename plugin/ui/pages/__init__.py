"""Forms of the page features in the panel of the page, one module each."""
