"""A program of PyOpenCL's: what it prints and whether it succeeds is checked by `loader.rs`."""

import numpy as np
import pyopencl as cl
import pyopencl.array
import pyopencl.reduction

context = cl.create_some_context(interactive=False)
assert context.devices[0].platform.name == "clforge"
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)

# A kernel of its own, with events, on buffers.
numbers = np.arange(10_000, dtype=np.float32)
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
target = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, numbers.nbytes)
program = cl.Program(context, """
    kernel void halve(global const float *from, global float *to) {
        size_t i = get_global_id(0);
        to[i] = from[i] * 0.5f;
    }
""").build()
event = cl.Kernel(program, "halve")(queue, numbers.shape, None, source, target)
result = np.empty_like(numbers)
cl.enqueue_copy(queue, result, target, wait_for=[event])
assert (result == numbers * np.float32(0.5)).all()
assert event.profile.queued <= event.profile.submit <= event.profile.start <= event.profile.end

# Kernels that PyOpenCL generates.
a = cl.array.to_device(queue, np.arange(1000, dtype=np.int32))
b = 3 * a + 1
assert (b.get() == 3 * np.arange(1000) + 1).all()
assert cl.array.sum(b).get() == 3 * 999 * 1000 // 2 + 1000
assert cl.array.max(b).get() == 2998
print("passed")
