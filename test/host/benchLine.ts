/** One measured figure. A bench file `test/bench/<name>.bench.ts` exports `run(): Promise<readonly BenchLine[]>`. */
export interface BenchLine {
  readonly name: string;
  readonly ours: number;
  readonly unit: string;
  /** The same work by a peer: another library, or the naive way. */
  readonly peer?: number;
  readonly peerName?: string;
  /** The maximum of `ours`, in its unit. */
  readonly atMost?: number;
  /** The maximum of `ours / peer`. */
  readonly ratioAtMost?: number;
  readonly ratioAtLeast?: number;
  /** The cost at 1, 10, and 100 times the size, if `ours` is the exponent of its growth. */
  readonly growth?: readonly number[];
  /** A short description of the task, for lines in the README. */
  readonly title?: string;
}

/** Returns `ours / peer`. A ratio below 1 is better if less is better. */
export const ratioOf = ({ ours, peer }: BenchLine): number | undefined =>
  peer === undefined ? undefined : ours / peer;

/** Returns the goal as text, or undefined for a line without a goal. */
export function goalOf({ atMost, ratioAtMost, ratioAtLeast }: BenchLine): string | undefined {
  if (atMost !== undefined) return `<= ${atMost.toLocaleString('en')}`;
  if (ratioAtMost !== undefined) return `ratio <= ${ratioAtMost}`;
  return ratioAtLeast === undefined ? undefined : `ratio >= ${ratioAtLeast}`;
}

/** Returns whether the line meets its goal, or undefined without a goal or its peer. */
export function isMet(line: BenchLine): boolean | undefined {
  const { ours, atMost, ratioAtMost, ratioAtLeast } = line;
  const ratio = ratioOf(line);
  if (atMost !== undefined) return ours <= atMost;
  if (ratio === undefined) return undefined;
  if (ratioAtMost !== undefined) return ratio <= ratioAtMost;
  return ratioAtLeast === undefined ? undefined : ratio >= ratioAtLeast;
}
