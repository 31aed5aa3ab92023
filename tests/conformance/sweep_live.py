"""Send every operation at every microversion to the running service and to the original: where do they differ?

``python -m tests.conformance.sweep_live --oracle PROGRAM [--only PART] [reads|writes|odd|refused ...]``. Both get one
of everything first (``sweep/world.yaml``). A difference is reported once with the versions that show it; those that
``sweep_differences.yaml`` and ``fuzz_differences.yaml`` list are counted. Exit status 1 if another one is found.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import contextlib
import copy
import http.client
import itertools
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import yaml

from tests.conformance import explained, fuzz_live, launch, unordered
from tests.conformance.sweep import odd, reads, refused, writes

Step = dict[str, Any]
BACKENDS = "alpha,beta,gamma,delta"
WORLD = launch.HERE / "sweep" / "world.yaml"
LISTED = launch.HERE / "sweep_differences.yaml"
PARTS: dict[str, Callable[[tuple[str, ...]], Iterator[Step]]] = {
    "reads": reads.steps,
    "writes": writes.steps,
    "odd": odd.steps,
    "refused": refused.steps,
}
QUIET = {"reads", "refused"}
"""Parts that change nothing: no request waits for the work of the one before."""
LINES = 12


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all without")
    fuzz_live.add_services(parser)
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="of an operation's name")
    parser.add_argument("--listed", action="store_true", help="show what is listed too")
    found = parser.parse_intermixed_args()
    fuzz_live.need_original(parser, found)
    if unknown := set(found.parts) - PARTS.keys():
        parser.error(f"no part is named {', '.join(sorted(unknown))}")
    return found


def spans(versions: Iterable[str]) -> str:
    """Versions as ranges: ``none 2.0-2.6 2.51``."""
    minors = sorted(int(one.partition(".")[2]) for one in versions if re.fullmatch(r"2\.\d+", one))
    runs: list[list[int]] = []
    for minor in minors:
        if runs and minor == runs[-1][1] + 1:
            runs[-1][1] = minor
        else:
            runs.append([minor, minor])
    said = [f"2.{first}" if first == last else f"2.{first}-2.{last}" for first, last in runs]
    return " ".join([*sorted(one for one in versions if not re.fullmatch(r"2\.\d+", one)), *said])


def described(step: Step, entry: explained.Entry | None) -> str:
    """One line about a request without its version."""
    trial = "" if step.get("experimental") else " (not experimental)"
    body = f" {json.dumps(step['body'], ensure_ascii=False)}" if "body" in step else ""
    path = step["do"] + (f" {step['headers']}" if "headers" in step else "")
    body = re.sub(r"(.)\1{19,}", lambda run: f"{run[1]}*{len(run[0])}", body)
    return f"{step['op']} {path} as {step['as']}{trial}{body}" + (f" listed: {entry.reason}" if entry else "")


class Sweeper:
    """Drives the original and the service side by side through one part after the other."""

    def __init__(self, options: argparse.Namespace, theirs: launch.Endpoint, ours: launch.Endpoint) -> None:
        self._options, self._tool = options, fuzz_live.tool()
        sides = [self._tool.Side(one.url, one.control, one.neutron, options.poll_limit) for one in (theirs, ours)]
        self._pair = self._tool.Pair(*sides, [])
        self._entries = explained.read() + (explained.read(LISTED) if LISTED.exists() else [])
        self._threads = concurrent.futures.ThreadPoolExecutor(2)
        self._done: set[str] = set()
        self._refused: Any = None

    def _anew(self) -> int:
        """Make one of everything on both; the number of differences and refusals in that, which are printed."""
        self._pair.reset()
        self._done, count = set(), 0
        document = yaml.safe_load(WORLD.read_text())
        for step in self._tool.runner._expand(document["steps"], document["defaults"]):
            lines = self.ask(step)
            lines += [f"refused: {self._refused}"] if self._refused else []
            if lines:
                count += 1
                print(f"   world: {self._tool.title(step)}", *(f"        {line}" for line in lines[:LINES]), sep="\n")
        return count

    def ask(self, step: Step) -> list[str]:
        """Perform a step on both sides and compare."""
        pair = self._pair
        both = [self._threads.submit(self._send, side, step) for side in (pair.first, pair.second)]
        (theirs, trouble), (ours, problem) = (one.result() for one in both)
        refused = theirs is not None and theirs["response"]["status"] >= 400
        self._refused = theirs["response"]["body"] if refused else None
        if trouble:
            return [f"original: {trouble}"]
        for side, answer in zip((pair.first, pair.second), (theirs, ours), strict=True):
            self._undo(side, step, answer)
        if theirs and ours and step.get("op") in unordered.OPERATIONS:
            likeness = unordered.Likeness(pair.first.template.value, pair.second.template.value, pair.numbers)
            unordered.arrange(theirs["response"]["body"], ours["response"]["body"], likeness)
        differing: list[str] = pair.differ(step, theirs, ours, problem)
        return differing

    def _undo(self, side: Any, step: Step, answer: Any) -> None:
        """Remove what the step has made, if it says how: the same on both sides, whichever of them took it."""
        if "undo" not in step or answer is None or answer["response"]["status"] >= 300:
            return
        path, request = step["undo"]
        side.driver.values["made"] = self._tool.at(answer["response"]["body"], path)
        side.perform({**request, "as": "admin", "version": "2.99", "experimental": True})

    def _send(self, side: Any, step: Step) -> tuple[Any, str | None]:
        """The exchange of one side, and what kept it from answering, or from giving an id to keep."""
        exchange: Any = None
        try:
            exchange = side.perform(step)
            if exchange:
                side.save(step, exchange)
        except (self._tool.Unknown, OSError, http.client.HTTPException) as error:
            return exchange, str(error)
        return exchange, None

    def part(self, name: str) -> bool:
        """Run and report one part; whether it shows a difference that nothing explains."""
        started = time.monotonic()
        counts: collections.Counter[str] = collections.Counter(unexplained=self._anew())
        for side in (self._pair.first, self._pair.second):
            side.driver.settles = False if name in QUIET else side.driver.settles
        for _, steps in itertools.groupby(PARTS[name](tuple(self._options.only)), lambda step: str(step["op"])):
            self._operation(steps, counts)
            print(f"... {counts['requests']} requests, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        said = ", ".join(f"{counts[one]} {one}" for one in ("requests", "listed", "unexplained"))
        failed = bool(counts["unexplained"])
        print(f"{'DIFF' if failed else 'same'} {name}: {said} in {time.monotonic() - started:.0f} s", flush=True)
        return failed

    def _operation(self, steps: Iterable[Step], counts: collections.Counter[str]) -> None:
        """Ask the steps of one operation; print each difference once, with the versions that show it."""
        seen: dict[tuple[str, ...], set[str]] = collections.defaultdict(set)
        try:
            for step in steps:
                self._step(step, counts, seen)
        finally:  # what was found until an interruption is shown, too
            for (title, *lines), versions in seen.items():
                print(f"   {title} @ {spans(versions)}", *(f"        {line}" for line in lines), sep="\n", flush=True)

    def _step(self, step: Step, counts: collections.Counter[str], seen: dict[tuple[str, ...], set[str]]) -> None:
        if step is writes.WORLD:
            counts["unexplained"] += self._anew()
            return
        lines = self.ask(copy.deepcopy(step))
        counts["requests"] += 1
        self._done.add(step["op"])
        if not lines:
            return
        entry = next((one for one in self._entries if one.explains(step["op"], lines, self._done)), None)
        counts["listed" if entry else "unexplained"] += 1
        if entry is None or self._options.listed:
            seen[described(step, entry), *lines[:LINES]].add(str(step.get("version") or "none"))


def main() -> int:
    options = arguments()
    with contextlib.ExitStack() as stack:
        theirs = launch.Endpoint(*options.oracle_at) if options.oracle_at else None
        theirs = theirs or stack.enter_context(fuzz_live.original(options.oracle, BACKENDS))
        ours = launch.Endpoint(*options.at) if options.at else stack.enter_context(launch.service(BACKENDS))
        sweeper = Sweeper(options, theirs, ours)
        found = [name for name in options.parts or PARTS if sweeper.part(name)]
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
