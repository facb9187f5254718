import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { readTrial } from '../../../core/batch/trial/readTrial';
import type { Trial } from '../../../core/batch/trial/readTrial';
import { readLine } from '../../../core/batch/readLine';
import { textsOf } from '../../../core/tokens/estimate';
import { UserError } from '../../../platform/errors/userError';
import { createQuickPick } from '../../../platform/notify';
import { foldText } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';
import { numberText } from '../../../platform/displayText';

/** Number of a line's errors to report. */
const mostNamed = 3;

/** A line that can be tried, as it was when it was read. */
export interface TriedLine {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  readonly file: string;
  readonly trial: Trial & { readonly model: string };
}

/** Reads a line from the editor, including unsaved edits. Throws `UserError` with the reason if it cannot be tried. */
export async function readTriedLine(uri: vscode.Uri, line: number): Promise<TriedLine> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (line >= document.lineCount) throw lineNotFound();
  const trial = readTrial(document.lineAt(line).text);
  if ('errors' in trial) {
    throw new UserError(
      l10n.t("Can't test line {0}", numberText(line + 1, vscode.env.language)),
      sentences(...trial.errors.slice(0, mostNamed).map(({ message }) => message)),
    );
  }
  const { model } = trial;
  if (model === undefined) {
    throw new UserError(
      l10n.t("Line {0} doesn't specify a model", numberText(line + 1, vscode.env.language)),
      l10n.t('Add "model" to the body first.'),
    );
  }
  return { uri, line, file: path.posix.basename(uri.path), trial: { ...trial, model } };
}

/** Returns the line's current position, since lines above may have been inserted or removed. Throws if it no longer exists. */
export async function findAgain({ uri, line, trial }: TriedLine): Promise<number> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { customId } = trial;
  const isSame = (at: number) => {
    const { text } = document.lineAt(at);
    return customId === undefined || readLine(text).customId?.value === customId;
  };
  if (line < document.lineCount && isSame(line)) return line;
  const quoted = JSON.stringify(customId);
  for (let at = 0; at < document.lineCount; at++) {
    if (document.lineAt(at).text.includes(quoted) && isSame(at)) return at;
  }
  throw lineNotFound();
}

/** The error for a line that cannot be found in its file. */
export function lineNotFound(): UserError {
  return new UserError(l10n.t('The line no longer exists'), l10n.t('The line or its custom_id has changed.'));
}

/** Nobody would read a longer list, and typing finds the other lines. */
const mostOffered = 200;
/** Characters of a request's last text shown in the list. */
const shownChars = 80;

interface LineItem extends vscode.QuickPickItem {
  readonly line: number;
}

/**
 * Asks for one of a batch file's lines: by its number, by text in it, or from the list, which begins with the cursor's line.
 * Resolves to the line, from 0; `undefined` if the user cancels.
 */
export async function chooseLine(document: vscode.TextDocument, cursorLine: number): Promise<number | undefined> {
  const pick = createQuickPick<LineItem>();
  pick.title = l10n.t('Test Request');
  pick.placeholder = l10n.t('Line number or text, for example: 12');
  const list = () => (pick.items = [...found(document, pick.value, cursorLine)]);
  list();
  pick.onDidChangeValue(list);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      // A fast typist accepts before the list is updated, so the typed text decides.
      const offered = [...found(document, pick.value, cursorLine)];
      const [active] = pick.activeItems;
      resolve((offered.find(({ line }) => line === active?.line) ?? offered[0])?.line);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function* found(document: vscode.TextDocument, typed: string, cursorLine: number): Iterable<LineItem> {
  const chosen = typed === '' ? cursorLine : /^\d+$/.test(typed) ? Number(typed) - 1 : -1;
  const first = chosen >= 0 && chosen < document.lineCount ? itemOf(document, chosen) : undefined;
  if (first) yield first;
  const words = foldText(typed);
  let offered = 0;
  for (let line = 0; line < document.lineCount && offered < mostOffered; line++) {
    if (line === chosen || !foldText(document.lineAt(line).text).includes(words)) continue;
    const item = itemOf(document, line);
    if (!item) continue;
    offered++;
    yield item;
  }
}

/** `undefined` for a blank line. */
function itemOf(document: vscode.TextDocument, line: number): LineItem | undefined {
  const { text } = document.lineAt(line);
  const { isBlank, customId, model } = readLine(text);
  if (isBlank) return undefined;
  const number = l10n.t('Line {0}', numberText(line + 1, vscode.env.language));
  return {
    line,
    label: customId?.value ?? number,
    description: [customId && number, model?.value].filter(Boolean).join(' · '),
    detail: lastText(text),
    // The typed text was already searched for in the whole line.
    alwaysShow: true,
  };
}

/** The beginning of the request's last text as a single line; for a line that cannot be tried, the beginning of the line. */
function lastText(line: string): string {
  const trial = readTrial(line);
  const text = 'body' in trial ? [...textsOf(trial.body['messages'])].at(-1) : undefined;
  return (text ?? line).slice(0, shownChars).replaceAll(/\s+/g, ' ');
}
