"""What every script here needs: its options, the best time of some rounds, and its answer as one line of JSON."""

import json
import resource
import sys
import time

options = json.loads(sys.argv[1])


def best_of(action):
    """Runs an action some times. Returns its best seconds, the processor seconds of that run, and its value."""
    runs = []
    for _ in range(options["rounds"]):
        cpu, begun = time.process_time(), time.perf_counter()
        value = action()
        runs.append((time.perf_counter() - begun, time.process_time() - cpu))
    seconds, cpu = min(runs)
    return {"seconds": seconds, "cpu": cpu}, value


def answer(**found):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peakMegabytes": peak, **found}))
