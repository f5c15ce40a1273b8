"""Photos of a leaflet: their size read at once, their image in a task, each with its credit below it on the page."""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import QgsLayoutItem, QgsLayoutItemLabel, QgsLayoutItemPicture, QgsPrintLayout, QgsProject
from qgis.PyQt.QtCore import QBuffer, QByteArray, QRectF, QSize, Qt
from qgis.PyQt.QtGui import QFont, QImage

from ...core.custommap.model import Plan
from ...core.errors import Cancelled, CartoguideError
from ...core.files import write_error
from ...core.i18n import tr
from ...core.json_document import stored_object
from ...core.pages.leaflet import LeafletPhoto
from ...core.terms.paper_gate import PaperCredit, credit_for_paper, unfit_reasons
from ...core.text import inert, printable, single_line, without_direction_marks
from ...core.trust.files import UnusableFile, open_regular, read_regular
from ...core.wms.responses.image_headers import image_format, image_size, is_turned
from ..layouts import layout_items
from ..layouts.layout_items import ALTERNATIVE_TEXT, add_notes, place_item
from ..runtime import compat, tasks
from ..runtime.images import MAX_PIXELS, decode_from_file
from ..services.service_cache import ServiceCache
from .layout_feature import TaskContents
from .leaflet_cover import lower_band

#: ids of the photos and of their credits, followed by a number
PHOTO_PREFIX, CREDIT_PREFIX = "photo:", "photo-credit:"
_PHOTOS = "cartoguide/photos"
_AWAITED = "awaited"
#: bytes of a file, pixels of the longer side on the page (90 mm at 400 dots per inch), and quality of a JPEG
_MAX_BYTES, _MAX_EDGE, _QUALITY = 60_000_000, 1420, 92
_FORMATS = ("jpeg", "png")
#: bytes in which the size of almost every photo stands, and of every other
_HEAD_BYTES, _LONG_HEAD_BYTES = 262_144, 8_000_000
#: highest photo as a share of its width, and share of the slot's height that all photos and credits take
_MAX_RATIO, _MAX_SHARE = 1.25, 0.78
#: share of the cover's height that a photo on it may take
_COVER_SHARE = 0.7
#: space between a photo and its credit, between two photos, and below all of them, in millimetres
_CREDIT_GAP, _GAP, _END = 0.8, 4.0, 5.0
_MM_PER_POINT = 25.4 / 72


class PhotoToLoad(NamedTuple):
    """A photo with a place on the page: the id of its item, and its file."""

    item_id: str
    path: str
    #: the file that somebody agreed to, as ``LeafletPhoto`` has it
    agreed_file: str = ""


class LoadedPhotos(NamedTuple):
    """Images by the ids of their items, and a text for each that cannot be read."""

    images: Dict[str, bytes]
    problems: Tuple[str, ...]


def photo_name(path: str) -> str:
    """Return the file's name for people."""
    return printable(Path(path).name)


def photo_size(path: str, agreed_file: str = "") -> QSize:
    """Return the size in pixels at which a photo is seen: turned as its EXIF data say. Only its head is read.

    Raises CartoguideError with the file's name if it is missing, too large, no JPEG or PNG, or another file than
    ``agreed_file``, as ``LeafletPhoto`` has it.
    """
    name = photo_name(path)
    try:
        with open_regular(path, _MAX_BYTES, agreed_file) as file:
            head = file.read(_HEAD_BYTES)
            if image_format(head) == "jpeg" and image_size(head) is None:
                # what cameras store before the picture may be larger
                head += file.read(_LONG_HEAD_BYTES)
    except UnusableFile as error:
        raise _missing(name, error) from error
    except OSError as error:
        raise _unreadable(name) from error
    width, height = _size_in(head, name)
    return QSize(height, width) if is_turned(head) else QSize(width, height)


def _size_in(data: bytes, name: str) -> Tuple[int, int]:
    """Return the size in pixels of a photo as it is stored. Raises CartoguideError as ``photo_size``."""
    width, height = image_size(data) or (0, 0)
    if image_format(data) not in _FORMATS or width < 1 or height < 1:
        raise _unreadable(name)
    if width * height > MAX_PIXELS:
        raise CartoguideError(tr("The photo {file} has {width} × {height} pixels, which is too much. Make it smaller.",
                                 file=name, width=width, height=height))
    return width, height


def load_photos(photos: Sequence[PhotoToLoad], feedback: tasks.Feedback) -> LoadedPhotos:
    """Read the images as the page shows them. For worker threads. Raises Cancelled."""
    images: Dict[str, bytes] = {}
    problems: List[str] = []
    for photo in photos:
        feedback.raise_if_cancelled()
        try:
            images[photo.item_id] = _load(photo.path, photo.agreed_file)
        except Cancelled:
            raise
        except CartoguideError as error:
            problems.append(error.user_text)
    return LoadedPhotos(images, tuple(problems))


def _missing(name: str, error: UnusableFile) -> CartoguideError:
    return CartoguideError(tr("The photo {file} is not there.", file=name), error.detail) if error.is_missing else error


def _unreadable(name: str) -> CartoguideError:
    return CartoguideError(tr("The photo {file} cannot be read: it is damaged, or not a JPEG or PNG.", file=name))


def _load(path: str, agreed_file: str = "") -> bytes:
    """Return a photo as a JPEG that is as large as the page needs, or as a PNG if it has transparent parts."""
    name = photo_name(path)
    try:
        data = read_regular(path, _MAX_BYTES, agreed_file)
    except UnusableFile as error:
        raise _missing(name, error) from error
    size = QSize(*_size_in(data, name))
    if not _is_complete(data):
        raise _unreadable(name)
    if max(size.width(), size.height()) > _MAX_EDGE:
        size = size.scaled(QSize(_MAX_EDGE, _MAX_EDGE), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
    try:
        image = decode_from_file(data, str(image_format(data)), size, is_turned_as_stored=True)
    except OSError as error:
        raise write_error(Path(tempfile.gettempdir()), error) from error
    if image.isNull():
        raise _unreadable(name)
    return _packed(image)


def _is_complete(data: bytes) -> bool:
    """Return whether the file has its end, without which Qt shows a JPEG with a grey part.

    Cameras append other data to a JPEG, and the preview in its head has an end too.
    """
    if data.startswith(b"\xff\xd8"):
        return data.rfind(b"\xff\xd9") > len(data) // 2
    return b"IEND" in data[-64:]


def _packed(image: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    if image.hasAlphaChannel():
        image.save(buffer, "PNG")
    else:
        image.save(buffer, "JPEG", _QUALITY)
    return bytes(data)


def place_photos(layout: QgsPrintLayout, slot: Optional[QgsLayoutItem], photos: Sequence[LeafletPhoto],
                 font: QFont, cover: Optional[QgsLayoutItem] = None) -> float:
    """Put empty items for the photos into the place ``slot``, one below the other, and remove it.

    The first one is as wide as ``cover``, whose place it takes at the foot of the panel, if it is not too high.

    ``font`` is that of the credits. Return the height in millimetres that the photos take, with the space below them.
    What is wrong with a photo is a problem of the page. Main thread only.
    """
    if slot is None:
        return 0.0
    problems: List[str] = []
    sizes: List[Tuple[LeafletPhoto, float]] = []
    for photo in photos:
        try:
            size = photo_size(photo.path, photo.agreed_file)
        except CartoguideError as error:
            problems.append(error.user_text)
            continue
        problems += _credit_problems(photo)
        sizes.append((photo, size.height() / size.width()))
    page, area = max(0, slot.page()), QRectF(slot.pagePos(), slot.rect().size())
    layout.removeLayoutItem(slot)
    line = 1.35 * font.pointSizeF() * _MM_PER_POINT
    on_cover = cover is not None and bool(sizes) and (
        sizes[0][1] * cover.rect().width() + 2 * line < _COVER_SHARE * cover.rect().height())
    room = area.height() * _MAX_SHARE / max(1, len(sizes) - on_cover) - 2 * line - _CREDIT_GAP - _GAP
    y = area.top()
    loads: Dict[str, Tuple[str, str]] = {}
    for number, (photo, ratio) in enumerate(sizes, 1):
        height = min(area.width() * min(ratio, _MAX_RATIO), room)
        width = min(area.width(), height / ratio)
        picture = QgsLayoutItemPicture(layout)
        picture.setId(f"{PHOTO_PREFIX}{number}")
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
        picture.setCustomProperty(ALTERNATIVE_TEXT, _tidied(photo.text))
        place = QRectF(area.left(), y, width, width * ratio)
        line_place = QRectF(area.left(), place.bottom() + _CREDIT_GAP, area.width(), 2 * line)
        if on_cover and number == 1 and cover is not None:
            place, line_place = _at_covers_foot(layout, cover, ratio, line)
        else:
            y = line_place.bottom() + _GAP
        _add(layout, picture, place, page)
        label = QgsLayoutItemLabel(layout)
        label.setId(f"{CREDIT_PREFIX}{number}")
        label.setText(inert("; ".join(_credit(photo).lines)))
        compat.set_label_font(label, font)
        for set_margin in (label.setMarginX, label.setMarginY):
            set_margin(0)
        _add(layout, label, line_place, page)
        title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
        if on_cover and number == 1 and title is not None:
            compat.set_label_colour(label, compat.label_colour(title))
        loads[picture.id()] = photo.path, photo.agreed_file
    if photos:
        credits = [line for photo, _ratio in sizes for line in _credit(photo).lines]
        _record(layout, {_AWAITED: loads, "problems": problems, "credits": credits})
    return y - area.top() - _GAP + _END if len(sizes) > on_cover else 0.0


def _at_covers_foot(layout: QgsPrintLayout, cover: QgsLayoutItem, ratio: float,
                    line: float) -> Tuple[QRectF, QRectF]:
    """Give a photo the foot of the cover in place of its map, and return its place and that of its credit above it.

    The credit stands at the foot of the band, which is higher then, and begins where the title does.
    """
    area = QRectF(cover.pagePos(), cover.rect().size())
    place = QRectF(area.left(), area.bottom() - area.width() * ratio, area.width(), area.width() * ratio)
    title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    left = title.pagePos().x() + title.marginX() if title is not None else 0.0
    left = left if area.left() < left < area.right() - 2 * _GAP else area.left() + _GAP
    accent = layout_items.find_item(layout, "band_accent", QgsLayoutItem)
    bottom = place.top() - (accent.rect().height() if accent is not None else 0.0)
    lower_band(layout, bottom, 1.2 * line)
    layout.removeLayoutItem(cover)
    return place, QRectF(left, bottom - 1.2 * line - _CREDIT_GAP, area.right() - _GAP - left, 1.2 * line)


def _tidied(text: str) -> str:
    return single_line(without_direction_marks(printable(text)))


def _credit(photo: LeafletPhoto) -> PaperCredit:
    return credit_for_paper((_tidied(photo.credit),))


def _credit_problems(photo: LeafletPhoto) -> List[str]:
    """Return a text where nobody is credited for a photo, or where its credit may not be printed."""
    if not _tidied(photo.credit):
        return [tr("The photo {file} has no credit. Say who took it, and under which licence.",
                   file=photo_name(photo.path))]
    return unfit_reasons(_credit(photo).unfit, photo_name(photo.path))


def _add(layout: QgsPrintLayout, item: QgsLayoutItem, bounds: QRectF, page: int) -> None:
    layout.addLayoutItem(item)
    place_item(item, bounds, page)


def photos_to_load(layout: QgsPrintLayout) -> List[PhotoToLoad]:
    """Return the photos that have a place on the page and no image yet."""
    awaited = stored_object(layout.customProperty(_PHOTOS)).get(_AWAITED)
    return [PhotoToLoad(item_id, *file) for item_id, file in awaited.items()
            if isinstance(file, list) and len(file) == 2 and all(isinstance(part, str) for part in file)] if isinstance(
        awaited, dict) else []


def set_photos(layout: QgsPrintLayout, loaded: LoadedPhotos) -> None:
    """Show the images in their items. Main thread only."""
    state = stored_object(layout.customProperty(_PHOTOS))
    for item_id, data in loaded.images.items():
        picture = layout.itemById(item_id)
        if isinstance(picture, QgsLayoutItemPicture):
            picture.setPicturePath(f"base64:{base64.b64encode(data).decode('ascii')}",
                                   QgsLayoutItemPicture.Format.FormatRaster)
    problems = state.get("problems")
    state[_AWAITED] = {}
    state["problems"] = [*(problems if isinstance(problems, list) else []), *loaded.problems]
    _record(layout, state)


def _record(layout: QgsPrintLayout, state: object) -> None:
    layout.setCustomProperty(_PHOTOS, json.dumps(state, ensure_ascii=False))


def photo_problems(layout: QgsPrintLayout) -> List[str]:
    """Return a text for each photo that the page lacks or that nobody is credited for."""
    problems = _texts(layout, "problems")
    if photos_to_load(layout):
        problems.append(tr("Its photos have not been read yet."))
    return problems


def photo_credits(layout: QgsPrintLayout) -> List[str]:
    return _texts(layout, "credits")


def _texts(layout: QgsPrintLayout, name: str) -> List[str]:
    values = stored_object(layout.customProperty(_PHOTOS)).get(name)
    return [text for text in values if isinstance(text, str)] if isinstance(values, list) else []


def _show(layout: QgsPrintLayout, _plan: Plan, loaded: LoadedPhotos) -> None:
    set_photos(layout, loaded)
    add_notes(layout, photo_problems(layout))


def _request(layout: QgsPrintLayout, _plan: Plan, _project: QgsProject,
             _services: Optional[ServiceCache]) -> Optional[Tuple[PhotoToLoad, ...]]:
    photos = tuple(photos_to_load(layout))
    return photos if photos or photo_problems(layout) else None


PHOTO_CONTENTS = TaskContents(_request, lambda photos: photos, load_photos, _show)
