"""The command line as a script of the repository: `python cli.py eval grade ...`.

What it assembles is in `microcoder/assembly.py`. This file is not installed: an installed `microcoder` is
`microcoder.__main__:main`, and the module name `cli` stays free.
"""

from __future__ import annotations

from microcoder.assembly import COMMANDS, LazyGroup, main, microcoder

__all__ = ["COMMANDS", "LazyGroup", "main", "microcoder"]

if __name__ == "__main__":
    main()
