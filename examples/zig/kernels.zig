//! Kernels in Zig: methods, a tagged union, errors, and a reduction in local memory.
const std = @import("std");

// Inputs are variables, named as SPIR-V names them.
extern const global_invocation_id: @Vector(3, usize) addrspace(.input);
extern const local_invocation_id: @Vector(3, usize) addrspace(.input);
extern const workgroup_id: @Vector(3, usize) addrspace(.input);

// A kernel has its work-group size in its type.
const kernel: std.builtin.CallingConvention = .{ .spirv_kernel = .{ .x = 4, .y = 1, .z = 1 } };

const Complex = struct {
    re: f32,
    im: f32,

    fn mul(a: Complex, b: Complex) Complex {
        return .{ .re = a.re * b.re - a.im * b.im, .im = a.re * b.im + a.im * b.re };
    }

    fn add(a: Complex, b: Complex) Complex {
        return .{ .re = a.re + b.re, .im = a.im + b.im };
    }

    fn escapes(c: Complex, limit: u32) ?u32 {
        var z = c;
        var n: u32 = 0;
        while (n < limit) : (n += 1) {
            if (z.re * z.re + z.im * z.im > 4) return n;
            z = z.mul(z).add(c);
        }
        return null;
    }
};

export fn mandelbrot(out: [*]addrspace(.global) i32, width: u32, limit: u32) callconv(kernel) void {
    const i = global_invocation_id[0];
    const x: f32 = @floatFromInt(i % width);
    const y: f32 = @floatFromInt(i / width);
    const w: f32 = @floatFromInt(width);
    const c: Complex = .{ .re = 3 * x / w - 2, .im = 2 * y / w - 1 };
    out[i] = if (c.escapes(limit)) |n| @intCast(n) else -1;
}

const Shape = union(enum) {
    square: f32,
    rectangle: struct { width: f32, height: f32 },
    none,

    fn area(shape: Shape) error{Negative}!f32 {
        const value = switch (shape) {
            .square => |side| side * side,
            .rectangle => |sides| sides.width * sides.height,
            .none => 0,
        };
        return if (value < 0) error.Negative else value;
    }
};

export fn areas(out: [*]addrspace(.global) f32, height: f32) callconv(kernel) void {
    const i = global_invocation_id[0];
    const size: f32 = @floatFromInt(i);
    const shape: Shape = switch (i % 3) {
        0 => .{ .square = size },
        1 => .{ .rectangle = .{ .width = size, .height = height } },
        else => .none,
    };
    out[i] = shape.area() catch -1;
}

// Local memory: an object that has no initial value.
extern threadlocal var scratch: [4]i32 addrspace(.shared);

export fn sums(out: [*]addrspace(.global) i32, in: [*]addrspace(.global) const i32) callconv(kernel) void {
    const local = local_invocation_id[0];
    scratch[local] = in[global_invocation_id[0]];
    std.spirv.workgroupBarrier();
    var rest: usize = 2;
    while (rest > 0) : (rest /= 2) {
        if (local < rest) scratch[local] += scratch[local + rest];
        std.spirv.workgroupBarrier();
    }
    if (local == 0) out[workgroup_id[0]] = scratch[0];
}
