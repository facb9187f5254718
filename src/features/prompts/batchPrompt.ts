import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { isMakingError } from '../../core/batch/making/makingError';
import { openRows } from '../../core/batch/making/openRows';
import { freeCustomId } from '../../core/conversation/export/appendLine';
import { toBatchLine } from '../../core/conversation/export/batchLine';
import { ownValues } from '../../core/prompts/fillPrompt';
import type { Prompt } from '../../core/prompts/prompt';
import { promptRequest } from '../../core/prompts/promptRequest';
import { appendBatchLine } from '../../services/batches/appendBatchLine';
import { runCommand } from '../../platform/contributions';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import type { RowsPrompt } from '../../services/batches/rowsPrompt';
import { UserError } from '../../platform/errors/userError';
import { preparePrompt, promptName, usablePrompt, valuesFor } from './preparePrompt';
import type { PreparedParts } from './preparePrompt';
import { modelOf } from './runPrompt';

/** Adds a prompt's request to a batch file that the person chooses. Nothing is sent. */
export async function addPromptLine(
  document: vscode.TextDocument,
  parts: PreparedParts,
  catalogue: ModelCatalogue,
): Promise<void> {
  refusePrefill(usablePrompt(document, parts.readings));
  const prepared = await preparePrompt(document, parts);
  if (!prepared) return;
  const model = await modelOf(prepared.prompt, catalogue);
  if (model === undefined) {
    throw new UserError(
      l10n.t('No model is known'),
      l10n.t('Write model: and the id of one at the top of the prompt file, or sign in.'),
    );
  }
  const request = promptRequest(prepared.filled, model);
  await appendBatchLine((content) => toBatchLine(request, freeCustomId(content, idName(document.uri))), parts.settings);
}

/** Creates a batch file from a prompt and the rows of a file that the person chooses. Its columns override variables of the same name. */
export async function newFromPromptRows(
  document: vscode.TextDocument,
  parts: PreparedParts,
  catalogue: ModelCatalogue,
): Promise<void> {
  const prompt = usablePrompt(document, parts.readings);
  refusePrefill(prompt);
  const [rows] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Rows for {0}', promptName(document.uri)),
      filters: { [l10n.t('Tables and JSON')]: ['csv', 'tsv', 'tab', 'json', 'jsonl', 'ndjson'] },
    })) ?? [];
  if (!rows) return;
  const values = await valuesFor(document, prompt, parts, await columnsOf(rows));
  if (!values) return;
  const model = await modelOf(prompt, catalogue);
  const { stop_sequences: stop, ...parameters } = prompt.parameters;
  const start: RowsPrompt = {
    prompt: prompt.text,
    system: prompt.system,
    ...(model !== undefined && { model }),
    parameters: { ...parameters, ...(stop && { stop }) },
    constants: Object.fromEntries([...ownValues(prompt.variables), ...values]),
  };
  await runCommand('inferenceDesk.batchFile.newFromRows', rows, start);
}

/** The service refuses a line whose last message is not from the user. */
function refusePrefill({ parameters }: Prompt): void {
  if (!parameters.prefill) return;
  throw new UserError(
    l10n.t('A batch cannot begin the answer'),
    l10n.t('The last message of each request must be the user\'s. Remove "prefill" from the prompt file.'),
  );
}

async function columnsOf(rows: vscode.Uri): Promise<readonly string[]> {
  try {
    return (await openRows(rows.fsPath)).columns;
  } catch (error) {
    if (isMakingError(error)) throw new UserError(l10n.t('The file was not made'), error.message);
    throw error;
  }
}

/** Returns the file name with only the characters of ids: letters, digits and hyphens. */
function idName(uri: vscode.Uri): string {
  return (
    promptName(uri)
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-') ?? 'prompt'
  );
}
