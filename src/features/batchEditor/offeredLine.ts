import type * as vscode from 'vscode';
import { readLine } from '../../core/batch/readLine';

/** A line as it stood when something was offered for it: what is shown above it may be clicked after it moved. */
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

/** Where it stands now, also when it was edited but kept its id. `undefined`: it is there no more. */
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
