import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { AgentToolName } from '../../core/agentTools/toolNames';
import { sampleBatchFile } from '../../core/batch/job/estimateFileTokens';
import { foreign } from '../../core/text/foreignText';
import { bytesText, numberText } from '../../platform/displayText';
import type { Asked, Input } from './confirmedRequests';
import type { ToolServices } from './host/toolServices';
import { listText } from '../../protocol/formats';
import { markdown, showMessage } from '../../platform/notify';

/** What the person is asked before something is charged. */
export interface Question {
  readonly title: string;
  /** What it is, with which model, on which account; each is a separate line. */
  readonly facts: readonly string[];
}

const longestPrompt = 400;
const mostModels = 5;

export async function questionOf(
  name: AgentToolName,
  input: Input,
  asked: Asked,
  services: ToolServices,
): Promise<Question> {
  const account = accountWords(asked, services);
  if (name === 'inferenceDesk_submitBatch') {
    const paid = l10n.t('Every answer is paid for at the price of its model, from the balance of {0}.', account);
    return { title: l10n.t('Submit a batch?'), facts: [...(await batchWords(input, asked)), paid] };
  }
  const [prompt, size, picture] = [input['prompt'], input['size'], input['picture']];
  return {
    title: name === 'inferenceDesk_submitVideo' ? l10n.t('Order a video?') : l10n.t('Generate a picture?'),
    facts: [
      ...(typeof prompt === 'string' ? [`“${foreign(prompt, longestPrompt)}”`] : []),
      ...(asked.model === undefined ? [] : [l10n.t('Model: {0}.', foreign(asked.model))]),
      ...(typeof size === 'string' ? [l10n.t('Size: {0}.', foreign(size))] : []),
      ...(typeof picture === 'string' ? [l10n.t('The picture {0} is sent along.', foreign(picture))] : []),
      l10n.t('It is paid for at the price of the model, from the balance of {0}.', account),
    ],
  };
}

/** Text written by a model is escaped: no links, no images. */
export function toConfirmation({ title, facts }: Question): vscode.LanguageModelToolConfirmationMessages {
  return { title, message: markdown`${facts.join('\n')}` };
}

/** Shows a modal dialog. Resolves to whether the person agrees. */
export async function askByDialog({ title, facts }: Question): Promise<boolean> {
  const agree = l10n.t('Order and Pay');
  const options = { modal: true, detail: facts.join('\n\n') };
  return (await showMessage('warning', title, options, agree)) === agree;
}

/** Returns the profile's name, with its balance if known. */
function accountWords({ profile }: Asked, { account, profiles }: ToolServices): string {
  const { state } = account;
  const isKnown = state.status === 'ready' && profiles.active?.id === profile?.id;
  const balance = isKnown ? state.reading.info.totalBalance : undefined;
  const name = profile?.name ?? l10n.t('the active profile');
  return balance === undefined ? name : l10n.t('{0} (now {1})', name, balance);
}

async function batchWords(input: Input, { model, file }: Asked): Promise<readonly string[]> {
  const name = foreign(file?.given ?? '');
  const window = typeof input['completionWindow'] === 'string' ? input['completionWindow'] : '24h';
  // A file that cannot be read is not sent either.
  const { size, models } = await contentWords(file?.uri).catch(() => ({ size: undefined, models: [] }));
  return [
    size === undefined ? l10n.t('File: {0}.', name) : l10n.t('File: {0}, {1}.', name, size),
    ...(model === undefined ? models : [l10n.t('Model for all requests: {0}.', foreign(model))]),
    l10n.t('To be done within {0}.', window),
  ];
}

interface ContentWords {
  readonly size: string | undefined;
  readonly models: readonly string[];
}

async function contentWords(uri: vscode.Uri | undefined): Promise<ContentWords> {
  if (uri?.scheme !== 'file') return { size: undefined, models: [] };
  const { language } = vscode.env;
  const { bytes, tokens, models, isWhole } = await sampleBatchFile(uri.fsPath);
  const size = bytesText(bytes, language);
  const shown = models.slice(0, mostModels).map((id) => foreign(id));
  const more = models.length - shown.length;
  const list = listText([...shown, more > 0 && l10n.t('{0} more', numberText(more, language))], language);
  const told = isWhole
    ? l10n.t('Models of its requests: {0}.', list)
    : l10n.t('Models of its first requests: {0}. The others were not looked at.', list);
  return {
    size:
      tokens === undefined ? size : l10n.t('{0}, about {1} tokens of questions', size, numberText(tokens, language)),
    models: list === '' ? [] : [told],
  };
}
