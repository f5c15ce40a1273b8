"""Rules on links: what the record alone shows, and the responses of servers (on request)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Dict, Iterable, Iterator, List, Sequence, Tuple
from urllib.parse import urlsplit

from ...addresses import is_web_address, separate_secrets
from ...i18n import tr
from ...records.model.endpoints import normalise_endpoint
from ...records.model.record import Record
from ...text import shorten
from .rules import CheckContext, Family, Finding, RuleSet, Severity, Violation

rule_set = RuleSet(Family.LINKS)
_BASIS = "ISO 19115:2003, CI_OnlineResource: linkage"
_NON_WEB_SCHEMES = ("mailto:", "ftp:", "ftps:", "sftp:", "urn:", "doi:", "tel:", "s3:", "data:")


@dataclass(frozen=True)
class LinkResult:
    """Result of requesting one address.

    ``status`` is the HTTP status, 0 without a response, with the reason in ``error``. ``https_works`` is True if an
    http address also answers over https.
    """

    url: str
    field: str = "online"
    status: int = 0
    final_url: str = ""
    error: str = ""
    https_works: bool = False


def record_addresses(record: Record) -> Iterator[Tuple[str, str]]:
    """Yield field and address of every link of the record, each address once."""
    seen = set()
    for field, urls in (
            ("online", [link.url for link in record.online]),
            ("operations", [point.url for item in record.operations for point in item.connect_points]),
            ("overviews", [item.url for item in record.overviews]),
            ("contacts", [item.url for item in (*record.contacts, *record.metadata_contacts) if item.url]),
            ("other_constraints", [item.href for item in record.other_constraints if item.href]),
            ("operates_on", [item for item in record.operates_on if is_web_address(item)])):
        for url in urls:
            if url.strip() not in seen:
                seen.add(url.strip())
                yield field, url.strip()


@rule_set.rule("no-service", Severity.ERROR, "OGC 06-042, 6.3", lambda: tr("Address of the map service"),
               lambda: tr("The record of a map service has a link to the service."),
               lambda: tr("Add the service's address as a link with the protocol OGC:WMS."),
               lambda context: context.is_wms)
def no_service(context: CheckContext) -> Iterable[Violation]:
    if not context.endpoints:
        yield Violation("online", tr("The record has no link to a map service."),
                        shorten(", ".join(link.url for link in context.record.online)))


@rule_set.rule("not-web", Severity.WARNING, _BASIS, lambda: tr("Web addresses"),
               lambda: tr("Links are web addresses that others can open (http or https)."),
               lambda: tr("Give a complete address that begins with https://."))
def not_web(context: CheckContext) -> Iterable[Violation]:
    for link in context.record.online:
        url = link.url.strip()
        if not is_web_address(url) and not url.lower().startswith(_NON_WEB_SCHEMES):
            yield Violation("online", tr("The link is not an address that others can open."), shorten(url))


@rule_set.rule("http-only", Severity.NOTE, "RFC 9110, 4.2.2", lambda: tr("Encrypted addresses"),
               lambda: tr("Links use https if their server supports it."),
               lambda: tr("Try the address with https; “Check links” does it for you."))
def http_only(context: CheckContext) -> Iterable[Violation]:
    """Find http links, one note for each host. Local hosts and IP addresses are ignored."""
    hosts: Dict[str, Tuple[str, str, int]] = {}
    for field, url in record_addresses(context.record):
        # addresses among the constraints are mostly identifiers of licences and codes, which must not change
        if field != "other_constraints" and is_public_http(url):
            host = urlsplit(url).hostname or ""
            first_field, first, count = hosts.get(host, (field, url, 0))
            hosts[host] = (first_field, first, count + 1)
    for host, (field, url, count) in hosts.items():
        yield Violation(field, tr("%n link(s) to {host} without encryption (http).", n=count, host=host), shorten(url))


@rule_set.rule("secret", Severity.ERROR, "RFC 3986, 3.2.1", lambda: tr("No secrets in addresses"),
               lambda: tr("No link carries a user name with password, or a key."),
               lambda: tr("Remove the secret from the record, and change it: anyone who saw the record knows it."))
def secret(context: CheckContext) -> Iterable[Violation]:
    """Find passwords and keys in links. The finding does not repeat them."""
    for field, url in record_addresses(context.record):
        clean, found = separate_secrets(url)
        if found is not None and (found.password or found.keys) or clean in context.record.addresses_with_secrets:
            yield Violation(field, tr("The link carries a password or a key."), clean.partition("?")[0])


@rule_set.rule("differs", Severity.WARNING, "ISO 19119:2005, SV_OperationMetadata: connectPoint",
               lambda: tr("One service, one address"),
               lambda: tr("The links and the operations have the address of the same service."),
               lambda: tr("Check which address responds (“Check links”), and correct the other."),
               lambda context: context.is_wms)
def differs(context: CheckContext) -> Iterable[Violation]:
    """Find a GetCapabilities connect point on another host than the links to the service."""
    links = {link.url for link in context.record.online}
    linked = {_host_of(one.address): one.address for one in context.endpoints if one.address in links}
    for operation in context.record.operations:
        for point in operation.connect_points if operation.name.lower().endswith("getcapabilities") else ():
            if linked and is_web_address(point.url) and _host_of(point.url) not in linked:
                yield Violation("operations", tr("The operations are on another server than the link."),
                                shorten(point.url), shorten(next(iter(linked.values()))))
                return


_DEAD = rule_set.add("dead", Severity.ERROR, "RFC 9110, 15", lambda: tr("Working links"),
                     lambda: tr("Every link works (checked on request only)."),
                     lambda: tr("Find out where the page or service is now, and correct the address."))
_REFUSED = rule_set.add("refused", Severity.NOTE, "RFC 9110, 15.5", lambda: tr("Links without login"),
                        lambda: tr("No link requires a login (checked on request only)."),
                        lambda: tr("State in the constraints who gets access, and how."))
_MOVED = rule_set.add("moved", Severity.WARNING, "RFC 9110, 15.4", lambda: tr("Links without redirects"),
                      lambda: tr("No link is redirected to another host (checked on request only)."),
                      lambda: tr("Enter the new address in the record."))
_HTTPS = rule_set.add("https-works", Severity.WARNING, "RFC 9110, 4.2.2", lambda: tr("https available"),
                      lambda: tr("Addresses that are available over https use https (checked on request only)."),
                      lambda: tr("Use https in the address."))


def link_findings(results: Sequence[LinkResult]) -> List[Finding]:
    """Return the findings on the links of a record from the results of requesting them."""
    findings = []
    for answer in results:
        if answer.error or answer.status in (404, 410) or answer.status >= 500 or answer.status == 0:
            findings.append(
                _DEAD.finding(
                    Violation(answer.field, answer.error or
                              tr("The server responded with status {status}.", status=answer.status), answer.url)))
        elif answer.status in (401, 403, 407):
            findings.append(
                _REFUSED.finding(
                    Violation(answer.field, tr("The server requires a login (status {status}).", status=answer.status),
                              answer.url)))
        elif answer.status >= 400:
            # a service may refuse a request of its address without parameters
            findings.append(
                _DEAD.finding(
                    Violation(answer.field, tr("The server responded with status {status}.", status=answer.status),
                              answer.url, severity=Severity.NOTE)))
        elif answer.final_url and _host_of(answer.final_url) != _host_of(answer.url):
            findings.append(
                _MOVED.finding(
                    Violation(answer.field, tr("The link is redirected to another server."), answer.url,
                              answer.final_url)))
        if answer.https_works:
            findings.append(
                _HTTPS.finding(
                    Violation(answer.field, tr("The same address is available over https."), answer.url,
                              "https" + answer.url.strip()[4:])))
    return findings


def is_public_http(url: str) -> bool:
    """Return True if ``url`` is an http address of a host with a public name."""
    if not is_web_address(url) or not url.strip().lower().startswith("http:"):
        return False
    host = (urlsplit(url.strip()).hostname or "").rstrip(".")
    try:
        ip_address(host)
    except ValueError:
        return "." in host and not host.endswith((".local", ".localhost", ".internal", ".lan"))
    return False


def _host_of(url: str) -> str:
    return normalise_endpoint(url)[2:].partition("/")[0].partition("?")[0]
