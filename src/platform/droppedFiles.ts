import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from './errors/userError';

const uriList = 'text/uri-list';

/**
 * Returns the dropped files, each once. Throws a `UserError` if something else was dropped: with `noFile` as its message, or with `command`,
 * the name of the command for choosing the file instead.
 */
export async function droppedFiles(
  data: vscode.DataTransfer,
  command: string,
  noFile: string,
): Promise<readonly vscode.Uri[]> {
  const listed = await data.get(uriList)?.asString();
  const uris = (listed ?? '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => parse(line, noFile));
  const files = [...data].map(([, item]) => item.asFile()).filter((file) => file !== undefined);
  const nameless = files.find(({ uri }) => uri === undefined);
  const all = new Map([...uris, ...files.flatMap(({ uri }) => uri ?? [])].map((uri) => [uri.toString(), uri]));
  if (all.size > 0) return [...all.values()];
  throw new UserError(
    l10n.t("Couldn't upload the file"),
    nameless
      ? l10n.t("VS Code doesn't report the location of {0}. To choose it, run {1}.", nameless.name, command)
      : noFile,
  );
}

function parse(text: string, noFile: string): vscode.Uri {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    throw new UserError(l10n.t("Couldn't upload the file"), noFile);
  }
}
