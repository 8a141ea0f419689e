// Launches kernels that clforge translated to WGSL. The reflection, the JSON of `clforge compile --reflection`, says
// where each argument goes: buffers have bindings of their own, plain values have offsets in one uniform buffer, and the
// sizes of local arguments were chosen when the kernel was compiled.

const ARGUMENT_SET = 0;

/** How a DataView writes an element of each type of OpenCL C, and the element's size in bytes. */
const ELEMENTS = {
  char: ["setInt8", 1], uchar: ["setUint8", 1], short: ["setInt16", 2], ushort: ["setUint16", 2],
  int: ["setInt32", 4], uint: ["setUint32", 4], long: ["setBigInt64", 8], ulong: ["setBigUint64", 8],
  float: ["setFloat32", 4], double: ["setFloat64", 8],
};

/** Writes a number, or an array of the elements of a vector, or the bytes of a structure. */
function writeValue(view, { offset, size }, type, value) {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, Math.min(value.byteLength, size));
    new Uint8Array(view.buffer).set(bytes, offset);
    return;
  }
  const [method, step] = ELEMENTS[type.replace(/\d+$/, "")] ?? [];
  if (!method) throw new TypeError(`a value of the type '${type}' is passed as a typed array of its bytes`);
  const wide = method.includes("Big");
  [value].flat().forEach((element, i) => view[method](offset + i * step, wide ? BigInt(element) : element, true));
}

/** The bytes that hexadecimal digits stand for, as many as whole words of 4 bytes. */
function bytesOf(digits) {
  const bytes = new Uint8Array(Math.ceil(digits.length / 8) * 4);
  for (let i = 0; i < digits.length / 2; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** A program of kernels on a device of WebGPU. */
export class Program {
  /** Compiles; the browser's messages are in the error if it refuses the WGSL. */
  static async build(device, wgsl, reflection) {
    const module = device.createShaderModule({ code: wgsl });
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter((message) => message.type === "error");
    if (errors.length) throw new Error(errors.map((e) => `WGSL:${e.lineNum}:${e.linePos}: ${e.message}`).join("\n"));
    const program = new Program(device, reflection);
    await Promise.all(reflection.kernels.map((kernel) => program.#compile(module, kernel)));
    return program;
  }

  #kernels = new Map();
  #empty;
  #data;

  constructor(device, reflection) {
    this.device = device;
    // All kernels have the uniform buffer in common: elements of 16 bytes, as many as the longest arguments need.
    const places = reflection.kernels.flatMap((kernel) => [
      ...kernel.arguments.map(({ binding }) => binding).filter(({ kind }) => kind === "pod_uniform"),
      ...kernel.image_facts,
    ]);
    this.uniformSize = Math.ceil(Math.max(0, ...places.map(({ offset, size }) => offset + size)) / 16) * 16;
    this.#empty = device.createBindGroupLayout({ entries: [] });
    this.#data = reflection.program_data.map(({ binding, data, size }) => {
      const buffer = this.buffer(size);
      device.queue.writeBuffer(buffer, 0, bytesOf(data));
      return { ...binding, buffer };
    });
  }

  /** A buffer for arguments, of a size in bytes or with the elements of a typed array. */
  buffer(contents) {
    const size = Math.max(4, Math.ceil((contents.byteLength ?? contents) / 4) * 4);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = this.device.createBuffer({ size, usage, mappedAtCreation: true });
    if (ArrayBuffer.isView(contents)) {
      new Uint8Array(buffer.getMappedRange())
        .set(new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength));
    }
    buffer.unmap();
    return buffer;
  }

  /** The contents of a buffer as an array of the given type, after all launches before it. */
  async read(buffer, ArrayType) {
    const copy = this.device.createBuffer({
      size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
    this.device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const contents = new ArrayType(copy.getMappedRange().slice(0));
    copy.destroy();
    return contents;
  }

  /** The numbers of work-groups that cover an ND-range of these sizes. */
  groups(kernelName, ...sizes) {
    const { required_work_group_size: group } = this.#kernel(kernelName).reflection;
    return group.map((size, i) => Math.ceil((sizes[i] ?? 1) / size));
  }

  /** Binds arguments, by name, to a kernel: for launches, as often as wanted. */
  bind(kernelName, args) {
    const { pipeline, layouts, reflection } = this.#kernel(kernelName);
    const view = new DataView(new ArrayBuffer(this.uniformSize));
    const entries = [];
    for (const { name, type, binding, ordinal } of reflection.arguments) {
      if (binding.kind === "local") continue;
      if (args[name] === undefined) throw new TypeError(`${kernelName}: the argument '${name}' is missing`);
      if (binding.kind === "storage_buffer") {
        entries.push({ binding: binding.binding, resource: { buffer: args[name] ?? this.buffer(16) } });
        const fact = reflection.image_facts.find((fact) => fact.ordinal === ordinal);
        if (fact) view.setUint32(fact.offset, args[name] === null ? 1 : 0, true);
      } else {
        writeValue(view, binding, type, args[name]);
      }
    }
    if (this.uniformSize) {
      const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
      const buffer = this.device.createBuffer({ size: this.uniformSize, usage });
      this.device.queue.writeBuffer(buffer, 0, view.buffer);
      entries.push({ binding: 0, resource: { buffer } });
    }
    const sets = layouts.map((layout, set) => {
      const data = this.#data.filter((place) => place.set === set);
      const dataEntries = data.map(({ binding, buffer }) => ({ binding, resource: { buffer } }));
      return this.device.createBindGroup({ layout, entries: set === ARGUMENT_SET ? entries : dataEntries });
    });
    return { pipeline, sets };
  }

  /** Runs bound kernels one after another: `[bound, groups]` each. Each sees what those before it wrote. */
  run(launches) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const [{ pipeline, sets }, groups] of launches) {
      pass.setPipeline(pipeline);
      sets.forEach((set, index) => pass.setBindGroup(index, set));
      pass.dispatchWorkgroups(...groups);
    }
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  /** Launches a kernel once. `args`: buffers or null, numbers and arrays of numbers by the arguments' names. */
  launch(kernelName, args, groups) {
    this.run([[this.bind(kernelName, args), groups]]);
  }

  #kernel(name) {
    const kernel = this.#kernels.get(name);
    if (!kernel) throw new TypeError(`there is no kernel '${name}'`);
    return kernel;
  }

  async #compile(module, reflection) {
    const { name } = reflection;
    const layouts = this.#layouts(reflection);
    const layout = this.device.createPipelineLayout({ bindGroupLayouts: layouts });
    const pipeline = await this.device.createComputePipelineAsync({ layout, compute: { module, entryPoint: name } });
    this.#kernels.set(name, { pipeline, layouts, reflection });
  }

  /** The layouts of a kernel's descriptor sets. Those that the browser makes by itself leave out what is not used. */
  #layouts(kernel) {
    const sets = [[]];
    const add = (set, binding, type) =>
      (sets[set] ??= []).push({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } });
    if (this.uniformSize) add(ARGUMENT_SET, 0, "uniform");
    for (const { name, binding } of kernel.arguments) {
      if (binding.kind === "storage_buffer") add(binding.set, binding.binding, "storage");
      else if (!["pod_uniform", "local"].includes(binding.kind)) {
        throw new TypeError(`${kernel.name}: the argument '${name}' is passed as ${binding.kind}`);
      }
    }
    for (const { set, binding } of this.#data) add(set, binding, "storage");
    return Array.from(sets, (entries) => (entries ? this.device.createBindGroupLayout({ entries }) : this.#empty));
  }
}
