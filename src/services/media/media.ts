import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Asset, Recipe, UnreadableAsset } from '../../core/assets/recipe';
import type { MediaJob, MediaJobRequest } from '../../core/jobs/media/mediaJob';
import type { Disposable, DisposableStore } from '../../platform/disposables';
import type { JobSources } from '../jobs/jobs';
import { createLazyJobs } from '../jobs/lazyJobs';
import type { KnownJobs, LazyJobs } from '../jobs/lazyJobs';
import { agentFolders, mediaFolder, ownMediaFolder } from './mediaFolder';

export type { Asset } from '../../core/assets/recipe';
export type { MediaJob, MediaJobRequest } from '../../core/jobs/media/mediaJob';

/** An input image of a job, stored so that the same job can be sent again. */
export interface MediaInput {
  /** Used in the request: `input:<name>`. */
  readonly ref: string;
  /** Absolute. */
  readonly path: string;
  /** Detected from the content. */
  readonly contentType: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

export interface MediaSubmission {
  readonly group?: string;
  /** A failed job that this one replaces. The caller forgets that job once this one has been sent. */
  readonly replaces?: string | undefined;
  /** The active profile if absent. */
  readonly profileId?: string;
  readonly signal?: AbortSignal;
  /** Called while the job waits for a limit of the service, with the end of the wait (Unix milliseconds). */
  readonly onWait?: (until: number) => void;
}

/**
 * Images and videos: jobs are sent, followed until their files are here, and stored with their recipes, for all profiles and windows.
 * Operations on a job throw `UserError` if they do not apply, and `ApiError`.
 */
export interface Media extends KnownJobs<MediaJob>, Disposable {
  /** Reads what other windows wrote. */
  refresh(): Promise<void>;
  /** Newest first. Ended jobs are removed after 30 days, or when they are forgotten. */
  readonly jobs: readonly MediaJob[];
  /**
   * Saves the job, then sends it. Resolves to the job when the service has responded: images `fetching`, a video `running`, `refused` if it
   * was certainly not started, `unknown` if the response was lost. Rejects if no paid request was sent and nothing is saved.
   */
  submit(task: MediaJobRequest, submission?: MediaSubmission): Promise<MediaJob>;
  /** Called before the window closes. Sends no more requests, and resolves once none is in flight, so that no response is lost. */
  close(): Promise<void>;
  /** Resolves once its files are saved, it failed permanently, or it was abandoned, or immediately if it has already ended. */
  whenEnded(id: string, signal?: AbortSignal): Promise<MediaJob>;
  /** Like `whenEnded`, but resolves with the job's state after `ms` at the latest. */
  whenEndedWithin(id: string, ms: number, signal: AbortSignal): Promise<MediaJob>;
  /** If another window holds the job, waits for it for at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<MediaJob>;
  /** For a job whose files could not be saved; `evenIfLarge` accepts files over the usual limit. */
  fetchAgain(id: string, options?: { readonly evenIfLarge?: boolean }): Promise<MediaJob>;
  /** Sends the same request again as a new job, which is paid for. */
  submitAgain(id: string): Promise<MediaJob>;
  /**
   * Like `submitAgain`, but replaces a failed job: its record is removed once the new one is sent. Resolves with `undefined` if another
   * window is doing that or has done it. Not for images of a run, which has its own retry.
   */
  retry(id: string): Promise<MediaJob | undefined>;
  /** Stops following it; its files are not deleted. */
  forget(id: string): Promise<void>;

  readonly assets: MediaAssets;
}

/** How a file was made, without what saving it adds. */
type SavedRecipe<Kind extends Recipe['kind']> = Omit<
  Extract<Recipe, { readonly kind: Kind }>,
  'version' | 'createdAt' | 'file' | 'index'
>;

/** The generated files, in all folders ever chosen and in the extension's storage. */
export interface MediaAssets {
  /** Newest first. Entries with a missing file are omitted. */
  list(): Promise<readonly Asset[]>;
  /** The unreadable entries of the last listing. */
  readonly unreadable: readonly UnreadableAsset[];
  /** Takes the path of the file or its recipe. Resolves with `undefined` if there is no recipe. */
  read(path: string): Promise<Asset | undefined>;
  /** The folders that a page showing files may read: all folders of files and of inputs. */
  roots(): readonly vscode.Uri[];
  /** Checks, by content, that it is an image the service accepts, and stores a copy. Throws `UserError`. */
  keepInput(
    from: { readonly path: string } | { readonly bytes: Uint8Array; readonly name: string },
  ): Promise<MediaInput>;
  /** Resolves with `undefined` if it is not stored here. */
  input(ref: string): Promise<MediaInput | undefined>;
  /** Saves generated speech or an image: named by content and written with its recipe, like all other files. */
  keep(bytes: Uint8Array, recipe: SavedRecipe<'speech'> | SavedRecipe<'image'>): Promise<Asset>;
  /**
   * Moves the file and its recipe to the system's trash. If that isn't possible, moves them to a folder of the extension for a while, and
   * resolves with a function that restores them.
   */
  remove(path: string): Promise<(() => Promise<void>) | undefined>;
}

/** Delay after activation, which has other work to do. */
const firstLookMs = 6000;

/** Images, videos and speech, loaded on first use. */
export interface LazyMedia extends LazyJobs<MediaJob, Media> {
  /** Fires when generated files were added or removed. */
  readonly onDidChangeAssets: vscode.Event<void>;
  /** The folders that a page showing files may read. Before it is loaded, those that new files may be saved in. */
  roots(): readonly vscode.Uri[];
}

export function createMedia(sources: JobSources, store: DisposableStore): LazyMedia {
  const assetsChanged = store.add(new vscode.EventEmitter<void>());
  const storage = join(sources.context.globalStorageUri.fsPath, 'media');
  const media = createLazyJobs<MediaJob, Media>(store, {
    open: async (onChange) => {
      const { openMediaJobs } = await import('./mediaJobs');
      return openMediaJobs(sources, { storage, onChange, onAssetsChange: () => assetsChanged.fire() });
    },
    folder: join(storage, 'jobs'),
    firstLookMs,
    onError: (error) => sources.log.warn(`Media: ${String(error)}`),
  });
  const newRoots = () => {
    const { context } = sources;
    const own = [mediaFolder(sources), ownMediaFolder(context), ...agentFolders(), join(storage, 'inputs')];
    return [...new Set(own)].map((path) => vscode.Uri.file(path));
  };
  sources.costs.consider(media);
  return Object.assign(media, {
    onDidChangeAssets: assetsChanged.event,
    roots: () => media.loaded?.assets.roots() ?? newRoots(),
  });
}

/** The initial values for the page of a generation job. */
export type MediaStart =
  /** `regenerate`: sends the recipe's request immediately. `vary`: fills the form with it, without the seed. */
  | { readonly as: 'regenerate' | 'vary'; readonly path: string }
  | {
      readonly as: 'form';
      readonly model?: string;
      readonly prompt?: string;
      /** Path of an image: the first frame of the video, or the image to edit. */
      readonly image?: string;
    }
  /** Shows a job that was sent. */
  | { readonly as: 'job'; readonly id: string };

/** Returns the model named by the argument a screen was opened with, if any. */
export function startModel(value: unknown): string | undefined {
  const start = toMediaStart(value);
  return start?.as === 'form' ? start.model : undefined;
}

/** Returns `undefined` for anything else, e.g. what a menu passes. */
export function toMediaStart(value: unknown): MediaStart | undefined {
  if (typeof value !== 'object' || value === null || !('as' in value)) return undefined;
  const { as, path, id, model, prompt, image } = value as Readonly<Record<string, unknown>>;
  if ((as === 'regenerate' || as === 'vary') && typeof path === 'string') return { as, path };
  if (as === 'job' && typeof id === 'string') return { as, id };
  if (as !== 'form') return undefined;
  return {
    as,
    ...(typeof model === 'string' && { model }),
    ...(typeof prompt === 'string' && { prompt }),
    ...(typeof image === 'string' && { image }),
  };
}
