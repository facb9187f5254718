import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { outputLimitOf } from '../../../core/batch/job/estimateFileTokens';
import { readTrial } from '../../../core/batch/trial/readTrial';
import { rulesOf } from '../../../core/profiles/vendorRules';
import { trialText, type TrialEnd } from '../../../core/batch/trial/trialText';
import { countInputTokens } from '../../../core/tokens/countTokens';
import { setContext } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { runAction, describe } from '../../../platform/errors/reportError';
import { refuseUntrusted } from '../../../platform/workspace/workspaceTrust';
import type { Services } from '../../../services/services';
import { isOfferedLine, lineNow } from '../logic/offeredLine';
import { createTrialRecorder, type TrialRecorder } from '../logic/trialRecorder';
import { findAgain, lineNotFound, readTriedLine, type TriedLine, chooseLine } from './triedLine';
import { showMessage, codeLens } from '../../../platform/notify';
import { toStep, step } from '../../../platform/errors/errorActions';
import type { WireAction } from '../../../protocol/wire';
import { nearestIds } from '../../../core/catalogue/nearestIds';
import { isCancellation } from '../../../platform/errors/report';

const costShownKey = 'batchFile.toldWhatTryingCosts';

/** Runs single lines of batch files immediately. One at a time: a new trial replaces the previous one. */
export interface Trials extends Disposable {
  /**
   * Tries a line of this file, or of the active one; asks the user for the line if none is passed. Resolves once the response ended,
   * whatever the outcome. Throws if the line cannot be sent.
   */
  tryLine(file: unknown, line: unknown): Promise<void>;
  /** Runs the last tried line again, with its current text. */
  runAgain(): Promise<void>;
  stop(): void;
  /** Resolves to the label of the action that sends a line, with its price. */
  priced(label: string, line: string): Promise<string>;
  /** Whether a line of this file is being tried. */
  isRunning(uri: vscode.Uri): boolean;
  /** Fires when a trial began or ended. */
  readonly onDidChange: vscode.Event<void>;
  /** Shows the last tried line in its file. */
  goToLine(): Promise<void>;
  /** Runs an action offered with an error. */
  takeStep(id: unknown): Promise<void>;
}

/** `activeDocument` throws if the active editor shows no batch file. */
export function createTrials(services: Services, activeDocument: () => vscode.TextDocument): Trials {
  const { context, account, activity } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  let current: TrialRun | undefined;

  const againLabel: AgainLabel = ({ tried }) => pricedLabel(l10n.t('Test Again'), tried.trial, services);
  const document = store.add(createTrialDocument(() => current, againLabel));
  const stop = () => current?.cancelling.abort();
  store.add(document.onDidClose(stop));
  store.add({ dispose: stop });

  const run = async (uri: vscode.Uri, line: number): Promise<void> => {
    refuseUntrusted(uri);
    const tried = await readTriedLine(uri, line);
    await (await services.usage()).check(services.account.current.id);
    stop();
    const mine = (current = createTrialRun(tried));
    const tellState = () => {
      document.refresh({ atOnce: true });
      changed.fire();
      void setContext('inferenceDesk.batchTrying', mine.end === undefined);
    };
    const work = activity.start(l10n.t('Testing a request'), {
      profileId: services.account.current.profile?.id,
      paid: true,
    });
    try {
      tellState();
      await document.show();
      if (rulesOf(account.current.baseUrl).batch.isHalfPrice) void tellCosts(context);
      await answerTrial(mine, services, () => mine === current && document.refresh());
    } finally {
      work.dispose();
      if (mine === current) tellState();
    }
  };

  return {
    async tryLine(file, line) {
      const document = file instanceof vscode.Uri ? await vscode.workspace.openTextDocument(file) : activeDocument();
      const chosenLine = await lineToTry(document, line);
      if (chosenLine !== undefined) await run(document.uri, chosenLine);
    },
    async runAgain() {
      if (current) await run(current.tried.uri, await findAgain(current.tried));
    },
    stop,
    priced: (label, line) => pricedLine(label, line, services),
    isRunning: (uri) => current !== undefined && !current.end && current.tried.uri.toString() === uri.toString(),
    onDidChange: changed.event,
    async goToLine() {
      if (current) await showLine(current.tried.uri, await findAgain(current.tried));
    },
    async takeStep(id) {
      if (typeof id === 'string') await runAction(id);
    },
    dispose: () => store.dispose(),
  };
}

/** Returns the line that a command passes, or else the one that the user chooses; `undefined` if they cancel. */
async function lineToTry(document: vscode.TextDocument, line: unknown): Promise<number | undefined> {
  if (typeof line === 'number') return line;
  if (isOfferedLine(line)) {
    const now = lineNow(document, line);
    if (now === undefined) throw lineNotFound();
    return now;
  }
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  return chooseLine(document, editor?.selection.active.line ?? 0);
}

function textOf({ tried, recorder, end }: TrialRun): string {
  const { file, line, trial } = tried;
  const { customId, model } = trial;
  const place = { file, line: line + 1 };
  return trialText({ customId, model, place, answer: recorder.read(), end }, (value) =>
    numberText(value, vscode.env.language),
  );
}

/** Reuses the column that already shows the file. */
async function showLine(uri: vscode.Uri, line: number): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, {
    selection,
    ...(shown?.viewColumn !== undefined && { viewColumn: shown.viewColumn }),
  });
}

async function pricedLine(label: string, line: string, services: Services): Promise<string> {
  return line.length > longestPriced ? label : pricedLabel(label, readTrial(line), services);
}

/** Above it, counting the tokens of a line each time the cursor moves would take too long. */
const longestPriced = 1_000_000;

/** Resolves to the label of an action that sends a line, with its price; without it for a line that can't be sent. */
async function pricedLabel(label: string, trial: ReturnType<typeof readTrial>, { usage }: Services): Promise<string> {
  if ('errors' in trial || trial.model === undefined) return label;
  const { body, model } = trial;
  const parts = [{ model, requests: 1, inputTokens: countInputTokens(body), outputLimit: outputLimitOf(body) }];
  return (await (await usage()).readyPrices()).label(label, parts, { purpose: 'batchLines' });
}

/** Resolves to what a request was charged by the tokens that the service counted; `undefined` if that is unknown. */
async function chargedFor({ recorder, tried }: TrialRun, { usage }: Services): Promise<string | undefined> {
  const { usage: counted } = recorder.read();
  if (counted.input_tokens === undefined) return undefined;
  const tokens = { inputTokens: counted.input_tokens, outputTokens: counted.output_tokens ?? 0 };
  const prices = await (await usage()).readyPrices();
  return prices.charged([{ model: tried.trial.model, requests: 1, ...tokens, cost: counted.cost }])?.text;
}

/** Shown only once, ever. */
async function tellCosts({ globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get<boolean>(costShownKey)) return;
  await globalState.update(costShownKey, true);
  await showMessage(
    'information',
    l10n.t('Test requests are charged at the regular price, not the lower batch price.'),
  );
}

/** Actions for a tried line, above its heading; actions for an error, above the error. */
function trialLenses(run: TrialRun, again: string): readonly TrialLens[] {
  const { actions, end } = run;
  const text = textOf(run);
  if (!end)
    return [{ line: 0, icon: 'debug-stop', title: l10n.t('Stop'), command: 'inferenceDesk.batchFile.stopTrying' }];
  const errorStart = end.error ? text.split('\n').lastIndexOf(`## ${end.error.title}`) : 0;
  return [
    { line: 0, title: again, command: 'inferenceDesk.batchFile.tryAgain' },
    { line: 0, title: l10n.t('Go to Request'), command: 'inferenceDesk.batchFile.goToTriedLine' },
    ...actions
      .filter(({ id }) => toStep(id))
      .map(({ id, label }) => ({
        line: Math.max(0, errorStart),
        title: label,
        command: 'inferenceDesk.batchFile.takeTrialStep',
        argument: id,
      })),
  ];
}

/** Resolves to the label of the action that runs it again. */
type AgainLabel = (run: TrialRun) => Promise<string>;

/** A running or finished trial of a line. */
interface TrialRun {
  readonly tried: TriedLine;
  readonly recorder: TrialRecorder;
  readonly cancelling: AbortController;
  /** Unset while the response is streaming. */
  end?: TrialEnd;
  /** The actions available after it ended. */
  actions: readonly WireAction[];
}

function createTrialRun(tried: TriedLine): TrialRun {
  return { tried, recorder: createTrialRecorder(Date.now), cancelling: new AbortController(), actions: [] };
}

/** Sends the line and records the response and the outcome in the run. Never rejects. */
async function answerTrial(run: TrialRun, services: Services, onPiece: () => void): Promise<void> {
  const { body, model } = run.tried.trial;
  let startedAt = Date.now();
  const totalMs = () => Date.now() - startedAt;
  try {
    const { chatCompletions } = await services.connections.client(undefined, { source: 'batchLines' });
    // The time to start the service first is not part of the response time.
    startedAt = Date.now();
    run.recorder.begin();
    const { signal } = run.cancelling;
    try {
      for await (const chunk of chatCompletions.chunks({ ...body, model }, { signal })) {
        run.recorder.add(chunk);
        onPiece();
      }
    } finally {
      run.recorder.end();
    }
    const took = totalMs();
    const charged = await chargedFor(run, services);
    run.end = { kind: 'done', totalMs: took, charged };
    run.actions = exchangeSteps(services, startedAt);
  } catch (error) {
    if (run.cancelling.signal.aborted && isCancellation(error)) {
      run.end = { kind: 'stopped', totalMs: totalMs() };
      run.actions = exchangeSteps(services, startedAt);
    } else {
      const { actions, ...failure } = failureWords(error, model, services);
      run.end = { kind: 'failed', totalMs: totalMs(), error: failure };
      run.actions = actions;
    }
  }
}

function exchangeSteps({ exchanges }: Services, since: number): readonly WireAction[] {
  const sent = exchanges.recent.find(({ path, at }) => at >= since && /\/(chat\/completions|messages)$/.test(path));
  return sent ? [step('showExchange', sent.id)] : [];
}

function failureWords(error: unknown, model: string, { models, log }: Services) {
  const listed = models.state.models.map(({ id }) => id);
  const { kind, title, detail, actions } = describe(error, { nearestModels: nearestIds(model, listed) });
  if (kind === 'unexpected') log.error(error instanceof Error ? error : String(error));
  else log.warn(`${title}: ${detail}`);
  return { title, detail, actions };
}

/**
 * Deltas are collected for this long before they are shown, except for the first one. If a document changes more often than every 250 ms,
 * VS Code never requests its code lenses.
 */
const gatherMs = 300;
/** After the lenses changed, the next update waits this much longer, so that the editor can request them. */
const lensesMs = 400;
const scheme = 'inference-desk-try';

/** A code lens of the document, above one of its lines. */
interface TrialLens {
  readonly line: number;
  /** A codicon before the title. */
  readonly icon?: string;
  readonly title: string;
  readonly command: string;
  readonly argument?: string;
}

/** The read-only document next to a batch file that shows the result of the last tested line. */
interface TrialDocument extends Disposable {
  /** Opens next to the active editor, or reveals the document where it is already open. Doesn't move the focus. */
  show(): Promise<void>;
  /** To be called when the text changed. `atOnce` shows it immediately and refreshes the lenses too. */
  refresh(options?: { readonly atOnce: boolean }): void;
  /** Fires when the user closed the document. */
  readonly onDidClose: vscode.Event<void>;
}

function createTrialDocument(current: () => TrialRun | undefined, againLabel: AgainLabel): TrialDocument {
  const store = new DisposableStore();
  const uri = vscode.Uri.from({ scheme, path: `/${l10n.t('Test Result')}.md` });
  const text = () => {
    const run = current();
    return run ? textOf(run) : '';
  };
  const lenses = async () => {
    const run = current();
    return run ? trialLenses(run, await againLabel(run)) : [];
  };
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const lensesChanged = store.add(new vscode.EventEmitter<void>());
  const closed = store.add(new vscode.EventEmitter<void>());
  let timer: NodeJS.Timeout | undefined;
  let lastReportedMs = 0;

  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    lastReportedMs = performance.now();
    changed.fire(uri);
  };
  store.add({ dispose: () => clearTimeout(timer) });
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: text,
    }),
  );
  store.add(
    vscode.languages.registerCodeLensProvider(
      { scheme },
      { onDidChangeCodeLenses: lensesChanged.event, provideCodeLenses: async () => (await lenses()).map(toCodeLens) },
    ),
  );
  store.add(
    vscode.window.tabGroups.onDidChangeTabs((event) => {
      if (event.closed.some(isOurs) && !openTab()) closed.fire();
    }),
  );
  return {
    async show() {
      await vscode.window.showTextDocument(uri, {
        viewColumn: openTab()?.group.viewColumn ?? vscode.ViewColumn.Beside,
        preserveFocus: true,
        preview: false,
      });
    },
    refresh({ atOnce } = { atOnce: false }) {
      if (atOnce) {
        tell();
        lensesChanged.fire();
        lastReportedMs += lensesMs;
      } else timer ??= setTimeout(tell, Math.max(0, gatherMs - (performance.now() - lastReportedMs)));
    },
    onDidClose: closed.event,
    dispose: () => store.dispose(),
  };
}

function openTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(isOurs);
}

function isOurs({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && input.uri.scheme === scheme;
}

function toCodeLens({ line, argument, ...lens }: TrialLens): vscode.CodeLens {
  const withArgument = argument === undefined ? {} : { arguments: [argument] };
  return codeLens(new vscode.Range(line, 0, line, 0), { ...lens, ...withArgument });
}
