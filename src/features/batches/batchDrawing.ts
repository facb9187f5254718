import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { isUnderWay, readingOf, phasesOf } from '../../core/batch/state/batchState';
import type { BatchReading, BatchPhase } from '../../core/batch/state/batchState';
import { isAwaited } from '../../core/jobs/batch/batchJob';
import { isOver, sourcesOf } from '../../core/jobs/batch/batchState';
import { cancelEffect } from '../../core/jobs/batch/parts';
import { ageWords } from '../../platform/age';
import type { CommandId } from '../../platform/commands';
import { absoluteTimeText, numberText, shortened } from '../../platform/displayText';
import { factsTooltip } from '../../platform/factsTooltip';
import type { Fact } from '../../platform/factsTooltip';
import { treeItem } from '../../platform/notify';
import { listText, durationText } from '../../protocol/formats';
import { labelled } from '../../protocol/sentences';
import { faultText, jobErrorText, progressText, partText } from '../../services/batches/batchMessages';
import type { BatchRow, BatchJob } from '../../services/batches/batches';
import type { RowDrawing } from '../../services/lists/listView';
import { costFacts } from '../../services/usage/costMessages';
import { mergedBatch } from './logic/mergedBatch';
import { deadlineWords, describeRow, modelOf, nameWords, stateWords } from './rowWords';
import { env } from 'vscode';

export const batchDrawing: RowDrawing<BatchRow> = {
  toItem: toBatchItem,
  tooltipOf: batchTooltip,
  detailsOf: batchDetails,
};

type Icon = readonly [icon: string, color?: string];

const readingIcons: Readonly<Record<BatchReading, Icon>> = {
  waiting: ['clock'],
  running: ['sync'],
  done: ['pass', 'testing.iconPassed'],
  partlyDone: ['warning', 'list.warningForeground'],
  allFailed: ['error', 'testing.iconFailed'],
  nothing: ['warning', 'list.warningForeground'],
  failed: ['error', 'testing.iconFailed'],
  ended: ['circle-slash'],
  unknown: ['question'],
};

const stageIcons: Readonly<Record<BatchJob['stage'], Icon>> = {
  preparing: ['loading~spin'],
  submitting: ['loading~spin'],
  queued: ['watch'],
  unknown: ['question', 'list.warningForeground'],
  refused: ['error', 'testing.iconFailed'],
  running: ['question', 'list.warningForeground'],
  fetching: ['question', 'list.warningForeground'],
  ended: ['question', 'list.warningForeground'],
};

/** The metadata key that identifies our job; not user data. Duplicated here because the module that defines it loads schemas. */
const ownPair = 'inference_desk_job';

/** Converts a batch to a tree item with its name, state and progress. */
export function toBatchItem(row: BatchRow, now: number): vscode.TreeItem {
  const name = nameWords(row);
  const parts = describeRow(row, now, vscode.env.language);
  const item = treeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  const [icon, color] = iconOf(row);
  item.contextValue = contextOf(row);
  item.iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
  item.description = parts.join(' · ');
  item.accessibilityInformation = {
    label: listText([name, ...new Set([stateWords(row), ...parts])], vscode.env.language),
  };
  return item;
}

function iconOf(row: BatchRow): Icon {
  const { job } = row;
  const batch = mergedBatch(row);
  if (row.retries?.some(isAwaited)) return readingIcons.running;
  if (batch) return readingIcons[readingOf(batch)];
  return stageIcons[job?.stage ?? 'unknown'];
}

/** Lists all known facts about the batch. */
export function batchTooltip(row: BatchRow, now: number): vscode.MarkdownString {
  const { language } = vscode.env;
  const { batch, job } = row;
  const errors = job?.lastError ? [jobErrorText(job.lastError)] : [];
  const facts: readonly Fact[] = [
    [l10n.t('Status'), stateWords(row)],
    [l10n.t('Model'), modelOf(row)],
    ...(batch ? batchFacts(batch, now, language) : []),
    [l10n.t('File on this machine'), job?.input?.path],
    [l10n.t('Results on this machine'), job?.folder],
    [l10n.t('Job ID'), job?.id],
    [l10n.t('Retry of'), job?.retryOf],
  ];
  return factsTooltip(nameWords(row), facts, [
    ...errors,
    ...(batch?.errors ?? []).map((fault) => faultText(fault, language)),
  ]);
}

function batchFacts(batch: Batch, now: number, language: string): readonly Fact[] {
  const time = (at: number) => l10n.t('{0}, {1}', ageWords(at, now, language), absoluteTimeText(at, language));
  const metadata = Object.entries(batch.metadata).filter(([key]) => key !== 'name' && key !== ownPair);
  const expires = batch.expiresAt !== undefined && isUnderWay(batch) ? batch.expiresAt * 1000 : undefined;
  return [
    [l10n.t('Requests'), progressText(batch, language)],
    ...phasesOf(batch).map(({ name, at }): Fact => [phaseLabels[name](), time(at)]),
    [
      l10n.t('Deadline'),
      expires === undefined
        ? undefined
        : l10n.t('{0}, {1}', deadlineWords(batch, now, language)?.labelled ?? '', absoluteTimeText(expires, language)),
    ],
    [l10n.t('Completion window'), batch.completionWindow],
    [l10n.t('ID'), batch.id],
    [l10n.t('File'), batch.fileName],
    [l10n.t('Input file'), batch.inputFileId],
    [l10n.t('Results'), batch.outputFileId],
    [l10n.t('Errors'), batch.errorFileId],
    [l10n.t('Endpoint'), batch.endpoint],
    ...metadata.map(([key, value]): Fact => [key === 'batch_description' ? l10n.t('Description') : key, value]),
  ];
}

/** Builds the context value, which determines the available menu items. */
function contextOf({ batch, job, baseUrl = job?.baseUrl }: BatchRow): string {
  const effect = cancelEffect({ ...(batch && { batch }), ...(job && { job }) }, baseUrl);
  const hasFiles = batch !== undefined && sourcesOf(batch).length > 0;
  const over = batch !== undefined && isOver(batch);
  const tokens: Readonly<Record<string, boolean>> = {
    batch: batch !== undefined,
    input: batch?.inputFileId !== undefined,
    output: batch?.outputFileId !== undefined,
    errors: batch?.errorFileId !== undefined,
    told: (batch?.errors.length ?? 0) > 0,
    cancellable: effect === 'batch',
    stoppable: effect === 'laterParts',
    over,
    results: hasFiles || job?.folder !== undefined,
    unwatched: batch !== undefined && job === undefined && !over,
    linkable: batch !== undefined || job !== undefined,
    openable: batch?.inputFileId !== undefined || job?.input !== undefined,
    lookable: job !== undefined && (job.stage === 'unknown' || job.stage === 'running'),
    again: job?.stage === 'refused',
    doubtful: job?.stage === 'unknown',
    fetchable: job !== undefined && over && hasFiles,
    cleanable: over,
    forgettable: job !== undefined && job.stage !== 'submitting',
  };
  return Object.keys(tokens)
    .filter((token) => tokens[token])
    .join(' ');
}

const phaseLabels: Readonly<Record<BatchPhase['name'], () => string>> = {
  created: () => l10n.t('Created'),
  inProgress: () => l10n.t('Started'),
  finalizing: () => l10n.t('Finalizing'),
  completed: () => l10n.t('Completed'),
  failed: () => l10n.t('Failed'),
  expired: () => l10n.t('Expired'),
  cancelling: () => l10n.t('Canceling'),
  cancelled: () => l10n.t('Canceled'),
};

/** The rows below a batch: errors, phases, costs and files. */
export function batchDetails(row: BatchRow, now: number): readonly vscode.TreeItem[] {
  const costs = costFacts(row.cost).map(({ name, value, hint }) =>
    detail(name, value, { icon: 'credit-card', tooltip: hint }),
  );
  return [...errorItems(row), ...phaseItems(row, now), ...costs, ...fileItems(row)];
}

function phaseItems(row: BatchRow, now: number): readonly vscode.TreeItem[] {
  const { language } = vscode.env;
  const { job } = row;
  const batch = mergedBatch(row);
  if (!batch) {
    if (!job) return [];
    return [detail(l10n.t('Submitted'), ageWords(job.createdAt, now, language), { icon: 'circle-small' })];
  }
  const phases = phasesOf(batch);
  const items = phases.map(({ name, at }, index) => {
    const before = phases[index - 1];
    const took = before && l10n.t('after {0}', durationText(at - before.at, language));
    const words = [ageWords(at, now, language), took].filter((part) => part !== undefined).join(' · ');
    return detail(phaseLabels[name](), words, { icon: 'circle-small', tooltip: absoluteTimeText(at, language) });
  });
  const progress = progressText(batch, language);
  if (progress !== undefined) items.push(detail(l10n.t('Requests'), progress, { icon: 'list-ordered' }));
  const part = job && partText(job);
  if (part !== undefined) items.push(detail(l10n.t('Part'), part, { icon: 'split-horizontal' }));
  const deadline = deadlineWords(batch, now, language);
  if (deadline && batch.expiresAt !== undefined) {
    const tooltip = absoluteTimeText(batch.expiresAt * 1000, language);
    items.push(detail(l10n.t('Deadline'), deadline.labelled, { icon: 'watch', tooltip }));
  }
  return items;
}

function errorItems(row: BatchRow): readonly vscode.TreeItem[] {
  const { batch, job } = row;
  const items: vscode.TreeItem[] = [];
  if (job?.lastError) {
    const message = jobErrorText(job.lastError);
    items.push(detail(message, '', { icon: 'warning', tooltip: message }));
  }
  const count = batch?.errors.length ?? 0;
  const [fault] = batch?.errors ?? [];
  if (fault !== undefined) {
    const first = faultText(fault, vscode.env.language);
    const label = count === 1 ? first : l10n.t('{0} errors', numberText(count, vscode.env.language));
    const words = count === 1 ? '' : first;
    items.push(
      detail(label, words, { icon: 'error', tooltip: first, command: 'inferenceDesk.batches.showErrors', row }),
    );
  }
  return items;
}

function fileItems(row: BatchRow): readonly vscode.TreeItem[] {
  const { batch, job } = row;
  const input = job?.input?.path.split(/[/\\]/).at(-1) ?? batch?.fileName ?? batch?.inputFileId;
  const items: vscode.TreeItem[] = [];
  if (input !== undefined) {
    const tooltip = job?.input?.path ?? batch?.inputFileId ?? input;
    const words = input === batch?.inputFileId ? shortened(input) : input;
    items.push(
      detail(l10n.t('Input file'), words, { icon: 'file', tooltip, command: 'inferenceDesk.batches.openInput', row }),
    );
  }
  if (job?.folder !== undefined) {
    const command = 'inferenceDesk.batches.openResults';
    const words = l10n.t('on this machine');
    items.push(detail(l10n.t('Results'), words, { icon: 'output', tooltip: job.folder, command, row }));
  }
  if (batch) {
    items.push(detail(l10n.t('ID'), shortened(batch.id), { icon: 'symbol-string', tooltip: batch.id, context: 'id' }));
  }
  return items;
}

function detail(
  label: string,
  description: string,
  options: {
    readonly icon: string;
    readonly tooltip?: string;
    readonly context?: string;
    /** The command to run on click, with the row's key as its argument. */
    readonly command?: CommandId;
    readonly row?: BatchRow;
  },
): vscode.TreeItem {
  const { icon, tooltip, command, row, context = 'detail' } = options;
  const item = treeItem(label);
  item.description = description;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = context;
  item.tooltip = tooltip ?? (description === '' ? label : labelled(label, description));
  const of = row ? nameWords(row) : '';
  item.accessibilityInformation = { label: listText([label, description, of], env.language) };
  if (command && row) item.command = { command, title: label, arguments: [row.key] };
  return item;
}
