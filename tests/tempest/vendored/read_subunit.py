"""Turn a subunit v2 stream into {test: {status, seconds, reason}}; run by the interpreter that has tempest.

usage: read_subunit.py STREAM OUT.json
"""

import json
import re
import sys

import subunit
import testtools

WORDS = {"success": "passed", "fail": "failed", "skip": "skipped"}
found = {}


class Sink(testtools.StreamToDict):
    def __init__(self):
        super().__init__(self.take)

    def take(self, case):
        if case["status"] in ("inprogress", "exists"):
            return
        start, end = case["timestamps"]
        entry = {"status": WORDS.get(case["status"], case["status"])}
        entry["seconds"] = round((end - start).total_seconds(), 3) if start and end else 0
        details = {k: v.as_text() for k, v in case["details"].items() if v.content_type.type == "text"}
        if entry["status"] == "skipped":
            entry["reason"] = details.get("reason", "").strip()[:200]
        if entry["status"] == "failed":
            text = details.get("traceback") or next((v for k, v in details.items() if "traceback" in k), "")
            entry["traceback"] = text[-6000:]
            last = [
                line.strip()
                for line in text.splitlines()
                if re.match(r"^\S+(Error|Exception|Mismatch|Fail|\w+:)", line)
            ]
            entry["reason"] = " | ".join((last or text.strip().splitlines()[-1:])[-2:])[:500]
        found[case["id"]] = entry


sink = Sink()
sink.startTestRun()
with open(sys.argv[1], "rb") as stream:
    subunit.ByteStreamToStreamResult(stream, non_subunit_name="stdout").run(sink)
sink.stopTestRun()
with open(sys.argv[2], "w") as out:
    json.dump(dict(sorted(found.items())), out, indent=1)
