/** One measured figure. A bench file `test/bench/<name>.bench.ts` exports `run(): Promise<readonly BenchLine[]>`. */
export interface BenchLine {
  readonly name: string;
  readonly ours: number;
  readonly unit: string;
  /** The same work by a peer: another library, or the plain way. */
  readonly peer?: number;
  readonly peerName?: string;
  /** What `ours` is to reach, in its unit. */
  readonly atMost?: number;
  /** What `ours / peer` is to reach. */
  readonly ratioAtMost?: number;
  readonly ratioAtLeast?: number;
  /** What the work takes at 1, 10 and 100 times the size, where `ours` is the exponent of its growth. */
  readonly growth?: readonly number[];
  /** The task in a few words, for the lines that the README shows. */
  readonly title?: string;
}

/** `ours / peer`: below 1 is better where less is better. */
export const ratioOf = ({ ours, peer }: BenchLine): number | undefined =>
  peer === undefined ? undefined : ours / peer;

/** The goal in words; undefined for a line that has none. */
export function goalOf({ atMost, ratioAtMost, ratioAtLeast }: BenchLine): string | undefined {
  if (atMost !== undefined) return `<= ${atMost.toLocaleString('en')}`;
  if (ratioAtMost !== undefined) return `ratio <= ${ratioAtMost}`;
  return ratioAtLeast === undefined ? undefined : `ratio >= ${ratioAtLeast}`;
}

/** Whether the line reaches its goal; undefined where it has none, or no peer to be held against. */
export function isMet(line: BenchLine): boolean | undefined {
  const { ours, atMost, ratioAtMost, ratioAtLeast } = line;
  const ratio = ratioOf(line);
  if (atMost !== undefined) return ours <= atMost;
  if (ratio === undefined) return undefined;
  if (ratioAtMost !== undefined) return ratio <= ratioAtMost;
  return ratioAtLeast === undefined ? undefined : ratio >= ratioAtLeast;
}
