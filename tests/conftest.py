"""Ground shared by all tests: isolation from the person's own QGIS, the test network, the samples."""

from __future__ import annotations

import atexit
import gc
import importlib.util
import ipaddress
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Iterator

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
BEGAN = pytest.StashKey[float]()
SAMPLES = REPOSITORY.parent / "shared" / "samples"

# One fresh folder for each run: nothing is read from the person's profile or cache, nothing stays behind.
RUN_FOLDER = Path(tempfile.mkdtemp(prefix="cartoguide-tests-"))
atexit.register(shutil.rmtree, RUN_FOLDER, ignore_errors=True)
for _variable, _folder in (
    ("XDG_CACHE_HOME", "cache"),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_DATA_HOME", "data"),
    ("XDG_STATE_HOME", "state"),
    ("XDG_RUNTIME_DIR", "runtime"),
):
    os.environ[_variable] = str(RUN_FOLDER / _folder)
    (RUN_FOLDER / _folder).mkdir(mode=0o700)
os.environ["QT_QPA_PLATFORM"] = os.environ.get("CARTOGUIDE_TEST_PLATFORM", "offscreen")
os.environ.setdefault("LC_ALL", "C.UTF-8")
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
for _variable in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
    os.environ.pop(_variable, None)


def forget_deleted_widgets(item: Any) -> None:
    """Take the widgets that Qt has deleted from those that pytest-qt will close after the test."""
    is_deleted = importlib.import_module("qgis.PyQt.sip").isdeleted
    if hasattr(item, "qt_widgets"):
        item.qt_widgets = [pair for pair in item.qt_widgets if pair[0]() is not None and not is_deleted(pair[0]())]


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Load pytest-qt and pytest-qgis, but only where other than pure unit tests are asked for."""
    config: Any = pluginmanager.get_plugin("pytestconfig")
    paths = [str(argument).split("::")[0] for argument in config.known_args_namespace.file_or_dir]
    unit = REPOSITORY / "tests" / "unit"
    if paths and all(unit in (path := Path(name).absolute(), *path.parents) for name in paths):
        return
    qt_version = importlib.import_module("qgis.PyQt.QtCore").PYQT_VERSION_STR
    os.environ["PYTEST_QT_API"] = f"pyqt{qt_version[0]}"
    pluginmanager.import_plugin("pytestqt.plugin")
    qt_plugin = importlib.import_module("pytestqt.plugin")
    close_widgets = qt_plugin._close_widgets
    # It would close dialogs again that were deleted when they were closed, for which PyQt 6 raises.
    qt_plugin._close_widgets = lambda item: (forget_deleted_widgets(item), close_widgets(item))
    qgis_plugin = importlib.import_module("pytest_qgis.plugin")
    load_settings = qgis_plugin._load_qgis_settings
    # It takes every QGIS 3 for one on Qt 5, where these names are not scoped.
    settings = qgis_plugin.QSettings
    settings.IniFormat, settings.UserScope = settings.Format.IniFormat, settings.Scope.UserScope
    # It keeps its settings under the root folder, where runs at the same time would share them.
    qgis_plugin._load_qgis_settings = lambda config: load_settings(SimpleNamespace(rootpath=RUN_FOLDER))
    pluginmanager.import_plugin("pytest_qgis.plugin")


def core_seconds() -> float:
    """Return the time that cores have worked for this process and for those that it started and that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Note when a test begins, with the fixtures that it is the first to ask for."""
    item.stash[BEGAN] = core_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Write into the report of the run what a test cost: its seconds alone depend on what else the machine does."""
    try:
        return (yield)
    finally:
        item.user_properties.append(("core_seconds", f"{core_seconds() - item.stash[BEGAN]:.2f}"))


def pytest_collection_finish() -> None:
    """Keep Python's collector from looking through pytest, QGIS and the tests again and again: they stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def load_tool() -> Callable[[str], Any]:
    """``load_tool("tools/guide")``: a program below ``tests`` as a module, which it is not otherwise."""

    def load(name: str) -> Any:
        called = f"cartoguide_{name.replace('/', '_')}"
        specification: Any = importlib.util.spec_from_file_location(called, REPOSITORY / "tests" / f"{name}.py")
        sys.modules[called] = module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    return load


class BeyondLoopback(AssertionError):
    """A test tried to leave this machine."""


def _is_local(host: object) -> bool:
    if not isinstance(host, (str, bytes)) or not host:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name == "localhost" or name.endswith((".localhost", ".invalid")):
        return True
    try:
        return ipaddress.ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """No Python socket may reach beyond 127.0.0.1, and no other name is looked up."""
    patch = pytest.MonkeyPatch()

    def guarded(method: Any, address_index: int) -> Any:
        def call(*arguments: Any, **keywords: Any) -> Any:
            address = arguments[address_index] if len(arguments) > address_index else None
            host = address[0] if isinstance(address, tuple) else None
            if not _is_local(host):
                raise BeyondLoopback(f"tests stay on this machine, but {address!r} was asked for")
            return method(*arguments, **keywords)

        return call

    look_up = socket.getaddrinfo

    def guarded_look_up(host: Any, *arguments: Any, **keywords: Any) -> Any:
        if not _is_local(host):
            raise BeyondLoopback(f"tests stay on this machine, but {host!r} was looked up")
        return look_up(host, *arguments, **keywords)

    patch.setattr(socket.socket, "connect", guarded(socket.socket.connect, 1))
    patch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex, 1))
    patch.setattr(socket, "getaddrinfo", guarded_look_up)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of real documents beside the repository; the test is skipped where it is not there."""
    if not (SAMPLES / "INDEX.tsv").is_file():
        pytest.skip("the folder of sample documents is not there")
    return SAMPLES


@pytest.fixture(scope="session")
def network_for_session() -> Iterator[Any]:
    """The test network, started once for the whole run."""
    module = pytest.importorskip("network", reason="the test network is not there")
    network = module.Network(remember=True)
    network.start()
    yield network
    network.stop()


@pytest.fixture
def network(network_for_session: Any) -> Any:
    """The running test network, its counts and faults cleared for this test."""
    network_for_session.reset()
    return network_for_session
