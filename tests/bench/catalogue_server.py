"""The catalogues of bench_window.py, a process of its own: four of them with 500 records of 20 kB each, none in common.

    catalogue_server.py        prints their addresses; ends with its standard input
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "network"))

from made_catalogue import Made, made  # noqa: E402
from scripted_catalogue import ScriptedCatalogue  # noqa: E402

CATALOGUES, COUNT = 4, 500
_LINK = """<gmd:transferOptions><gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource><gmd:linkage>
<gmd:URL>https://maps.invalid/wms/{number}?</gmd:URL></gmd:linkage><gmd:protocol><gco:CharacterString>OGC:WMS-1.3.0-http-get-map</gco:CharacterString>
</gmd:protocol><gmd:name><gco:CharacterString>capa_{number}</gco:CharacterString></gmd:name>
<gmd:description>
<gco:CharacterString>Lo que muestra la capa {number}, dicho en pocas palabras</gco:CharacterString></gmd:description>
</gmd:CI_OnlineResource></gmd:onLine></gmd:MD_DigitalTransferOptions></gmd:transferOptions>"""
_LINKS = 24


@dataclass(frozen=True)
class Large(Made):
    """A record as large as the field's: with many links."""

    @property
    def xml(self) -> bytes:
        """Its ISO 19139 document, about 20 kB."""
        links = "".join(_LINK.format(number=number) for number in range(_LINKS))
        whole = f"<gmd:distributionInfo><gmd:MD_Distribution>{links}</gmd:MD_Distribution></gmd:distributionInfo>"
        document: bytes = super().xml
        return document.replace(b"</gmd:MD_Metadata>", whole.encode() + b"</gmd:MD_Metadata>")


def main() -> None:
    """Serve until standard input ends."""
    records = [Large(**vars(record)) for record in made(CATALOGUES * COUNT)]
    with ExitStack() as servers:
        addresses = [servers.enter_context(ScriptedCatalogue(records[begin:begin + COUNT])).url
                     for begin in range(0, len(records), COUNT)]
        print(" ".join(addresses), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
