import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { QueueWait } from '../../../core/imageRuns/imageQueue';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { ageWords } from '../../../platform/age';
import { numberText } from '../../../platform/displayText';
import { waitTitle } from '../../../platform/errors/apiErrorMessages';
import type { ImageRunView, ImageTile } from '../../../protocol/images';
import { tilesOf } from './tileView';
import type { TileContext } from './tileView';
import { dateFormat, listText } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';

export interface RunContext extends TileContext {
  readonly waitOf: (run: ImageRun) => QueueWait | undefined;
  readonly isElsewhere: boolean;
  readonly now: number;
}

export function runView(run: ImageRun, context: RunContext): ImageRunView {
  const { language } = vscode.env;
  const all = run.items.flatMap((_, at) => tilesOf(run, at, context));
  const failed = all.filter(({ state }) => state === 'failed');
  const trouble = sharedTrouble(failed);
  const tiles = [
    ...all.filter(({ state }) => state !== 'failed'),
    ...failed.map((tile) => (trouble ? { ...tile, title: l10n.t('Failed'), detail: '' } : tile)),
  ];
  const models = [...new Set(run.items.map(({ request }) => request.model))];
  const count = (state: string) => run.items.filter((item) => item.state === state).length;
  const waiting = count('waiting');
  const notSent = run.items.filter(({ state, trouble: own }) => state === 'notSent' && !own).length;
  const isBusy = waiting > 0 || count('sending') > 0;
  const pictures = tiles.length === 1 ? '' : l10n.t('{0} pictures', numberText(tiles.length, language));
  return {
    id: run.id,
    prompt: promptOf(run),
    facts: [listText(models, language), pictures].filter(Boolean).join(' · '),
    age: ageWords(run.createdAt, context.now, language),
    status: statusOf(run, { waiting, notSent }, context),
    ...(trouble && { trouble }),
    canStop: waiting > 0 && !context.isElsewhere,
    canGoOn: notSent > 0 && !context.isElsewhere,
    canForget: !isBusy,
    tiles,
  };
}

/** Returns the reason all failed tiles share, shown once above them. Ids are ignored: each response has another trace id. */
function sharedTrouble(failed: readonly ImageTile[]): ImageRunView['trouble'] {
  const [first] = failed;
  const reasons = failed.map(({ title, detail }) => `${title}\n${detail.replaceAll(/[\w-]{16,}/g, '')}`);
  if (!first || new Set(reasons).size > 1) return undefined;
  return { title: first.title, detail: first.detail };
}

function promptOf({ items }: ImageRun): string {
  const prompts = [...new Set(items.map(({ request }) => request.prompt))];
  const [first = ''] = prompts;
  return prompts.length > 1 ? l10n.t('{0} (and {1} more)', first, prompts.length - 1) : first;
}

interface Counts {
  readonly waiting: number;
  readonly notSent: number;
}

/** Describes the progress of a run, and why its next request is not sent now. */
function statusOf(run: ImageRun, { waiting, notSent }: Counts, context: RunContext): string {
  const { language } = vscode.env;
  const number = (value: number) => numberText(value, language);
  const total = number(run.items.length);
  if (context.isElsewhere && waiting > 0) return l10n.t('Another window sends these.');
  if (notSent > 0) {
    const words = {
      stopped: l10n.t('Stopped.'),
      closed: l10n.t('The window was closed before all was sent.'),
      trouble: '',
    };
    return sentences(words[run.halt?.reason ?? 'trouble'], l10n.t('{0} of {1} were not sent.', number(notSent), total));
  }
  if (waiting === 0) return '';
  const sent = l10n.t('{0} of {1} sent.', number(run.items.length - waiting), total);
  const wait = context.waitOf(run);
  return sentences(sent, wait && waitText(wait, language));
}

function waitText({ reason, until, limit }: QueueWait, language: string): string {
  const time = dateFormat(language, { timeStyle: 'medium' }).format(until);
  if (reason === 'pace') return l10n.t('The next follows at {0}.', time);
  const title = waitTitle({ reason: 'rateLimit', limit, until, endpoint: '', attempt: 1 });
  return l10n.t('{0}. It goes on at {1}.', title, time);
}
