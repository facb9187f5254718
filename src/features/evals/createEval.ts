import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { mostRowBytes } from '../../core/evals/evalConfig';
import { newEval, rowsName } from '../../core/evals/formats/newEval';
import { writeAtomic } from '../../core/storage/atomicFile';
import { UserError } from '../../platform/errors/userError';

const title = () => l10n.t("Couldn't create the eval");
const sourceFile = /\.(?:jsonl|csv|desk\.md)$/i;
const ending = '.promptfooconfig.yaml';

/**
 * Writes an eval file, and its rows if they are new, next to a batch file, a table, or a prompt file. `model` is used if the source names
 * none. Never replaces a file. Resolves with the eval file, which is open.
 */
export async function createEval(argument: unknown, model: string | undefined): Promise<vscode.Uri> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== 'file' || !sourceFile.test(uri.path))
    throw new UserError(title(), l10n.t('Open a batch file, a CSV file, or a prompt file that is saved on disk.'));
  const name = basename(uri.fsPath);
  const made = newEval({ name, text: await textOf(uri), model });
  if (typeof made === 'string') throw new UserError(title(), made);
  const base = join(dirname(uri.fsPath), name.replace(sourceFile, ''));
  for (let number = 1; ; number++) {
    const path = number === 1 ? base : `${base}-${number}`;
    const { config, rows } = made;
    // An eval file whose rows were deleted must not get those of another.
    if (await isThere(`${path}${ending}`)) continue;
    try {
      // The rows first: without them, the eval file would have an error.
      if (rows) await write(`${path}${rows.ending}`, rows.text);
      const text = rows ? config.replace(`file://${rowsName}`, () => `file://${basename(path)}${rows.ending}`) : config;
      await write(`${path}${ending}`, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    const file = vscode.Uri.file(`${path}${ending}`);
    await vscode.window.showTextDocument(file);
    return file;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function write(path: string, text: string): Promise<void> {
  return writeAtomic(path, text, { isPrivate: false, replace: false });
}

/** The text in an editor with unsaved changes, or else that on disk. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) return open.getText();
  const { size } = await stat(uri.fsPath);
  if (size > mostRowBytes)
    throw new UserError(title(), l10n.t('The file is too large. The limit is {0} MB.', mostRowBytes / 1_000_000));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
