import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { delayText } from '../../core/batch/local/localRun';
import type { RunEnd, RunState } from '../../core/batch/local/localRun';
import { HeldElsewhere } from '../../core/storage/leases';
import { numberText } from '../../platform/displayText';
import { fileErrorWords } from '../../platform/errors/fileErrorMessages';
import { describe } from '../../platform/errors/reportError';
import { isUserError } from '../../platform/errors/userError';
import type { WireAction } from '../../protocol/wire';
import { titled } from '../../protocol/sentences';
import { foreign } from '../../core/text/foreignText';

/** The progress of a run. */
export interface RunCounts {
  /** The number of non-blank lines in the batch file. */
  readonly requests: number;
  /** The number of responses, complete or not. */
  readonly answered: number;
  /** How many of them are truncated, empty or refused; 0 if absent. */
  readonly incomplete?: number;
  readonly failed: number;
}

/** Describes the state of a run in one line. `now` in Unix milliseconds. */
export function stateWords(state: RunState, requests: number, now: number): string {
  const { answered, incomplete, failed, tokensPerMinute } = state;
  return [
    doingWords(state, now),
    countWords({ requests, answered, incomplete, failed }),
    ...(tokensPerMinute > 0 ? [l10n.t('{0} tokens/min', number(tokensPerMinute))] : []),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Describes what delays a run; `undefined` while it is just answering. */
export function doingWords(state: RunState, now: number): string | undefined {
  const { phase, underWay, diskError } = state;
  const delay = delayText(state, now, (error) => fileErrorWords(error)?.title ?? String(error));
  if (diskError !== undefined) return delay;
  if (phase === 'stopping') return stoppingWords(underWay);
  if (phase === 'paused') {
    return underWay === 0 ? l10n.t('Paused') : l10n.t('Paused, {0} still in progress', number(underWay));
  }
  return delay;
}

export function countWords({ requests, answered, incomplete = 0, failed }: RunCounts): string {
  const complete = l10n.t('{0} of {1} completed', number(answered - incomplete), number(requests));
  const done = incomplete === 0 ? complete : l10n.t('{0}, {1} incomplete', complete, number(incomplete));
  return failed === 0 ? done : l10n.t('{0}, {1} failed', done, number(failed));
}

function stoppingWords(underWay: number): string {
  if (underWay === 0) return l10n.t('Stopping');
  return underWay === 1
    ? l10n.t('Stopping after the current response')
    : l10n.t('Stopping after {0} responses in progress', number(underWay));
}

/** The message for an ended run. */
export interface EndWords {
  readonly weight: 'error' | 'warning' | 'information';
  readonly text: string;
  readonly actions: readonly WireAction[];
}

export function endWords(end: RunEnd, name: string, counts: RunCounts): EndWords {
  const far = l10n.t('{0}: {1}.', foreign(name), countWords(counts));
  const savedText = l10n.t('{0} Responses so far are saved. Resume to send the rest.', far);
  switch (end.kind) {
    case 'finished':
      return {
        weight: counts.failed + (counts.incomplete ?? 0) > 0 ? 'warning' : 'information',
        text: finishedWords(name, counts),
        actions: [],
      };
    case 'stopped':
      return { weight: 'information', text: stoppedWords(name, counts), actions: [] };
    case 'dailyLimit':
      return { weight: 'warning', text: dailyWords(end.error.details.limit, far, counts), actions: [] };
    case 'held':
      if (end.error instanceof HeldElsewhere) {
        const text = l10n.t('The run continues in another window. {0}', far);
        return { weight: 'information', text, actions: [] };
      }
      return failureWords(end.error, savedText);
    case 'broken':
      return isUserError(end.error)
        ? failureWords(end.error, savedText)
        : { weight: 'error', text: brokenWords(end.error, savedText), actions: [] };
    case 'refused':
    case 'unreachable':
      return failureWords(end.error, savedText);
    case 'failing': {
      const { title, detail, actions } = describe(end.error);
      const text = l10n.t('Stopped after repeated errors. {0}. {1} {2}', title, detail, savedText);
      return { weight: 'error', text, actions };
    }
  }
}

function finishedWords(name: string, counts: RunCounts): string {
  const { requests, answered, incomplete = 0, failed } = counts;
  if (incomplete > 0) return l10n.t('{0}: {1}.', foreign(name), countWords(counts));
  if (failed === 0) {
    return requests === 1
      ? l10n.t('{0}: 1 response.', foreign(name))
      : l10n.t('{0}: {1} responses.', foreign(name), number(requests));
  }
  return l10n.t(
    '{0}: {1} of {2} completed, {3} failed.',
    foreign(name),
    number(answered),
    number(requests),
    number(failed),
  );
}

function stoppedWords(name: string, counts: RunCounts): string {
  const far = countWords(counts);
  return l10n.t('Stopped the run of {0}. {1}. Resume to send the rest.', foreign(name), far);
}

function dailyWords(limit: string | undefined, far: string, counts: RunCounts): string {
  const left = number(counts.requests - counts.answered - counts.failed);
  return l10n.t(
    'Daily limit reached ({0}). {1} Resume tomorrow, or submit the rest ({2}) as a batch.',
    limit ?? '?',
    far,
    left,
  );
}

function failureWords(error: unknown, savedText: string): EndWords {
  const { title, detail, actions } = describe(error);
  return { weight: 'error', text: titled(title, detail, savedText), actions };
}

function brokenWords(error: unknown, savedText: string): string {
  const { code, path: place } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOSPC'
      ? l10n.t('the disk is full')
      : (fileErrorWords(error)?.title ?? (error instanceof Error ? error.message : String(error)));
  return place === undefined
    ? l10n.t('The run failed: {0}. {1}', why, savedText)
    : l10n.t('The run failed at {0}: {1}. {2}', foreign(path.basename(place)), why, savedText);
}

function number(value: number): string {
  return numberText(value, vscode.env.language);
}
