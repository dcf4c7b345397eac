// In: unit vectors and colours. Out: the pieces of a globe: ball, rings around the user, points.
import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  LineSegments,
  Mesh,
  Points,
  ShaderMaterial,
  SphereGeometry,
} from "three";
import type { Point } from "../data";

export const kRings = [30, 60, 90, 120, 150]; // degrees from the user

// What lies on the far side of the ball is faint: one number says how far round a point is.
const kVertex = `
  uniform float size;
  varying float facing;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    facing = normalize(normalMatrix * position).z;
    gl_PointSize = size;
    gl_Position = projectionMatrix * place;
  }`;

const kPointFragment = `
  uniform vec3 color;
  varying float facing;
  void main() {
    float edge = length(gl_PointCoord - 0.5);
    if (edge > 0.5) discard;
    float rim = smoothstep(0.5, 0.4, edge);
    gl_FragColor = vec4(color, rim * (facing > 0.0 ? 0.9 : 0.16));
  }`;

const kLineFragment = `
  uniform vec3 color;
  varying float facing;
  void main() { gl_FragColor = vec4(color, facing > -0.05 ? 1.0 : 0.25); }`;

const kBallFragment = `
  uniform vec3 color;
  uniform vec3 rim;
  varying float facing;
  void main() { gl_FragColor = vec4(mix(rim, color, smoothstep(0.0, 0.65, facing)), 1.0); }`;

function material(
  fragmentShader: string,
  uniforms: Record<string, { value: unknown }>,
): ShaderMaterial {
  const plain = { transparent: true, depthTest: false, depthWrite: false };
  return new ShaderMaterial({
    ...plain,
    vertexShader: kVertex,
    fragmentShader,
    uniforms: { size: { value: 1 }, ...uniforms },
  });
}

export function ball(color: Color, rim: Color): Mesh {
  return new Mesh(
    new SphereGeometry(0.995, 48, 32),
    material(kBallFragment, { color: { value: color }, rim: { value: rim } }),
  );
}

/** Rings of equal angle to the user, who stands at [0, 0, 1], and the axis through the user. */
export function rings(color: Color): LineSegments {
  const at: number[] = [];
  for (const degrees of kRings) {
    const angle = (degrees * Math.PI) / 180;
    for (let step = 0; step < 96; ++step)
      for (const turn of [step, step + 1]) {
        const round = (turn * 2 * Math.PI) / 96;
        at.push(
          Math.sin(angle) * Math.cos(round),
          Math.sin(angle) * Math.sin(round),
          Math.cos(angle),
        );
      }
  }
  return new LineSegments(geometry(at), material(kLineFragment, { color: { value: color } }));
}

export function axis(color: Color): LineSegments {
  return new LineSegments(
    geometry([0, 0, 1, 0, 0, 1.22]),
    material(kLineFragment, { color: { value: color } }),
  );
}

export function cloud(points: Point[], color: Color, size: number): Points {
  return new Points(
    geometry(points.flat()),
    material(kPointFragment, { color: { value: color }, size: { value: size } }),
  );
}

function geometry(numbers: number[]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(numbers, 3));
}
