"""Export of pages to PDF, PNG, JPEG, SVG and GeoTIFF, with every request watched."""
