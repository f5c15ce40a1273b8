"""The package in QGIS's own "Install from ZIP": install, upgrade, start, uninstall."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile

import pytest

from tests.slowness import patience

PROGRAM = """
import json, os, sys
from pathlib import Path
from unittest.mock import MagicMock
from qgis.core import QgsApplication
from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtWidgets import QMainWindow, QMenu, QToolBar
application = QgsApplication([], True)
application.initQgis()
sys.path.insert(0, str(Path(application.pkgDataPath()) / "python"))
import qgis.utils
home = Path(application.qgisSettingsDirPath()) / "python" / "plugins"
qgis.utils.home_plugin_path = qgis.utils.HOME_PLUGIN_PATH = str(home)
qgis.utils.plugin_paths = [str(home)]
sys.path.insert(0, str(home))
window = QMainWindow()
canvas, bar = QgsMapCanvas(window), QgsMessageBar(window)
iface = MagicMock()
iface.mainWindow.return_value, iface.mapCanvas.return_value, iface.messageBar.return_value = window, canvas, bar
iface.webMenu.return_value, iface.webToolBar.return_value = QMenu(window), QToolBar(window)
qgis.utils.iface = iface
import pyplugin_installer
from pyplugin_installer import installer
installer.iface = iface
from pyplugin_installer import installer_data
installer_data.iface = iface
tree = MagicMock()  # newer versions read settings that only the QGIS program itself declares
tree.node.return_value.childSetting.return_value.value.return_value = False
installer.QgsSettingsTree = installer_data.QgsSettingsTree = tree
from qgis.gui import QgsGui
def registered():
    browser = [one.name() for one in application.dataItemProviderRegistry().providers()]
    gui = [one.name() for one in QgsGui.dataItemGuiProviderRegistry().providers()]
    sources = [one.name() for one in QgsGui.sourceSelectProviderRegistry().providers()]
    algorithms = [one.id() for one in application.processingRegistry().providers()]
    return [names.count("cartoguide") for names in (browser, gui, sources, algorithms)]
one = installer.QgsPluginInstaller()
said = {"installs": []}
for path in sys.argv[1:]:
    one.installFromZipFile(path)
    said["installs"].append({
        "active": "cartoguide" in qgis.utils.active_plugins,
        "registered": registered(),
        "version": qgis.utils.pluginMetadata("cartoguide", "version"),
        "files": [str(p.relative_to(home)) for p in home.rglob("*.*") if "__pycache__" not in p.parts],
    })
entry = installer_data.plugins.all()["cartoguide"]
said["broken"] = entry["error"]
said["icon"] = os.path.isfile(entry["icon"])
said["from"] = sys.modules["cartoguide"].__file__.startswith(str(home))
one.uninstallPlugin("cartoguide", quiet=True)
said["left"] = (home / "cartoguide").exists() or "cartoguide" in qgis.utils.active_plugins
said["still registered"] = registered()
print("SAID" + json.dumps(said), flush=True)
os._exit(0)
"""


@pytest.fixture(scope="module")
def zips(repository, tmp_path_factory):
    """The package, and the same with a later version number."""
    folder = tmp_path_factory.mktemp("packages")
    code = (
        "import sys; sys.path.insert(0, 'tests/tools'); import package; from pathlib import Path\n"
        "package.build(package.REPOSITORY, package.runtime_files(), Path(sys.argv[1]))"
    )
    first = folder / "cartoguide-first.zip"
    subprocess.run([sys.executable, "-c", code, str(first)], cwd=repository, check=True, timeout=patience(60))
    second = folder / "cartoguide-second.zip"
    with zipfile.ZipFile(first) as old, zipfile.ZipFile(second, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "cartoguide/metadata.txt":
                content = content.replace(b"\nversion=0.", b"\nversion=9.")
            if name != "cartoguide/CHANGELOG.md":
                new.writestr(name, content)
    return first, second


@pytest.mark.slow
def test_qgis_installs_upgrades_starts_and_uninstalls_the_package(zips, tmp_path):
    environment = {**os.environ, "QGIS_CUSTOM_CONFIG_PATH": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    answer = subprocess.run(
        [os.environ.get("QGIS_PYTHON", "/usr/bin/python3"), "-c", PROGRAM, *map(str, zips)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=patience(100), stdin=subprocess.DEVNULL,
    )
    line = next((line for line in answer.stdout.splitlines() if line.startswith("SAID")), "")
    assert line, answer.stdout + answer.stderr
    said = json.loads(line[4:])
    first, second = said["installs"]
    assert first["active"], answer.stderr
    assert first["version"].startswith("0.")
    assert "cartoguide/metadata.txt" in first["files"]
    assert second["active"], answer.stderr
    assert second["version"].startswith("9.")
    gone = set(first["files"]) - set(second["files"])
    assert "cartoguide/CHANGELOG.md" in gone, "an upgrade leaves no old file behind"
    assert first["registered"] == second["registered"] == [1, 1, 1, 1], "an upgrade takes the place of what was there"
    assert said["still registered"] == [0, 0, 0, 0]
    assert said["broken"] == ""
    assert said["icon"]
    assert said["from"]
    assert not said["left"]
    assert "Traceback" not in answer.stderr
