/** Returns an integer from 0 to `below` - 1, all equally likely. `below` is at most 2^32. */
export type Random = (below: number) => number;

const range = 2 ** 32;

/** Produces the same numbers for the same seed on every machine (the "sfc32" generator). Not for secrets. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed >>> 0, Math.floor(seed / range) >>> 0, 0x9e3779b9, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // Similar seeds produce similar first numbers.
  for (let round = 0; round < 16; round++) next();
  return (below) => {
    const fair = range - (range % below);
    let value = next();
    while (value >= fair) value = next();
    return value % below;
  };
}
