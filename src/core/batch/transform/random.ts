/** A whole number from 0 up to, not including, `below`, which is at most 2^32. Each as likely as the others. */
export type Random = (below: number) => number;

const range = 2 ** 32;

/** The same numbers for the same seed, on every machine (the generator "sfc32"). Not for secrets. */
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
  // The first numbers of seeds that are near to each other are near to each other too.
  for (let round = 0; round < 16; round++) next();
  return (below) => {
    const fair = range - (range % below);
    let value = next();
    while (value >= fair) value = next();
    return value % below;
  };
}
