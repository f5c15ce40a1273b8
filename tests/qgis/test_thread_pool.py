"""Images are scaled and converted while every thread of QGIS's pool runs a job of the plugin."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from qgis.PyQt.QtCore import QRunnable, QSize, Qt, QThreadPool
from qgis.PyQt.QtGui import QImage

from plugin.gis.runtime import images, tasks
from plugin.gis.runtime.thread_pool import ExtraSlots, job_pool, pool_slot_released


def test_a_large_picture_is_scaled_while_jobs_fill_the_pool(qgis_app, wait_until):
    """Qt does it in the global pool and waits for it with Python's lock in its hand: this stood still for ever."""
    release, ended = threading.Event(), []
    before = QThreadPool.globalInstance().activeThreadCount()
    count = job_pool().maxThreadCount() + 1
    running = []

    def work(_feedback):
        running.append(1)
        while not release.wait(0.001):
            pass
        return 1

    for _ in range(count):
        tasks.start("a job that goes on", work, ended.append, ended.append)
    wait_until(lambda: len(running) >= min(count, job_pool().maxThreadCount()))
    picture = QImage(1600, 1200, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.darkGreen)
    try:
        small = picture.scaled(QSize(400, 300), transformMode=Qt.TransformationMode.SmoothTransformation)
        other = picture.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    finally:
        release.set()
    assert small.pixelColor(5, 5) == other.pixelColor(5, 5) == picture.pixelColor(5, 5)
    wait_until(lambda: ended == [1] * count)
    wait_until(lambda: QThreadPool.globalInstance().activeThreadCount() == before)


class Held(QRunnable):
    """Python in a thread of the pool that lends nothing, as QGIS's browser begins."""

    def __init__(self, release):
        super().__init__()
        self._release = release

    def run(self):
        """Ask for Python's lock again and again."""
        while not self._release.wait(0.001):
            pass


@pytest.mark.parametrize("kind", ["Format_RGB32", "Format_ARGB32", "Format_RGB888", "Format_Indexed8",
                                  "Format_Grayscale8"])
def test_our_own_scaling_needs_no_other_thread(qgis_app, kind):
    pool, release = QThreadPool.globalInstance(), threading.Event()
    picture = QImage(1600, 1200, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.darkGreen)
    picture = picture.convertToFormat(getattr(QImage.Format, kind))
    for _ in range(pool.maxThreadCount()):
        pool.start(Held(release))
    try:
        small = images.scaled(picture, QSize(400, 200))
        other = images.converted(picture, QImage.Format.Format_RGBA8888)
    finally:
        release.set()
        pool.waitForDone(5000)
    assert small.size() == QSize(266, 200)
    assert other.format() == QImage.Format.Format_RGBA8888
    assert small.pixelColor(5, 5) == other.pixelColor(5, 5) == picture.pixelColor(5, 5)


def test_a_place_is_lent_once_however_often_a_job_waits(qgis_app, wait_until):
    """Layers wait for services, which wait for the network: lent by each of them, the pool would have places that no
    thread has given back."""
    pool, seen = job_pool(), []

    def look():
        seen.append(pool.activeThreadCount())

    def work(_feedback):
        look()
        with pool_slot_released():
            look()
            with pool_slot_released(), ThreadPoolExecutor(1) as helpers:
                look()
                helpers.submit(in_lent, look).result()
            look()
        look()

    before = pool.activeThreadCount()
    tasks.run_and_wait(work, 20)
    assert seen == [before + 1, before, before, before, before, before + 1]
    wait_until(lambda: pool.activeThreadCount() == before)


def in_lent(look):
    """In a thread that is none of the pool's."""
    with pool_slot_released():
        look()


class Waiting(QRunnable):
    """A layer that waits for its server, which answers when all have been requested."""

    def __init__(self, everybody):
        super().__init__()
        self._everybody = everybody

    def run(self):
        """Wait for the others."""
        self._everybody.wait()


def test_more_layers_than_cores_wait_at_the_same_time_in_extra_slots(qgis_app):
    pool = QThreadPool.globalInstance()
    count, active = pool.maxThreadCount() + 2, pool.activeThreadCount()
    everybody, slots = threading.Barrier(count + 1), ExtraSlots()
    slots.add(count)
    slots.add(2)
    try:
        for _ in range(count):
            pool.start(Waiting(everybody))
        everybody.wait(60)
    finally:
        slots.remove()
    slots.remove()
    assert pool.waitForDone(60000)
    assert pool.activeThreadCount() == active
