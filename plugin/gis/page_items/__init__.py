"""Items that Cartoguide adds to the page of a layout: QR code and logos."""
