"""The table of languages besides Python: what each needs, how it is compiled, how it is run.

In commands, a tool's or library's name in braces stands for its path, "{source}" for the source file, "{static}" for
-static where the static libraries are installed, "{program}" for where an interpreter reads the program, "{memory}" for
the memory limit in MiB. In the compiler's environment, "{here}" is the directory where it runs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from microcoder_eval.languages import mono

PYTHON = "python"


@dataclass(frozen=True)
class Language:
    """How programs of one language are compiled and run."""

    name: str
    title: str
    tools: tuple[tuple[str, ...], ...]
    """The executables that are needed, each with its possible names; the first name that is found is used. The first
    tool gives the version."""
    packages: str
    """How to install the tools."""
    source: str
    """The name of the source file."""
    compile: tuple[tuple[str, ...], ...]
    """The compiler's commands. When one fails, the next one is tried."""
    product: str
    """What the compiler writes: a file, or a directory of classes. Empty when the source itself is run."""
    sample: str
    """A program that every working compiler accepts."""
    run: tuple[str, ...] = ()
    """The command that runs the program, when it is not an executable."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of the compiler."""
    run_environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of the programs."""
    reserves_memory: bool = False
    """Whether programs reserve far more address space than they use."""
    runtime_memory_mb: int = 0
    """The memory of the language's runtime itself, added to a problem's memory limit."""
    version_option: str = "--version"
    libraries: tuple[tuple[str, ...], ...] = ()
    """Other files that are needed: for each its name in commands, then its possible paths."""
    settings: tuple[str, ...] = ()
    """Patterns of directories that the tools read where they exist, besides the system's libraries."""


_JAR = ("-Xmx{memory}m", "-Xss64m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto", "-Dfile.encoding=UTF-8")
_JVM_SETTINGS = {"JAVA_OPTS": "-Xmx1g -Xss16m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"}
_GNU = ("-O2", "-s", "-w", "-pipe", "-DONLINE_JUDGE", "-fdiagnostics-color=never", "-fmax-errors=3")
_CPP = ("-Wno-register", "-x", "c++", *_GNU, "-o", "program", "{source}", "{static}")


def _gnu_cpp(name: str, title: str, *standards: str) -> Language:
    return Language(
        name,
        title,
        tools=(("g++", "clang++"),),
        packages="apt install g++",
        source="solution.cpp",
        compile=tuple(("{g++}", f"-std={standard}", *_CPP) for standard in standards),
        product="program",
        sample="#include <vector>\nint main() { return 0; }",
    )


LANGUAGES = {
    language.name: language
    for language in (
        # an old program may use a name that a newer standard library defines; older standards then compile it
        _gnu_cpp("cpp", "C++", "gnu++20", "gnu++17", "gnu++14"),
        _gnu_cpp("cpp20", "C++20", "gnu++20"),
        _gnu_cpp("cpp17", "C++17", "gnu++17"),
        Language(
            "c",
            "C",
            tools=(("gcc", "clang"),),
            packages="apt install gcc libc6-dev",
            source="solution.c",
            compile=(("{gcc}", "-std=gnu17", *_GNU, "-o", "program", "{source}", "{static}", "-lm"),),
            product="program",
            sample="#include <stdio.h>\nint main() { return 0; }",
        ),
        Language(
            "java",
            "Java",
            tools=(("javac",), ("java",)),
            packages="apt install default-jdk-headless",
            source="Main.java",
            compile=(
                (
                    *("{javac}", "-J-Xmx512m", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-J-XX:-UsePerfData"),
                    *("-encoding", "UTF-8", "-proc:none", "-nowarn", "-Xlint:none", "-d", "classes", "{source}"),
                ),
            ),
            product="classes",
            sample="class Main { public static void main(String[] arguments) {} }",
            run=("{java}", *_JAR, "-DONLINE_JUDGE=true", "-jar", "{program}"),
            reserves_memory=True,
            runtime_memory_mb=96,
            version_option="-version",
        ),
        Language(
            "javascript",
            "JavaScript",
            tools=(("node", "nodejs"),),
            packages="apt install nodejs",
            source="solution.js",
            compile=(("{node}", "--check", "{source}"),),
            product="",
            sample="0;",
            environment={"OPENSSL_CONF": "/dev/null"},
            run_environment={"OPENSSL_CONF": "/dev/null"},
            run=(
                "{node}",
                "--max-old-space-size={memory}",
                "--stack-size=64000",
                "--preserve-symlinks-main",
                "{program}",
            ),
            reserves_memory=True,
            runtime_memory_mb=96,
        ),
        Language(
            "go",
            "Go",
            tools=(("go",),),
            packages="apt install golang-go",
            source="solution.go",
            compile=(("{go}", "build", "-o", "program", "{source}"),),
            product="program",
            sample="package main\n\nfunc main() {}",
            environment={"GOCACHE": "{here}/cache", "GO111MODULE": "off", "CGO_ENABLED": "0", "GOTOOLCHAIN": "local"},
            reserves_memory=True,
            version_option="version",
        ),
        Language(
            "rust",
            "Rust",
            tools=(("rustc",), ("cc",)),
            packages="apt install rustc",
            source="solution.rs",
            compile=(("{rustc}", "--edition=2021", "-O", "-Awarnings", "--color=never", "-o", "program", "{source}"),),
            product="program",
            sample="fn main() {}",
        ),
        Language(
            "pypy",
            "PyPy",
            tools=(("pypy3",),),
            packages="apt install pypy3",
            source="solution.py",
            compile=(("{pypy3}", "-m", "py_compile", "{source}"),),
            product="",
            sample="0",
            run=("{pypy3}", "{program}"),
            reserves_memory=True,
            runtime_memory_mb=64,
        ),
        Language(
            "kotlin",
            "Kotlin",
            tools=(("kotlinc",), ("java",)),
            packages="apt install kotlin default-jdk-headless",
            source="solution.kt",
            compile=(("{kotlinc}", "{source}", "-nowarn", "-include-runtime", "-d", "program.jar"),),
            product="program.jar",
            sample="fun main() {}",
            environment=_JVM_SETTINGS,
            run=("{java}", *_JAR, "-jar", "{program}"),
            reserves_memory=True,
            runtime_memory_mb=96,
            version_option="-version",
            settings=("/etc/java-*", "/usr/share/kotlin", "/usr/share/java"),
        ),
        Language(
            "scala",
            "Scala",
            tools=(("scalac",), ("java",)),
            packages="apt install scala default-jdk-headless",
            source="Main.scala",
            compile=(("{scalac}", "-nowarn", "-d", "program.jar", "{source}"),),
            product="program.jar",
            sample="object Main { def main(arguments: Array[String]): Unit = () }",
            environment=_JVM_SETTINGS,
            run=("{java}", *_JAR, "-Xbootclasspath/a:{scala_library}", "-jar", "{program}"),
            reserves_memory=True,
            runtime_memory_mb=96,
            version_option="-version",
            libraries=(
                ("scala_library", "/usr/share/scala/lib/scala-library.jar", "/usr/share/java/scala-library.jar"),
            ),
            settings=("/etc/java-*", "/usr/share/scala", "/usr/share/scala-*", "/usr/share/java"),
        ),
        Language(
            "csharp",
            "C#",
            tools=(("mcs",),),
            packages="apt install mono-mcs libmonosgen-2.0-1",
            source="solution.cs",
            compile=(
                (
                    *(*mono.START, "{compiler}", "-optimize+", "-nologo", "-warn:0", "-define:ONLINE_JUDGE"),
                    *("-reference:System.Numerics.dll", "-out:program.exe", "{source}"),
                ),
            ),
            product="program.exe",
            sample="class Program { static void Main() {} }",
            environment=mono.ENVIRONMENT,
            run_environment=mono.ENVIRONMENT,
            run=(*mono.START, "{program}"),
            reserves_memory=True,
            runtime_memory_mb=32,
            libraries=(("libmonosgen", *mono.LIBRARY), ("compiler", "/usr/lib/mono/4.5/mcs.exe")),
            settings=("/etc/mono",),
        ),
        Language(
            "php",
            "PHP",
            tools=(("php",),),
            packages="apt install php-cli",
            source="solution.php",
            compile=(("{php}", "-d", "display_errors=stderr", "-l", "{source}"),),
            product="",
            sample="<?php",
            run=("{php}", "-d", "memory_limit=-1", "-d", "display_errors=stderr", "-d", "html_errors=0", "{program}"),
            reserves_memory=True,
            runtime_memory_mb=32,
            settings=("/etc/php",),
        ),
        Language(
            "ruby",
            "Ruby",
            tools=(("ruby",),),
            packages="apt install ruby",
            source="solution.rb",
            compile=(("{ruby}", "-W0", "-c", "{source}"),),
            product="",
            sample="0",
            run=("{ruby}", "-W0", "{program}"),
            reserves_memory=True,
            runtime_memory_mb=32,
        ),
        Language(
            "haskell",
            "Haskell",
            tools=(("ghc",),),
            packages="apt install ghc",
            source="solution.hs",
            compile=(("{ghc}", "-O2", "-v0", "-w", "-o", "program", "{source}"),),
            product="program",
            sample="main :: IO ()\nmain = return ()",
            reserves_memory=True,
            settings=("/var/lib/ghc",),
        ),
    )
}
_SPELLINGS = {
    "python": "python py python3 py3 cpython",
    "pypy": "pypy pypy3",
    "cpp": "cpp c++ cxx cc g++",
    "cpp17": "cpp17 c++17 gnu++17",
    "cpp20": "cpp20 c++20 gnu++20",
    "c": "c gcc c11 c17",
    "java": "java",
    "javascript": "javascript js node nodejs mjs",
    "go": "go golang",
    "rust": "rust rs",
    "kotlin": "kotlin kt",
    "scala": "scala",
    "csharp": "csharp c# cs",
    "php": "php",
    "ruby": "ruby rb",
    "haskell": "haskell hs",
}
_NAMES = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_DETAILS = re.compile(r"^gnu\s+|\s*\([^()]*\)$")
"""What a judge adds to a language and its version: `GNU C++17 (64 bit)`."""
LONGEST_NAME = 100
"""A longer word names no language: the time to look for details grows with its square."""


SUFFIXES = {
    **dict(zip((".c", ".java", ".js", ".go", ".rs"), ("c", "java", "javascript", "go", "rust"), strict=True)),
    ".kt": "kotlin",
    ".scala": "scala",
    ".cs": "csharp",
    ".php": "php",
    ".rb": "ruby",
    ".hs": "haskell",
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++"), "cpp"),
}


def language_of_file(suffix: str) -> str:
    """The language of a program's file; Python when the suffix is not known.

    >>> language_of_file(".cc")
    'cpp'
    """
    return SUFFIXES.get(suffix.lower(), PYTHON)


@functools.lru_cache(maxsize=1024)
def language_named(word: str) -> str | None:
    """The name of the language that a record or a fence calls `word`, or None.

    >>> language_named("C++"), language_named("js"), language_named("Python 3.11"), language_named("cobol")
    ('cpp', 'javascript', 'python', None)
    """
    if len(word) > LONGEST_NAME:
        return None
    name = _DETAILS.sub("", word.strip().lower())
    return _NAMES.get(name) or _NAMES.get(name.rstrip("0123456789. -"))
