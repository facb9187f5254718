import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import type { Disposable, DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Once } from '../../platform/once';

/** A service's known jobs. */
export interface KnownJobs<J extends Job> {
  /** Newest first. */
  readonly jobs: readonly J[];
  /** Records that are left unchanged because a newer version wrote them or they are damaged. */
  readonly unreadable: readonly UnreadableJob[];
}

/**
 * A service for jobs that is loaded when it is first called, or some time after activation if there are records. Its jobs can be read at
 * any time, and are empty until it is loaded.
 */
export interface LazyJobs<J extends Job, Service> extends Once<Service>, KnownJobs<J> {
  /** Fires when it has been loaded, and whenever its jobs differ. */
  readonly onDidChange: vscode.Event<void>;
}

interface LazyJobsOptions<Service> {
  /** Resolves once the service knows what is on disk. It calls `onChange` whenever its jobs differ. */
  readonly open: (onChange: () => void) => Promise<Service>;
  /** Folder of the records. */
  readonly folder: string;
  /** Delay after activation, which has other work to do. */
  readonly firstLookMs: number;
  readonly onError: (error: unknown) => void;
}

/** `store` owns the service and all that follows its jobs. */
export function createLazyJobs<J extends Job, Service extends KnownJobs<J> & Disposable>(
  store: DisposableStore,
  { open, folder, firstLookMs, onError }: LazyJobsOptions<Service>,
): LazyJobs<J, Service> {
  const changed = store.add(new vscode.EventEmitter<void>());
  const known: { jobs: readonly J[]; unreadable: readonly UnreadableJob[] } = { jobs: [], unreadable: [] };
  let opened: Service | undefined;
  const onChange = () => {
    if (opened) Object.assign(lazy, { jobs: opened.jobs, unreadable: opened.unreadable });
    changed.fire();
  };
  const load = onceDisposable(store, async () => {
    opened = await open(onChange);
    stopLooking();
    onChange();
    return opened;
  });
  const lazy = Object.assign(load, known, { onDidChange: changed.event });

  const look = async (): Promise<void> => {
    const names = await readdir(folder).catch((): string[] => []);
    if (names.some((name) => name.endsWith('.json'))) await load();
  };
  const lookQuietly = () => void look().catch(onError);
  const first = setTimeout(lookQuietly, firstLookMs);
  // A window that is closed leaves its jobs to the others, one of which the user turns to next.
  const later = vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) lookQuietly();
  });
  const stopLooking = () => {
    clearTimeout(first);
    later.dispose();
  };
  store.add({ dispose: stopLooking });
  return lazy;
}
