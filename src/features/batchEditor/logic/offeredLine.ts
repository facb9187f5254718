import type * as vscode from 'vscode';
import { readLine } from '../../../core/batch/readLine';

/** A line as it was when an action was offered for it. A lens may be clicked after its line has moved. */
export interface OfferedLine {
  /** From 0. */
  readonly line: number;
  readonly text: string;
}

export function offerLine(document: vscode.TextDocument, line: number): OfferedLine {
  return { line, text: document.lineAt(line).text };
}

export function isOfferedLine(value: unknown): value is OfferedLine {
  const { line, text } = (value ?? {}) as Partial<Record<keyof OfferedLine, unknown>>;
  return typeof line === 'number' && typeof text === 'string';
}

/** Returns the line's current position, even if it was edited but has the same id. `undefined` if the line no longer exists. */
export function lineNow(document: vscode.TextDocument, { line, text }: OfferedLine): number | undefined {
  const same = nearest(document, line, (now) => now === text);
  if (same !== undefined) return same;
  const id = readLine(text).customId?.value;
  if (id === undefined) return line < document.lineCount ? line : undefined;
  const quoted = JSON.stringify(id);
  return nearest(document, line, (now) => now.includes(quoted) && readLine(now).customId?.value === id);
}

function nearest(document: vscode.TextDocument, line: number, isIt: (text: string) => boolean): number | undefined {
  const { lineCount } = document;
  for (let distance = 0; line - distance >= 0 || line + distance < lineCount; distance++) {
    for (const at of [line - distance, line + distance]) {
      if (at >= 0 && at < lineCount && isIt(document.lineAt(at).text)) return at;
    }
  }
  return undefined;
}
