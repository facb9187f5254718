import * as l10n from '@vscode/l10n';
import { numberText, shortened } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import type { Usage } from '../../core/usage/usage';
import type { GhostObstacle } from './switches';
import { dateFormat } from '../../protocol/formats';
import type { Profile } from '../../services/account/account';
import { env } from 'vscode';
import { modelNotOfferedTitle } from '../../services/models/modelNotOffered';

/** In characters. */
const longestModel = 22;

/** The state of ghost text in one document. */
export interface GhostState {
  readonly mode: 'manual' | 'automatic';
  /** Whether the user has yet to answer if inline suggestions should also appear automatically next to those of others. */
  readonly isAsking: boolean;
  readonly obstacle: GhostObstacle | undefined;
  readonly isSignedIn: boolean;
  readonly model: string | undefined;
  /** The selected model, if the account doesn't offer it, in which case no request is sent. */
  readonly notOffered?: { readonly notOffered: string; readonly profile: Profile } | undefined;
  /** Unix milliseconds. */
  readonly refusedAt: number | undefined;
  readonly failure: { readonly error: unknown; readonly until: number } | undefined;
  /** The approximate cost of a suggestion, as localized text. Missing if the service has no prices. */
  readonly price?: string | undefined;
  /** Usage of ghost text today. */
  readonly used: Usage;
  readonly offered: number;
  readonly accepted: number;
}

export interface GhostWords {
  readonly text: string;
  /** A few words, because VS Code truncates longer text, and the link after it. */
  readonly detail: string;
  /** All details. */
  readonly facts: string;
  readonly severity: 'information' | 'warning' | 'error';
}

export function ghostWords(state: GhostState, now: number, language: string): GhostWords {
  const { obstacle, failure, isSignedIn, model, notOffered } = state;
  if (obstacle) return obstacleWords(obstacle, language);
  if (!isSignedIn) return off(l10n.t('no service'), l10n.t('Sign in to a service first.'));
  if (notOffered) return notOfferedWords(notOffered);
  if (failure) return failureText(failure, now, language);
  if (model === undefined) return off(l10n.t('no model'), l10n.t('Choose a model.'));
  return onWords(state, model, language);
}

function obstacleWords(obstacle: GhostObstacle, language: string): GhostWords {
  switch (obstacle.kind) {
    case 'restricted':
      return off(l10n.t('Restricted Mode'), l10n.t('Trust this folder first.'));
    case 'excluded':
      return off(l10n.t('excluded'), l10n.t('Files that might contain secrets are never sent.'));
    case 'file':
      return off(l10n.t('off for this file'));
    case 'tooLarge':
      return off(l10n.t('file too large'), l10n.t('See the setting Max File Size.'));
    case 'editor':
      return off(l10n.t('off in VS Code settings'), l10n.t('editor.inlineSuggest.enabled is off.'));
    case 'language':
      return off(l10n.t('off for {0}', obstacle.languageId));
    case 'snoozed':
      return Number.isFinite(obstacle.until)
        ? off(l10n.t('snoozed until {0}', timeText(obstacle.until, language)))
        : off(l10n.t('snoozed'), l10n.t('Until this window is reloaded.'));
  }
}

function failureText(
  { error, until }: { readonly error: unknown; readonly until: number },
  now: number,
  language: string,
): GhostWords {
  const { title, detail } = describe(error);
  const isLasting = !Number.isFinite(until);
  const next = isLasting
    ? l10n.t('paused because of an error')
    : until > now
      ? l10n.t('paused until {0}', timeText(until, language))
      : '';
  const severity = isLasting ? 'error' : 'warning';
  return { text: l10n.t('Inline suggestions: {0}', title), detail: next, facts: detail, severity };
}

function notOfferedWords({ notOffered, profile }: NonNullable<GhostState['notOffered']>): GhostWords {
  const facts = modelNotOfferedTitle([notOffered], profile.name, env.language);
  return { ...off(l10n.t('model not available'), shortName(notOffered)), facts, severity: 'warning' };
}

function shortName(model: string): string {
  return shortened(model.slice(model.lastIndexOf('/') + 1), longestModel);
}

function onWords(state: GhostState, model: string, language: string): GhostWords {
  const { mode, refusedAt, used, offered, accepted, isAsking, price } = state;
  const tokens = used.inputTokens + used.outputTokens;
  const when = mode === 'automatic' && !isAsking ? l10n.t('automatic') : l10n.t('on request');
  const way = refusedAt === undefined ? when : l10n.t('{0}, text before cursor only', when);
  const count = numberText(tokens, language);
  const facts = [
    ...(price === undefined ? [] : [price]),
    ...(refusedAt === undefined
      ? []
      : [l10n.t('rejected the text after the cursor on {0}', dayText(refusedAt, language))]),
    ...(tokens === 0 ? [] : [l10n.t('{0} tokens today', used.isEstimate ? l10n.t('about {0}', count) : count)]),
    ...(offered === 0 ? [] : [l10n.t('{0} of {1} accepted', accepted, offered)]),
    model,
  ];
  return {
    text: l10n.t('Inline suggestions: {0}', way),
    detail: [shortName(model), ...(price === undefined ? [] : [price])].join(' · '),
    facts: facts.join(' · '),
    severity: 'information',
  };
}

function off(why: string, detail = ''): GhostWords {
  return { text: l10n.t('Inline suggestions: {0}', why), detail, facts: detail, severity: 'information' };
}

function timeText(at: number, language: string): string {
  return dateFormat(language, { timeStyle: 'short' }).format(at);
}

function dayText(at: number, language: string): string {
  return dateFormat(language, { dateStyle: 'medium' }).format(at);
}
