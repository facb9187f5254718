import { setTimeout as wait } from 'node:timers/promises';

/** The parts of the editor this needs. */
export interface TerminalAccess {
  readonly clipboard: {
    readText(): PromiseLike<string>;
    writeText(text: string): PromiseLike<void>;
  };
  /** The terminal's own command; it says nothing of when the text has arrived. */
  readonly copySelection: () => PromiseLike<unknown>;
}

/** The command ends before the text is in the clipboard. Where nothing is selected none comes. */
const tries = 10;
const betweenTriesMs = 30;

/** No person copies this; it stands in the clipboard for the moment in which the selection is awaited. */
const nothingYet = '\u2063inference-desk\u2063';

/** The selected text, empty for none. The clipboard is afterwards as it was before. */
export async function selectionByClipboard({ clipboard, copySelection }: TerminalAccess): Promise<string> {
  const before = await clipboard.readText();
  // What is no text, a picture for instance, reads as empty and could not be put back: it stays until a selection comes.
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
