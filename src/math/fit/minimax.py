"""Minimax polynomials whose coefficients are machine numbers.

    polynomial(target, weight, (a, b), exponents, digits) -> coefficients, error

makes the largest |weight(x) * (sum of c_i * x**exponents[i] - target(x))| over [a, b] small. The
minimax polynomial over a grid comes from Lawson's algorithm: least squares, each point weighted
again by its error, until all large errors are alike (Lawson 1961; Rice and Usow, "The Lawson
algorithm and extensions", 1968). It needs no alternation, so the weight may vanish inside the
interval. Then the coefficients are rounded to `digits` bits one after the other, the one that
matters most first, and the rest is fitted again to make up for it.
"""

import mpmath

mpmath.mp.prec = 240

POINTS = 161
ROUNDS = 60


def round_to(value, digits):
    """The nearest number of `digits` bits, as an exact mpf."""
    if value == 0:
        return mpmath.mpf(0)
    _, exponent = mpmath.frexp(value)
    scale = mpmath.ldexp(mpmath.mpf(1), digits - exponent)
    return mpmath.nint(value * scale) / scale


def grid_of(interval):
    a, b = (mpmath.mpf(each) for each in interval)
    angles = (mpmath.pi * (2 * i + 1) / (2 * POINTS) for i in range(POINTS))
    return [(a + b) / 2 - (b - a) / 2 * mpmath.cos(angle) for angle in angles]


def least_squares(rows, right, weights):
    count = len(rows[0])
    normal, moment = mpmath.matrix(count, count), mpmath.matrix(count, 1)
    for i in range(count):
        column = [row[i] * w for row, w in zip(rows, weights)]
        moment[i] = mpmath.fdot(column, right)
        for j in range(i, count):
            normal[i, j] = normal[j, i] = mpmath.fdot(column, [row[j] for row in rows])
    return list(mpmath.lu_solve(normal, moment))


def lawson(rows, right):
    """The best coefficients for rows * c = right in the largest error."""
    weights = [mpmath.mpf(1) / len(rows)] * len(rows)
    best, least = None, mpmath.inf
    for _ in range(ROUNDS):
        coefficients = least_squares(rows, right, weights)
        errors = [abs(mpmath.fdot(row, coefficients) - r) for row, r in zip(rows, right)]
        if max(errors) < least:
            best, least = coefficients, max(errors)
        weights = [w * e for w, e in zip(weights, errors)]
        total = mpmath.fsum(weights)
        if total == 0:
            break
        weights = [w / total for w in weights]
    return best


def polynomial(target, weight, interval, exponents, digits):
    grid = grid_of(interval)
    scale = [weight(x) for x in grid]
    rest = [s * target(x) for s, x in zip(scale, grid)]
    columns = {e: [s * x**e for s, x in zip(scale, grid)] for e in exponents}
    free, fixed = list(exponents), []
    while free:
        fitted = lawson(list(zip(*(columns[e] for e in free))), rest)
        exponent = free.pop(0)
        fixed.append(round_to(fitted[0], digits))
        rest = [r - fixed[-1] * c for r, c in zip(rest, columns[exponent])]
    return fixed, max(abs(r) for r in rest)
