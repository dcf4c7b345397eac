"""In: words of the command line, Parquet files among them. Out: the same words with a stream of the
file's table in place of each.

The program reads text alone, so that it needs no Arrow. A table goes to it as CSV in a file without
a name, which it opens as /dev/fd/N; there is nothing to remove afterwards.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any, NoReturn

_DATA_ERROR = 3  # the program's exit code for data


def _fail(sentence: str) -> NoReturn:
    print(f"evenkeel: error: {sentence}", file=sys.stderr)
    sys.exit(_DATA_ERROR)


def is_parquet(word: str) -> bool:
    if not word.endswith((".parquet", ".pq")) or not os.path.isfile(word):
        return False
    with open(word, "rb") as file:
        return file.read(4) == b"PAR1"


def with_streams(words: list[str]) -> list[str]:
    """Each Parquet file, where there is one, as /dev/fd/N."""
    return [_stream(word) if is_parquet(word) else word for word in words]


def _stream(path: str) -> str:
    try:
        import pyarrow as pa
        from pyarrow import csv, parquet
    except ImportError:
        _fail(f"{path}: Parquet is read with pyarrow, which is missing; pip install pyarrow")
    out = tempfile.TemporaryFile(prefix="evenkeel-")
    try:
        source = parquet.ParquetFile(path)
        schema = source.schema_arrow
        plain = [field for field in schema if not pa.types.is_nested(field.type)]
        target = pa.schema([pa.field(field.name, _text_type(pa, field.type)) for field in plain])
        names = [field.name for field in plain]
        with csv.CSVWriter(out, target) as writer:
            for batch in source.iter_batches(columns=names):
                columns = [_as_text(pa, batch.column(f.name), f.type) for f in target]
                writer.write_batch(pa.record_batch(columns, schema=target))
    except (pa.ArrowException, OSError) as error:
        _fail(f"{path}: cannot be read as Parquet: {' '.join(str(error).split())}")
    out.flush()
    number = os.dup(out.fileno())  # `out` closes its own
    os.set_inheritable(number, True)
    return f"/dev/fd/{number}"


def _text_type(pa: Any, kind: Any) -> Any:
    """What CSV can hold: numbers as they are, times as numbers of their unit, the rest as text."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return kind
    if pa.types.is_timestamp(kind) or pa.types.is_date64(kind):
        return pa.int64()
    return pa.string()


def _as_text(pa: Any, column: Any, kind: Any) -> Any:
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(kind)
