/** One piece of an event stream, before encoding. `raw` is sent as it is. */
export interface Frame {
  readonly event?: string;
  readonly data?: string;
  readonly comment?: string;
  readonly raw?: string;
  /** How the stream ends here if it misbehaves: it hangs, or the connection breaks. */
  readonly ending?: 'hang' | 'break';
}

export type Frames = AsyncIterable<Frame>;

export const jsonFrame = (value: unknown, event?: string): Frame => ({
  data: JSON.stringify(value),
  ...(event === undefined ? {} : { event }),
});

export const doneFrame: Frame = { data: '[DONE]' };

/** Returns the text of a frame, including its blank line. */
export function frameText(frame: Frame, lineEnd: '\n' | '\r\n'): string {
  if (frame.raw !== undefined) return frame.raw;
  const lines = [
    ...(frame.comment === undefined ? [] : [`: ${frame.comment}`]),
    ...(frame.event === undefined ? [] : [`event: ${frame.event}`]),
    ...(frame.data === undefined ? [] : [`data: ${frame.data}`]),
  ];
  return lines.length === 0 ? '' : [...lines, '', ''].join(lineEnd);
}

/** Cuts a stream's bytes at awkward positions: anywhere, even inside a line or a character. */
export function createCutter(random: () => number): { cut(bytes: Buffer): Buffer[]; rest(): Buffer } {
  let held = Buffer.alloc(0);
  return {
    cut(bytes) {
      const all = Buffer.concat([held, bytes]);
      const end = all.length - Math.floor(random() * Math.min(6, all.length));
      const middle = Math.floor(random() * end);
      held = all.subarray(end);
      return [all.subarray(0, middle), all.subarray(middle, end)].filter((piece) => piece.length > 0);
    },
    rest() {
      const last = held;
      held = Buffer.alloc(0);
      return last;
    },
  };
}
