"""teeny beside Triton and torch on one GPU, in turn, in one process and on one stream.

    python3 bench/gpu/bench.py --library build/lib/libbench-gpu.so [--only PATTERN] [--json FILE]

Each case has random inputs; teeny's and the peers' outputs are poisoned first and compared with a
reference before anything is timed. A round times each contestant once, the L2 cache flushed before
each; the figure is the median of the rounds, of the best configuration that each has on its list. The
table shows GB/s or TFLOP/s, and teeny's ratio to the best peer and to Triton.
"""

import argparse
import ctypes
import json
import re
import statistics
import sys

import torch

import peers

ROUNDS, WARM_UP = 25, 3


class Library:
    """The kernels of kernels.c through libteeny."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.bench_open.restype = ctypes.c_void_p
        self.c.bench_load.restype = ctypes.c_void_p
        self.c.bench_message.restype = ctypes.c_char_p
        self.stream = self.c.bench_open(b"cuda:0")
        if not self.stream:
            sys.exit(f"no device: {self.message()}")

    def message(self):
        return self.c.bench_message().decode()

    def load(self, name, dtype, meta, warps):
        names = (ctypes.c_char_p * len(meta))(*(key.encode() for key in meta))
        values = (ctypes.c_int64 * len(meta))(*meta.values())
        type_name = {torch.float32: b"f32", torch.bfloat16: b"bf16", torch.float16: b"f16"}[dtype]
        function = self.c.bench_load(name.encode(), type_name, names, values, len(meta), warps)
        if not function:
            raise RuntimeError(self.message())
        return ctypes.c_void_p(function)

    def launcher(self, function, grid, *arguments):
        """A function without arguments that launches; integers are i32, floats f32."""
        class Packed(ctypes.Structure):
            _fields_ = [(f"a{i}", ctypes.c_void_p if isinstance(each, torch.Tensor)
                         else ctypes.c_float if isinstance(each, float) else ctypes.c_int32)
                        for i, each in enumerate(arguments)]
        packed = Packed(*(each.data_ptr() if isinstance(each, torch.Tensor) else each for each in arguments))
        x, y = (ctypes.c_int64(each) for each in (*grid, 1)[:2])
        size = ctypes.c_size_t(ctypes.sizeof(packed))

        def launch():
            if not self.c.bench_launch(function, x, y, ctypes.byref(packed), size):
                raise RuntimeError(self.message())
        launch.keep = arguments
        return launch


# ---- Cases ---------------------------------------------------------------------------------------

class Case:
    """One row of the table. `contestants` maps a name to (launch, output) for each configuration."""

    def __init__(self, name, unit, work, reference, tolerance):
        self.name, self.unit, self.work = name, unit, work
        self.reference, self.tolerance = reference, tolerance
        self.contestants, self.errors = {}, {}

    def add(self, who, launch, output):
        self.contestants.setdefault(who, []).append((launch, output))

    def try_to_add(self, who, make):
        try:
            self.add(who, *make())
        except Exception as error:  # a configuration that does not compile or fit is no contestant
            self.errors[who] = str(error).splitlines()[0][:150]


def power_of_two(n):
    return 1 << (n - 1).bit_length()


def add_cases(library):
    n = 1 << 28
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    case = Case("add f32 2^28", "GB/s", 3 * n * 4, x + y, 0)
    out = torch.empty_like(x)
    for block, warps in ((1024, 4), (2048, 8), (4096, 8)):
        case.try_to_add("teeny", lambda: (library.launcher(
            library.load("add", torch.float32, {"BLOCK": block}, warps), (-(-n // block),), out, x, y, n), out))
        case.add("triton", peers.add(out, x, y, n, block, warps), out)
    case.add("torch", lambda: torch.add(x, y, out=out), out)
    yield case


ROWS = ((16384, 1024), (16384, 4096), (8192, 16384), (4096, 32768))
HELD_OUT_ROWS = ((16384, 3000), (8192, 12288), (4096, 50257))


def row_cases(library, kind):
    for dtype in (torch.float32, torch.bfloat16):
        for rows, columns in ROWS + HELD_OUT_ROWS:
            x = torch.randn(rows, columns, device="cuda", dtype=dtype)
            w, b = torch.randn(columns, device="cuda"), torch.randn(columns, device="cuda")
            out = torch.empty_like(x)
            if kind == "softmax":
                reference, arguments = torch.softmax(x.double(), 1), (out, x, columns, columns)
            else:
                reference = torch.nn.functional.layer_norm(x.double(), (columns,), w.double(), b.double(), 1e-5)
                arguments = (out, x, w, b, columns, columns, 1e-5)
            tolerance = 1e-5 if dtype == torch.float32 else 4e-2
            case = Case(f"{kind} {str(dtype)[6:]} {rows}x{columns}", "GB/s", 2 * x.numel() * x.element_size(),
                        reference, tolerance)
            block = power_of_two(columns)
            for warps in (4, 8, 16, 32):
                if block // (32 * warps) > 256 or block < 32 * warps:
                    continue
                case.try_to_add("teeny", lambda: (library.launcher(
                    library.load(kind, dtype, {"BLOCK": block}, warps), (rows,), *arguments), out))
                case.try_to_add("triton", lambda: (getattr(peers, kind)(*arguments, block, warps), out))
            wt, bt = w.to(dtype), b.to(dtype)
            case.add("torch", (lambda: torch.softmax(x, 1, out=out)) if kind == "softmax" else
                     (lambda: out.copy_(torch.nn.functional.layer_norm(x, (columns,), wt, bt))), None)
            yield case


def matmul_cases(library):
    for m, n, k in ((1024,) * 3, (2048,) * 3, (4096,) * 3, (8192,) * 3, (3000, 5120, 1152)):
        a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
        b = torch.randn(k, n, device="cuda", dtype=torch.bfloat16)
        out = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
        case = Case(f"matmul bf16 {m}x{n}x{k}", "TFLOP/s", 2 * m * n * k, a.float() @ b.float(), 0.02 * k ** 0.5)
        for bm, bn, bk, warps in ((128, 128, 64, 4), (128, 128, 32, 8), (128, 128, 64, 8), (64, 128, 64, 4)):
            grid = (-(-m // bm) * -(-n // bn),)
            case.try_to_add("teeny", lambda: (library.launcher(library.load(
                "matmul", torch.bfloat16, {"BM": bm, "BN": bn, "BK": bk}, warps), grid, out, a, b, m, n, k), out))
            case.try_to_add("triton", lambda: (peers.matmul(out, a, b, m, n, k, bm, bn, bk, warps), out))
        case.add("torch", lambda: torch.matmul(a, b, out=out), out)
        yield case


def attention_cases(library):
    for batch, length, d, causal in ((4, 4096, 64, 0), (4, 4096, 128, 0), (4, 4096, 128, 1)):
        heads = 16
        q, k, v = (torch.randn(batch, heads, length, d, device="cuda", dtype=torch.float16) for _ in range(3))
        out = torch.empty_like(q)
        reference = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
        work = 4 * batch * heads * length * length * d / (2 if causal else 1)
        case = Case(f"attention f16 D{d}{' causal' if causal else ''} S{length}", "TFLOP/s", work, reference, 0.01)
        scale = 1.44269504 / d ** 0.5
        for bm, bn, warps in ((128, 64, 4), (128, 64, 8), (64, 64, 4)):
            case.try_to_add("teeny", lambda: (library.launcher(
                library.load("attention", torch.float16, {"CAUSAL": causal, "D": d, "BM": bm, "BN": bn}, warps),
                (-(-length // bm), batch * heads), out, q, k, v, length, scale), out))
            case.try_to_add("triton", lambda: (peers.attention(out, q, k, v, scale, causal, bm, bn, warps), out))
        case.add("torch", lambda: out.copy_(
            torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))), None)
        yield case


# ---- Running -------------------------------------------------------------------------------------

def is_right(case, launch, output):
    """Poisons, runs once, compares; torch's own results (output None) are the reference's kin."""
    if output is None:
        launch()
        return True
    output.fill_(float("nan"))
    launch()
    torch.cuda.synchronize()
    difference = (output.double() - case.reference.double()).abs()
    return bool((difference <= case.tolerance * (1 + case.reference.double().abs())).all())


def time_once(launch, flush):
    flush.zero_()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    launch()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def run(case, flush):
    wrong = [who for who, list_ in case.contestants.items() for each in list_ if not is_right(case, *each)]
    samples = {(who, i): [] for who, list_ in case.contestants.items() for i in range(len(list_))}
    for round_ in range(WARM_UP + ROUNDS):
        for (who, i), times in samples.items():
            elapsed = time_once(case.contestants[who][i][0], flush)
            if round_ >= WARM_UP:
                times.append(elapsed)
    scale = 1e6 if case.unit == "GB/s" else 1e9
    figures = {}
    for (who, _), times in samples.items():
        figures[who] = max(figures.get(who, 0), case.work / statistics.median(times) / scale)
    return figures, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--only", default=".")
    parser.add_argument("--json")
    options = parser.parse_args()
    library = Library(options.library)
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    results, lines, failed = [], [], 0
    with torch.cuda.stream(torch.cuda.ExternalStream(library.stream)):
        makers = (add_cases(library), row_cases(library, "softmax"), row_cases(library, "layernorm"),
                  matmul_cases(library), attention_cases(library))
        for case in (case for maker in makers for case in maker):
            if not re.search(options.only, case.name):
                continue
            figures, wrong = run(case, flush)
            failed += len(wrong)
            results.append({"case": case.name, "unit": case.unit, **figures, "wrong": wrong, "errors": case.errors})
            teeny, triton = figures.get("teeny", 0), figures.get("triton", 0)
            peer = max(value for who, value in figures.items() if who != "teeny")
            note = f"  WRONG: {' '.join(wrong)}" if wrong else ""
            note += "".join(f"  {who}: {text}" for who, text in case.errors.items() if who == "teeny")
            lines.append(f"{case.name:34} {teeny:8.1f} {triton:8.1f} {figures['torch']:8.1f} {case.unit:8}"
                         f" {teeny / triton if triton else 0:6.2f} {teeny / peer:6.2f}{note}")
            print(lines[-1], flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    print(f"\n{'':34} {'teeny':>8} {'Triton':>8} {'torch':>8} {'':8} {'/Triton':>6} {'/best':>6}")
    print("\n".join(lines))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
