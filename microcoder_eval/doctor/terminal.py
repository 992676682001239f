"""Prints what `microcoder doctor` has found about the sandbox and the toolchains."""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_eval.command_line import literal, result_console
from microcoder_eval.doctor.examine import Examination
from microcoder_eval.languages.toolchain import ToolchainState


def show_health(examination: Examination, toolchains: Sequence[ToolchainState]) -> None:
    """The short form: the advice, how many attacks are stopped, how each layer is, which languages can be graded."""
    console = result_console()
    colour = "green" if examination.holds else "bold red"
    console.print(f"[{colour}]{literal(examination.advice)}[/]\n", soft_wrap=True)
    stopped = sum(attack.stopped for attack in examination.attacks)
    console.print(f"attacks    {stopped} of {len(examination.attacks)} stopped", soft_wrap=True)
    for state, word in (("holds", "hold"), ("fails", "[bold red]fail[/]"), ("missing", "missing")):
        names = [layer.name for layer in examination.layers if layer.state == state]
        if names:
            console.print(f"layers     {word}: {', '.join(names)}", soft_wrap=True)
    here = ["python", *(state.language for state in toolchains if state.present)]
    console.print(f"languages  can be graded: {', '.join(here)}", soft_wrap=True)
    if missing := [state.language for state in toolchains if not state.present]:
        console.print(f"           toolchain missing: {', '.join(missing)}", soft_wrap=True)
    console.print("\n[dim]each layer and attack, and how to get what is missing: microcoder doctor --all[/]")


def show_toolchains(states: Sequence[ToolchainState]) -> None:
    """Which languages can be graded besides Python."""
    console = result_console()
    console.print("[bold]Languages[/] besides Python\n")
    for state in states:
        mark = "[green]present[/]" if state.present else "[yellow]missing[/]"
        console.print(f"{mark}  [bold]{state.language:11}[/] {literal(state.evidence)}", soft_wrap=True)
    console.print()


def show_examination(examination: Examination) -> None:
    """The long form: each layer alone, then each attack on the whole sandbox."""
    console = result_console()
    console.print("[bold]Layers[/], each tried alone\n")
    for layer in examination.layers:
        state = {"holds": "[green]holds  [/]", "missing": "[yellow]missing[/]", "fails": "[bold red]FAILS  [/]"}[
            layer.state
        ]
        console.print(f"{state}  [bold]{layer.name:9}[/] {layer.purpose}", soft_wrap=True)
        console.print(f"                   [dim]{literal(layer.evidence)}[/]", soft_wrap=True)
    console.print("\n[bold]The whole sandbox[/], as the grader uses it\n")
    for attack in examination.attacks:
        through = "[yellow]known leak[/]" if attack.known_leak else "[bold red]SUCCEEDED[/]"
        mark = "[green]stopped[/]" if attack.stopped else through
        console.print(f"{mark}  {attack.name}: {literal(attack.evidence)}", soft_wrap=True)
    console.print()
    console.print(examination.advice, soft_wrap=True)
