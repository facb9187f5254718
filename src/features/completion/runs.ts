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
import type { AnswerHistory } from './answerHistory';
import type { InsertionPoint, Way } from './insertionPoints';
import type { Running } from './running';
import type { TokenView } from './tokenView';
import { cssText } from '../../core/completion/cssText';
import type { Disposable } from '../../platform/disposables';
import type { TrackedRange } from './trackedRange';

/** The completions of one command. */
interface Run {
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

/** Throttle for redraws. */
const everyMs = 100;
/** Only the end of the streamed text is shown. */
const mostLines = 8;
const mostColumns = 72;

/** Shows streamed text below a position. The document itself is edited only once, at the end, so that there is one undo step. */
interface GrowingText extends Disposable {
  update(text: string, count: string): void;
}

function showGrowing(place: TrackedRange): GrowingText {
  const type = vscode.window.createTextEditorDecorationType({});
  let text = '';
  let count = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    const { span, document } = place;
    const at = span && document.positionAt(span.end);
    const words =
      count === ''
        ? l10n.t('Completing… (Esc stops)')
        : l10n.t('Completing… {0} (Esc stops, and keeps what came)', count);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document !== document) continue;
      const range = at && new vscode.Range(at, at);
      editor.setDecorations(type, range ? [{ range, renderOptions: { after: look(`${words}\n${endOf(text)}`) } }] : []);
    }
  };
  draw();
  const listening = vscode.window.onDidChangeVisibleTextEditors(draw);
  return {
    update(newText, newCount) {
      [text, count] = [newText, newCount];
      timer ??= setTimeout(draw, everyMs);
    },
    dispose() {
      clearTimeout(timer);
      listening.dispose();
      type.dispose();
    },
  };
}

/** Breaks lines between words if there are any. */
const wrapping = new RegExp(`.{1,${mostColumns}}(?:\\s|$)|.{1,${mostColumns}}`, 'gu');

/**
 * A decoration shows only one line. CSS appended to its `textDecoration` turns it into a box of several lines below, as many extensions do.
 * https://github.com/microsoft/vscode/issues/63600
 */
function look(text: string): vscode.ThemableDecorationAttachmentRenderOptions {
  const [first = ''] = text.split('\n');
  const style = {
    content: cssText(text),
    display: 'block',
    position: 'absolute',
    'z-index': '5',
    left: '0',
    top: '100%',
    'margin-top': '3px',
    padding: '3px 10px',
    'white-space': 'pre',
    'border-left': '3px solid var(--vscode-progressBar-background)',
    'box-shadow': '0 2px 8px var(--vscode-widget-shadow)',
    'pointer-events': 'none',
  };
  const rules = Object.entries(style).map(([name, value]) => `${name}: ${value}`);
  return {
    contentText: first,
    color: new vscode.ThemeColor('editorHoverWidget.foreground'),
    backgroundColor: new vscode.ThemeColor('editorHoverWidget.background'),
    textDecoration: `none; ${rules.join('; ')}`,
  };
}

function endOf(text: string): string {
  const lines = text.replace(/^(\s*\n)+/, '').split(/\r\n|\r|\n/);
  const wrapped = lines.slice(-mostLines).flatMap((line) => line.match(wrapping) ?? ['']);
  return wrapped.slice(-mostLines).join('\n');
}
