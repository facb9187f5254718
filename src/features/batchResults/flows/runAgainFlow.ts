import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgainChanges, AgainRows } from '../../../core/batch/results/runAgain';
import type { ResultsView } from '../../../core/batch/results/resultsView';
import type { TruncatedAdvice } from '../../../core/batch/results/retryChanges';
import { modelsForJob } from '../../../core/catalogue/jobs';
import { foreign } from '../../../core/text/foreignText';
import { runCommand } from '../../../platform/contributions';
import { numberText, shortened } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { askPick, askText, type PickItem } from '../../../platform/quickInput';
import { besideOf, freePath } from '../../../platform/workspace/writeTarget';
import { showWritten, withWriting } from '../../../platform/workspace/written';
import type { Services } from '../../../services/services';
import type { OpenRun } from '../run/openRuns';
import type { RunLinks } from '../run/runLinks';
import { askAnswerTokens } from './retryFlow';

/**
 * Asks which requests of a run to send again and what to change in them, writes them to a new batch file next to the one of the run, and
 * submits or runs that. When the new run ends, it is compared with this one. Throws localized errors.
 */
export async function runAgain(
  services: Services,
  { run, reading }: OpenRun,
  { view, links }: { readonly view: ResultsView; readonly links: RunLinks },
): Promise<void> {
  const summary = await reading.load(false, () => undefined);
  const { input } = run.state;
  if (!summary || input === undefined || summary.input?.problem !== undefined) throw withoutRequests();
  await reading.call('arrange', view);
  const { counts } = await reading.call('countAgain', {});
  const which = await askRows(counts, isFiltered(view));
  if (which === undefined) return;
  // Reading thousands of responses takes a moment.
  const advice =
    summary.truncated > 0
      ? await withWriting(l10n.t('Checking token limits'), 1, ({ signal, onProgress }) =>
          reading.call('againAdvice', { which }, { signal, onChunk: ({ part }) => onProgress(part) }),
        )
      : undefined;
  const answer = await askChanges(services, {
    count: counts[which] ?? 0,
    truncated: advice?.truncated,
    asksLimit: which === 'truncated',
  });
  if (!answer) return;
  const { changes, next } = answer;
  const target = await freePath(besideOf(input, suffixOf(changes, which)));
  const title = l10n.t('Writing {0}', foreign(path.basename(target)));
  const { bytes, sha256 } = await withWriting(title, 1, ({ signal, onProgress }) =>
    reading.call(
      'runAgain',
      { which, changes, target, replace: false },
      { signal, onChunk: ({ part }) => onProgress(part) },
    ),
  );
  await links.add(target, { of: run.target, sha256 });
  await showWritten(target, bytes);
  if (next === 'file') return;
  const command = next === 'submit' ? 'inferenceDesk.batches.submit' : 'inferenceDesk.batchFile.runLocally';
  await runCommand(command, vscode.Uri.file(target));
}

function isFiltered({ state, query, group, isUnexpected }: ResultsView): boolean {
  return state !== 'all' || query !== '' || group !== undefined || isUnexpected === true;
}

async function askRows(
  counts: Readonly<Partial<Record<AgainRows, number>>>,
  hasFilter: boolean,
): Promise<AgainRows | undefined> {
  const labels: Readonly<Record<AgainRows, string>> = {
    all: l10n.t('All requests'),
    shown: l10n.t('Rows shown'),
    changed: l10n.t('Changed requests'),
    unanswered: l10n.t('Requests without a response'),
    truncated: l10n.t('Truncated responses'),
    unexpected: l10n.t('Unexpected responses'),
  };
  const order = ['all', 'shown', 'changed', 'unanswered', 'truncated', 'unexpected'] as const;
  const offered = order.filter((which) => counts[which] !== undefined && (which !== 'shown' || hasFilter));
  if (offered.length === 0) throw withoutRequests();
  const answer = await askPick<AgainRows>({
    title: title(),
    placeholder: l10n.t('Select requests'),
    canGoBack: false,
    items: offered.map((which) => ({
      label: labels[which],
      description: number(counts[which] ?? 0),
      ...(which === 'changed' && { detail: l10n.t('Lines added or edited in the batch file since this run') }),
      value: which,
    })),
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

type Next = 'submit' | 'now' | 'file';
type Step = Next | 'model' | 'system' | 'parameter' | 'limit';

interface Asked {
  /** Requests that run again. */
  readonly count: number;
  readonly truncated: TruncatedAdvice | undefined;
  /** Whether the limit is asked for first, because only truncated responses run again. */
  readonly asksLimit: boolean;
}

/** Asks for changes until the user chooses what to do with the file. Returns `undefined` if the user cancels. */
async function askChanges(
  services: Services,
  { count, truncated, asksLimit }: Asked,
): Promise<{ readonly changes: AgainChanges; readonly next: Next } | undefined> {
  let changes: AgainChanges = {};
  if (truncated && asksLimit) {
    const first = await withLimit(services, changes, truncated);
    if (!first) return undefined;
    changes = first;
  }
  for (;;) {
    const answer = await askPick<Step>({
      title: title(),
      placeholder:
        count === 1
          ? l10n.t('Select what to change in 1 request.')
          : l10n.t('Select what to change in {0} requests.', number(count)),
      canGoBack: false,
      items: stepsOf(changes, truncated),
    });
    if (answer.kind !== 'value') return undefined;
    switch (answer.value) {
      case 'submit':
      case 'now':
      case 'file':
        return { changes, next: answer.value };
      case 'model':
        changes = await withModel(services, changes);
        break;
      case 'system':
        changes = await withSystem(changes);
        break;
      case 'parameter':
        changes = await withParameter(changes);
        break;
      case 'limit':
        changes = (truncated && (await withLimit(services, changes, truncated))) ?? changes;
        break;
    }
  }
}

function stepsOf(
  { model, system, parameters = {}, answerTokens }: AgainChanges,
  truncated: TruncatedAdvice | undefined,
): readonly PickItem<Step>[] {
  const same = l10n.t('unchanged');
  const changed = Object.entries(parameters).map(([name, value]) => (value === null ? `−${name}` : `${name}=${value}`));
  return [
    { label: l10n.t('Submit Batch…'), iconPath: new vscode.ThemeIcon('cloud-upload'), value: 'submit' },
    { label: l10n.t('Run Now…'), iconPath: new vscode.ThemeIcon('play'), value: 'now' },
    { label: l10n.t('Create File'), iconPath: new vscode.ThemeIcon('new-file'), value: 'file' },
    { label: l10n.t('Change'), kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('Model'), description: model === undefined ? same : foreign(model), value: 'model' },
    {
      label: l10n.t('System prompt'),
      description: system === undefined ? same : system === '' ? l10n.t('none') : shortened(system, 70),
      value: 'system',
    },
    { label: l10n.t('Parameter'), description: changed.join(' · ') || same, value: 'parameter' },
    ...(truncated
      ? [
          {
            label: l10n.t('Token limit'),
            description: answerTokens === undefined ? same : number(answerTokens),
            detail: l10n.t('Truncated responses: {0}', number(truncated.count)),
            value: 'limit' as const,
          },
        ]
      : []),
  ];
}

/** Returns `undefined` if the user cancels. */
async function withLimit(
  services: Services,
  changes: AgainChanges,
  truncated: TruncatedAdvice,
): Promise<AgainChanges | undefined> {
  const { model } = changes;
  const advice = model === undefined ? truncated : { ...truncated, models: [model] };
  const answer = await askAnswerTokens(services.models, advice, {
    title: title(),
    raise: (tokens) => l10n.t('Allow Up to {0} Tokens', number(tokens)),
    keep: l10n.t('Keep Token Limit'),
  });
  if (answer === undefined) return undefined;
  const { answerTokens: _, ...others } = changes;
  return answer === 'unchanged' ? others : { ...others, answerTokens: answer };
}

async function withModel({ models: listed }: Services, changes: AgainChanges): Promise<AgainChanges> {
  const models = modelsForJob('chat', (await listed.listed()).models).map(({ id }) => id);
  const other = { label: l10n.t('Other Model…'), value: '' };
  const chosen = await askPick<string>({
    title: title(),
    placeholder: l10n.t('Select a model'),
    canGoBack: true,
    canFilter: true,
    items: [...models.map((id) => ({ label: id, value: id })), other],
  });
  if (chosen.kind !== 'value') return changes;
  if (chosen.value !== '') return { ...changes, model: chosen.value };
  const check = (id: string) => (id.trim() === '' ? l10n.t('Enter a model ID.') : undefined);
  const typed = await askText({
    title: title(),
    prompt: l10n.t('Model ID for all requests'),
    value: changes.model ?? '',
    canGoBack: true,
    check,
  });
  return typed.kind === 'value' ? { ...changes, model: typed.value.trim() } : changes;
}

async function withSystem(changes: AgainChanges): Promise<AgainChanges> {
  const typed = await askText({
    title: title(),
    prompt: l10n.t('System prompt of all requests. Leave empty to remove it. Line break: \\n.'),
    value: (changes.system ?? '').replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`),
    canGoBack: true,
    check: () => undefined,
  });
  if (typed.kind !== 'value') return changes;
  const system = typed.value.replaceAll(/\\(n|\\)/g, (_all, what: string) => (what === 'n' ? '\n' : '\\')).trim();
  return { ...changes, system };
}

const parameterPattern = /^\s*([\w.-]+)\s*=\s*(.*)$/s;

async function withParameter(changes: AgainChanges): Promise<AgainChanges> {
  const typed = await askText({
    title: title(),
    prompt: l10n.t('Parameter, such as temperature=0.2. To remove it, leave the value empty.'),
    value: '',
    canGoBack: true,
    check: (text) =>
      parameterPattern.test(text) ? undefined : l10n.t('Enter a name and a value, such as temperature=0.2.'),
  });
  const [, name, value = ''] = (typed.kind === 'value' ? parameterPattern.exec(typed.value) : null) ?? [];
  if (name === undefined) return changes;
  const written = value.trim() === '' ? null : asJson(value.trim());
  return { ...changes, parameters: { ...changes.parameters, [name]: written } };
}

/** A value that isn't JSON is a text. */
function asJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return JSON.stringify(value);
  }
}

/** Becomes part of the new file's name. */
function suffixOf({ model }: AgainChanges, which: AgainRows): string {
  const name = model
    ?.split('/')
    .at(-1)
    ?.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
    .slice(0, 40);
  return name || (which === 'all' || which === 'shown' ? 'again' : which);
}

function title(): string {
  return l10n.t('Run Again With Changes');
}

function number(value: number): string {
  return numberText(value, vscode.env.language);
}

function withoutRequests(): UserError {
  return new UserError(l10n.t('Requests not found'), l10n.t('Link the batch file, then try again.'), [
    { id: 'findInput', label: l10n.t('Find Input File…') },
  ]);
}
