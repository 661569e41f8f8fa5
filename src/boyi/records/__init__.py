"""Game files: one `Record` for every format. Start at `record`, then `registry`."""

from boyi.records.format import Format
from boyi.records.record import BadRecord, CannotHold, Ply, Record, Result, game_text
from boyi.records.registry import (
    FORMATS,
    Report,
    convert_records,
    format_named,
    format_of,
    positions_of,
    read_records,
    write_records,
    writing,
)
from boyi.records.source import Skipped

__all__ = [
    "FORMATS",
    "BadRecord",
    "CannotHold",
    "Format",
    "Ply",
    "Record",
    "Report",
    "Result",
    "Skipped",
    "convert_records",
    "format_named",
    "format_of",
    "game_text",
    "positions_of",
    "read_records",
    "write_records",
    "writing",
]
