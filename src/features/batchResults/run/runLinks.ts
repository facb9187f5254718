import * as vscode from 'vscode';
import type { Run } from '../../../core/batch/results/runFile';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import { throttle } from '../../../platform/throttle';
import { ownResultsRoot, resultsRoot } from '../../../services/batches/resultsRoot';
import type { Services } from '../../../services/services';
import { isRecent, linksKey } from '../logic/hasLinks';
import { keyOf, readTarget, type ResultsTarget } from '../logic/resultsTarget';
import type { Runs } from '../logic/runs';

/** Older entries are dropped. */
const mostLinks = 100;
/** Runs change often while they are running. */
const restMs = 1000;

/** The run whose requests a batch file contains with changes. */
interface RunLink {
  readonly of: ResultsTarget;
  /** Hexadecimal hash of the file as it was written. */
  readonly sha256: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Batch files that send requests of a run again, until their first run has ended. Stored over reloads. */
export interface RunLinks extends Disposable {
  add(file: string, link: Omit<RunLink, 'at'>): Promise<void>;
}

/** `onEnd` is called once for the first run of a linked file, when it has ended with results. */
export function createRunLinks(
  services: Services,
  runs: Runs,
  onEnd: (pair: { readonly a: ResultsTarget; readonly b: ResultsTarget }) => void,
): RunLinks {
  const { globalState } = services.context;
  let watching: Disposable | undefined;
  const all = () => linksIn(globalState);
  const look = async (): Promise<void> => {
    const ended = (await runs.all()).filter(({ run, isGuessed }) => !isGuessed && hasEnded(run));
    for (const [file, link] of Object.entries(all())) {
      const found = ended.findLast((folder) => isOf(folder, file, link));
      if (!found) continue;
      const { [file]: _done, ...others } = all();
      await globalState.update(linksKey, others);
      onEnd({ a: link.of, b: { kind: 'folder', folder: found.path } });
    }
    if (Object.keys(all()).length === 0) stop();
  };
  const stop = () => {
    watching?.dispose();
    watching = undefined;
  };
  const watch = () => {
    if (watching) return;
    const watched = new DisposableStore();
    watching = watched;
    const looks = watched.add(
      throttle(restMs, () => {
        look().catch((error: unknown) => services.log.warn(`Linked runs: ${String(error)}`));
      }),
    );
    for (const root of new Set([resultsRoot(services), ownResultsRoot(services.context)])) {
      const pattern = new vscode.RelativePattern(vscode.Uri.file(root), '*/run.json');
      const watcher = watched.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidChange, watcher.onDidCreate]) watched.add(event(() => looks.soon()));
    }
    watched.add(services.batchJobs.onDidChange(() => looks.soon()));
    looks.soon();
  };
  if (Object.keys(all()).length > 0) watch();
  return {
    async add(file, link) {
      const { [file]: _before, ...others } = all();
      const recent = Object.entries(others).slice(1 - mostLinks);
      await globalState.update(linksKey, Object.fromEntries([...recent, [file, { ...link, at: Date.now() }]]));
      watch();
    },
    dispose: stop,
  };
}

function linksIn(memento: vscode.Memento): Readonly<Record<string, RunLink>> {
  const stored = memento.get<Readonly<Record<string, RunLink>>>(linksKey, {});
  return Object.fromEntries(
    Object.entries(stored).filter(([, { of, at }]) => readTarget(of) !== undefined && isRecent(at)),
  );
}

function hasEnded({ ended, files }: Run): boolean {
  return ended && (files.output !== undefined || files.errors !== undefined);
}

/** The file may have been edited or renamed before it ran. The repeated run itself can have the same content, and be as new. */
function isOf({ run, path }: RunFolder, file: string, { of, sha256, at }: RunLink): boolean {
  if (keyOf(of) === keyOf({ kind: 'folder', folder: path })) return false;
  return run.createdAt >= at - 1000 && (run.input?.path === file || run.input?.sha256 === sha256);
}
