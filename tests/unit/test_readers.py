"""Every reader of foreign text: none is missing from the table, each survives broken documents, and none takes long."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from foreign_readers import READERS
from hostile_shapes import shapes

from tests.slowness import slowness

REPOSITORY = Path(__file__).resolve().parents[2]
#: broken documents of each reader in this run. ``make fuzz`` feeds 5,000 to each
INPUTS = 25
#: functions that take bytes or a response and read nothing foreign by themselves: they write, or call a reader above
NO_READERS = {
    "core/commands/console:write_bytes", "core/files:write_bytes_atomically", "core/library/blob_cache:save",
    "core/library/journal:compress", "core/library/journal:decompress", "core/library/journal:encode_entry",
    "core/library/journal:append", "core/records/xml/record_builder:build_record",
    "core/wms/requests/urls:build_request",
    # what the readers of records call with the elements of a document
    "core/records/formats/atom:read_entry", "core/records/formats/dublin_core:read_record",
    "core/records/formats/ogcapi_records:read_feature", "core/records/iso/iso19115_3:read_record",
    "core/records/iso/iso19139:read_record", "core/library/bulk_import:read_document",
    # protocols, and judgements of a response that is read elsewhere
    "core/catalogues/model:parse_page", "core/catalogues/model:parse_record", "core/network_profile:rebase",
    "core/health/operation_probes:evaluate_response", "core/wms/requests/get_capabilities:is_not_modified",
    "core/wms/requests/get_capabilities:rejects_update_sequence",
}
#: shapes that once took longest
WORST = (("capabilities", "0: many Layer"), ("capabilities", "0: few attributes"), ("CSW pages", "direction marks"),
         ("CSW pages", "unknown entities"), ("CSW pages", "addresses"), ("feature info XML", "0: empty elements"),
         ("OGC API pages", "objects at /features"), ("custom maps", "number at /"), ("custom maps", "deep at /"),
         ("feature info pages", "repeated b'<!'"), ("terms", "repeated b'&'"), ("pasted text", "repeated b'<'"))


def readers_in_the_sources():
    """Public functions of ``core`` that take bytes or a response."""
    for path in sorted((REPOSITORY / "plugin" / "core").rglob("*.py")):
        module = path.relative_to(REPOSITORY / "plugin").with_suffix("").as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        for node in [*tree.body, *(item for found in classes for item in found.body)]:
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            written = [ast.unparse(argument.annotation) for argument in (*node.args.args, *node.args.kwonlyargs)
                       if argument.annotation is not None]
            if any("bytes" in text or text == "Response" for text in written):
                yield f"{module}:{node.name}"


def test_no_reader_is_missing_from_the_table():
    covered = {function for reader in READERS for function in reader.functions}
    found = set(readers_in_the_sources())
    assert not found - covered - NO_READERS, "add it to tests/fuzz/foreign_readers.py"
    assert found >= NO_READERS
    for function in covered:
        module, _, name = function.partition(":")
        assert f"def {name}(" in (REPOSITORY / "plugin" / f"{module}.py").read_text(encoding="utf-8"), function


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_broken_documents_are_read_or_refused_in_words(reader, load_tool):
    fuzz = load_tool("tools/fuzz")
    assert [fuzz.outcome_of(reader, document) for document in reader.documents()
            if fuzz.outcome_of(reader, document)[0] == "read"], "a document to begin with"
    fuzz.SLOWEST = 2.0 * slowness()
    counts, troubles = fuzz.fuzz(reader, INPUTS, 1, [])
    assert list(troubles) == [] and sum(counts.values()) == INPUTS


@pytest.mark.parametrize(("name", "word"), WORST)
def test_the_largest_document_takes_at_most_2_seconds_and_300_megabytes(name, word, load_tool):
    bounds = load_tool("tools/bounds")
    reader = next(reader for reader in READERS if reader.name == name)
    for document in reader.documents():
        reader.read(document)  # what is loaded once is no part of it
    shape = next(shape for shape in shapes(reader.kind, reader.varied_documents()) if word in shape[0])
    seconds, megabytes, outcome = bounds.measure(reader, shape, reader.largest)
    assert not outcome.startswith("TROUBLE") and seconds < bounds.SECONDS * slowness() and megabytes < bounds.MEGABYTES
