"""Guarantees of the test environment: fixtures, isolation and temporary folders."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest


def test_no_socket_leaves_this_machine():
    with pytest.raises(AssertionError, match="this machine"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(AssertionError, match="this machine"):
        socket.getaddrinfo("example.org", 80)


def test_the_loopback_address_stays_reachable():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()


def test_settings_and_caches_of_the_person_are_out_of_reach():
    for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        assert "cartoguide-tests-" in os.environ[variable]


def test_every_module_of_core_imports_without_qgis(repository):
    files = sorted((repository / "plugin" / "core").rglob("*.py"))
    names = [".".join(path.relative_to(repository).with_suffix("").parts) for path in files if path.stem != "__main__"]
    code = (
        "import sys, importlib\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "print(*sorted({m.split('.')[0] for m in sys.modules} & {'qgis', 'PyQt5', 'PyQt6', 'requests'}))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, *names], cwd=repository, capture_output=True, text=True, timeout=60
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == []
