#!/usr/bin/env python3
"""libteeny and torch in one process: torch's memory, streams, graphs and current device.

    torch_check.py libstreams-torch.so

One line a check, `right` or `WRONG` with what was found. Exit status 1 where one was wrong.
"""

import ctypes
import sys

import torch

N = 1000


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(path)

    def scale(self, out, x, factor, stream=None, cold=False):
        device = out.device.index
        handle = (stream or torch.cuda.current_stream(device)).cuda_stream
        function = self.c.streams_cold_scale if cold else self.c.streams_scale
        status = function(device, ctypes.c_void_p(handle), ctypes.c_void_p(out.data_ptr()),
                          ctypes.c_void_p(x.data_ptr()), ctypes.c_float(factor), x.numel())
        if status:
            raise RuntimeError(f"the launch gives status {status}")


def on_the_default_stream(teeny):
    """Before and behind cuBLAS, with no wait between."""
    a = torch.ones(N, N, device="cuda")
    x = (a @ a)[0].contiguous()
    out = torch.empty_like(x)
    teeny.scale(out, x, 2)
    total = (out.view(1, N) @ a)[0, 0].item()
    return total == 2.0 * N * N, f"{total}, not {2.0 * N * N}"


def on_a_stream_of_its_own(teeny):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.arange(N, device="cuda", dtype=torch.float32)
        out = torch.empty_like(x)
        teeny.scale(out, x, 3)
        total = out.sum()
    stream.synchronize()
    return total.item() == 3 * N * (N - 1) / 2, f"{total.item()}"


def first_launch_in_a_graph(teeny):
    """torch.cuda.graph captures in the mode that forbids the most."""
    x = torch.full((N,), 4.0, device="cuda")
    out = torch.zeros_like(x)
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        y = x + 1
        teeny.scale(out, y, 5, cold=True)
        teeny.scale(out[1:256], y[1:256], 7)
        out += 1
    x.fill_(9.0)
    graph.replay()
    torch.cuda.synchronize()
    found = [out[i].item() for i in (0, 1, N - 1)]
    return found == [51.0, 71.0, 51.0], f"{found}"


def current_device_stays(teeny):
    """cuda:0 stays current whatever device teeny works on."""
    found = []
    for number in range(torch.cuda.device_count()):
        x = torch.ones(N, device=f"cuda:{number}")
        teeny.scale(torch.empty_like(x), x, 2)
        found += [torch.cuda.current_device(), torch.empty(1, device="cuda").device.index]
    return set(found) == {0}, f"{found}"


def main():
    teeny = Library(sys.argv[1])
    wrong = 0
    for check in (on_the_default_stream, on_a_stream_of_its_own, first_launch_in_a_graph, current_device_stays):
        try:
            right, found = check(teeny)
        except Exception as error:
            right, found = False, f"{type(error).__name__}: {error}"
        print(f"torch: {check.__name__.replace('_', ' '):50} {'right' if right else 'WRONG: ' + found}")
        wrong += not right
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
