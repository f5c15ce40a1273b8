"""Counts what the plugin could leave behind in a running QGIS. Runs inside QGIS too: imports nothing of the tests."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import typing
from collections import Counter

from qgis.core import QgsApplication, QgsNetworkAccessManager, QgsProject
from qgis.gui import QgsGui, QgsLocatorWidget
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QTimer, qInstallMessageHandler
from qgis.PyQt.QtWidgets import QAction, QApplication, QMenu


def locator_widget():
    """QGIS's own; it is not found by its Python class."""
    found = [one for one in QApplication.allWidgets() if one.metaObject().className() == "QgsLocatorWidget"]
    return sip.cast(found[0], QgsLocatorWidget) if found else None


def receivers(sender):
    """How many slots of Python's are connected to each signal of ``sender``, as Qt itself tells of it."""
    lines, found, signal = [], Counter(), ""
    before = qInstallMessageHandler(lambda _kind, _context, text: lines.append(text))
    sender.dumpObjectInfo()
    qInstallMessageHandler(before)
    for line in "\n".join(lines).splitlines():
        if line.strip().startswith("SIGNALS IN"):
            break
        if line.strip().startswith("signal: "):
            signal = line.strip()[8:]
        elif "PyQtSlotProxy" in line and not signal.startswith("destroyed"):
            found[signal] += 1
    return found


def census(iface, module="cartoguide"):
    """Everything by name, as numbers; objects of ``module``'s classes by class; QObjects of QGIS's window by class."""
    # the last hundred types that annotations spoke of are remembered by typing itself, whoever made them
    for forget in typing._cleanups:
        forget()
    for _ in range(4):
        gc.collect()
    senders = {
        "project": QgsProject.instance(), "canvas": iface.mapCanvas(), "log": QgsApplication.messageLog(),
        "tasks": QgsApplication.taskManager(), "network": QgsNetworkAccessManager.instance(), "iface": iface,
        "app": QApplication.instance(),
    }
    counts = {f"receivers of {who}.{name}": count
              for who, sender in senders.items() for name, count in receivers(sender).items()}
    window = iface.mainWindow()
    objects = window.findChildren(QObject)
    children = Counter(type(one).__name__ for one in objects)
    described = Counter(f"{one.metaObject().className()} “{one.objectName()}” of {_parent(one)}" for one in objects)
    for action in window.findChildren(QAction):
        owner = type(action.parent()).__name__
        if owner != "QgsFilterLineEdit":  # QGIS's own locator, which gets one more with each search
            name = f"action “{action.text()}” of a {owner}"
            counts[name] = counts.get(name, 0) + 1
    counts["menus"] = len(window.findChildren(QMenu))
    counts["timers in the window"] = children["QTimer"]
    counts["objects in the window"] = sum(children.values())
    counts["widgets"] = len(QApplication.allWidgets())
    counts["top-level widgets"] = len(QApplication.topLevelWidgets())
    counts["web menu"] = sum(len(_all(action)) for action in iface.webMenu().actions())
    counts["web toolbar"] = len(iface.webToolBar().actions())
    counts["data item providers"] = len(QgsApplication.dataItemProviderRegistry().providers())
    counts["data item gui providers"] = len(QgsGui.dataItemGuiProviderRegistry().providers())
    counts["source select providers"] = len(QgsGui.sourceSelectProviderRegistry().providers())
    counts["processing providers"] = len(QgsApplication.processingRegistry().providers())
    locator = locator_widget()
    counts["locator filters"] = len(locator.locator().filters()) if locator is not None else 0
    counts["running tasks"] = QgsApplication.taskManager().countActiveTasks()
    own_threads = [one for one in threading.enumerate() if not isinstance(one, threading._DummyThread)]
    counts["python threads"] = len(own_threads)
    counts["open files"] = len(os.listdir("/proc/self/fd"))
    # the test network beside QGIS has a folder of its own
    counts["temporary files"] = len([name for name in os.listdir(tempfile.gettempdir())
                                     if "cartoguide" in name and not name.startswith("cartoguide-network")])
    ours = Counter()
    timers = 0
    for one in gc.get_objects():
        kind = type(one)
        # a class of a class may have something else there
        if str(getattr(kind, "__module__", "")).startswith(module + "."):
            ours[kind.__name__] += 1
        timers += isinstance(one, QTimer)
    counts["timers of Python's"] = timers
    counts["objects of the plugin's"] = sum(ours.values())
    return counts, dict(ours), dict(described)


def _parent(one):
    # a model has a method of that name for its indexes
    parent = QObject.parent(one)
    return f"{parent.metaObject().className()} “{parent.objectName()}”" if parent is not None else ""


def _all(action):
    return [action, *(one for below in (action.menu().actions() if action.menu() else ()) for one in _all(below))]


def cycle(get):
    """Let Python find the last reference to the wrapper of an object in a cycle, as that of a closed dock."""
    wrapper = get()
    around = [wrapper]
    around.append(around)
    del wrapper, around
    gc.collect()
