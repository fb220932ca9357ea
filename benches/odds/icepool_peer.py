"""The same work with icepool: all of it timed, or one expression by its name."""

import sys
import time

import icepool
from icepool import d

BOUNDS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]


def row(total):
    """The row of the wound table that a total comes to."""
    for index, bound in enumerate(BOUNDS):
        if total <= bound:
            return index
    return len(BOUNDS)


def wound():
    return [((1 + untreated) @ d(10)).map(row) for untreated in range(27)]


AWAKE = (4, 0)


def save(state, roll):
    """One death saving throw."""
    successes, failures = state
    if successes >= 3 or failures >= 3:
        return state
    if roll == 20:
        return AWAKE
    if roll >= 10:
        successes += 1
    else:
        failures += 2 if roll == 1 else 1
    # Stable is (3, 0) and dead (0, 3), however they came about.
    if failures >= 3:
        return 0, 3
    return (3, 0) if successes >= 3 else (successes, failures)


def death_saves():
    begun = icepool.Die([(0, 0)])
    # The story is over after five turns at most.
    for _ in range(5):
        begun = icepool.map(save, begun, d(20))
    return begun


WORK = {
    "4d6kh3": lambda: d(6).pool(4).highest(3).sum(),
    "100d6": lambda: 100 @ d(6),
    "200d6": lambda: 200 @ d(6),
    "10d10kh5": lambda: d(10).pool(10).highest(5).sum(),
    "40d12kh20": lambda: d(12).pool(40).highest(20).sum(),
    "20d10<=4": lambda: 20 @ (d(10) <= 4),
    "8d6!>=6": lambda: 8 @ d(6).explode([6], depth=10),
    "wound": wound,
    "death_saves": death_saves,
}


def once(work):
    # Whatever is remembered from an earlier call would be no work.
    clear = getattr(icepool, "clear_cache", None)
    if clear:
        clear()
    result = work()
    return sum(len(part) for part in result) if isinstance(result, list) else len(result)


def main():
    if len(sys.argv) > 1:
        print(once(WORK[sys.argv[1]]))
        return
    for name, work in WORK.items():
        once(work)
        times = []
        for _ in range(7):
            begun = time.perf_counter()
            once(work)
            times.append(time.perf_counter() - begun)
        times.sort()
        print(f"{name}\t{times[len(times) // 2]:.12f}")


main()
