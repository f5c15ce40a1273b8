"""Hosts that only their own machine or network can reach."""

from __future__ import annotations

import time

import pytest

from plugin.core.addresses import (
    document_without_secrets,
    host_of_address,
    is_internal_host,
    separate_secrets,
    text_without_secrets,
)


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


SECRETS = [
    ("https://ana:s3cret@maps.example/wms?map=a", "https://maps.example/wms?map=a", ("ana", "s3cret", ())),
    ("https://ana@maps.example/wms", "https://maps.example/wms", ("ana", "", ())),
    ("https://ana:s3%40cret@maps.example", "https://maps.example", ("ana", "s3@cret", ())),
    ("https://ana:s@3cret@maps.example/", "https://maps.example/", ("ana", "s@3cret", ())),
    ("http://maps.example/a?user=ana&map=b&password=s3cret", "http://maps.example/a?map=b", ("ana", "s3cret", ())),
    ("http://maps.example/a?USER=ana&PassWord=s3cret#top", "http://maps.example/a#top", ("ana", "s3cret", ())),
    ("https://maps.example/?token=s3cret", "https://maps.example/", ("", "", (("token", "s3cret"),))),
    ("https://maps.example/?a=1&apikey=s3cret&b=2", "https://maps.example/?a=1&b=2", ("", "", (("apikey", "s3cret"),))),
    ("https://maps.example?access_token=s3cret&", "https://maps.example", ("", "", (("access_token", "s3cret"),))),
    ("https://maps.example/?authkey=s3%20cret&x", "https://maps.example/?x", ("", "", (("authkey", "s3 cret"),))),
]


@pytest.mark.parametrize(("address", "clean", "parts"), SECRETS)
def test_login_and_keys_are_set_apart_from_an_address(address, clean, parts):
    shown, secret = separate_secrets(address)
    assert shown == clean
    assert (secret.user, secret.password, secret.keys) == parts
    assert "s3" not in repr(secret) and "s3" not in str(secret)
    assert separate_secrets(clean) == (clean, None)


@pytest.mark.parametrize("address", ["https://maps.example/a@b?user=ana", "https://maps.example/?tokens=3&monkey=1&token=",
                                     "/data/ana:word@host/?token=1", "maps.example/?token=1", "", "mailto:a@b.example",
                                     "https://maps.example/?q=a@b", "C:\\a?token=1"])
def test_other_addresses_stay_as_they_are(address):
    assert separate_secrets(address) == (address, None)


@pytest.mark.parametrize("ampersand", ["&amp;", "&#38;", "\\u0026", "&"])
def test_documents_lose_their_secrets_and_nothing_else(ampersand):
    document = (f'<a b="https://ana:s3cret@maps.example/wms?x=1{ampersand}token=s3cret{ampersand}y=2">'
                f"ana@maps.example ü https://other.example/?x=1{ampersand}y=2</a>").encode()
    clean, secrets = document_without_secrets(document)
    assert clean.decode() == (f'<a b="https://maps.example/wms?x=1{ampersand}y=2">'
                              f"ana@maps.example ü https://other.example/?x=1{ampersand}y=2</a>")
    assert [(one.address, one.user, one.password) for one in secrets] == [
        ("https://maps.example/wms?x=1&y=2", "ana", "s3cret")]
    assert document_without_secrets(clean) == (clean, ())


def test_texts_lose_the_secrets_of_all_their_addresses():
    assert text_without_secrets("a http://u:s3cret@a.example/x, b (https://b.example/?token=s3cret&c=1) d") == (
        "a http://a.example/x, b (https://b.example/?c=1) d")


def test_of_an_address_with_thousands_of_parameters_none_is_kept():
    address = "https://a.example/wms?x=1" + "&y=2" * 3_000 + "&token=s3cret"
    assert text_without_secrets(address) == "https://a.example/wms"
    clean, (secret,) = document_without_secrets(f"<a>{address}</a>".encode())
    assert clean == b"<a>https://a.example/wms</a>" and secret.keys == ()


@pytest.mark.parametrize("name", ["TOKEN", "Token", "ApiKey", "PASSWORD", "passWord"])
def test_a_key_in_any_case_is_taken_out_of_a_document(name):
    document = f'<a href="HTTPS://maps.example/wms?map=a&amp;{name}=b4c"/>'.encode()
    clean, (secret,) = document_without_secrets(document)
    assert clean == b'<a href="HTTPS://maps.example/wms?map=a"/>'
    assert b"b4c" not in clean and "b4c" in (secret.password, *(value for _, value in secret.keys))


@pytest.mark.parametrize("part", ["http://", "http://a@", "://@", "https://a?token=", "&amp;token=a", "@", "?token=a&"])
def test_the_time_is_linear_in_the_length(part):
    def seconds(times):
        data = (part * times).encode()
        started = time.process_time()
        document_without_secrets(data)
        text_without_secrets(data.decode())
        return time.process_time() - started

    assert seconds(200_000) < 10
