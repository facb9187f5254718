import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import { ageWords } from '../../platform/age';
import { absoluteTimeText, numberText, shortened } from '../../platform/displayText';
import { factsTooltip } from '../../platform/factsTooltip';
import type { Fact } from '../../platform/factsTooltip';
import { isUnderWay, moodOf, phasesOf } from './batchPhases';
import type { BatchMood, BatchPhase } from './batchPhases';

const icons: Readonly<Record<BatchMood, readonly [icon: string, color?: string]>> = {
  waiting: ['clock'],
  running: ['sync'],
  done: ['pass', 'testing.iconPassed'],
  partlyDone: ['warning', 'list.warningForeground'],
  failed: ['error', 'testing.iconFailed'],
  ended: ['circle-slash'],
  unknown: ['question'],
};

/** A batch as a row: what it is called, how far it is, and everything else in the tooltip. */
export function toBatchItem(batch: Batch, now: number): vscode.TreeItem {
  const { language } = vscode.env;
  const name = nameOf(batch);
  const progress = progressText(batch, language);
  const age = batch.createdAt === undefined ? undefined : ageWords(batch.createdAt * 1000, now, language);
  const item = new vscode.TreeItem(name);
  const [icon, color] = icons[moodOf(batch)];
  item.id = batch.id;
  item.contextValue = contextOf(batch);
  item.iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
  item.description = [statusText(batch.status), progress, age].filter((part) => part !== undefined).join(' · ');
  item.tooltip = factsTooltip(name, factsOf(batch, now, language), batch.errors);
  item.accessibilityInformation = {
    label: [name, statusText(batch.status), progress, age].filter((part) => part !== undefined).join(', '),
  };
  return item;
}

/** `name` is how the vendor's console keeps it in the metadata. */
function nameOf({ metadata, fileName, id }: Batch): string {
  return metadata['name'] || fileName || shortened(id);
}

/** Words for the statuses known; another one is shown as it is. */
function statusText(status: string): string {
  switch (status) {
    case 'validating':
      return l10n.t('being checked');
    case 'in_queue':
      return l10n.t('in queue');
    case 'in_progress':
      return l10n.t('in progress');
    case 'finalizing':
      return l10n.t('finalizing');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'expired':
      return l10n.t('expired');
    case 'cancelling':
      return l10n.t('cancelling');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return status;
  }
}

function progressText({ requestCounts }: Batch, language: string): string | undefined {
  const { total, completed, failed } = requestCounts ?? {};
  if (total === undefined || completed === undefined) return undefined;
  const done = l10n.t('{0} of {1}', numberText(completed, language), numberText(total, language));
  return failed ? l10n.t('{0}, {1} failed', done, numberText(failed, language)) : done;
}

const phaseLabels: Readonly<Record<BatchPhase['name'], () => string>> = {
  created: () => l10n.t('Created'),
  inProgress: () => l10n.t('Started'),
  finalizing: () => l10n.t('Finalizing'),
  completed: () => l10n.t('Completed'),
  failed: () => l10n.t('Failed'),
  expired: () => l10n.t('Expired'),
  cancelling: () => l10n.t('Cancelling'),
  cancelled: () => l10n.t('Cancelled'),
};

function factsOf(batch: Batch, now: number, language: string): readonly Fact[] {
  const time = (at: number) => `${ageWords(at, now, language)}, ${absoluteTimeText(at, language)}`;
  const metadata = Object.entries(batch.metadata).filter(([key]) => key !== 'name');
  const expires = batch.expiresAt !== undefined && isUnderWay(batch) ? batch.expiresAt * 1000 : undefined;
  return [
    [l10n.t('Status'), statusText(batch.status)],
    [l10n.t('Requests'), progressText(batch, language)],
    ...phasesOf(batch).map(({ name, at }): Fact => [phaseLabels[name](), time(at)]),
    [l10n.t('Expires'), expires === undefined ? undefined : absoluteTimeText(expires, language)],
    [l10n.t('Time allowed'), batch.completionWindow],
    [l10n.t('Id'), batch.id],
    [l10n.t('File'), batch.fileName],
    [l10n.t('Input file'), batch.inputFileId],
    [l10n.t('Results'), batch.outputFileId],
    [l10n.t('Errors'), batch.errorFileId],
    [l10n.t('Endpoint'), batch.endpoint],
    ...metadata.map(([key, value]): Fact => [key === 'batch_description' ? l10n.t('Description') : key, value]),
  ];
}

/** Which files it names, for the menu. */
function contextOf({ inputFileId, outputFileId, errorFileId }: Batch): string {
  return ['batch', inputFileId && 'input', outputFileId && 'output', errorFileId && 'errors'].filter(Boolean).join(' ');
}
