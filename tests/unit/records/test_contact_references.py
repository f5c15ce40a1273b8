"""Contacts that a record only names by reference (``xlink:title``) count, and are credited."""

from __future__ import annotations

from plugin.core.library.index.row_extraction import index_rows
from plugin.core.records import read
from plugin.core.terms import terms_for

RECORD = b"""<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco"
 xmlns:xlink="http://www.w3.org/1999/xlink"><gmd:contact xlink:href="http://example.org/agency" xlink:title="Agency"/>
<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation><gmd:title>
<gco:CharacterString>Map</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:citation>
<gmd:pointOfContact xlink:href="http://example.org/jrc" xlink:title="Joint Research Centre"/>
</gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>"""


def test_a_contact_by_reference_is_read_and_credited():
    record = read(RECORD)[0]
    assert [contact.organisation for contact in record.contacts] == ["Joint Research Centre"]
    assert [(contact.organisation, contact.url) for contact in record.metadata_contacts] == [
        ("Agency", "http://example.org/agency")]
    assert record.unread == ()
    assert terms_for(record).credit == "Joint Research Centre, Map"
    assert index_rows(RECORD)[0][0].organisation == "Joint Research Centre"
