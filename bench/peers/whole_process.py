"""Runs a command some times and measures the whole process. Then counts what it wrote, which is not timed.

A process starts with the peak memory of the one that starts it, so this one imports little."""

import json
import os
import sys
import time
import zlib

options = json.loads(sys.argv[1])


def run(command):
    begun = time.perf_counter()
    out = os.open(os.devnull, os.O_WRONLY)
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)])
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begun
    os.close(out)
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return seconds, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / 1024


def count(path):
    """Rows, distinct queries, and a checksum over the queries of all rows, which does not depend on their order."""
    rows, total, queries = 0, 0, set()
    with open(path, "rb") as file:
        column = file.readline().rstrip(b"\r\n").lower().split(b"\t").index(b"query")
        for line in file:
            query = line.rstrip(b"\r\n").split(b"\t")[column]
            rows += 1
            total = (total + zlib.crc32(query)) % 2**32
            queries.add(query)
    return {"rows": rows, "queries": len(queries), "checksum": f"{total:x}"}


runs = [run(options["command"]) for _ in range(options["rounds"])]
seconds, user, system, _ = min(runs)
print(
    json.dumps(
        {
            "count": options["count"],
            "seconds": seconds,
            "cpu": user + system,
            "user": user,
            "system": system,
            "peakMegabytes": max(peak for *_, peak in runs),
            **count(options["written"]),
        }
    )
)
