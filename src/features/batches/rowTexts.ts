import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { env } from 'vscode';
import type { BatchRow } from '../../services/batches/batches';
import { runCommand } from '../../platform/contributions';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { nameWords, stateWords } from './rowWords';
import { foreign } from '../../core/text/foreignText';
import { faultText } from '../../services/batches/batchMessages';

/** VS Code doesn't expose larger documents to extensions. The preview has no limit. */
const mostBytesOpened = 50_000_000;

/** Opens a batch's input: the linked file, else the local file that was uploaded, else the service's copy. */
export async function openInput(row: BatchRow, { account, uploads, contents }: Services): Promise<void> {
  const { batch, job } = row;
  const linked = job?.input?.path;
  if (linked !== undefined && (await openFile(linked))) return;
  const fileId = batch?.inputFileId ?? job?.inputFileId;
  const { profile: active } = account.current;
  const upload =
    fileId && active
      ? await (await uploads()).byFile({ profileId: active.id, baseUrl: active.baseUrl }, fileId)
      : undefined;
  if (upload && (await sizeOf(upload.path)) === upload.bytes && (await openFile(upload.path))) return;
  if (fileId) return (await contents()).open({ file: fileId, name: batch?.fileName ?? `${fileId}.jsonl` });
  throw new UserError(
    l10n.t("Couldn't find the input file for {0}", foreign(nameWords(row))),
    linked === undefined
      ? l10n.t("This batch isn't linked to a batch file. If you have it, link it.")
      : l10n.t('{0} has been moved or deleted. Link the file again.', linked),
  );
}

/** Resolves to false if the file does not exist. */
async function openFile(path: string): Promise<boolean> {
  const bytes = await sizeOf(path);
  if (bytes === undefined) return false;
  const uri = vscode.Uri.file(path);
  if (bytes > mostBytesOpened) await runCommand('inferenceDesk.batchFile.preview', uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
  return true;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  );
}

/** Opens the errors the service reports for a batch. */
export async function showErrors(row: BatchRow, { contents }: Services): Promise<void> {
  await (await contents()).show(`${nameWords(row)}.txt`, errorsText(row));
}

/** Formats the service's own error messages as a document. */
function errorsText(row: BatchRow): string {
  const { batch } = row;
  const errors = (batch?.errors ?? []).map((fault) => faultText(fault, env.language));
  const head = [nameWords(row), batch?.id ?? '', l10n.t('Status: {0}', stateWords(row))].filter(Boolean);
  return `${[...head, '', l10n.t('The service reports:'), '', ...errors].join('\n')}\n`;
}
