const smooth = (part: number): number => part * part * (3 - 2 * part);

/** A tile of smooth noise in 0..1; coordinates wrap at 1. */
export type NoiseMap = (u: number, v: number) => number;

function octave(cells: number, random: () => number): (u: number, v: number) => number {
  const values = Float32Array.from({ length: cells * cells }, random);
  return (u, v) => {
    const [x, y] = [u * cells, v * cells];
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [smooth(x - x0), smooth(y - y0)];
    const [left, top] = [x0 % cells, (y0 % cells) * cells];
    const [right, bottom] = [(x0 + 1) % cells, ((y0 + 1) % cells) * cells];
    const upper = values[top + left]! + (values[top + right]! - values[top + left]!) * fx;
    const lower = values[bottom + left]! + (values[bottom + right]! - values[bottom + left]!) * fx;
    return upper + (lower - upper) * fy;
  };
}

/** Sums several octaves once into a tile, so that a pixel costs one bilinear lookup. */
export function createNoiseMap(random: () => number, size = 256): NoiseMap {
  const octaves = [4, 8, 16, 32, 64].map((cells) => octave(cells, random));
  const tile = new Float32Array(size * size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let [sum, weight] = [0, 0.5];
      for (const layer of octaves) {
        sum += layer(x / size, y / size) * weight;
        weight *= 0.5;
      }
      tile[y * size + x] = sum / 0.96875;
    }
  }
  const mask = size - 1;
  return (u, v) => {
    const [x, y] = [(u - Math.floor(u)) * size, (v - Math.floor(v)) * size];
    const [x0, y0] = [x | 0, y | 0];
    const [fx, fy] = [x - x0, y - y0];
    const [left, right, top, bottom] = [x0 & mask, (x0 + 1) & mask, (y0 & mask) * size, ((y0 + 1) & mask) * size];
    const upper = tile[top + left]! + (tile[top + right]! - tile[top + left]!) * fx;
    const lower = tile[bottom + left]! + (tile[bottom + right]! - tile[bottom + left]!) * fx;
    return upper + (lower - upper) * fy;
  };
}

/** Returns endless one-dimensional noise in 0..1; `rough` in 0..1 is the amount of detail. */
export function createNoiseLine(random: () => number, rough: number): (x: number) => number {
  const values = Float32Array.from({ length: 512 }, random);
  const at = (x: number) => {
    const x0 = Math.floor(x);
    const part = smooth(x - x0);
    return mixed(values[x0 & 511]!, values[(x0 + 1) & 511]!, part);
  };
  return (x) => {
    let [sum, weight, total, scale] = [0, 1, 0, 1];
    for (let index = 0; index < 6; index += 1) {
      sum += at(x * scale + index * 37.7 + 256) * weight;
      total += weight;
      weight *= rough;
      scale *= 2.03;
    }
    return sum / total;
  };
}

const mixed = (a: number, b: number, part: number): number => a + (b - a) * part;
