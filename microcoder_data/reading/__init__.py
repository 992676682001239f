"""Read published files: from a recipe's source to records, each with its location (`file:line`).

    specification   the settings of a source in a recipe; needs no files
    files           the files of a source, and their formats
    scanning        one pass over a file: its checksum, and the parts in which workers read it
    records         the records of a part, of any format
    json_records, tables, hub, packages      one file for each way in which records are stored
    joins           files that records refer to

A record that cannot be read becomes a `Reject` with its location; a file that cannot be read is an `InputError`.
Pickles are never opened. `conversion.py` and `sources/` decide what becomes of a record.
"""
