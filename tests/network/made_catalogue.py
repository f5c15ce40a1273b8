"""Made records for catalogue servers: ISO 19139 documents and the same as features of OGC API Records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

_XML = """<?xml version="1.0" encoding="UTF-8"?>
<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco"
 xmlns:srv="http://www.isotc211.org/2005/srv" xmlns:gml="http://www.opengis.net/gml">
<gmd:fileIdentifier><gco:CharacterString>{id}</gco:CharacterString></gmd:fileIdentifier>
<gmd:language><gco:CharacterString>spa</gco:CharacterString></gmd:language>
<gmd:hierarchyLevel><gmd:MD_ScopeCode codeListValue="{kind}" codeList="#MD_ScopeCode">{kind}</gmd:MD_ScopeCode>
</gmd:hierarchyLevel>
<gmd:contact><gmd:CI_ResponsibleParty><gmd:organisationName><gco:CharacterString>Red de pruebas</gco:CharacterString>
</gmd:organisationName><gmd:role><gmd:CI_RoleCode codeListValue="pointOfContact" codeList="#r"/></gmd:role>
</gmd:CI_ResponsibleParty></gmd:contact>
<gmd:dateStamp><gco:Date>{stamp}</gco:Date></gmd:dateStamp>
<gmd:identificationInfo><gmd:MD_DataIdentification>
<gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>{title}</gco:CharacterString></gmd:title>
<gmd:date><gmd:CI_Date><gmd:date><gco:Date>{stamp}</gco:Date></gmd:date>
<gmd:dateType><gmd:CI_DateTypeCode codeListValue="publication" codeList="#d"/></gmd:dateType></gmd:CI_Date></gmd:date>
</gmd:CI_Citation></gmd:citation>
<gmd:abstract><gco:CharacterString>{abstract}</gco:CharacterString></gmd:abstract>
<gmd:descriptiveKeywords><gmd:MD_Keywords>{keywords}</gmd:MD_Keywords></gmd:descriptiveKeywords>
<gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox>
<gmd:westBoundLongitude><gco:Decimal>{box[0]}</gco:Decimal></gmd:westBoundLongitude>
<gmd:eastBoundLongitude><gco:Decimal>{box[2]}</gco:Decimal></gmd:eastBoundLongitude>
<gmd:southBoundLatitude><gco:Decimal>{box[1]}</gco:Decimal></gmd:southBoundLatitude>
<gmd:northBoundLatitude><gco:Decimal>{box[3]}</gco:Decimal></gmd:northBoundLatitude>
</gmd:EX_GeographicBoundingBox></gmd:geographicElement></gmd:EX_Extent></gmd:extent>
</gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>"""


@dataclass(frozen=True)
class Made:
    """One made record; ``box`` is west, south, east, north."""

    number: int
    title: str
    abstract: str
    kind: str
    keywords: Tuple[str, ...]
    box: Tuple[float, float, float, float]
    stamp: str

    @property
    def id(self) -> str:
        """Its identifier."""
        return f"made-{self.number:04}"

    @property
    def xml(self) -> bytes:
        """Its ISO 19139 document."""
        words = "".join(f"<gmd:keyword><gco:CharacterString>{word}</gco:CharacterString></gmd:keyword>"
                        for word in self.keywords)
        return _XML.format(id=self.id, title=self.title, abstract=self.abstract, kind=self.kind, keywords=words,
                           box=self.box, stamp=self.stamp).encode("utf-8")

    @property
    def feature(self) -> Dict[str, Any]:
        """It as a record of OGC API Records, with what pygeoapi's TinyDB provider searches."""
        west, south, east, north = self.box
        return {
            "id": self.id, "type": "Feature", "conformsTo": [
                "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core"],
            "geometry": {"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north],
                                                             [west, north], [west, south]]]},
            "properties": {
                "externalIds": [{"value": self.id}], "title": self.title, "description": self.abstract,
                "type": self.kind, "keywords": list(self.keywords), "recordUpdated": self.stamp, "updated": self.stamp,
                "_metadata-anytext": " ".join((self.title, self.abstract, *self.keywords))},
            "links": [{"rel": "item", "href": f"https://maps.invalid/wms/{self.number}?", "type": "OGC:WMS",
                       "title": self.title}],
        }


def made(count: int) -> List[Made]:
    """``count`` records: even ones are services, every fifth is about water; boxes of half a degree run eastward from
    9.5 W at latitudes that no longitude of theirs equals, each seventh one lies at 52 E, 10 S.
    """
    found = []
    for number in range(1, count + 1):
        water = number % 5 == 0
        west = -9.5 + (number % 12)
        south = 36.0 + (number % 6)
        box = (west, south, west + 0.5, south + 0.5) if number % 7 else (52.0, -10.0, 52.5, -9.5)
        found.append(Made(
            number, f"{'Precipitación' if water else 'Relieve'} de la comarca {number}",
            f"Servicio número {number} de la red", "service" if number % 2 == 0 else "dataset",
            ("agua", "clima") if water else ("terreno",), box, f"20{10 + number % 10}-01-{1 + number % 28:02}"))
    return found
