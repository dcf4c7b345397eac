// In: the items around a user as unit vectors. Out: canvases with globes that turn together.
// One WebGL context draws all in turn and is copied to each: browsers allow few contexts.
import {
  Color,
  Group,
  OrthographicCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  type Material,
  type Mesh,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { UserAngles } from "../data";
import { h } from "../dom";
import { axis, ball, cloud, kRings, rings } from "./globe_parts";

/** A point of a globe: an item as in ChosenUser. */
export interface Picked {
  kind: "positive" | "held_out" | "negative";
  index: number;
}

export interface Picker {
  name(picked: Picked): string;
  choose(picked: Picked): void;
}

const kReach = 7; // pixels around the pointer

interface Panel {
  canvas: HTMLCanvasElement;
  sphere: UserAngles["sphere"];
  controls: OrbitControls;
  scene: Scene | null; // built when first drawn, and anew for another size or theme
}

const kHome = new Vector3(2.2, -1.6, 1.5);
const kView = 1.34; // half of the drawn height; the ball has radius 1

export class Globe {
  private panels: Panel[] = [];
  private camera = new OrthographicCamera(-kView, kView, kView, -kView, 0.1, 20);
  private asked = false;

  private constructor(private renderer: WebGLRenderer) {
    this.camera.up.set(0, 0, 1);
    this.reset();
    document.addEventListener("themechange", () => this.rebuild());
    addEventListener("beforeprint", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.rebuild());
  }

  /** Null where the browser has no WebGL. */
  static create(): Globe | null {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true });
    return (
      context && new Globe(new WebGLRenderer({ canvas, context, alpha: true, antialias: true }))
    );
  }

  panel(sphere: UserAngles["sphere"], label: string, picker: Picker): HTMLCanvasElement {
    const canvas = h("canvas", {
      tabindex: 0,
      role: "img",
      "aria-label": `${label}. Arrow keys turn, plus and minus zoom, Home resets.`,
      onkeydown: (event) => this.key(event as KeyboardEvent),
    });
    this.panels.push({ canvas, sphere, controls: this.control(canvas), scene: null });
    new ResizeObserver(() => this.ask()).observe(canvas);
    this.pick(canvas, sphere, picker);
    return canvas;
  }

  /** The pointer names the item it rests on; a click that turned nothing chooses it. */
  private pick(canvas: HTMLCanvasElement, sphere: UserAngles["sphere"], picker: Picker): void {
    let from: [number, number] = [0, 0];
    canvas.addEventListener("pointermove", (event) => {
      const hit = event.buttons === 0 ? this.nearest(canvas, sphere, event) : null;
      canvas.title = hit ? picker.name(hit) : "";
      canvas.style.cursor = hit ? "pointer" : "";
    });
    canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 3) return;
      const hit = this.nearest(canvas, sphere, event);
      if (hit) picker.choose(hit);
    });
  }

  /** The point under the pointer on the side that faces the reader. */
  private nearest(
    canvas: HTMLCanvasElement,
    sphere: UserAngles["sphere"],
    event: PointerEvent,
  ): Picked | null {
    const box = canvas.getBoundingClientRect();
    const view = this.camera.position.clone().normalize();
    let [best, found]: [number, Picked | null] = [kReach, null];
    for (const kind of ["positive", "held_out", "negative"] as const)
      sphere[kind].forEach((point, index) => {
        const at = new Vector3(...point);
        if (at.dot(view) < 0) return;
        const { x, y } = at.project(this.camera);
        const away = Math.hypot(
          box.left + ((x + 1) / 2) * box.width - event.clientX,
          box.top + ((1 - y) / 2) * box.height - event.clientY,
        );
        if (away < best) [best, found] = [away, { kind, index }];
      });
    return found;
  }

  clear(): void {
    for (const { controls, scene } of this.panels) {
      controls.dispose();
      scene?.traverse(release);
    }
    this.panels = [];
  }

  reset(): void {
    this.camera.position.copy(kHome);
    this.zoom(1 / this.camera.zoom);
  }

  zoom(factor: number): void {
    this.camera.zoom = Math.min(8, Math.max(0.6, this.camera.zoom * factor));
    this.camera.lookAt(0, 0, 0);
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  private control(canvas: HTMLCanvasElement): OrbitControls {
    const controls = new OrbitControls(this.camera, canvas);
    Object.assign(controls, { enablePan: false, enableZoom: false, minZoom: 0.6, maxZoom: 8 });
    controls.addEventListener("change", () => this.ask());
    canvas.style.touchAction = "pan-y"; // a finger may still scroll the page
    // The wheel scrolls the page until the reader has clicked into the globe.
    canvas.addEventListener("pointerdown", () => canvas.focus());
    canvas.addEventListener("focus", () => (controls.enableZoom = true));
    canvas.addEventListener("blur", () => (controls.enableZoom = false));
    return controls;
  }

  private key(event: KeyboardEvent): void {
    const turn = 0.12;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.turn(-turn, 0),
      ArrowRight: () => this.turn(turn, 0),
      ArrowUp: () => this.turn(0, -turn),
      ArrowDown: () => this.turn(0, turn),
      "+": () => this.zoom(1.15),
      "-": () => this.zoom(1 / 1.15),
      Home: () => this.reset(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private turn(around: number, down: number): void {
    const { position } = this.camera;
    const length = position.length();
    const polar = Math.min(3.1, Math.max(0.04, Math.acos(position.z / length) + down));
    const angle = Math.atan2(position.y, position.x) + around;
    position
      .set(Math.sin(polar) * Math.cos(angle), Math.sin(polar) * Math.sin(angle), Math.cos(polar))
      .multiplyScalar(length);
    this.zoom(1);
  }

  private rebuild(): void {
    for (const panel of this.panels) {
      panel.scene?.traverse(release);
      panel.scene = null;
    }
    this.ask();
  }

  /** Many causes, one drawing a frame. */
  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  draw(): void {
    for (const panel of this.panels) if (panel.canvas.clientWidth > 0) this.drawPanel(panel);
  }

  private drawPanel(panel: Panel): void {
    const { canvas, sphere } = panel;
    const dense = Math.min(2, devicePixelRatio);
    const size = Math.round(canvas.clientWidth * dense);
    if (canvas.width !== size || !panel.scene) {
      canvas.width = canvas.height = size;
      panel.scene?.traverse(release);
      panel.scene = new Scene().add(pieces(canvas, sphere, size));
    }
    this.renderer.setSize(size, size, false);
    this.renderer.render(panel.scene, this.camera);
    const context = canvas.getContext("2d")!;
    context.clearRect(0, 0, size, size);
    context.drawImage(this.renderer.domElement, 0, 0);
    this.name(canvas, context, dense);
  }

  /** Writes the user's name and the angles of the rings on the side that faces the reader. */
  private name(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, dense: number): void {
    const { x, y } = this.camera.position;
    const front = new Vector3(x, y, 0).normalize();
    context.textAlign = "center";
    context.font = `600 ${12 * dense}px sans-serif`;
    context.fillStyle = style(canvas, "--ink");
    this.write(context, "user", new Vector3(0, 0, 1.28));
    context.font = `${10 * dense}px sans-serif`;
    context.fillStyle = style(canvas, "--soft");
    for (const ring of kRings) {
      const angle = (ring * Math.PI) / 180;
      const at = front.clone().multiplyScalar(Math.sin(angle)).setZ(Math.cos(angle));
      if (at.dot(this.camera.position) > 0.3 * this.camera.position.length())
        this.write(context, `${ring}°`, at);
    }
  }

  private write(context: CanvasRenderingContext2D, text: string, at: Vector3): void {
    const { width } = context.canvas;
    const { x, y } = at.clone().project(this.camera);
    context.fillText(text, ((x + 1) / 2) * width, ((1 - y) / 2) * width - 3);
  }
}

function pieces(canvas: HTMLCanvasElement, sphere: UserAngles["sphere"], size: number): Group {
  const dot = size / 46;
  const order = [
    ball(color(canvas, "--globe"), color(canvas, "--globe-rim")),
    rings(color(canvas, "--globe-rim")),
    cloud(sphere.negative, color(canvas, "--negative"), 0.75 * dot),
    cloud(sphere.held_out, color(canvas, "--held-out"), 1.05 * dot),
    cloud(sphere.positive, color(canvas, "--positive"), dot),
    axis(color(canvas, "--ink")),
    cloud([[0, 0, 1]], color(canvas, "--ink"), 1.3 * dot),
  ];
  order.forEach((piece, i) => (piece.renderOrder = i));
  return new Group().add(...order);
}

function release(piece: object): void {
  const { geometry, material } = piece as Partial<Mesh>;
  geometry?.dispose();
  (material as Material | undefined)?.dispose();
}

/** A colour of the style sheet as it is now. */
function style(element: Element, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.parentElement?.appendChild(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** Raw numbers, since the shaders write them as they are. */
function color(element: Element, name: string): Color {
  const [r = 0, g = 0, b = 0] = (style(element, name).match(/[\d.]+/g) ?? []).map(Number);
  return new Color().setRGB(r / 255, g / 255, b / 255);
}
