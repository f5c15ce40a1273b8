"""Small service records, each declared in one line."""

from __future__ import annotations

from plugin.core.records import read
from plugin.core.records.model.record import Record

XML = """<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco"
 xmlns:srv="http://www.isotc211.org/2005/srv">
<gmd:fileIdentifier><gco:CharacterString>{id}</gco:CharacterString></gmd:fileIdentifier>
<gmd:hierarchyLevel><gmd:MD_ScopeCode codeListValue="service"/></gmd:hierarchyLevel>
<gmd:dateStamp><gco:Date>{stamp}</gco:Date></gmd:dateStamp>
<gmd:identificationInfo><srv:SV_ServiceIdentification>
<gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>{title}</gco:CharacterString></gmd:title>
<gmd:date><gmd:CI_Date><gmd:date><gco:Date>{year}-01-01</gco:Date></gmd:date>
<gmd:dateType><gmd:CI_DateTypeCode codeListValue="publication"/></gmd:dateType></gmd:CI_Date></gmd:date>
</gmd:CI_Citation></gmd:citation>
<gmd:abstract><gco:CharacterString>{abstract}</gco:CharacterString></gmd:abstract>
<srv:serviceType><gco:LocalName>OGC:WMS</gco:LocalName></srv:serviceType>
<srv:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox>
<gmd:westBoundLongitude><gco:Decimal>{west}</gco:Decimal></gmd:westBoundLongitude>
<gmd:eastBoundLongitude><gco:Decimal>{east}</gco:Decimal></gmd:eastBoundLongitude>
<gmd:southBoundLatitude><gco:Decimal>{south}</gco:Decimal></gmd:southBoundLatitude>
<gmd:northBoundLatitude><gco:Decimal>{north}</gco:Decimal></gmd:northBoundLatitude>
</gmd:EX_GeographicBoundingBox></gmd:geographicElement></gmd:EX_Extent></srv:extent>
</srv:SV_ServiceIdentification></gmd:identificationInfo></gmd:MD_Metadata>"""


def record(
    number: int,
    title: str,
    abstract: str = "Servicio de mapas",
    year: int = 2016,
    stamp: str = "2020-01-01",
    box: tuple[float, float, float, float] = (-4.0, 38.0, -3.0, 39.0),
) -> Record:
    """A service record called ``id-{number}``."""
    return read(document(number, title, abstract, year, stamp, box), f"{number}.xml")[0]


def document(
    number: int,
    title: str,
    abstract: str = "Servicio de mapas",
    year: int = 2016,
    stamp: str = "2020-01-01",
    box: tuple[float, float, float, float] = (-4.0, 38.0, -3.0, 39.0),
) -> bytes:
    """The same as bytes."""
    text = XML.format(
        id=f"id-{number}",
        title=title,
        abstract=abstract,
        year=year,
        stamp=stamp,
        west=box[0],
        south=box[1],
        east=box[2],
        north=box[3],
    )
    return text.encode("utf-8")
