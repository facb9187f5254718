import type { TextLine } from '../textLines';
import type { TextPart } from '../textSplit';

/** Returns each block of lines between blank ones. A blank line within fenced code does not end a block. */
export function paragraphParts(text: string, lines: readonly TextLine[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let open: { readonly start: number; end: number } | undefined;
  const close = (): void => {
    if (open) parts.push({ ...open, text: text.slice(open.start, open.end) });
    open = undefined;
  };
  for (const { start, end, isBlank, isFenced } of lines) {
    if (isBlank && !isFenced) {
      close();
      continue;
    }
    open ??= { start, end };
    open.end = end;
  }
  close();
  return parts;
}
