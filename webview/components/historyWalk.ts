import { useRef } from 'preact/hooks';

/** The position in the history, newest first; -1 for the typed text. */
interface HistoryWalk {
  readonly at: number;
  readonly typed: string;
}

export const notWalking: HistoryWalk = { at: -1, typed: '' };

/** Returns the text one step older (1) or newer (-1) than the one in the box; `undefined` if there is none. */
export function walkHistory(
  history: readonly string[],
  walk: HistoryWalk,
  step: 1 | -1,
  shown: string,
): { readonly walk: HistoryWalk; readonly text: string } | undefined {
  const typed = walk.at === -1 ? shown : walk.typed;
  let at = walk.at + step;
  while (history[at] !== undefined && history[at] === shown) at += step;
  if (at === -1 && walk.at !== -1) return { walk: notWalking, text: typed };
  const text = history[at];
  return text === undefined ? undefined : { walk: { at, typed }, text };
}

/**
 * Recalls earlier texts of a box with the arrow keys. ArrowUp begins at the start of the text; once the box shows an earlier text, the
 * arrow keys continue through the history until any other key or `leave`.
 */
export function useHistoryWalk(history: () => readonly string[], show: (text: string) => void) {
  const walk = useRef(notWalking);
  return {
    /** Returns whether it handled the key. */
    onArrow(event: KeyboardEvent): boolean {
      const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined;
      if (step === undefined || event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) {
        // A modifier on its own is pressed before a shortcut, which edits nothing.
        if (!['Alt', 'Shift', 'Control', 'Meta'].includes(event.key)) walk.current = notWalking;
        return false;
      }
      const { selectionEnd, value } = event.currentTarget as HTMLTextAreaElement;
      const isAtStart = step === 1 && selectionEnd === 0;
      if (walk.current.at === -1 && !isAtStart) return false;
      const next = walkHistory(history(), walk.current, step, value);
      if (!next) return false;
      event.preventDefault();
      walk.current = next.walk;
      show(next.text);
      return true;
    },
    leave: () => void (walk.current = notWalking),
  };
}
