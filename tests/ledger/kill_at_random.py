#!/usr/bin/env python3
"""kill_at_random.py MILLISECONDS COMMAND...: runs it and kills it, with all it has started, within that time.

Ends with 0 whether or not it was quick enough to finish; what it should have done is for a second run to complete.
"""
import os
import random
import signal
import subprocess
import sys
import time


def session_of(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[3])
    except (OSError, ValueError):
        return None


child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
time.sleep(random.uniform(0, int(sys.argv[1]) / 1000))
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
    if session_of(pid) == child.pid:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
child.wait()
