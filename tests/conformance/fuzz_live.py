"""Send random sequences to the running service and to the original, and report where they differ.

``python -m tests.conformance.fuzz_live --oracle PROGRAM [--seed 1-10] [--steps N] [--first] [--save FILE]``. PROGRAM
starts the original with the options of this folder's ``target``. Differences
that ``fuzz_differences.yaml`` lists are counted. Exit status 1 if another one is found; the first of a sequence is
reduced to the fewest steps that show it.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

from tests.conformance import launch, unordered
from tests.conformance.explained import Judge, read

LASTING = {"control.heartbeat", "services.update", "os_services.update"}
"""After one of these the original has another order of equal pools until its process ends, whatever is reset."""
SHOWN = 40
LINES = 12


def tool() -> Any:
    """The vendored ``fuzz`` as a module; its folder goes on the path for those that it needs."""
    if str(launch.VENDORED) not in sys.path:
        sys.path.insert(0, str(launch.VENDORED))
    loader = importlib.machinery.SourceFileLoader("fuzz", str(launch.VENDORED / "fuzz"))
    spec = importlib.util.spec_from_loader("fuzz", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def add_services(parser: argparse.ArgumentParser) -> None:
    """Options that say where the service and the original are, and how long one waits for either."""
    parser.add_argument("--oracle", metavar="PROGRAM", help="starts the original")
    parser.add_argument("--poll-limit", type=float, default=10, help="seconds")
    where = ("URL", "CONTROL", "NEUTRON")
    parser.add_argument("--at", nargs=3, metavar=where, help="a service that runs already")
    parser.add_argument("--oracle-at", nargs=3, metavar=where, help="an original that runs already")


def need_original(parser: argparse.ArgumentParser, found: argparse.Namespace) -> None:
    """End with a line about the usage if nothing says where the original is."""
    if not found.oracle and not found.oracle_at:
        parser.error("--oracle or --oracle-at is needed: the original is not part of this project")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_services(parser)
    parser.add_argument("--seed", default="1-3", metavar="N[-M]")
    parser.add_argument("--steps", type=int, default=250, help="requests per seed")
    parser.add_argument("--first", action="store_true", help="stop a seed at its first unexplained difference")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--shrink-seconds", type=float, default=60)
    parser.add_argument("--save", metavar="FILE", help="write the last reproduction as a scenario")
    parser.add_argument("--keep", metavar="FOLDER", help="write each sequence that differs, whole, as a scenario")
    parser.add_argument("--listed", action="store_true", help="show what is listed or follows too")
    found = parser.parse_args()
    need_original(parser, found)
    return found


@contextlib.contextmanager
def original(program: str, backends: str = "alpha,beta,gamma") -> Iterator[launch.Endpoint]:
    """The original, started by a program."""
    port, control, neutron = launch.free_ports(3)
    ports = ["--port", str(port), "--control-port", str(control), "--neutron-port", str(neutron)]
    local = "http://127.0.0.1"
    with launch.process([program, *ports, "--backends", backends], seconds=600) as child:
        yield launch.Endpoint(f"{local}:{port}", f"{local}:{control}/_oracle", f"{local}:{neutron}", child.pid)


class Fuzzer:
    """Drives the original and the service side by side."""

    def __init__(self, options: argparse.Namespace, theirs: launch.Endpoint, ours: launch.Endpoint) -> None:
        self._options = options
        self._tool = tool()
        sides = [self._tool.Side(one.url, one.control, one.neutron, options.poll_limit) for one in (theirs, ours)]
        self._pair = self._tool.Pair(*sides, [])
        self._contract = self._tool.Contract(set())
        self._entries = read()
        self._lasting: set[str] = set()

    def seed(self, seed: int) -> bool:
        """Run and report one sequence; whether it shows a difference that nothing explains."""
        pair, judge = self._pair, Judge(self._entries, done=set(self._lasting))
        pair.second.reset()
        pair.numbers = {}
        namespace = argparse.Namespace(seed=seed, steps=self._options.steps)
        sequence = self._tool.Sequence(namespace, self._contract, pair.first)
        counts: collections.Counter[str] = collections.Counter()
        report: list[str] = []
        first: tuple[list[Any], str, str] | None = None
        for step, one in sequence.run():
            lines = self._lines(step, one)
            counts["requests"] += one is not None
            if not lines:
                judge.answered(step, one and one["response"]["body"], pair.first.driver.values)
                continue
            verdict = judge.judge(step, lines)
            counts[(verdict or "unexplained").partition(":")[0]] += 1
            if verdict is None or self._options.listed:
                title = f"   step {len(sequence.steps)} {step.get('op', '')} {self._tool.title(step)}"
                report += [f"{title} {verdict or ''}".rstrip(), *(f"        {line}" for line in lines[:LINES])]
            if verdict is None and first is None:
                first = copy.deepcopy(sequence.steps), self._tool.signature(lines), lines[0]
                if self._options.first:
                    break
        self._lasting |= judge.done & LASTING
        said = ", ".join(f"{counts[name]} {name}" for name in ("requests", "listed", "follows", "unexplained"))
        if first and self._options.keep:
            self._write(f"{self._options.keep}/seed-{seed}.json", f"seed {seed}: {first[2]}", sequence.steps)
        print(f"{'DIFF' if first else 'same'} seed {seed}: {said}", *report[: SHOWN * LINES], sep="\n", flush=True)
        if first and not self._options.no_shrink:
            self._shrink(*first)
        return first is not None

    def _lines(self, step: dict[str, Any], one: Any) -> list[str]:
        """The differences of a step; unlike the tool's, an answer without an id to keep is compared too."""
        second, other, problem = self._pair.second, None, None
        try:
            other = second.perform(step)
            if other and one and step.get("op") in unordered.OPERATIONS:
                unordered.arrange(one["response"]["body"], other["response"]["body"], self._likeness())
            if other:
                second.save(step, other)
        except (self._tool.Unknown, OSError) as error:
            problem = None if other else str(error)
        found: list[str] = self._pair.differ(step, one, other, problem)
        return found

    def _likeness(self) -> unordered.Likeness:
        theirs, ours = self._pair.first.template, self._pair.second.template
        return unordered.Likeness(theirs.value, ours.value, self._pair.numbers)

    def _shrink(self, steps: list[Any], wanted: str, line: str) -> None:
        few = self._tool.shrink(self._pair, steps, wanted, self._options.shrink_seconds)
        print(f"   reproduction of the first unexplained difference in {len(few)} of {len(steps)} steps ({line}):")
        self._tool.show(few)
        if self._options.save:
            self._write(self._options.save, f"random sequence: {line}", few)

    def _write(self, file: str, summary: str, steps: list[Any]) -> None:
        document = {"summary": summary, "steps": steps}
        pathlib.Path(file).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def main() -> int:
    options = arguments()
    first, _, last = options.seed.partition("-")
    with contextlib.ExitStack() as stack:
        theirs = launch.Endpoint(*options.oracle_at) if options.oracle_at else None
        theirs = theirs or stack.enter_context(original(options.oracle))
        ours = launch.Endpoint(*options.at) if options.at else stack.enter_context(launch.service())
        fuzzer = Fuzzer(options, theirs, ours)
        found = [seed for seed in range(int(first), int(last or first) + 1) if fuzzer.seed(seed)]
    print(f"{len(found)} sequences with unexplained differences" + (f": {found}" if found else ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
