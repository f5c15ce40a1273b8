"""Hosts that only their own machine or network can reach."""

from __future__ import annotations

import pytest

from plugin.core.addresses import host_of_address, is_internal_host


@pytest.mark.parametrize("host", [
    "localhost", "LOCALHOST.", "intranet", "printer.local", "a.localhost", "nas.home.arpa", "gis.internal",
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "[::1]", "::", "fe80::1%eth0", "fd12:3456::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1",
])
def test_hosts_of_this_machine_and_its_network_are_internal(host):
    assert is_internal_host(host)


@pytest.mark.parametrize("host", ["maps.example.org", "localhost.example.org", "10.example.org", "8.8.8.8",
                                  "172.32.0.1", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_hosts_are_not(host):
    assert not is_internal_host(host)


def test_the_host_of_an_address_is_found_without_login_and_port():
    assert host_of_address("https://user:word@Maps.Example.org:8443/a?b=@c") == "maps.example.org"
    assert host_of_address("http://[::1]:80/") == "::1"
    assert host_of_address("http://[broken/") == ""
