/** Something that reads what files or services hold, with inputs of any size. */
export interface Reader<Input> {
  /** What the input is, for the failure. */
  readonly name: string;
  /** Returns an input of about this size. */
  make(this: void, size: number): Input;
  read(this: void, input: Input): unknown;
  /** The smaller size; the other is ten times as large. */
  readonly size: number;
}

/** Ten times the input takes ten times as long where the reader is linear, and a hundred times where it is quadratic. */
const times = 10;
const mostGrowth = 20;
/** Below this, the clock and the garbage collector say more than the input. */
const leastMs = 40;
const mostTries = 12;

/**
 * Returns what is wrong if ten times the input takes more than twenty times the CPU time of this thread: one reading of the larger
 * input against ten of the smaller one, because the clock may be coarse, and each the least of several.
 */
export async function growthProblem<Input>({ name, make, read, size }: Reader<Input>): Promise<string | undefined> {
  const small = make(size);
  const large = make(size * times);
  const readSmall = async () => {
    for (let run = 0; run < times; run++) await read(small);
  };
  let ofSmall = Infinity;
  let ofLarge = Infinity;
  for (let run = 0; run < mostTries; run++) {
    ofLarge = Math.min(ofLarge, await cpuMs(() => read(large)));
    if (ofLarge <= leastMs) return undefined;
    ofSmall = Math.min(ofSmall, await cpuMs(readSmall));
    if (ofLarge <= (mostGrowth / times) * ofSmall) return undefined;
  }
  const growth = Math.round((ofLarge / Math.max(ofSmall, 1)) * times);
  return `${growth} times as long for ten times ${name}: ${ofLarge.toFixed(0)} ms of CPU for ${size * times}`;
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Texts of about so many characters on which readers of text are slow if anything makes them slow: one part, repeated, also before
 * something else, which fails what expects the run to be all.
 */
export function repeatedTexts(parts: readonly string[]): readonly Pick<Reader<string>, 'name' | 'make'>[] {
  return parts.flatMap((part) => {
    const make = (size: number) => part.repeat(Math.ceil(size / part.length));
    const name = JSON.stringify(part);
    const alone = { name, make };
    return part.length > 1 ? [alone] : [alone, { name: `${name} before x`, make: (size: number) => `${make(size)}x` }];
  });
}
