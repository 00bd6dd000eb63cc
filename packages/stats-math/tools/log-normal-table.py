"""Writes src/log-normal-table.ts: exact one-sided tolerance factors of the normal distribution.

k = t'(confidence; df = n - 1, noncentrality = z_coverage * sqrt(n)) / sqrt(n), where t' is the quantile of the
noncentral t distribution (Hahn and Meeker, Statistical Intervals; NIST/SEMATECH e-Handbook 7.2.6.3).

Needs scipy. Run in the package: python tools/log-normal-table.py > src/log-normal-table.ts
"""

import math

from scipy.stats import nct, norm

COVERAGES = [0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 0.999]
CONFIDENCES = [0.5, 0.8, 0.9, 0.95, 0.99]
SIZES = list(range(2, 31)) + [35, 40, 45, 50, 60, 70, 80, 100, 120, 150, 200, 300, 500]
SIZES += [1000, 2000, 5000, 10000, 100000]


def factor(size, coverage, confidence):
    # The noncentral t is symmetric about 0 at coverage 0.5 and confidence 0.5; the solver returns noise there.
    if coverage == 0.5 and confidence == 0.5:
        return 0.0
    return nct.ppf(confidence, size - 1, norm.ppf(coverage) * math.sqrt(size)) / math.sqrt(size)


def short(value):
    return repr(float(f"{value:.8g}")).removesuffix(".0")


print("// Written by tools/log-normal-table.py with scipy; do not edit.")
print(f"export const TABLE_COVERAGES = {COVERAGES};")
print(f"export const TABLE_CONFIDENCES = {CONFIDENCES};")
print("/** The last size stands for infinity, where the factor is the normal quantile of the coverage. */")
print("// biome-ignore format: a table")
print(f"export const TABLE_SIZES = [{', '.join(str(s) for s in SIZES)}, Number.POSITIVE_INFINITY];")
print("/** Factor k at [size][coverage][confidence]. */")
print("// biome-ignore format: a table")
print("export const TABLE_FACTORS: readonly (readonly (readonly number[])[])[] = [")
for size in SIZES:
    rows = [", ".join(short(factor(size, p, c)) for c in CONFIDENCES) for p in COVERAGES]
    print("  [" + ", ".join(f"[{row}]" for row in rows) + f"], // {size}")
rows = [", ".join(short(norm.ppf(p)) for _ in CONFIDENCES) for p in COVERAGES]
print("  [" + ", ".join(f"[{row}]" for row in rows) + "], // infinity")
print("];")
