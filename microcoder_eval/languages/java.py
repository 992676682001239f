"""Java's files: a source must be named after its public class, and an archive must name the class to start."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping

from microcoder_eval.extract.lexing import strip_lines, syntax_of

_PUBLIC = re.compile(
    r"\bpublic\s+(?:(?:final|abstract|strictfp|sealed|non-sealed)\s+)*(?:class|interface|enum|record)\s+(\w+)"
)
_MAIN_CONSTANTS = (b"\x01\x00\x04main", b"\x01\x00\x16([Ljava/lang/String;)V")
"""The constants of a class file with a method `main(String[])`."""
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_LONGEST_NAME = 200  # a file system takes 255 bytes; a class of a longer name cannot be compiled anyway


def file_name(source: str) -> str:
    """The file name that the compiler requires for a source.

    >>> file_name("// public class A\\npublic final class Solution { }")
    'Solution.java'
    """
    lines, _ = strip_lines(source.split("\n"), syntax_of("java"))
    public = _PUBLIC.search("\n".join(lines))
    name = public.group(1) if public else "Main"
    return f"{name if len(name.encode()) <= _LONGEST_NAME else 'Main'}.java"


def archive(classes: Mapping[str, bytes], source_name: str) -> bytes:
    """Pack class files, by path, into an archive for `java -jar`. Raises ValueError when no class has a `main`."""
    with_main = [path for path, content in classes.items() if all(constant in content for constant in _MAIN_CONSTANTS)]
    wanted = source_name.removesuffix(".java") + ".class"
    with_main.sort(key=lambda path: (path.rpartition("/")[2] not in (wanted, "Main.class"), path))
    if not with_main:
        raise ValueError("no class has a method main(String[])")
    start = with_main[0].removesuffix(".class").replace("/", ".")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as jar:
        manifest = f"Manifest-Version: 1.0\nMain-Class: {start}\n"
        for path, content in {"META-INF/MANIFEST.MF": manifest.encode(), **classes}.items():
            jar.writestr(zipfile.ZipInfo(path, _FIXED_DATE), content)
    return packed.getvalue()
