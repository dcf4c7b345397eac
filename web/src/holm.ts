// In: p-values of a family of tests. Out: each raised so that the chance of even one false
// discovery stays below the level they are compared with (Holm 1979), in the order given.
export function holm(p: number[]): number[] {
  const order = [...p.keys()].sort((a, b) => p[a]! - p[b]!);
  const adjusted = [...p];
  let least = 0;
  order.forEach((i, rank) => {
    least = Math.max(least, Math.min(1, p[i]! * (p.length - rank)));
    adjusted[i] = least;
  });
  return adjusted;
}
