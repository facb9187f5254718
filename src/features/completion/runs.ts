import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Completion } from '../../core/api/completions/completionEvents';
import { estimateTokens } from '../../core/tokens/estimate';
import { numberText } from '../../platform/displayText';
import type { Report } from '../../platform/errors/report';
import { keptOf } from './alternatives';
import type { Alternatives } from './alternatives';
import type { Asked, Asking } from './asking';
import type { BesideTexts } from './besideTexts';
import type { Delivered, Delivery } from './delivery';
import { brokenOff, failureWords, tellEmpty, tellShortly } from './endings';
import { factsLine, factsOf } from './factsWords';
import { showGrowing } from './growingText';
import type { AnswerHistory } from './answerHistory';
import type { InsertionPoint } from './insertionPoints';
import type { Way } from './prompts';
import type { Running } from './running';
import type { TokenView } from './tokenView';

/** The completions of one command. */
export interface Run {
  readonly way: Way;
  /** Disposed at the end. */
  readonly places: readonly InsertionPoint[];
  /** The side document to continue, and its current text. */
  readonly onto?: { readonly uri: vscode.Uri; readonly text: string };
}

export interface RunParts {
  readonly asking: Asking;
  readonly running: Running;
  readonly beside: BesideTexts;
  readonly tokens: TokenView;
  readonly shelf: AnswerHistory;
  readonly delivery: Delivery;
  readonly alternatives: Alternatives;
  readonly report: Report;
}

type Came = Omit<Delivered, 'choice'>;

/**
 * Requests a completion for each insertion point in turn, shows them as they stream, and delivers them. Throws an error that prevented any
 * answer; an error after some text has arrived is only reported.
 */
export async function completeRun(run: Run, parts: RunParts): Promise<void> {
  try {
    const { came, failure } = await parts.running.alone((signal) => askAll(run, parts, signal));
    const answered = came.filter(({ asked }) => asked.answer.choices.some(({ text }) => text !== ''));
    if (answered.length === 0) {
      if (failure !== undefined) throw failureWords(failure);
      tellNothingCame(came[0]?.asked);
      return;
    }
    const where = await deliver(run, answered, parts);
    if (failure !== undefined) void parts.report(brokenOff(failure, where));
  } finally {
    for (const place of run.places) place.dispose();
  }
}

async function askAll(run: Run, parts: RunParts, signal: AbortSignal) {
  const came: Came[] = [];
  for (const place of run.places) {
    try {
      const one = await askOne(run, { place, signal }, parts);
      came.push(one);
      if (one.asked.end !== 'done') return { came, failure: one.asked.error };
    } catch (failure) {
      return { came, failure };
    }
  }
  return { came, failure: undefined };
}

async function askOne(
  run: Run,
  { place, signal }: { readonly place: InsertionPoint; readonly signal: AbortSignal },
  { asking, beside, tokens, shelf, running }: RunParts,
): Promise<Came> {
  const before = run.onto?.text ?? '';
  const uri =
    run.way === 'beside' ? (run.onto?.uri ?? beside.add(l10n.t('Completion'), place.document.uri)) : undefined;
  const growing = uri ? undefined : showGrowing(place);
  const closing = beside.onDidClose((closed) => closed.toString() === uri?.toString() && running.stop());
  if (uri) await beside.show(uri);
  try {
    const asked = await asking.ask({
      prompt: place.prompt,
      tokens: tokens.asked,
      isOnly: run.places.length > 1 || run.onto !== undefined,
      signal,
      onGrow: (answer) => {
        const text = answer.choices[0]?.text ?? '';
        growing?.update(text, growthWords(answer));
        if (uri) beside.set(uri, `${before}${text}`);
        shelf.keepGrowing(() => keptOf(place, answer));
      },
    });
    return { place, asked, before, ...(uri && { uri }) };
  } finally {
    closing.dispose();
    growing?.dispose();
  }
}

/** Delivers the answers. Resolves to a sentence that says where they are. */
async function deliver({ way }: Run, answered: readonly Came[], parts: RunParts): Promise<string> {
  const { shelf, alternatives, delivery } = parts;
  const [first] = answered;
  if (first) await shelf.keep(keptOf(first.place, first.asked.answer, first.asked));
  if (answered.length === 1 && first && first.asked.answer.choices.length > 1) {
    const isTaken = await alternatives.choose(first, way);
    return isTaken ? l10n.t('What came was offered.') : l10n.t('What came is kept as the last alternatives.');
  }
  const items = answered.flatMap((one) => {
    const choice = one.asked.answer.choices[0];
    return choice ? [{ ...one, choice }] : [];
  });
  if (way === 'beside') {
    for (const item of items) await delivery.showBeside(item);
    return l10n.t('What came is shown beside.');
  }
  return (await delivery.write(items))
    ? l10n.t('What came was written, as one undo step.')
    : l10n.t('What came is shown beside.');
}

/** Describes how much has arrived, for example "120 tokens" or "3 answers, 120 tokens". */
function growthWords({ choices }: Completion): string {
  const tokens = choices.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const words = l10n.t('{0} tokens', numberText(tokens, vscode.env.language));
  return choices.length > 1 ? l10n.t('{0} answers, {1}', choices.length, words) : words;
}

function tellNothingCame(asked: Asked | undefined): void {
  if (!asked || asked.end === 'stopped') {
    tellShortly(l10n.t('Stopped before anything came; nothing was changed.'));
    return;
  }
  const finish = asked.answer.choices[0]?.finish_reason;
  tellEmpty(factsLine(factsOf(asked, { finish, isPromptCut: false })));
}
