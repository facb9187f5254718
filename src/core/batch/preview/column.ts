/** The bits of a line number that are the index within a block. */
const blockBits = 16;
const blockLines = 1 << blockBits;
const withinBlock = blockLines - 1;

type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** One number per line. Grows by blocks, so that growing copies nothing and leaves nothing behind. */
export class Column {
  private readonly blocks: Numbers[] = [];

  constructor(private readonly newBlock: (length: number) => Numbers) {}

  /** Returns 0 if nothing was set. */
  get(line: number): number {
    return this.blocks[line >>> blockBits]?.[line & withinBlock] ?? 0;
  }

  set(line: number, value: number): void {
    const at = line >>> blockBits;
    while (this.blocks.length <= at) this.blocks.push(this.newBlock(blockLines));
    this.blocks[at]![line & withinBlock] = value;
  }
}
