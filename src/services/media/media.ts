import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Asset, Recipe, UnreadableAsset } from '../../core/assets/recipe';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import type { MediaJob, MediaJobRequest } from '../../core/jobs/media/mediaJob';
import type { Disposable } from '../../platform/disposables';
import type { JobSources } from '../jobs/jobSources';
import { createLazyRuntime } from '../../platform/lazyRuntime';
import type { StoredAssets } from './mediaAssets';
import { agentFolders, mediaFolder, ownMediaFolder } from './mediaFolder';

export type { Asset, Recipe } from '../../core/assets/recipe';
export type { MediaJob, MediaJobRequest } from '../../core/jobs/media/mediaJob';

/** A picture that is sent along with an order, kept so that the same order can be sent again. */
export interface MediaInput {
  /** Stands in the request: `input:<name>`. */
  readonly ref: string;
  /** Absolute. */
  readonly path: string;
  /** By content. */
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

export interface MediaSubmission {
  readonly group?: string;
  /** A failed order in whose place this one stands. Whoever gives it forgets that one, once this one was sent. */
  readonly replaces?: string | undefined;
  /** The active profile where absent. */
  readonly profileId?: string;
  readonly signal?: AbortSignal;
  /** It waits at a limit of the service until then (Unix milliseconds). */
  readonly onWait?: (until: number) => void;
}

/**
 * Pictures and videos: ordered, followed until their files are here, and kept with their recipes; those of all profiles and
 * windows. What acts on a job throws `UserError` where it does not apply, and `ApiError`; the words of a job's trouble are
 * for the person.
 */
export interface Media extends Disposable {
  /** Resolves when `jobs` holds what is on disk. */
  ready(): Promise<void>;
  /** Newest first; empty before `ready`. Those that ended go after 30 days, or when they are forgotten. */
  readonly jobs: readonly MediaJob[];
  readonly unreadable: readonly UnreadableJob[];
  readonly onDidChange: vscode.Event<void>;
  /**
   * Keeps the order, then sends it. Resolves to the job when the service has answered: pictures `fetching`, a video
   * `running`, `refused` where it was certainly not begun, `unknown` where the answer was lost. Rejects where nothing was sent
   * that costs and nothing is kept.
   */
  submit(order: MediaJobRequest, submission?: MediaSubmission): Promise<MediaJob>;
  /** Resolves when its files are saved, it failed for good, or it was given up; at once where it has ended. */
  whenEnded(id: string, signal?: AbortSignal): Promise<MediaJob>;
  /** Where another window is at it, waits for that at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<MediaJob>;
  /** Of one whose files could not be saved; `evenIfLarge` takes what is over the usual bound. */
  fetchAgain(id: string, options?: { readonly evenIfLarge?: boolean }): Promise<MediaJob>;
  /** The same order once more, as a job of its own; it is paid for. */
  submitAgain(id: string): Promise<MediaJob>;
  /**
   * As `submitAgain`, in place of one that came to nothing: its record goes once the new one is sent. `undefined` where
   * someone else does that, or did it meanwhile. Not for pictures of a run, which has its own order.
   */
  retry(id: string): Promise<MediaJob | undefined>;
  /** Ends following it; its files stay. */
  forget(id: string): Promise<void>;

  readonly assets: MediaAssets;
}

/** The files that were made, in all folders that were ever chosen and in the extension's storage. */
export interface MediaAssets {
  /** Newest first. Those whose file is gone are left out. */
  list(): Promise<readonly Asset[]>;
  /** What the last listing found and could not read. */
  readonly unreadable: readonly UnreadableAsset[];
  /** Files came or went. */
  readonly onDidChange: vscode.Event<void>;
  /** `undefined` where there is no recipe beside it. Takes the file or its recipe. */
  read(path: string): Promise<Asset | undefined>;
  /** Where new files go now: the folder that was chosen, else the extension's storage. Absolute. */
  folder(): string;
  /** What a page that shows files may read: all folders of files and of inputs. */
  roots(): readonly vscode.Uri[];
  /** Checks, by content, that it is a picture the service takes, and keeps a copy. Throws `UserError`. */
  keepInput(
    from: { readonly path: string } | { readonly bytes: Uint8Array; readonly name: string },
  ): Promise<MediaInput>;
  /** `undefined` where it is not kept here. */
  input(ref: string): Promise<MediaInput | undefined>;
  /** Speech that was made: named by content and written with its recipe, like all others. */
  keep(
    bytes: Uint8Array,
    recipe: Omit<Extract<Recipe, { kind: 'speech' }>, 'version' | 'createdAt' | 'file' | 'index'>,
  ): Promise<Asset>;
  /** To the system's trash, with the recipe; `forGood` where there is none, as on another machine. */
  remove(path: string, options?: { readonly forGood?: boolean }): Promise<void>;
}

/** After the start, which has other things to do. */
const firstLookMs = 6000;

/** Loads the engine at first use, or a while after the start where there are records. */
export function createMedia(options: JobSources): Media {
  const assetsChanged = new vscode.EventEmitter<void>();
  const storage = join(options.context.globalStorageUri.fsPath, 'media');
  const runtime = createLazyRuntime({
    open: async (onChange) => {
      const { openMedia } = await import('./mediaRuntime');
      return openMedia({ ...options, storage, onChange, onAssetsChange: () => assetsChanged.fire() });
    },
    folder: join(storage, 'jobs'),
    firstLookMs,
    onTrouble: (error) => options.log.warn(`Media: ${String(error)}`),
  });
  const load = () => runtime.load();
  const folder = () => mediaFolder(options);

  return {
    ready: () => runtime.ready(),
    get jobs() {
      return runtime.now?.jobs ?? [];
    },
    get unreadable() {
      return runtime.now?.unreadable ?? [];
    },
    onDidChange: runtime.onDidChange,
    submit: async (order, submission) => (await load()).submit(order, submission),
    whenEnded: async (id, signal) => (await load()).whenEnded(id, signal),
    checkNow: async (id, heldMs) => (await load()).checkNow(id, heldMs),
    fetchAgain: async (id, again) => (await load()).fetchAgain(id, again),
    submitAgain: async (id) => (await load()).submitAgain(id),
    retry: async (id) => (await load()).retry(id),
    forget: async (id) => (await load()).forget(id),
    assets: {
      ...lazyAssets(async () => (await load()).assets),
      get unreadable() {
        return runtime.now?.assets.unreadable ?? [];
      },
      onDidChange: assetsChanged.event,
      folder,
      roots: () => {
        const own = [folder(), ownMediaFolder(options.context), ...agentFolders(), join(storage, 'inputs')];
        return runtime.now?.assets.roots() ?? [...new Set(own)].map((path) => vscode.Uri.file(path));
      },
    },
    dispose() {
      runtime.dispose();
      assetsChanged.dispose();
    },
  };
}

function lazyAssets(
  load: () => Promise<StoredAssets>,
): Omit<MediaAssets, 'onDidChange' | 'folder' | 'roots' | 'unreadable'> {
  return {
    list: async () => (await load()).list(),
    read: async (path) => (await load()).read(path),
    keepInput: async (from) => (await load()).keepInput(from),
    input: async (ref) => (await load()).input(ref),
    keep: async (bytes, recipe) => (await load()).keep(bytes, recipe),
    remove: async (path, options) => (await load()).remove(path, options),
  };
}
