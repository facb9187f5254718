/** A function that reads data of files or services, with inputs of any size. */
export interface Reader<Input> {
  /** Names the input in failures. */
  readonly name: string;
  /** Returns an input of about this size. */
  make(this: void, size: number): Input;
  read(this: void, input: Input): unknown;
  /** The smaller size. The other one is ten times as large. */
  readonly size: number;
}

/** Ten times the input takes a linear reader ten times as long, and a quadratic one a hundred times. */
const times = 10;
const mostGrowth = 20;
/** Below this, the clock and the garbage collector matter more than the input. */
const leastMs = 40;
const mostTries = 12;

/**
 * Returns a problem if ten times the input takes more than twenty times the CPU time of this thread. Compares one reading of the larger
 * input with ten of the smaller one, because the clock can be coarse, and uses the minimum of several.
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
 * Returns texts of about this many characters that are slow for a vulnerable parser: one repeated part, also before other text, which fails
 * a pattern that expects the repetition to be everything.
 */
export function repeatedTexts(parts: readonly string[]): readonly Pick<Reader<string>, 'name' | 'make'>[] {
  return parts.flatMap((part) => {
    const make = (size: number) => part.repeat(Math.ceil(size / part.length));
    const name = JSON.stringify(part);
    const alone = { name, make };
    return part.length > 1 ? [alone] : [alone, { name: `${name} before x`, make: (size: number) => `${make(size)}x` }];
  });
}
