"""Run everything again and again, under conditions that must not matter, and count false alarms.

``python tests/soak.py [--runs N] [--runner R]``. Each run draws a thread count, a CPU capability of
ATen, a hash seed and an order of the snippets. A capture that is fresh by its digest and does not
stay so in a run is a false alarm. Exit code 1 where there was one.
"""

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from executed import judge, run, runners  # noqa: E402
from executed.assemble import assemble  # noqa: E402
from executed.discover import discover  # noqa: E402

THREADS = ("1", "2")
CAPABILITIES = ("default", "avx2", "avx512")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=12, metavar="N")
    parser.add_argument("--runner", choices=("interpreter", "compiler"), default="interpreter")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    repository, pins = discover(ROOT), runners.pins(ROOT)
    fresh = [
        snippet for snippet in repository.snippets.values()
        if options.runner in snippet.settings.runners
        and judge.look(repository, snippet, options.runner, pins).fresh
    ]
    texts = [(snippet, assemble(repository, snippet)) for snippet in fresh]
    draw = random.Random(options.seed)
    alarms: Counter[str] = Counter()
    conditions = itertools.cycle(itertools.product(THREADS, CAPABILITIES))
    for number, (threads, capability) in zip(range(1, options.runs + 1), conditions):
        hash_seed = str(draw.randrange(1000))
        varied = {"OMP_NUM_THREADS": threads, "ATEN_CPU_CAPABILITY": capability, "PYTHONHASHSEED": hash_seed}
        base = runners.RUNNERS[options.runner]
        runner = replace(base, environment=base.environment | varied)
        draw.shuffle(texts)
        start = time.monotonic()
        seen = Counter()
        for result in run.run([run.Program(*each, runner) for each in texts]):
            verdict = judge.weigh(repository, result, pins)
            if not verdict.fresh:
                seen[result.snippet.name] += 1
                print(f"  {verdict}")
                old = verdict.recorded.text.split("\n")
                new = verdict.renewed.text.split("\n") if verdict.renewed else []
                for a, b in zip(old, new):
                    if a != b:
                        print(f"    - {a}\n    + {b}")
        alarms += seen
        print(
            f"run {number}: threads {threads}, {capability}, hash seed {hash_seed}: {len(texts)} programs, "
            f"{seen.total()} false alarms, {time.monotonic() - start:.1f} s", flush=True,
        )
    print(f"{options.runs} runs of {len(texts)} programs: {alarms.total()} false alarms")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
