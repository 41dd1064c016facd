"""Kernels that Triton printed as .ttir, compiled by teenyc and run on a GPU beside torch.

    python3 tests/triton/run_on_gpu.py --teenyc build/bin/teenyc [--warps 1,2,4,8]

Needs a GPU and torch. Ends with `N passed, N failed`."""

import argparse
import ctypes
import math
import pathlib
import subprocess
import sys

import torch

TESTS = pathlib.Path(__file__).resolve().parent.parent
cuda = ctypes.CDLL("libcuda.so.1")


def check(result, what):
    if result:
        raise RuntimeError(f"{what}: CUDA error {result}")


def compile_file(teenyc, path, warps):
    capability = "sm_{}{}".format(*torch.cuda.get_device_capability())
    command = [teenyc, str(path), "--target", capability, "--num-warps", str(warps)]
    ptx = subprocess.run(command + ["--emit", "ptx"], check=True, capture_output=True).stdout
    metadata = subprocess.run(command + ["--emit", "metadata"], check=True, capture_output=True, text=True).stdout
    facts = dict(line.split(" = ", 1) for line in metadata.splitlines() if " = " in line)
    return ptx, facts["entry"], int(facts["shared-bytes"])


class Kernel:
    def __init__(self, teenyc, path, warps):
        ptx, entry, self.shared = compile_file(teenyc, path, warps)
        self.threads, self.function = 32 * warps, ctypes.c_void_p()
        module = ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(module), ptx + b"\0"), "cuModuleLoadData")
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, entry.encode()), "cuModuleGetFunction")
        largest_dynamic_shared = 8
        check(cuda.cuFuncSetAttribute(self.function, largest_dynamic_shared, self.shared), "cuFuncSetAttribute")

    def __call__(self, grid, *arguments):
        values = [ctypes.c_void_p(each.data_ptr()) if isinstance(each, torch.Tensor) else
                  ctypes.c_float(each) if isinstance(each, float) else ctypes.c_int32(each) for each in arguments]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(each) for each in values))
        x, y, z = (*grid, 1, 1)[:3]
        check(cuda.cuLaunchKernel(self.function, x, y, z, self.threads, 1, 1, self.shared, None, pointers, None),
              "cuLaunchKernel")
        torch.cuda.synchronize()


# What the files are told of their integers holds here: all are multiples of 16.


def near(output, reference, tolerance):
    difference = (output.double() - reference.double()).abs()
    return bool((difference <= tolerance * (1 + reference.double().abs())).all())


def add(kernel):
    n = 100_000
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    out = torch.full((n + 64,), math.nan, device="cuda")
    kernel((-(-n // 1024),), x, y, out, n)
    return torch.equal(out[:n], x + y) and bool(out[n:].isnan().all())


def softmax(kernel):
    x = torch.randn(64, 4096, device="cuda", dtype=torch.bfloat16)
    out = torch.full_like(x, math.nan)
    kernel((64,), out, x, 4096, 4000)
    reference = torch.softmax(x[:, :4000].double(), 1)
    return near(out[:, :4000], reference, 1e-2) and bool(out[:, 4000:].isnan().all())


def layernorm(kernel):
    x = torch.randn(64, 4096, device="cuda")
    w, b = torch.randn(4096, device="cuda"), torch.randn(4096, device="cuda")
    out = torch.full_like(x, math.nan)
    kernel((64,), out, x, w, b, 4096, 4000, 1e-5)
    reference = torch.nn.functional.layer_norm(x[:, :4000].double(), (4000,), w[:4000].double(), b[:4000].double(), 1e-5)
    return near(out[:, :4000], reference, 1e-4) and bool(out[:, 4000:].isnan().all())


def matmul(kernel):
    m, n, k = 384, 512, 208
    a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(k, n, device="cuda", dtype=torch.bfloat16)
    out = torch.full((m, n), math.nan, device="cuda", dtype=torch.bfloat16)
    kernel((3 * 4,), a, b, out, m, n, k, k, n, n)
    return near(out, a.double() @ b.double(), 0.1)


def attention(d, causal):
    def run(kernel):
        q, k, v = (torch.randn(2, 4, 512, d, device="cuda", dtype=torch.float16) for _ in range(3))
        out = torch.full_like(q, math.nan)
        kernel((4, 8), q, k, v, out, 1.44269504 / math.sqrt(d), 512)
        reference = torch.nn.functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), is_causal=causal)
        return near(out, reference, 0.02)
    return run


FILES = {
    "dialect/Inputs/add_1024.ttir": add,
    "dialect/Inputs/softmax_4096_bfloat16.ttir": softmax,
    "dialect/Inputs/layernorm_4096_float32.ttir": layernorm,
    "codegen/triton/matmul_128x128x64_s3w4.ttir": matmul,
    "codegen/triton/attn_64_full_4096.ttir": attention(64, False),
    "codegen/triton/attn_128_causal_4096.ttir": attention(128, True),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teenyc", required=True)
    parser.add_argument("--warps", default="1,2,4,8")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")  # torch's own context is the current one from here on
    passed = failed = 0
    for path, run in FILES.items():
        for warps in (int(each) for each in options.warps.split(",")):
            try:
                right, why = run(Kernel(options.teenyc, TESTS / path, warps)), "a wrong result"
            except (RuntimeError, subprocess.CalledProcessError) as error:
                right, why = False, getattr(error, "stderr", None) or error
            passed, failed = passed + right, failed + (not right)
            print(f"{path}, {warps} warps: {'right' if right else why}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
