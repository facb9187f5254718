import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import { phasesOf } from '../../core/batch/state/batchState';
import type { BatchPhase } from '../../core/batch/state/batchState';
import { ageWords } from '../../platform/age';
import type { BatchRow } from '../../services/batches/batches';
import { faultText, jobErrorText, partText, progressText } from '../../services/batches/batchMessages';
import { costFacts } from '../../services/usage/costMessages';
import { absoluteTimeText, numberText, shortened } from '../../platform/displayText';
import type { CommandId } from '../../platform/commands';
import { mergedBatch } from './logic/mergedBatch';
import { deadlineWords, nameWords } from './rowWords';
import { durationText, listText } from '../../protocol/formats';
import { labelled } from '../../protocol/sentences';
import { treeItem } from '../../platform/notify';

export const phaseLabels: Readonly<Record<BatchPhase['name'], () => string>> = {
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

interface DetailOptions {
  readonly icon: string;
  readonly tooltip?: string;
  readonly context?: string;
  /** The command to run on click, with the row's key as its argument. */
  readonly command?: CommandId;
  readonly row?: BatchRow;
}

function detail(label: string, description: string, options: DetailOptions): vscode.TreeItem {
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
