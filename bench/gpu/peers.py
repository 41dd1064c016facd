"""The same kernels in Triton. Each function hands back one that launches, without arguments."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(out, x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


def add(out, x, y, n, block, warps):
    return lambda: add_kernel[(triton.cdiv(n, block),)](out, x, y, n, B=block, num_warps=warps)


@triton.jit
def softmax_kernel(out, x, stride, n, B: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, B)
    inside = i < n
    v = tl.load(x + row * stride + i, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + i, (e / tl.sum(e, 0)).to(out.dtype.element_ty), mask=inside)


def softmax(out, x, stride, n, block, warps):
    return lambda: softmax_kernel[(x.shape[0],)](out, x, stride, n, B=block, num_warps=warps)


@triton.jit
def layernorm_kernel(out, x, w, b, stride, n, epsilon, B: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, B)
    inside = i < n
    v = tl.load(x + row * stride + i, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / n
    d = tl.where(inside, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, 0) / n + epsilon)
    y = d * scale * tl.load(w + i, mask=inside) + tl.load(b + i, mask=inside)
    tl.store(out + row * stride + i, y.to(out.dtype.element_ty), mask=inside)


def layernorm(out, x, w, b, stride, n, epsilon, block, warps):
    return lambda: layernorm_kernel[(x.shape[0],)](out, x, w, b, stride, n, epsilon, B=block, num_warps=warps)


@triton.jit
def matmul_kernel(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    program = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = program // (G * columns) * G
    height = min(rows - first, G)
    row = first + program % (G * columns) % height
    column = program % (G * columns) // height
    i = (row * BM + tl.arange(0, BM)) % M
    j = (column * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    pa = a + i[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + j[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        left = K - step * BK
        acc = tl.dot(tl.load(pa, mask=k[None, :] < left, other=0.0),
                     tl.load(pb, mask=k[:, None] < left, other=0.0), acc)
        pa += BK
        pb += BK * N
    i = row * BM + tl.arange(0, BM)
    j = column * BN + tl.arange(0, BN)
    tl.store(c + i[:, None] * N + j[None, :], acc.to(c.dtype.element_ty), mask=(i[:, None] < M) & (j[None, :] < N))


def matmul(c, a, b, m, n, k, bm, bn, bk, warps):
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    return lambda: matmul_kernel[grid](c, a, b, m, n, k, BM=bm, BN=bn, BK=bk, G=8, num_stages=3, num_warps=warps)


@triton.jit
def attention_kernel(out, q, k, v, scale, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                     CAUSAL: tl.constexpr):
    block, head = tl.program_id(0), tl.program_id(1)
    base = head.to(tl.int64) * S * D
    m = block * BM + tl.arange(0, BM)
    n, d = tl.arange(0, BN), tl.arange(0, D)
    query = tl.load(q + base + m[:, None] * D + d[None, :])
    acc = tl.zeros((BM, D), tl.float32)
    largest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    end = (block + 1) * BM if CAUSAL else S
    for first in range(0, end, BN):
        key = tl.load(k + base + (first + n)[None, :] * D + d[:, None])
        score = tl.dot(query, key) * scale
        if CAUSAL:
            score = tl.where(m[:, None] >= (first + n)[None, :], score, -float("inf"))
        larger = tl.maximum(largest, tl.max(score, 1))
        weight = tl.exp2(score - larger[:, None])
        shrink = tl.exp2(largest - larger)
        total = total * shrink + tl.sum(weight, 1)
        value = tl.load(v + base + (first + n)[:, None] * D + d[None, :])
        acc = tl.dot(weight.to(value.dtype), value, acc * shrink[:, None])
        largest = larger
    tl.store(out + base + m[:, None] * D + d[None, :], (acc / total[:, None]).to(out.dtype.element_ty))


def attention(out, q, k, v, scale, causal, bm, bn, warps):
    grid = (triton.cdiv(q.shape[2], bm), q.shape[0] * q.shape[1])
    return lambda: attention_kernel[grid](out, q, k, v, scale, q.shape[2], D=q.shape[3], BM=bm, BN=bn,
                                          CAUSAL=bool(causal), num_warps=warps, num_stages=3)
