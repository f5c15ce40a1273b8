"""References between the constraint fields of a record, such as "see other restrictions".

The words are those of the classes ``ref-…`` in resources/terms.
"""

from __future__ import annotations

from typing import List, Sequence, Tuple

from ..text import fold
from .lexicon import Span, lexicon_of, words_of

_FIELDS = (("use_limitations", "ref-limitation"), ("access_constraints", "ref-access"), ("use_constraints", "ref-use"),
           ("other_constraints", "ref-other"))
_CLASSES = ("ref-verb", "ref-any", "ref-filler", *(kind for _, kind in _FIELDS))
#: words before the name of a field in which the referring verb stands
_DISTANCE = 16
_MAX_UNSPECIFIC = 12


def referenced_fields(text: str) -> Tuple[str, ...]:
    """Return the Record fields that a text refers to, in reading order. Most texts refer to none.

    A text that is only the name of a field ("Other restrictions") refers to it too. One that says only "see
    restrictions" refers to both fields with codes.
    """
    words = words_of(fold(text[:2_000]))
    spans = lexicon_of(*_CLASSES).spans(words) if words else []
    verbs = [span.end for span in spans if span.has("ref-verb")]
    found = _fields_of([span for span in spans if any(0 <= span.start - end <= _DISTANCE for end in verbs)])
    if not found and all(span.classes for span in spans):
        found = _fields_of(spans)
    if not found and 1 < len(words) <= _MAX_UNSPECIFIC and spans[0].has("ref-verb") and spans[-1].has("ref-any"):
        found = ["access_constraints", "use_constraints"]
    return tuple(found)


def _fields_of(spans: Sequence[Span]) -> List[str]:
    return [field for field, kind in _FIELDS if any(span.has(kind) for span in spans)]
