"""The commands: the Service as JSON, and a request without sending it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from plugin.core.cli import main

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wms"
CAPABILITIES = str(FIXTURES / "network-1.3.0.xml")
PREFIX = "https://mapas.example.org/wms/red?language=spa&"
MAP = ["request", CAPABILITIES, "--operation", "GetMap", "--layer", "relieve", "--crs", "EPSG:4326",
       "--size", "800x600"]


def run(capsys, *arguments):
    """(exit status, standard output, standard error)"""
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def test_capabilities_as_json_are_one_object_a_line(capsys):
    status, out, _ = run(capsys, "capabilities", CAPABILITIES, str(FIXTURES / "network-1.1.1.xml"), "--json")
    services = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [service["version"] for service in services] == ["1.3.0", "1.1.1"]
    assert services[0]["layers"][0]["name"] == "RED"


def test_without_json_an_outline_for_people_is_printed(capsys):
    _, out, _ = run(capsys, "capabilities", CAPABILITIES)
    assert "Servicio de prueba de la red (WMS 1.3.0)" in out
    assert "[Vehículos_contra_incendios] Vehículos contra incendios" in out


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_printed(capsys, tmp_path):
    (tmp_path / "otra.xml").write_bytes(b"<html/>")
    files = [str(tmp_path / "otra.xml"), str(tmp_path / "no.xml"), CAPABILITIES]
    status, out, err = run(capsys, "capabilities", *files, "--json")
    assert status == 1
    assert len(out.splitlines()) == 1
    assert len(err.splitlines()) == 2


def test_standard_input_is_a_dash(capsys, monkeypatch):
    data = Path(CAPABILITIES).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    status, out, _ = run(capsys, "capabilities", "-", "--json")
    assert (status, json.loads(out)["version"]) == (0, "1.3.0")


@pytest.mark.parametrize("box", [["--bbox", "-3.6,38.3,-3.4,38.45"], ["--bbox=-3.6,38.3,-3.4,38.45"],
                                 ["--bbox", "-3.6, 38.3, -3.4, 38.45"]])
def test_a_box_may_begin_with_a_minus(capsys, box):
    status, out, _ = run(capsys, *MAP, *box)
    assert status == 0
    assert out == (PREFIX + "SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=relieve&STYLES=&CRS=EPSG:4326"
                   "&BBOX=38.3,-3.6,38.45,-3.4&WIDTH=800&HEIGHT=600&FORMAT=image/png\n")


def test_a_post_is_printed_as_a_message(capsys):
    _, out, _ = run(capsys, *MAP, "--bbox=-3.6,38.3,-3.4,38.45", "--method", "POST")
    head, _, body = out.partition("\n\n")
    assert head.splitlines() == [f"POST {PREFIX}", "Content-Type: application/x-www-form-urlencoded"]
    assert body.startswith("SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&")


def test_a_request_as_curl_can_be_pasted_into_a_shell(capsys):
    _, out, _ = run(capsys, *MAP, "--bbox=-3.6,38.3,-3.4,38.45", "--method", "post", "--curl")
    assert out.startswith(f"curl --location --globoff '{PREFIX}' --header 'Content-Type: ")
    assert "--data-binary 'SERVICE=WMS&" in out


@pytest.mark.parametrize(("arguments", "parts"), [
    (["--operation", "GetCapabilities"], ["REQUEST=GetCapabilities", "VERSION=1.3.0"]),
    (["--operation", "GetFeatureInfo", "--layer", "lluvia", "--crs", "CRS:84", "--bbox", "-4,38,-3,39",
      "--size", "400x300", "--i", "10", "--j", "20", "--info-format", "text/plain", "--feature-count", "3",
      "--time", "2016-06-07"],
     ["REQUEST=GetFeatureInfo", "I=10", "J=20", "INFO_FORMAT=text/plain", "FEATURE_COUNT=3", "TIME=2016-06-07"]),
    (["--layer", "relieve,Vehículos_contra_incendios", "--style", ",noche", "--crs", "CRS:84", "--bbox=-4,38,-3,39",
      "--size", "10x10"], ["LAYERS=relieve,Veh%C3%ADculos_contra_incendios", "STYLES=,noche"]),
    (["--operation", "sld:GetLegendGraphic", "--layer", "relieve"], ["REQUEST=GetLegendGraphic", "LAYER=relieve"]),
    (["--operation", "describelayer", "--layer", "relieve"], ["REQUEST=DescribeLayer", "LAYERS=relieve"]),
    (["--operation", "ms:GetStyles", "--layer", "relieve"], ["REQUEST=GetStyles", "LAYERS=relieve"]),
    (["--layer", "modelo", "--crs", "EPSG:25830", "--native-bbox", "400000,4200000,500000,4300000", "--size", "10x10",
      "--dimension", "pasada=06", "--format", "image/jpeg", "--transparent"],
     ["BBOX=400000,4200000,500000,4300000", "DIM_PASADA=06", "FORMAT=image/jpeg", "TRANSPARENT=TRUE"]),
])
def test_every_operation_can_be_asked_for(capsys, arguments, parts):
    status, out, _ = run(capsys, "request", CAPABILITIES, *arguments)
    assert status == 0
    assert set(parts) <= set(out.strip().partition("?")[2].split("&"))


@pytest.mark.parametrize(("arguments", "told"), [
    (["--layer", "nada", "--crs", "CRS:84", "--size", "1x1"], "no layer called"),
    (["--layer", "relieve"], "--crs, --size"),
    (["--operation", "GetFeatureInfo", "--layer", "relieve", "--crs", "CRS:84", "--size", "9x9"], "--i, --j"),
    (["--operation", "GetTile"], "GetFeatureInfo"),
    (["--operation", "GetStyles", "--layer", "relieve", "--method", "POST"], "GET only"),
])
def test_what_cannot_be_asked_for_is_told_with_status_1(capsys, arguments, told):
    status, out, err = run(capsys, "request", CAPABILITIES, *arguments)
    assert (status, out) == (1, "")
    assert told in err


@pytest.mark.parametrize("arguments", [["--bbox", "1,2,3"], ["--bbox", "a,b,c,d"], ["--size", "800"], ["--size", "axb"],
                                       ["--dimension", "time"], ["--method", "PUT"]])
def test_arguments_without_sense_are_a_usage_error(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(["request", CAPABILITIES, *arguments])
    assert caught.value.code == 2
