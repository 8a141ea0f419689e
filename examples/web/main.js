// The page: a reaction of two substances, computed and painted by the kernels of kernel.cl.

import { Program } from "./clforge.js";

const query = new URLSearchParams(location.search);
/** The numbers that a test chooses in the address of the page. */
const number = (name, otherwise) => Number(query.get(name) ?? otherwise);
const width = number("width", 384), height = number("height", 256);
const seed = number("seed", 7), rarity = number("rarity", 40);

/** CELLS of kernel.cl. */
const CELLS_OF_WORK_ITEM = 4;

/** Feed and kill rates that make patterns of different kinds. */
const PATTERNS = {
  "Coral": [0.0545, 0.062], "Maze": [0.029, 0.057], "Cells": [0.0367, 0.0649], "Worms": [0.05, 0.0635],
  "Holes": [0.039, 0.058], "Waves": [0.014, 0.045],
};
/** Colours of little, some and much of the second substance. */
const COLOURS = {
  light: [[0.97, 0.96, 0.93, 1], [0.24, 0.62, 0.64, 1], [0.08, 0.19, 0.33, 1]],
  dark: [[0.06, 0.08, 0.12, 1], [0.09, 0.44, 0.52, 1], [0.98, 0.83, 0.55, 1]],
};

const element = (id) => document.getElementById(id);
const canvas = element("picture"), status = element("status");
let failed = false;
const darkMode = matchMedia("(prefers-color-scheme: dark)");

/** A device, or an error that says what is missing. */
async function findDevice() {
  if (!navigator.gpu) {
    const secure = isSecureContext ? "" : " Browsers give it to pages from https:// and http://localhost alone.";
    throw new Error(`This browser does not have WebGPU.${secure}`);
  }
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error("This browser has WebGPU, but found no device for it.");
  const { vendor, architecture, description } = adapter.info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "an unnamed device";
  return { device: await adapter.requestDevice(), name };
}

async function load(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}. README.md says how to make it.`);
  return response.text();
}

/** The plane, its kernels and what they work on. */
class Reaction {
  constructor(program) {
    this.program = program;
    this.cells = [0, 1].map(() => program.buffer(width * height * 8));
    this.pixels = program.buffer(width * height * 4);
    this.sums = program.buffer(64 * 4);
    this.measuring = program.bind("measure", { cells: this.cells[0], sums: this.sums, count: width * height });
    this.setRates(number("feed", PATTERNS.Coral[0]), number("kill", PATTERNS.Coral[1]));
    this.setColours(COLOURS[darkMode.matches ? "dark" : "light"]);
    this.sow();
  }

  setRates(feed, kill) {
    const [a, b] = this.cells, size = { width, height };
    const step = (now, next) => this.program.bind("react", { now, next, ...size, feed, kill });
    this.steps = [step(a, b), step(b, a)];
  }

  setColours([low, middle, high]) {
    const cells = this.cells[0], pixels = this.pixels;
    this.painting = this.program.bind("paint", { cells, pixels, width, height, low, middle, high });
  }

  sow() {
    const groups = this.program.groups("sow", width, height);
    this.program.launch("sow", { cells: this.cells[0], width, height, seed, rarity }, groups);
    this.stepCount = 0;
  }

  touch(centre) {
    const groups = this.program.groups("touch", width, height);
    this.program.launch("touch", { cells: this.cells[0], width, height, centre, radius: 6 }, groups);
  }

  /** An even number of steps: the result is in the first buffer again. */
  run(steps) {
    const groups = this.program.groups("react", width, height / CELLS_OF_WORK_ITEM);
    this.program.run(Array.from({ length: steps }, (_, i) => [this.steps[i % 2], groups]));
    this.stepCount += steps;
  }

  async paint() {
    this.program.run([[this.painting, this.program.groups("paint", width, height)]]);
    return this.program.read(this.pixels, Uint8ClampedArray);
  }

  /** The mean of the second substance. */
  async mean() {
    this.program.run([[this.measuring, [64, 1, 1]]]);
    const sums = await this.program.read(this.sums, Float32Array);
    return sums.reduce((sum, partial) => sum + partial, 0) / (width * height);
  }
}

function draw(pixels) {
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
}

/** Connects the controls; what they say is done between two frames. */
function connect(reaction) {
  const feed = element("feed"), kill = element("kill"), pattern = element("pattern"), pause = element("pause");
  const controls = { paused: false, actions: [] };
  const later = (action) => controls.actions.push(action);
  const setRates = () => {
    element("feed-value").textContent = Number(feed.value).toFixed(4);
    element("kill-value").textContent = Number(kill.value).toFixed(4);
    later(() => reaction.setRates(Number(feed.value), Number(kill.value)));
  };
  const setPattern = () => {
    [feed.value, kill.value] = PATTERNS[pattern.value];
    setRates();
  };
  pattern.append(...Object.keys(PATTERNS).map((name) => new Option(name)));
  pattern.onchange = () => {
    setPattern();
    later(() => reaction.sow());
  };
  setPattern();
  feed.oninput = kill.oninput = setRates;
  element("restart").onclick = () => later(() => reaction.sow());
  pause.onclick = () => {
    controls.paused = !controls.paused;
    pause.textContent = controls.paused ? "Continue" : "Pause";
  };
  darkMode.onchange = () => later(() => reaction.setColours(COLOURS[darkMode.matches ? "dark" : "light"]));
  canvas.onpointerdown = canvas.onpointermove = ({ buttons, offsetX, offsetY }) => {
    if (!buttons) return;
    later(() => reaction.touch([offsetX * width / canvas.clientWidth, offsetY * height / canvas.clientHeight]));
  };
  element("controls").disabled = false;
  return controls;
}

/** Computes and paints, a frame after another, with as many steps in each as take about 12 milliseconds. */
async function animate(reaction, controls, deviceName) {
  let steps = 2, mean = 0;
  for (let frame = 0; !failed; frame++) {
    controls.actions.splice(0).forEach((action) => action());
    const start = performance.now();
    if (!controls.paused) reaction.run(steps);
    draw(await reaction.paint());
    const time = performance.now() - start;
    if (frame % 16 === 0) mean = await reaction.mean();
    if (!controls.paused && !failed) {
      const rate = width * height * steps / time / 1000;
      status.textContent = `${deviceName} · step ${reaction.stepCount} · ${(time / steps).toFixed(2)} ms a step with ` +
        `painting · ${rate.toFixed(1)} million cells a second · mean ${mean.toFixed(3)}`;
      steps = time < 10 ? Math.min(steps + 2, 64) : time > 16 ? Math.max(steps - 2, 2) : steps;
    }
    await new Promise(requestAnimationFrame);
  }
}

/** For the test of `cargo xtask web`: a number of steps, and everything that they computed, sent to the server. */
async function report(reaction, deviceName) {
  reaction.setColours(COLOURS.light);
  reaction.touch([width / 2, height / 2]);
  await reaction.program.device.queue.onSubmittedWorkDone();
  const start = performance.now();
  reaction.run(number("report", 2));
  await reaction.program.device.queue.onSubmittedWorkDone();
  const time = performance.now() - start;
  const pixels = await reaction.paint();
  draw(pixels);
  const cells = await reaction.program.read(reaction.cells[0], Float32Array);
  const lines = [
    `device ${deviceName}`, `milliseconds ${time}`, `mean ${await reaction.mean()}`,
    `cells ${cells.join(" ")}`, `pixels ${pixels.join(" ")}`,
  ];
  await fetch("result", { method: "POST", body: lines.join("\n") });
}

async function main() {
  canvas.width = width;
  canvas.height = height;
  const [wgsl, reflection, source] = await Promise.all(["kernel.wgsl", "kernel.json", "kernel.cl"].map(load));
  element("source").textContent = source;
  element("wgsl").textContent = wgsl;
  const { device, name } = await findDevice();
  device.onuncapturederror = ({ error }) => fail(error);
  device.lost.then(({ message }) => fail(new Error(`The device is lost: ${message}`)));
  const reaction = new Reaction(await Program.build(device, wgsl, JSON.parse(reflection)));
  if (query.has("report")) await report(reaction, name);
  else await animate(reaction, connect(reaction), name);
}

/** Shows an error, in place of the picture's further frames. */
function fail(error) {
  failed = true;
  status.textContent = error.message;
  status.classList.add("error");
  if (query.has("report")) fetch("result", { method: "POST", body: `error ${error.message}` });
}

main().catch(fail);
