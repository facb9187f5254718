import * as vscode from 'vscode';
import {
  retriedStates,
  unansweredStates,
  type RequestLine,
  type FailedLine,
  type ResultDetails,
  type ResultsRow,
  type ResultsSummary,
} from '../../../core/batch/results/resultsView';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { ShownRunFacts } from '../../../services/batches/batches';
import type { Services } from '../../../services/services';
import type { OpenRun, OpenRuns } from '../run/openRuns';
import type { LinkedRuns } from './linkedRuns';

/** The answers of a run to the lines of one file, looked up line by line. */
export class FileAnswers implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly run: OpenRun;
  private isRead = false;
  private isDisposed = false;

  /** Fires when there is something different to show. */
  readonly onDidChange = this.changed.event;
  /** How often the results have been read. */
  reading = 0;
  private readNumber = 0;
  /** The file has changed since it was sent, and it is not known which of its lines did. */
  isChanged = false;
  private summary: ResultsSummary | undefined;

  constructor(
    runs: OpenRuns,
    readonly folder: string,
    onError: (error: unknown) => void,
  ) {
    this.run = this.store.add(runs.open({ kind: 'folder', folder }));
    const report = (error: unknown) => {
      if (!(error instanceof vscode.CancellationError)) onError(error);
    };
    this.store.add(this.run.run.onDidGoStale(() => void this.read(true).catch(report)));
    this.read(false).catch(report);
  }

  /** The facts about the run. */
  get facts(): ShownRunFacts {
    const { folder, summary } = this;
    if (!summary) return { folder };
    const retried = retriedStates.filter((state) => unansweredStates.includes(state));
    const open = retried.reduce((sum, state) => sum + summary.open[state], 0);
    return { folder, answered: summary.answered, requests: summary.requests, open };
  }

  /** Returns one row per line, in the same order; all `null` while the results are being read. */
  async rows(lines: readonly RequestLine[]): Promise<readonly (ResultsRow | null)[]> {
    if (!this.isRead || lines.length === 0) return lines.map(() => null);
    const { rows } = await this.run.reading.call('answersFor', { lines });
    return this.isChanged ? rows.map((row) => row && { ...row, isChanged: true }) : rows;
  }

  async details(line: RequestLine): Promise<ResultDetails | undefined> {
    return this.isRead ? (await this.run.reading.call('answerFor', { line })).details : undefined;
  }

  /** Empty while the results are being read. */
  async failures(most: number): Promise<readonly FailedLine[]> {
    return this.isRead ? (await this.run.reading.call('failures', { most })).failures : [];
  }

  dispose(): void {
    this.isDisposed = true;
    this.store.dispose();
  }

  private async read(again: boolean): Promise<void> {
    const mine = ++this.readNumber;
    const summary = await this.run.reading.load(again, () => undefined);
    // A later read reports the same.
    if (this.isDisposed || this.readNumber !== mine) return;
    this.isRead = summary !== undefined;
    this.summary = summary;
    this.reading++;
    this.isChanged = summary?.input?.since === 'changed';
    this.changed.fire();
  }
}

/** The answers that the lines of open batch files show. */
export class OpenAnswers implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly open = new Map<string, FileAnswers>();

  /** Fires when a file may show other answers. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly services: Services,
    private readonly runs: OpenRuns,
    private readonly linked: LinkedRuns,
  ) {
    const { store } = this;
    const follow = () => this.follow();
    store.add(linked.onDidChange(follow));
    store.add(services.settings.onDidChange((name) => name === 'batch.answers' && follow()));
    store.add(vscode.workspace.onDidOpenTextDocument(({ languageId }) => languageId === 'jsonl' && this.refresh()));
    store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.close(uri.fsPath)));
    this.refresh();
  }

  /** Where answers are shown. */
  get place(): 'both' | 'hints' | 'lens' | 'off' {
    return this.services.settings.get('batch.answers');
  }

  of({ uri }: vscode.TextDocument): FileAnswers | undefined {
    return uri.scheme === 'file' ? this.open.get(uri.fsPath) : undefined;
  }

  dispose(): void {
    this.store.dispose();
    for (const answers of this.open.values()) answers.dispose();
  }

  private refresh(): void {
    const report = (error: unknown) => this.services.log.warn(`Responses: ${String(error)}`);
    void this.linked.refresh().then(() => this.follow(), report);
  }

  private close(file: string): void {
    this.open.get(file)?.dispose();
    this.open.delete(file);
  }

  /** Opens the runs to show now, and closes all others. */
  private follow(): void {
    const { open, services, place } = this;
    const folders = place === 'off' ? new Map<string, string>() : this.foldersOfOpenFiles();
    for (const [file, { folder }] of open) if (folders.get(file) !== folder) this.close(file);
    for (const [file, folder] of folders) {
      if (open.has(file)) continue;
      const onError = (error: unknown) => services.log.warn(`Answers of ${file}: ${String(error)}`);
      const answers = new FileAnswers(this.runs, folder, onError);
      answers.onDidChange(() => this.show());
      open.set(file, answers);
    }
    this.show();
  }

  private show(): void {
    const isInLens = this.place === 'both' || this.place === 'lens';
    const facts = [...this.open].map(([file, answers]) => [file, answers.facts] as const);
    this.services.shownRuns.show(new Map(isInLens ? facts : []));
    this.changed.fire();
  }

  /** Returns, for each open batch file, the folder of the run whose answers it shows. */
  private foldersOfOpenFiles(): ReadonlyMap<string, string> {
    const folders = new Map<string, string>();
    for (const { uri, languageId } of vscode.workspace.textDocuments) {
      const isBatchFile = languageId === 'jsonl' && uri.scheme === 'file';
      const folder = isBatchFile ? this.linked.folderOf(uri.fsPath) : undefined;
      if (folder !== undefined) folders.set(uri.fsPath, folder);
    }
    return folders;
  }
}
