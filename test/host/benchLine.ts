/** One measured figure. A bench file `test/bench/<name>.bench.ts` exports `run(): Promise<readonly BenchLine[]>`. */
export interface BenchLine {
  readonly name: string;
  readonly ours: number;
  /** The same work by a peer: another library, or the plain way. */
  readonly peer?: number;
  readonly peerName?: string;
  /** `ours / peer`: below 1 is better where less is better. */
  readonly ratio?: number;
  readonly unit: string;
  /** The figure to reach, in words, e.g. `<= 15`. */
  readonly goal?: string;
  readonly met?: boolean;
}
