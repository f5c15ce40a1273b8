"""Shape of a page feature in the core: what it has in the document, and its rules that need no QGIS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterator, Mapping, NamedTuple, Optional, Protocol, Tuple, TypeVar

from ..json_document import JsonNode
from ..review.checks.rules import Severity

Value = TypeVar("Value")


class PageFile(NamedTuple):
    """A file that a page names. ``agreed_file`` is what its path led to when somebody agreed to open it, with links
    followed, "" if nobody was asked.
    """

    path: str
    agreed_file: str = ""


class PageProblem(NamedTuple):
    """Something wrong with a page before it is drawn, with advice. ``rule`` identifies it in scripts and tests."""

    rule: str
    severity: Severity
    message: str
    advice: str


class OnlyPaper(NamedTuple):
    """The only paper that a template exists for, and the note on a page that was made for another one.

    ``note`` takes the sizes of the page now and before, as texts for people.
    """

    paper: str
    orientation: str
    note: Callable[[str, str], str]


class MapOnPage(Protocol):
    """The map as the rules of a page feature see it, besides the feature's own member."""

    @property
    def moments(self) -> int:
        """Number of small maps that show all of the map."""

    @property
    def is_one_series(self) -> bool:
        """True for one service alone that has a time series, or of which no layer is known yet."""

    @property
    def lacks_place(self) -> bool:
        """True for a series alone of an area that is too small for the region's outline to show where it lies."""

    @property
    def has_ground(self) -> bool:
        """True if a base other than a time series, or an own layer, shows where the rest of the map lies."""


@dataclass(frozen=True)
class PageFiles(Generic[Value]):
    """Files that a feature's value names: what they are for, which they are, and the value with other ones.

    ``replaced`` passes each file to a function, and drops those for which that returns None.
    """

    use: Callable[[], str]
    of: Callable[[Value], Tuple[PageFile, ...]]
    replaced: Callable[[Value, Callable[[PageFile], Optional[PageFile]]], Value]


@dataclass(frozen=True)
class PageFeature(Generic[Value]):
    """A page feature. It is found by its ``name`` in ``core/pages``, ``gis/pages`` and ``ui/pages``.

    What a feature has not is empty or None. Its value is that of one member of the document's page.
    """

    name: str
    #: the member of the document's page, also the field of ``PageSetup``
    member: str = ""
    #: the bundled template that alone has it, "" for a feature of every page, and the template's title
    template: str = ""
    template_title: Optional[Callable[[], str]] = None
    #: the template shows all moments of a series at once
    shows_all_moments: bool = False
    only_paper: Optional[OnlyPaper] = None
    #: the first thing that a map lacks for a page of its template to be better than a guide map, which is printed then
    unmet_need: Optional[Callable[[Value, MapOnPage], Optional[PageProblem]]] = None
    #: its value in the page of a document (raises InvalidDocument), and its member as JSON, None to leave it out
    read: Optional[Callable[[JsonNode], Value]] = None
    write: Optional[Callable[[Value], Any]] = None
    #: the change of its value in a few words, in lower case, for undo
    change_label: Optional[Callable[[], str]] = None
    #: successive changes of its value are one, because they are typed
    is_typed: bool = False
    #: what warns of a page, or stops it, before it is drawn
    problems: Optional[Callable[[Value, MapOnPage], Iterator[PageProblem]]] = None
    #: the files that its value names, about which somebody is asked in a map of somebody else
    files: Optional[PageFiles[Value]] = None
    #: its value where own layers of the map have got other ids
    with_layer_ids: Optional[Callable[[Value, Mapping[str, str]], Value]] = None
