"""The catalogue's CSW (2.0.2 and 3.0.0): pycsw on an SQLite store of this server's records.

Importing this module fails where pycsw, or SQLAlchemy that its store needs, is not installed.
"""

from __future__ import annotations

import logging
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any, Dict, List
from urllib.parse import urlsplit

from .pycsw_needs import older_shape, own_version

with warnings.catch_warnings(), own_version():
    warnings.simplefilter("ignore")
    from pycsw import server
    from pycsw.core import admin, config

from .bridge import Answer  # noqa: E402

logging.getLogger("pycsw").setLevel(logging.CRITICAL)


class Csw:
    """One catalogue; not for two threads at a time."""

    def __init__(self, work: Path, url: str, records: List[Path]) -> None:
        self.url = url
        database = f"sqlite:///{work / 'catalogue.db'}"
        with warnings.catch_warnings(), older_shape():
            warnings.simplefilter("ignore")
            context = config.StaticContext()
            admin.setup_db(database, "records", str(work))
            for record in records:
                admin.load_records(context, database, "records", str(record))
        self.settings: Dict[str, Dict[str, str]] = {
            "server": {
                "home": str(work),
                "url": f"{url}/geonetwork/srv/spa/csw",
                "mimetype": "application/xml; charset=UTF-8",
                "encoding": "UTF-8",
                "language": "es-ES",
                "maxrecords": "50",
                "pretty_print": "false",
                "profiles": "apiso",
                "loglevel": "CRITICAL",
                "logfile": "",
            },
            "manager": {"transactions": "false", "allowed_ips": "127.0.0.1"},
            "metadata:main": {
                "identification_title": "Catálogo de la red de pruebas",
                "identification_abstract": "Registros",
                "identification_keywords": "catálogo",
                "identification_keywords_type": "theme",
                "identification_fees": "Gratuito",
                "identification_accessconstraints": "None",
                "provider_name": "Red de pruebas",
                "provider_url": url,
                "contact_name": "Red de pruebas",
                "contact_position": "",
                "contact_address": "",
                "contact_city": "",
                "contact_stateorprovince": "",
                "contact_postalcode": "",
                "contact_country": "",
                "contact_phone": "",
                "contact_fax": "",
                "contact_email": "",
                "contact_url": url,
                "contact_hours": "",
                "contact_instructions": "",
                "contact_role": "pointOfContact",
            },
            "repository": {"database": database, "table": "records"},
            "metadata:inspire": {"enabled": "false"},
        }

    def answer(self, method: str, path: str, query: str, body: bytes, content_type: str) -> Answer:
        """pycsw's answer to one request."""
        place = urlsplit(self.url)
        environment: Dict[str, Any] = {
            "REQUEST_METHOD": method,
            "QUERY_STRING": query,
            "PATH_INFO": path,
            "SCRIPT_NAME": "",
            "wsgi.url_scheme": "http",
            "SERVER_NAME": place.hostname or "",
            "HTTP_HOST": place.netloc,
            "SERVER_PORT": str(place.port),
            "REQUEST_URI": f"{path}?{query}",
            "CONTENT_TYPE": content_type,
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.input": BytesIO(body),
            "local.app_root": "",
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            version = "2.0.2" if b"2.0.2" in body or "version=2.0.2" in query.lower() else "3.0.0"
            catalogue = server.Csw(self.settings, environment, version=version)
            status, content = catalogue.dispatch_wsgi()
        return Answer(int(str(status).split()[0]), [("Content-Type", str(catalogue.contenttype))], content)
