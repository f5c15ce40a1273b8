"""HTTP through QGIS: proxy, certificates, authentication, time-outs, limits, redirects."""
