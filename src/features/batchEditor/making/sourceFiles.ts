import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import { nameOrder } from '../../../protocol/formats';
import { foreign } from '../../../core/text/foreignText';

interface SourceOptions {
  readonly title: string;
  /** File extensions without dots, by their label in the dialog. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Whether the file in the active editor can be the source if its extension matches. Without it, any such file can. */
  readonly takesActive?: (document: vscode.TextDocument) => boolean;
  /** The file may have unsaved edits, because it isn't read here. */
  readonly takesUnsaved?: boolean;
}

export const jsonLines = { 'JSON Lines': ['jsonl', 'ndjson'] } as const;

/** Returns the file a menu was opened on, else the active editor's file if its extension matches, else the file the user picks. */
export async function sourceFile(argument: unknown, options: SourceOptions): Promise<string | undefined> {
  const uri = asUri(argument) ?? activeFile(options) ?? (await chooseFiles(options, false))?.[0];
  return options.takesUnsaved === true ? uri?.fsPath : uri && onDisk(uri);
}

function activeFile({ filters, takesActive = () => true }: SourceOptions): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document;
  const ending = path.extname(active?.uri.path ?? '').slice(1);
  const fits = active?.uri.scheme === 'file' && Object.values(filters).flat().includes(ending.toLowerCase());
  return fits && takesActive(active) ? active.uri : undefined;
}

/** Returns the menu's selection, or else the files the user picks; a single one is combined with those picked. Sorted by name. */
export async function sourceFiles(
  argument: unknown,
  all: unknown,
  options: SourceOptions,
): Promise<readonly string[] | undefined> {
  const selected = asUris(argument, all);
  const chosen = selected.length < 2 ? await chooseFiles(options, true) : [];
  if (!chosen) return undefined;
  const files = new Set([...selected, ...chosen].map(onDisk));
  return [...files].toSorted(nameOrder(vscode.env.language));
}

/** Extracts the URIs from the arguments of an Explorer menu command. */
export function asUris(argument: unknown, all: unknown): readonly vscode.Uri[] {
  const many = Array.isArray(all) ? all.flatMap((one) => asUri(one) ?? []) : [];
  if (many.length > 0) return many;
  return [argument].flatMap((one) => asUri(one) ?? []);
}

/** Returns the path of a file on disk. Throws `UserError` if it has unsaved edits or is not on disk. */
export function onDisk(uri: vscode.Uri): string {
  if (uri.scheme !== 'file') {
    throw new UserError(
      l10n.t("This file isn't on disk"),
      l10n.t('Save {0} as a file first.', foreign(path.posix.basename(uri.path))),
    );
  }
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (!open?.isDirty) return uri.fsPath;
  throw new UserError(
    l10n.t('Save the file first'),
    l10n.t("{0} has unsaved changes, which aren't used.", foreign(path.basename(uri.fsPath))),
  );
}

function asUri(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : undefined;
}

async function chooseFiles(
  { title, filters }: SourceOptions,
  canSelectMany: boolean,
): Promise<readonly vscode.Uri[] | undefined> {
  const copied = Object.fromEntries(Object.entries(filters).map(([name, endings]) => [name, [...endings]]));
  return vscode.window.showOpenDialog({ title, canSelectMany, filters: copied });
}
