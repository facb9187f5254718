import { setTimeout as wait } from 'node:timers/promises';

/** The editor APIs needed here. */
export interface TerminalAccess {
  readonly clipboard: {
    readText(): PromiseLike<string>;
    writeText(text: string): PromiseLike<void>;
  };
  /** The terminal's own copy command; it does not report when the text has arrived. */
  readonly copySelection: () => PromiseLike<unknown>;
}

/** The command finishes before the text is in the clipboard. If nothing is selected, no text arrives. */
const tries = 10;
const betweenTriesMs = 30;

/** A text nobody would copy; placed in the clipboard while waiting for the selection. */
const nothingYet = '\u2063inference-desk\u2063';

/** Returns the selected text, or an empty string. The clipboard is restored afterward. */
export async function selectionByClipboard({ clipboard, copySelection }: TerminalAccess): Promise<string> {
  const before = await clipboard.readText();
  // Non-text content, such as an image, reads as empty and could not be restored, so it is left until a selection arrives.
  const mark = before === '' ? '' : nothingYet;
  let isTaken = mark !== '';
  try {
    if (isTaken) await clipboard.writeText(mark);
    await copySelection();
    for (let left = tries; left > 0; left--) {
      const text = await clipboard.readText();
      isTaken ||= text !== mark;
      if (text !== mark) return text;
      await wait(betweenTriesMs);
    }
    return '';
  } finally {
    if (isTaken) await clipboard.writeText(before);
  }
}
