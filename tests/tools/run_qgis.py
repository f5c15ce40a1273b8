"""Starts QGIS with Cartoguide linked into a profile of its own and the test network beside it; tidies up at the end.

With no display, QGIS runs in a virtual one (Xvfb). ``--screenshot`` takes a picture of the window and ends QGIS.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple, Optional

TOOLS = Path(__file__).resolve().parent
REPOSITORY = TOOLS.parents[1]
sys.path[:0] = [path for path in (str(REPOSITORY),) if path not in sys.path]

from tests.slowness import slowness  # noqa: E402

SERVER = REPOSITORY / "tests" / "network" / "serve.py"
#: the test network's ports, the first free one: maps and projects that were saved find their services again
PORTS = range(18470, 18480)


class Trouble(Exception):
    """What kept QGIS from running, in one sentence."""


class NetworkAddress(NamedTuple):
    """Where the test network answers, and the network profile that leads there."""

    url: str
    profile: str


def arguments(given: Optional[list[str]] = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile-folder", type=Path, default=REPOSITORY / "build" / "profile", help="QGIS's profile")
    parser.add_argument("--fresh", action="store_true", help="begin with an empty profile")
    parser.add_argument("--locale", default="", help="QGIS's language, such as es")
    parser.add_argument("--no-network", action="store_true", help="do not start the test network")
    parser.add_argument("--screenshot", type=Path, help="take this picture of the running window and end QGIS")
    parser.add_argument("--script", type=Path, help="Python file to run inside QGIS once its window is there")
    parser.add_argument("--size", default="1366x768", help="size of the virtual display")
    parser.add_argument("--virtual", action="store_true", help="use a virtual display even where there is a real one")
    parser.add_argument("--wait", type=float, default=3, help="seconds between the script's end and the picture")
    parser.add_argument("--limit", type=float, default=120,
                        help="seconds in which a picture must have been taken, more where the machine has other work")
    parser.add_argument("qgis", nargs="*", help="more arguments for QGIS, after --")
    return parser.parse_args(given)


def prepare_profile(folder: Path, locale: str, network: Optional[NetworkAddress]) -> None:
    """A profile with the plugin linked and enabled, and nothing in it that asks, greets or looks for news."""
    from qgis.core import Qgis
    from qgis.PyQt.QtCore import QSettings

    profile = folder / "profiles" / "default"
    plugins = profile / "python" / "plugins"
    plugins.mkdir(parents=True, exist_ok=True)
    link = plugins / "cartoguide"
    if link.is_symlink() or link.exists():
        link.unlink()
    link.symlink_to(REPOSITORY, target_is_directory=True)
    # the file of QGIS 4 is QGIS4.ini
    file = profile / "QGIS" / f"QGIS{Qgis.QGIS_VERSION_INT // 10000}.ini"
    settings = QSettings(str(file), QSettings.Format.IniFormat)
    fixed = {
        "PythonPlugins/cartoguide": True,
        "PythonPlugins/MetaSearch": False,
        "PythonPlugins/processing": True,
        "migration/fileVersion": 2,
        "migration/settings": True,
        "migration/firstRunVersionFlag": 99999,
        "qgis/checkVersion": False,
        "qgis/showTips": False,
        "qgis/projOpenAtLaunch": 3,
        "app/checkVersion": False,
        "app/showTips": False,
        "app/news-feed/enabled": False,
        "app/plugin_installer/checkOnStart": False,
        "plugins/automatically-check-for-updates": False,
        "core/NewsFeed/httpsfeedqgisorg/disabled": True,
        "qgis/projects/projectSaveCheck": False,
        "qgis/askToSaveProjectChanges": False,
        "cartoguide/dock/visible": True,
        "locale/overrideFlag": bool(locale),
        "locale/userLocale": locale or "en_US",
    }
    for key, value in fixed.items():
        settings.setValue(key, value)
    if network:
        settings.setValue("cartoguide/profile", network.profile)
        # its records name pictures that it serves itself
        settings.setValue("cartoguide/load_thumbnails", True)
    else:
        settings.remove("cartoguide/profile")
    settings.sync()


@contextlib.contextmanager
def test_network(wanted: bool) -> Iterator[Optional[NetworkAddress]]:
    """The running test network; it says its address and its profile's path on its first lines."""
    if not wanted:
        yield None
        return
    if not SERVER.is_file():
        raise Trouble("the test network (tests/network/serve.py) is not there; --no-network runs without it")
    # the project's own environment has pycsw, which is the network's catalogue
    python = REPOSITORY / ".venv" / "bin" / "python"
    command = [str(python) if python.is_file() else sys.executable, "-B", str(SERVER), "--port", str(free_port())]
    # in a run of the tests
    if answers := os.environ.get("CARTOGUIDE_TEST_ANSWERS"):
        command += ["--answers", answers]
    server = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        said, url, profile = "", "", ""
        for line in server.stdout:
            said += line
            url = url or next(iter(re.findall(r"https?://127\.0\.0\.1:\d+\S*", said)), "")
            profile = profile or next(iter(re.findall(r"(/\S+\.json)\b", re.sub(r"https?://\S+", "", said))), "")
            if url and profile:
                break
        if not (url and profile):
            raise Trouble(f"the test network did not start; it said: {said.strip() or 'nothing'}")
        print(f"run: test network at {url}", flush=True)
        yield NetworkAddress(url, profile)
    finally:
        stop(server, signal.SIGINT)


def free_port(ports: Iterable[int] = PORTS) -> int:
    """The first of ``ports`` that nothing listens on, 0 if there is none."""
    for port in ports:
        with socket.socket() as probe:
            # as the server does, which may follow itself within a minute
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port
    return 0


def stop(process: subprocess.Popen, first: signal.Signals = signal.SIGTERM) -> None:
    """End a process and what it started: politely, then for good."""
    for sign, patience in ((first, 5), (signal.SIGTERM, 3), (signal.SIGKILL, 5)):
        if process.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)


@contextlib.contextmanager
def display(virtual: bool, size: str) -> Iterator[str]:
    """The display to show QGIS on: the person's, or a virtual one."""
    real = os.environ.get("DISPLAY", "") or os.environ.get("WAYLAND_DISPLAY", "")
    if real and not virtual:
        yield os.environ.get("DISPLAY", "")
        return
    if not virtual:
        print("run: there is no display, so QGIS runs unseen in a virtual one (Xvfb); Ctrl+C ends it", flush=True)
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-ac"],
        pass_fds=(writing,), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise Trouble("Xvfb did not start")
        yield f":{number}"
    finally:
        stop(server)


def started_qgis(options: argparse.Namespace, shown_on: str, report: Path) -> subprocess.Popen:
    """QGIS, running."""
    command = [shutil.which("qgis"), "--nologo", "--noversioncheck", "--profile", "default"]
    command += ["--profiles-path", str(options.profile_folder)]
    environment = {**os.environ, "DISPLAY": shown_on, "XDG_CACHE_HOME": str(options.profile_folder / "cache")}
    # QGIS looks for its Python's library beside the first python3 on PATH, which may be another one (pyenv's), and then
    # stands at a dialog for ever
    environment["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    foreign = ["PYTHONHOME", "QGIS_CUSTOM_CONFIG_PATH", "QGIS_OPTIONS_PATH"]
    if not os.environ.get("QGIS_PREFIX"):
        foreign.append("PYTHONPATH")
    for variable in foreign:
        environment.pop(variable, None)
    environment.setdefault("XDG_RUNTIME_DIR", str(options.profile_folder / "runtime"))
    Path(environment["XDG_RUNTIME_DIR"]).mkdir(mode=0o700, parents=True, exist_ok=True)
    if shown_on != os.environ.get("DISPLAY", ""):
        environment["QT_QPA_PLATFORM"] = "xcb"
        environment["CARTOGUIDE_WINDOW"] = options.size
    if not options.locale:
        environment["LANG"] = environment.get("LANG") or "C.UTF-8"
    if options.screenshot or options.script:
        command += ["--code", str(TOOLS / "inside_qgis.py")]
        environment["CARTOGUIDE_REPORT"] = str(report)
        environment["CARTOGUIDE_SCRIPT"] = str(options.script.resolve()) if options.script else ""
    command += options.qgis
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)


def photograph(shown_on: str, target: Path) -> None:
    """The whole display as a PNG."""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = ["import", "-window", "root", str(target)]
    subprocess.run(command, env={**os.environ, "DISPLAY": shown_on}, check=True)


def take_picture(options: argparse.Namespace, qgis: subprocess.Popen, shown_on: str, report: Path) -> int:
    """Wait until QGIS says that it is ready, take the picture, and say what went wrong inside."""
    started = time.monotonic()
    while not report.is_file():
        if qgis.poll() is not None:
            raise Trouble(f"QGIS ended by itself with status {qgis.returncode}")
        # a test that started this gives up after 500 s
        if time.monotonic() - started > max(options.limit, min(options.limit * slowness(), 450)):
            photograph(shown_on, options.screenshot)
            seconds = time.monotonic() - started
            raise Trouble(f"QGIS was not ready after {seconds:.0f} seconds, see {options.screenshot}")
        time.sleep(0.2)
    time.sleep(options.wait)
    photograph(shown_on, options.screenshot)
    said = json.loads(report.read_text(encoding="utf-8"))
    for error in said["errors"]:
        print(f"run: {error}", file=sys.stderr)
    print(f"run: {options.screenshot}" + ("" if said["loaded"] else " (WITHOUT the plugin: it did not load)"))
    return 0 if said["loaded"] and not said["errors"] else 1


def run(options: argparse.Namespace) -> int:
    """The whole run; the status is QGIS's own, or the picture's."""
    if not shutil.which("qgis"):
        raise Trouble("QGIS is not installed; `make setup` installs it on Debian and Ubuntu")
    options.profile_folder = options.profile_folder.resolve()
    if options.fresh:
        shutil.rmtree(options.profile_folder, ignore_errors=True)
    with contextlib.ExitStack() as stack:
        network = stack.enter_context(test_network(not options.no_network))
        prepare_profile(options.profile_folder, options.locale, network)
        shown_on = stack.enter_context(display(options.virtual or bool(options.screenshot), options.size))
        report = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "report.json"
        qgis = started_qgis(options, shown_on, report)
        stack.callback(stop, qgis)
        return take_picture(options, qgis, shown_on, report) if options.screenshot else qgis.wait()


def main() -> int:
    """0 when all went well; otherwise one sentence."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return run(arguments())
    except Trouble as trouble:
        print(f"run: {trouble}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
