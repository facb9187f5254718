import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Usage } from '../../core/usage/usage';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import type { Fact } from '../../platform/factsTooltip';
import type { CompletionAnswer, CompletionOutcome } from './asking';
import { numberFormat } from '../../protocol/formats';

/** Facts about an answer that are shown next to it. */
export interface AnswerFacts extends CompletionOutcome {
  /** The model that answered, as the service names it. */
  readonly model: string;
  /** The requested model, if the service names another. */
  readonly requestedModel: string | undefined;
  /** The service's id of the completion. */
  readonly completionId: string | undefined;
  readonly finish: string | undefined;
  readonly fingerprint: string | undefined;
  readonly seed: number | undefined;
  /** Whether the beginning of the text before the cursor was not sent. */
  readonly isPromptCut: boolean;
}

export function factsOf(
  { request, answer, usage, end, ms, exchangeId, traceId }: CompletionAnswer,
  { finish, isPromptCut }: { readonly finish: string | undefined; readonly isPromptCut: boolean },
): AnswerFacts {
  return {
    usage,
    end,
    ms,
    exchangeId,
    traceId: shownId(traceId),
    isPromptCut,
    model: shownId(answer.model) ?? request.model,
    requestedModel: answer.model && answer.model !== request.model ? request.model : undefined,
    completionId: shownId(answer.id),
    finish,
    fingerprint: answer.system_fingerprint || undefined,
    seed: request.seed ?? undefined,
  };
}

/** The service's text can contain anything. */
function shownId(text: string | undefined): string | undefined {
  return text ? foreign(text, 200) : undefined;
}

/** Formats the facts as one line. */
export function factsLine(facts: AnswerFacts): string {
  const { usage, seed, fingerprint, model, ms } = facts;
  return [
    tokensText(usage),
    endWords(facts),
    model,
    seed === undefined ? undefined : l10n.t('seed {0}', seed),
    fingerprint,
    secondsText(ms),
    facts.isPromptCut ? l10n.t('prompt truncated') : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Marks estimates with "≈". */
export function tokensText({ inputTokens, outputTokens, isEstimate }: Usage): string {
  const count = (value: number) => numberText(value, vscode.env.language);
  return `${isEstimate ? '≈ ' : ''}${l10n.t('{0} tokens in, {1} out', count(inputTokens), count(outputTokens))}`;
}

/** Returns the facts as rows. */
export function factsList(facts: AnswerFacts): readonly Fact[] {
  const { usage, seed, fingerprint, model, ms, finish, end } = facts;
  const count = (value: number) => numberText(value, vscode.env.language);
  const counted = usage.isEstimate ? l10n.t('estimated') : undefined;
  return [
    [l10n.t('Model'), model],
    [l10n.t('Requested model'), facts.requestedModel],
    [l10n.t('Tokens in'), count(usage.inputTokens)],
    [l10n.t('Tokens out'), count(usage.outputTokens)],
    [l10n.t('Token count'), counted],
    [l10n.t('Finish reason'), finish ?? (end === 'done' ? l10n.t('unknown') : endWords(facts))],
    [l10n.t('Seed'), seed === undefined ? undefined : String(seed)],
    [l10n.t('System fingerprint'), fingerprint],
    [l10n.t('Time'), secondsText(ms)],
    [l10n.t('Completion ID'), facts.completionId],
    [l10n.t('Trace ID'), facts.traceId],
    [l10n.t('Prompt'), facts.isPromptCut ? l10n.t('truncated at the start') : undefined],
  ];
}

/** Whether the answer may continue beyond its end. */
export function isCutShort({ finish, end }: AnswerFacts): boolean {
  return finish === 'length' || end !== 'done';
}

function endWords({ finish, end }: AnswerFacts): string | undefined {
  if (end === 'stopped') return l10n.t('stopped');
  if (end === 'failed') return l10n.t('interrupted');
  return finish === 'length' ? l10n.t('length limit reached') : finish;
}

function secondsText(ms: number): string {
  const seconds = numberFormat(vscode.env.language, { maximumFractionDigits: ms < 10_000 ? 1 : 0 });
  return l10n.t('{0} s', seconds.format(ms / 1000));
}
