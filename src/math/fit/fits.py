#!/usr/bin/env python3
"""Every polynomial of src/math/: what it approximates, where, and its coefficients.

    fits.py [--check] [NAME ...]

Prints each fit as C literals, the highest power first, with its largest error relative to the
function's result. With --check it compares them with the literals in the body of the function NAME
of the C files instead, and exits with 1 where one is missing. Needs mpmath; takes minutes.
"""

import argparse
import pathlib
import re
import sys

import mpmath
from mpmath import mpf

import minimax

FOLDER = pathlib.Path(__file__).resolve().parent.parent
TINY = mpf(10) ** -20
LN2 = mpmath.log(2)
HALF_LN2 = LN2 / 2 * mpf("1.0001")
ATANH_END = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1) * mpf("1.0001")) ** 2
POW_SCALE = 2 / LN2


def near_zero(limit, function):
    """The function, and its limit where its formula would be 0 / 0."""
    return lambda x: mpf(limit) if abs(x) < TINY else function(x)


def of_root(function):
    """A function of x^2, given as one of x."""
    return lambda z: function(mpmath.sqrt(z))


# e^r = 1 + r + r^2 p(r), 2^f = 1 + f p(f), log(1 + f) = f + f^2 p(f), and so on: the weight makes the
# error of p the relative error of the result.
EXP = near_zero(0.5, lambda r: (mpmath.expm1(r) - r) / r**2)
EXP2 = near_zero(LN2, lambda f: (mpmath.power(2, f) - 1) / f)
LOG = near_zero(-0.5, lambda f: (mpmath.log1p(f) - f) / f**2)
ATANH = near_zero(mpf(2) / 3, of_root(lambda s: 2 * (mpmath.atanh(s) - s) / s**3))
POW = near_zero(POW_SCALE / 5, of_root(lambda s: POW_SCALE * (mpmath.atanh(s) - s - s**3 / 3) / s**5))
SIN = near_zero(mpf(-1) / 6, of_root(lambda r: (mpmath.sin(r) - r) / r**3))
COS = near_zero(mpf(1) / 24, of_root(lambda r: (mpmath.cos(r) - 1 + r**2 / 2) / r**4))
TANH = near_zero(mpf(-1) / 3, of_root(lambda r: (mpmath.tanh(r) - r) / r**3))
ERF = near_zero(2 / mpmath.sqrt(mpmath.pi) - 1, of_root(lambda r: mpmath.erf(r) / r - 1))

EXP_WEIGHT = lambda r: r**2 / mpmath.exp(r)
EXP2_WEIGHT = lambda f: f / mpmath.power(2, f)
LOG_WEIGHT = near_zero(0, lambda f: f**2 / mpmath.log1p(f))
SIN_WEIGHT = near_zero(0, of_root(lambda r: r**3 / mpmath.sin(r)))
COS_WEIGHT = of_root(lambda r: r**4 / mpmath.cos(r))
TANH_WEIGHT = near_zero(0, of_root(lambda r: r**3 / mpmath.tanh(r)))
ERF_WEIGHT = near_zero(1, of_root(lambda r: r / mpmath.erf(r)))
LOG2_ERFC = lambda x: mpmath.log(mpmath.erfc(x), 2)
LOG2_ERFC_WEIGHT = lambda x: mpmath.erfc(x) / mpmath.erf(x) * LN2

# function: target, weight, interval, number of coefficients, bits of a coefficient
FITS = {
    "exp_reduced_f32": (EXP, EXP_WEIGHT, (-HALF_LN2, HALF_LN2), 5, 24),
    "exp2_reduced_f32": (EXP2, EXP2_WEIGHT, (-0.5, 0.5), 6, 24),
    "exp_reduced_f64": (EXP, EXP_WEIGHT, (-HALF_LN2, HALF_LN2), 10, 53),
    "exp2_reduced_f64": (EXP2, EXP2_WEIGHT, (-0.5, 0.5), 11, 53),
    "log_f32": (LOG, LOG_WEIGHT, (mpf(-1) / 3, mpf(1) / 3), 9, 24),
    "log2_f32": (lambda f: LOG(f) / LN2, lambda f: LOG_WEIGHT(f) * LN2, (mpf(-1) / 3, mpf(1) / 3), 9, 24),
    "log_tail_f64": (ATANH, lambda z: z / 2, (0, ATANH_END), 7, 53),
    "pow_f32": (POW, lambda z: z**2 / POW_SCALE, (0, ATANH_END), 3, 24),
    "pow_f64": (POW, lambda z: z**2 / POW_SCALE, (0, ATANH_END), 7, 53),
    "sin_reduced_f32": (SIN, SIN_WEIGHT, (0, 1), 4, 24),
    "cos_reduced_f32": (COS, COS_WEIGHT, (0, 1), 3, 24),
    "sin_reduced_f64": (SIN, SIN_WEIGHT, (0, 1), 7, 53),
    "cos_reduced_f64": (COS, COS_WEIGHT, (0, 1), 6, 53),
    "tanh_near_f32": (TANH, TANH_WEIGHT, (0, mpf("0.8") ** 2), 6, 24),
    "tanh_near_f64": (TANH, TANH_WEIGHT, (0, mpf("0.7") ** 2), 12, 53),
    "erf_near_f32": (ERF, ERF_WEIGHT, (0, mpf("0.8") ** 2), 6, 24),
    "erf_far_f32": (LOG2_ERFC, LOG2_ERFC_WEIGHT, (mpf("0.8"), mpf("3.95")), 7, 24),
    "erf_near_f64": (ERF, ERF_WEIGHT, (0, mpf("0.9") ** 2), 12, 53),
    "erf_far_f64": (LOG2_ERFC, LOG2_ERFC_WEIGHT, (mpf("0.9"), mpf("5.95")), 18, 53),
}


def literals_of(name):
    """The values of all hexadecimal literals in the body of a TEENY_DEVICE."""
    for path in sorted(FOLDER.glob("*.c")):
        body = re.search(r"TEENY_DEVICE\(\w+, %s,.*?^\}\);" % name, path.read_text(), re.M | re.S)
        if body:
            return {float.fromhex(each) for each in re.findall(r"-?0x[0-9a-f.]+p[-+]\d+", body[0])}
    raise SystemExit(f"there is no function {name} in {FOLDER}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = 0
    for name in options.names or FITS:
        target, weight, interval, count, digits = FITS[name]
        coefficients, error = minimax.polynomial(target, weight, interval, range(count), digits)
        values = [float(each) for each in coefficients]
        if options.check:
            missing = [each.hex() for each in values if each != -0.5 and each not in literals_of(name)]
            failed += bool(missing)
            print(f"{name}: {'not in the source: ' + ' '.join(missing) if missing else 'as fitted'}", flush=True)
        else:
            print(f"{name}: error 2^{float(mpmath.log(error, 2)):.1f}", flush=True)
            for value in reversed(values):
                print(f"    {value.hex()}")
    if options.check:
        print(f"{len(options.names or FITS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
