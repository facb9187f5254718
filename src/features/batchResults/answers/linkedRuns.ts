import * as vscode from 'vscode';
import { withoutRetries } from '../../../core/batch/results/retries';
import { updateRun, type RunFolder } from '../../../core/batch/results/runFolder';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { renamedUri } from '../../../platform/workspace/renamedUri';
import type { Services } from '../../../services/services';
import type { Runs } from '../logic/runs';

const chosenKey = 'batchResults.answersOf';
/** Older choices are dropped. */
const mostChosen = 200;

/** The folder of the run whose answers a batch file shows; `none` if the user wants none. */
type Choice = string;

/** The runs of batch files, by their input files. */
export interface LinkedRuns extends Disposable {
  /** Returns the folder of the run whose answers a file's lines show: the chosen one, else the newest with results. */
  folderOf(file: string): string | undefined;
  /** Newest first. */
  of(file: string): readonly RunFolder[];
  chosen(file: string): Choice | undefined;
  /** `undefined` selects the newest run again. */
  choose(file: string, choice: Choice | undefined): Promise<void>;
  refresh(): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

export const noAnswers: Choice = 'none';

export function createLinkedRuns(services: Services, list: Runs): LinkedRuns {
  const { workspaceState } = services.context;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  let runs: readonly RunFolder[] = [];
  const choices = () => workspaceState.get<Readonly<Record<string, Choice>>>(chosenKey, {});
  const of = (file: string) => runs.filter((one) => one.run.input?.path === file);
  const hasResults = ({ run: { files } }: RunFolder) => files.output !== undefined || files.errors !== undefined;

  const refresh = async () => {
    const found = withoutRetries(await list.all());
    if (JSON.stringify(found) === JSON.stringify(runs)) return;
    runs = found;
    changed.fire();
  };
  const report = (error: unknown) => services.log.warn(`Runs of batch files: ${String(error)}`);
  const refreshQuietly = () => void refresh().catch(report);
  const follow = async ({ files }: vscode.FileRenameEvent) => {
    for (const { path: folder, run } of await list.all()) {
      const moved = movedPath(run.input?.path, files);
      if (run.input && moved !== undefined) await updateRun(folder, { input: { ...run.input, path: moved } });
    }
    const batchJobs = await services.batchJobs();
    for (const { id, input } of batchJobs.jobs) {
      const moved = movedPath(input?.path, files);
      if (moved !== undefined) await batchJobs.linkInput(id, moved).catch(report);
    }
    const known = Object.entries(choices()).map(([file, choice]) => [movedPath(file, files) ?? file, choice] as const);
    await workspaceState.update(chosenKey, Object.fromEntries(known));
    await refresh();
  };
  store.add(vscode.workspace.onDidRenameFiles((event) => void follow(event).catch(report)));
  store.add(services.batchJobs.onDidChange(refreshQuietly));
  store.add(services.settings.onDidChange((name) => name === 'batch.resultsFolder' && refreshQuietly()));

  return {
    of,
    folderOf(file) {
      const choice = choices()[file];
      if (choice === noAnswers) return undefined;
      const known = of(file).filter(hasResults);
      return (known.find(({ path }) => path === choice) ?? known[0])?.path;
    },
    chosen: (file) => choices()[file],
    async choose(file, choice) {
      const { [file]: _before, ...others } = choices();
      const recent = Object.entries(others).slice(1 - mostChosen);
      const next = choice === undefined ? recent : [...recent, [file, choice] as const];
      await workspaceState.update(chosenKey, Object.fromEntries(next));
      changed.fire();
    },
    refresh,
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}

/** Returns the new path of a file that was renamed or moved, alone or with a folder; `undefined` for any other. */
function movedPath(file: string | undefined, files: vscode.FileRenameEvent['files']): string | undefined {
  const moved = file === undefined ? undefined : renamedUri(vscode.Uri.file(file), files);
  return moved?.scheme === 'file' ? moved.fsPath : undefined;
}
