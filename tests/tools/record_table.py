"""The record table: for each record of a folder what it offers, beside what QGIS's MetaSearch would make of it.

    record_table.py FOLDER [--metasearch DIR]

Prints one row a record, separated by tabs: file, distributions, text of the button, reason where nothing can be added,
credit, and MetaSearch. No server is asked and no layer is made. MetaSearch's rule is ``find_services`` of its main
window: a link counts if its protocol is one of its ``link_types``, and the last of each kind is taken. Whether its
server answers is not said. What one click adds in QGIS is written by ``tests/qgis/test_distributions.py -k the_table``
to the file that the environment variable ``CARTOGUIDE_RECORD_TABLE`` names.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path
from typing import Dict, FrozenSet, Iterator, List, NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY)]

from plugin.core.cli import read_input  # noqa: E402
from plugin.core.distributions.record_distributions import Distribution, distributions_of  # noqa: E402
from plugin.core.distributions.uses import add_label, kind_name, nothing_to_add, offered_distributions  # noqa: E402
from plugin.core.errors import CartoguideError  # noqa: E402
from plugin.core.records.model.record import Record, RecordFormat  # noqa: E402
from plugin.core.terms.resolve import terms_for  # noqa: E402

METASEARCH = Path("/usr/share/qgis/python/plugins/MetaSearch")
#: MetaSearch reads records of a CSW, which all come with their links' protocols as written
_READ_BY_METASEARCH = (RecordFormat.ISO19139, RecordFormat.ISO19115_3, RecordFormat.DUBLIN_CORE)


class Row(NamedTuple):
    """What is said of one record. ``metasearch`` names the buttons that MetaSearch would enable."""

    source: str
    distributions: str
    button: str
    reason: str
    credit: str
    metasearch: str


def link_types(folder: Path) -> Dict[str, FrozenSet[str]]:
    """Return the protocols of each of MetaSearch's buttons, in capitals, as the installed version lists them."""
    found = runpy.run_path(str(folder / "link_types.py"))
    return {name[:-len("_LINK_TYPES")]: frozenset(protocol.upper() for protocol in protocols)
            for name, protocols in found.items() if name.endswith("_LINK_TYPES")}


def rows(folder: Path, types: Dict[str, FrozenSet[str]]) -> Iterator[Row]:
    """Yield a row for each record in the files of ``folder``, in the order of their names."""
    for path in sorted(folder.iterdir()):
        for _, result in read_input(str(path), "eng"):
            if isinstance(result, CartoguideError):
                yield Row(path.name, "", "", result.user_text, "", "")
            elif result is not None:
                yield _row(path, result, types)


def _row(path: Path, record: Record, types: Dict[str, FrozenSet[str]]) -> Row:
    found = distributions_of(record)
    offered = offered_distributions(found)
    return Row(path.name, ", ".join(map(_described, found)), add_label(offered[0].kind) if offered else "",
               "" if offered else nothing_to_add(found), terms_for(record).credit or "",
               ", ".join(_metasearch(record, types)) if record.source_format in _READ_BY_METASEARCH else "not read")


def _described(one: Distribution) -> str:
    names = f" {'+'.join(one.names)}" if one.names else ""
    return f"{kind_name(one.kind)}{names}{'' if one.sure else ' (asks)'}"


def _metasearch(record: Record, types: Dict[str, FrozenSet[str]]) -> List[str]:
    protocols = [(link.protocol or "").upper() for link in record.online]
    return [name for name, known in types.items() if known.intersection(protocols)] or ["nothing"]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--metasearch", type=Path, default=METASEARCH, help="the folder of the plugin")
    options = parser.parse_args()
    print("\t".join(Row._fields))
    for row in rows(options.folder, link_types(options.metasearch)):
        print("\t".join(" ".join(cell.split()) for cell in row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
