import { withParts } from '../../core/batch/services/batchServiceOf';
import { rulesOf } from '../../core/profiles/vendorRules';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import type { ModelJob } from '../../core/catalogue/model';
import { listedModels, type ListedModels } from '../../core/batch/fileRules';
import type { ChatWay } from '../../core/api/chat/chatWays';
import { writtenWayOf } from '../../core/batch/writtenWay';
import type { BatchRules } from '../../core/batch/services/batchRules';
import type { JobSeverity } from '../../core/batch/job/checkJob';
import { defaultSeverities, type LineProblem, type ProblemCode } from '../../core/batch/problem';
import { createDebounce } from '../../platform/debounce';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { openBatchDocument, type BatchDocument } from './batchDocument';
import type { BatchDecisions } from './decisions';

/** A file being typed is checked for being a batch file after a pause of this length. */
const settleMs = 300;

const severities: { readonly [Name in JobSeverity]: vscode.DiagnosticSeverity | undefined } = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
  off: undefined,
};

/** Returns the severity of a kind of problem: the user's setting, or else the default. `undefined`: not shown. */
export type SeverityOf = (code: ProblemCode) => vscode.DiagnosticSeverity | undefined;

/** The open batch files, and the rules and models they are checked with. */
export interface BatchDocuments extends Disposable {
  get(uri: vscode.Uri): BatchDocument | undefined;
  all(): Iterable<BatchDocument>;
  /** Fires when a batch file was opened and read, or edited. */
  readonly onDidChange: vscode.Event<BatchDocument>;
  /** Fires when a batch file was closed, or is no longer one. */
  readonly onDidClose: vscode.Event<vscode.Uri>;
  /** Checks again which of the open documents are batch files. */
  refresh(): void;
  /** The ids the service lists, if known; the same object as long as they do not change. */
  readonly listed: () => ListedModels | undefined;
  /** Requests the models if none are known. */
  loadListed(): Promise<ListedModels | undefined>;
  /** The ids to offer for a kind of requests, best first. The check reports none of them. */
  readonly modelsFor: (job: ModelJob) => readonly string[];
  readonly severityOf: SeverityOf;
  /** The rules of the active account's service. */
  readonly rulesNow: () => BatchRules;
  /** How requests are written for that service. */
  readonly wayNow: () => ChatWay;
  /** Fires when the listed models or the severities changed. */
  readonly onDidChangeRules: vscode.Event<void>;
  /** Yields all problems of a file as of its last edit, in document order. */
  problemsOf(open: BatchDocument): Iterable<LineProblem>;
}

export function createBatchDocuments(services: Services, decisions: BatchDecisions): BatchDocuments {
  const store = new DisposableStore();
  const report = (error: unknown) => services.log.error('A batch file could not be read.', error);
  const open = new Map<string, BatchDocument>();
  const changed = store.add(new vscode.EventEmitter<BatchDocument>());
  const closed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const pauses = store.add(createDebounce(settleMs));
  const rules = store.add(createRules(services));

  const tellLoaded = (one: BatchDocument) => void one.loaded.then(() => one.isLoaded && changed.fire(one), report);
  const lookAtFile = (one?: BatchDocument) =>
    void one?.lookAtFile().then((isOther) => isOther && one.isLoaded && changed.fire(one), report);
  const add = (document: vscode.TextDocument) => {
    const key = document.uri.toString();
    if (open.has(key) || !decisions.isBatch(document)) return;
    const opened = openBatchDocument(document, rules.rulesNow);
    open.set(key, opened);
    tellLoaded(opened);
    lookAtFile(opened);
  };
  const remove = ({ uri }: vscode.TextDocument) => {
    const key = uri.toString();
    pauses.cancel(key);
    const known = open.get(key);
    if (!known) return;
    known.dispose();
    open.delete(key);
    closed.fire(uri);
  };
  const edit = ({ document, contentChanges }: vscode.TextDocumentChangeEvent) => {
    const known = open.get(document.uri.toString());
    if (known && followEdit(known, contentChanges)) tellLoaded(known);
    else if (known?.isLoaded) changed.fire(known);
    else if (!known && document.languageId === 'jsonl') {
      pauses.start(document.uri.toString(), () => !document.isClosed && add(document));
    }
  };

  store.add(onOtherRules(rules, () => rereadAll(open, tellLoaded)));
  store.add(vscode.workspace.onDidOpenTextDocument(add));
  store.add(vscode.workspace.onDidCloseTextDocument(remove));
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => lookAtFile(open.get(uri.toString()))));
  store.add(vscode.workspace.onDidChangeTextDocument(edit));
  const refresh = () => {
    for (const document of vscode.workspace.textDocuments) (decisions.isBatch(document) ? add : remove)(document);
  };
  refresh();
  return {
    ...rules,
    get: (uri) => open.get(uri.toString()),
    all: () => open.values(),
    onDidChange: changed.event,
    onDidClose: closed.event,
    refresh,
    dispose() {
      store.dispose();
      for (const document of open.values()) document.dispose();
    },
  };
}

function rereadAll(open: ReadonlyMap<string, BatchDocument>, tellLoaded: (one: BatchDocument) => void): void {
  for (const one of open.values()) {
    one.reread();
    tellLoaded(one);
  }
}

/** Runs `onOther` when the rules of the account's service become others than lines were read by. */
function onOtherRules({ rulesNow, onDidChangeRules }: ReturnType<typeof createRules>, onOther: () => void): Disposable {
  let readBy = rulesNow();
  return onDidChangeRules(() => {
    if (readBy === rulesNow()) return;
    readBy = rulesNow();
    onOther();
  });
}

/** The rules for checking batch files: the models of the service, its severities, and the user's own. */
function createRules({ account, settings, models, profiles, connections }: Services) {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  let known: { readonly models: object; readonly listed: ListedModels | undefined } | undefined;
  let rules: { readonly batch: BatchRules; readonly stated: object; readonly now: BatchRules } | undefined;
  const rulesNow = () => {
    const { batch } = rulesOf(account.current.baseUrl);
    const stated = connections.statedOfBatches();
    if (rules?.batch !== batch || rules.stated !== stated) rules = { batch, stated, now: withParts(batch, stated) };
    return rules.now;
  };
  // Looked up once per problem of a file, so the setting is only read when it changes.
  const severitiesNow = () => ({
    ...rulesNow().severities,
    ...settings.get('batch.severities'),
  });
  let set: Readonly<Partial<Record<string, JobSeverity>>> = severitiesNow();
  const refresh = () => {
    set = severitiesNow();
    changed.fire();
  };
  store.add(models.onDidChange(() => changed.fire()));
  store.add(profiles.onDidChange(refresh));
  store.add(connections.onDidChangeOffers(refresh));
  store.add(
    settings.onDidChange((name) => {
      if (name === 'batch.severities') refresh();
    }),
  );
  const listed = (): ListedModels | undefined => {
    const { models: all } = models.state;
    if (known?.models !== all) known = { models: all, listed: listedModels(all) };
    return known.listed;
  };
  return {
    listed,
    async loadListed() {
      await models.listed();
      return listed();
    },
    modelsFor: (job: ModelJob) => modelsForJob(job, models.state.models, models.state.pins).map(({ id }) => id),
    rulesNow,
    wayNow: () => writtenWayOf(account.current.baseUrl),
    problemsOf: (open: BatchDocument) => open.problems(listed()),
    severityOf: (code: ProblemCode) => severities[set[code] ?? defaultSeverities[code]],
    onDidChangeRules: changed.event,
    dispose: () => store.dispose(),
  };
}

/** Passes the edit on. Returns whether the document is read again because of it. */
function followEdit(known: BatchDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): boolean {
  const wasLoaded = known.isLoaded;
  if (changes.length > 0) known.change(changes);
  return wasLoaded && !known.isLoaded;
}
