import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type * as vscode from 'vscode';
import { isUserError } from '../../../platform/errors/userError';
import { isWritable, promptsOf } from '../insertionPoints';
import type { SettingsTarget } from './settingsController';

/** Describes what would be completed in an editor, or why it cannot be. `mostTokens`: limit for the text before a cursor. */
export function targetOf(editor: vscode.TextEditor | undefined, mostTokens: number): SettingsTarget {
  if (!editor) {
    const why = l10n.t('Open a file, and select text or place the cursor after some text.');
    return { name: '', prompt: undefined, obstacles: { insert: why, replace: why, beside: why } };
  }
  const { document, selections } = editor;
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  const name = placeText(document, selected.length > 0 ? selected : selections);
  const asked = attempt(() => promptsOf(editor, 'insert', mostTokens));
  if ('why' in asked) {
    const { why } = asked;
    return { name, prompt: undefined, obstacles: { insert: why, replace: why, beside: why } };
  }
  return { name, prompt: asked.value[0]?.prompt, obstacles: obstaclesOf(editor, mostTokens) };
}

function obstaclesOf(editor: vscode.TextEditor, mostTokens: number): SettingsTarget['obstacles'] {
  if (!isWritable(editor.document)) {
    const why = l10n.t('This document is read-only. You can still open the completion to the side.');
    return { insert: why, replace: why };
  }
  const replaced = attempt(() => promptsOf(editor, 'replace', mostTokens));
  return 'why' in replaced ? { replace: replaced.why } : {};
}

function attempt<Value>(work: () => Value): { readonly value: Value } | { readonly why: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (isUserError(error)) return { why: error.detail };
    throw error;
  }
}

function placeText({ uri, isUntitled }: vscode.TextDocument, selections: readonly vscode.Selection[]): string {
  const file = isUntitled ? uri.path : path.posix.basename(uri.path);
  const [selection] = selections;
  if (!selection) return file;
  if (selections.length > 1) {
    return selection.isEmpty
      ? l10n.t('{0}, text before {1} cursors', file, selections.length)
      : l10n.t('{0}, {1} selections', file, selections.length);
  }
  const { start, end, isEmpty } = selection;
  if (isEmpty) return l10n.t('{0}, text before line {1}, column {2}', file, end.line + 1, end.character + 1);
  // A selection of whole lines ends at the start of the line after them.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return last === start.line
    ? l10n.t('{0}, line {1}', file, last + 1)
    : l10n.t('{0}, lines {1} to {2}', file, start.line + 1, last + 1);
}
