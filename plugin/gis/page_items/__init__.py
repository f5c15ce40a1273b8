"""Items of a layout's page: those of its template, and those that Cartoguide adds, such as QR code and logos."""
