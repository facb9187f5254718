import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { beginningOf, oneLine } from '../../../core/assets/altText';
import { mediaJobOptions } from '../../../core/jobs/media/mediaJob';
import type { UnreadableJob } from '../../../core/jobs/jobStore';
import { ageWords } from '../../../platform/age';
import { numberText } from '../../../platform/displayText';
import type { CommandId } from '../../../platform/commands';
import type { Asset, MediaJob } from '../../../services/media/media';
import type { MediaRow } from '../logic/mediaRow';
import { describeJob } from './jobWords';
import { kindWords, generatedIcon, sizeWords, titleOf } from './generatedMessages';
import { isUnderWay } from '../logic/underWay';
import { listText } from '../../../protocol/formats';
import { treeItem } from '../../../platform/notify';

/** VS Code shows a row's description only if the label leaves space, and a job's state must stay visible. */
const longestJobLabel = 26;
const longestLabel = 60;

export function toMediaItem(row: MediaRow, now: number): vscode.TreeItem {
  switch (row.kind) {
    case 'job':
      return toJobItem(row.job, now);
    case 'unreadable':
      return toUnreadableItem(row.record);
    case 'made':
      return toMadeItem(row.asset, now);
    case 'all':
      return toAllItem(row.count);
  }
}

function toJobItem(job: MediaJob, now: number): vscode.TreeItem {
  const { kind, request } = job.task;
  const name = oneLine(request.prompt) || kindWords(kind);
  const label = beginningOf(name, longestJobLabel);
  const parts = describeJob(job, now, (at) => ageWords(at, now, vscode.env.language));
  const item = treeItem(label);
  item.description = parts.join(' · ');
  item.iconPath = jobIcon(job);
  item.contextValue = contextOf(job);
  item.accessibilityInformation = { label: listText([kindWords(kind), name, ...parts], vscode.env.language) };
  const screen = kind === 'image' ? 'inferenceDesk.images.open' : 'inferenceDesk.videos.open';
  return withClick(item, screen, { as: 'job', id: job.id });
}

function jobIcon(job: MediaJob): vscode.ThemeIcon {
  const { stage, status } = job;
  if (!isUnderWay(job)) {
    const color = new vscode.ThemeColor(stage === 'ended' ? 'testing.iconFailed' : 'list.warningForeground');
    return new vscode.ThemeIcon(stage === 'ended' ? 'error' : 'warning', color);
  }
  const waits = stage === 'running' && (status === undefined || status.toLowerCase() === 'inqueue');
  return new vscode.ThemeIcon(waits ? 'clock' : 'loading~spin');
}

/** Returns the context value that decides which menu items apply. */
export function contextOf(job: MediaJob): string {
  const { isFetchable, isRetryable, isForgettable } = mediaJobOptions(job);
  const tokens: Readonly<Record<string, boolean>> = {
    job: true,
    [job.task.kind]: true,
    running: job.stage === 'running',
    fetchable: isFetchable,
    retryable: isRetryable,
    forgettable: isForgettable,
  };
  return Object.keys(tokens)
    .filter((token) => tokens[token])
    .join(' ');
}

function toUnreadableItem({ id, reason }: UnreadableJob): vscode.TreeItem {
  const label = l10n.t('Unreadable job');
  const item = treeItem(label);
  item.description = faultWords(reason);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.contextValue = 'unreadable';
  item.accessibilityInformation = { label: `${label}, ${item.description}, ${id}` };
  return item;
}

function faultWords(reason: UnreadableJob['reason']): string {
  switch (reason) {
    case 'newer':
      return l10n.t('from a newer version');
    case 'torn':
      return l10n.t('record damaged');
    case 'denied':
      return l10n.t("couldn't open the record");
  }
}

function toMadeItem(asset: Asset, now: number): vscode.TreeItem {
  const { recipe, path } = asset;
  const name = titleOf(recipe);
  const label = beginningOf(name, longestLabel);
  const age = ageWords(Date.parse(recipe.createdAt), now, vscode.env.language);
  const parts = [sizeWords(recipe), age].filter((part) => part !== undefined);
  const item = treeItem(label);
  item.description = parts.join(' · ');
  item.iconPath = generatedIcon(asset);
  item.contextValue = `made ${recipe.kind}`;
  item.accessibilityInformation = { label: listText([kindWords(recipe.kind), name, ...parts], vscode.env.language) };
  return withClick(item, 'inferenceDesk.media.open', path);
}

function toAllItem(count: number): vscode.TreeItem {
  const item = treeItem(l10n.t('Show All in Gallery'));
  item.description = numberText(count, vscode.env.language);
  item.iconPath = new vscode.ThemeIcon('library');
  item.contextValue = 'all';
  item.accessibilityInformation = { label: listText([item.label as string, item.description], vscode.env.language) };
  return withClick(item, 'inferenceDesk.gallery.open');
}

function withClick(item: vscode.TreeItem, command: CommandId, ...args: readonly unknown[]): vscode.TreeItem {
  item.command = { command, title: item.label as string, arguments: [...args] };
  return item;
}
