// In: seeds and shapes. Out: numbers for made-up reports, the same every time.

/** @typedef {import("../src/data").Group} Group */

/** A small generator, so that the fixture is the same every time. @param {number} seed */
export function numbers(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const range = (/** @type {number} */ n) => [...Array(n).keys()];
/** @template T @param {(g: Group) => T} of @returns {[T, T, T]} */
export const trio = (of) => [of(0), of(1), of(2)];
export const normalise = (/** @type {number[]} */ xs) => {
  const sum = xs.reduce((a, b) => a + b, 0);
  return xs.map((x) => (sum ? x / sum : 0));
};

/** Shares of the top 1 %, the next 4 %, the next 15 % and the others. @returns {[number, number, number, number]} */
export const slices = (/** @type {number} */ top) => [top, 0.25, 0.3, 0.45 - top];
