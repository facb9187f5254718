import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { runCommand } from '../../platform/contributions';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import { checkOffered } from '../../services/account/notOffered';
import type { Services } from '../../services/services';
import { insertGenerated } from './insert/insertGenerated';
import { contextOf } from './view/mediaItem';
import { mediaRowOf } from './logic/mediaRow';
import type { MediaQuestions } from './logic/mediaQuestions';
import { exportDetails, saveGenerated } from './saveGenerated';
import { mediaViewId } from './view/mediaView';
import { withProgress } from '../../platform/notify';
import type { Asset, Media, MediaAssets, MediaJob } from '../../services/media/media';
import { mediaErrorText } from '../../services/media/mediaMessages';
import { isLost } from '../../core/jobs/media/mediaJob';
import { isSameService } from '../../core/jobs/sameService';
import { isLocalDesktop } from '../../platform/localDesktop';
import { expectedAsset, expectedMedia } from '../../core/prices/paidWork';
import { hasPrices } from '../../core/profiles/knownServices';
import { UserError } from '../../platform/errors/userError';
import { readFileFacts } from '../../core/assets/fileFacts';
import { kindOf } from '../../core/assets/kindOfName';
import { recipeEnding } from '../../core/assets/recipe';
import { exists } from '../../core/storage/privateFiles';
import path from 'node:path';
import { foreign } from '../../core/text/foreignText';

/** `all`: all rows selected in the view when its menu was opened. */
type Action = (of: unknown, all?: unknown) => Promise<void>;

/** Implements the commands, by name. Arguments are checked: they come from menus, pages and other extensions. */
export type MediaRuntime = Readonly<Record<MediaCommand, Action>>;

export type MediaCommand = FileCommand | keyof typeof jobActions;

type FileCommand =
  | 'regenerate'
  | 'vary'
  | 'useAsFirstFrame'
  | 'edit'
  | 'showRecipe'
  | 'insert'
  | 'open'
  | 'openOutside'
  | 'reveal'
  | 'saveAs'
  | 'exportDetails'
  | 'copyPath'
  | 'remove';

export interface MediaParts extends Services {
  readonly questions: MediaQuestions;
  readonly lastEditor: LastEditor;
  readonly run: typeof runCommand;
}

export function createMediaRuntime(parts: MediaParts): MediaRuntime {
  const { media, questions, run } = parts;
  const generated = async () => (await media()).assets;
  /** Acts on a file that exists. */
  const onFile =
    (act: (file: string) => Promise<void>): Action =>
    async (of) => {
      const file = await findGenerated(of, await generated(), questions);
      if (file === undefined) return;
      await checkThere(file);
      await act(file);
    };
  /** Acts on a file that has a recipe; the file itself may be missing. */
  const onRecipe =
    (act: (file: string, of: unknown) => Promise<void>): Action =>
    async (of) => {
      const file = await findGenerated(of, await generated(), questions);
      if (file !== undefined) await act(file, of);
    };
  const again = (as: 'regenerate' | 'vary') =>
    onRecipe(async (file, of) => sendAgain(as, await readGenerated(file, await generated()), parts, isFromPage(of)));
  const onJob =
    (name: keyof typeof jobActions): Action =>
    async (of, all) => {
      const jobs = await findJobs(name, of, all, await media());
      const act = () => jobActions[name](jobs, parts, isFromPage(of));
      await withProgress({ location: { viewId: mediaViewId } }, act);
    };
  /** Acts on all selected files together, else on one. */
  const onFiles =
    (act: (files: readonly string[]) => Promise<void>): Action =>
    async (of, all) => {
      const several = severalOf(of, all);
      if (!several) return onFile((file) => act([file]))(of);
      const files = several.filter((one) => mediaRowOf(one)?.kind !== 'job').map(handedPath);
      for (const file of files) await checkThere(file);
      await act(files);
    };

  return {
    regenerate: again('regenerate'),
    vary: again('vary'),
    useAsFirstFrame: onFile((file) => run('inferenceDesk.videos.open', { as: 'form', image: file })),
    edit: onFile((file) => run('inferenceDesk.images.open', { as: 'form', image: file })),
    showRecipe: onRecipe(async (file) => showRecipe(file, await generated())),
    insert: onFiles((files) => insertGenerated(files, parts)),
    open: onFile(openInEditor),
    openOutside: onFile((file) => openOrSave(file, parts)),
    reveal: onFile(reveal),
    saveAs: onFiles((files) => saveGenerated(files, questions)),
    exportDetails: onFiles(async (files) => exportDetails(files, await generated(), questions)),
    copyPath: onFile(async (file) => vscode.env.clipboard.writeText(file)),
    remove: onFiles((files) => deleteGenerated(files, parts)),
    checkNow: onJob('checkNow'),
    fetchAgain: onJob('fetchAgain'),
    retry: onJob('retry'),
    forget: onJob('forget'),
  };
}

/** Whether a command comes from a page: pages pass paths and IDs, and have the price on their buttons. */
function isFromPage(of: unknown): boolean {
  return typeof of === 'string';
}

/** Deletes generated files only; others are left to the Explorer. Offers to undo it if they are not in the system's trash. */
async function deleteGenerated(files: readonly string[], { media, questions, report }: MediaParts): Promise<void> {
  const { assets } = await media();
  for (const file of files) await readGenerated(file, assets);
  if (!(await questions.remove(files, isLocalDesktop()))) return;
  const restores = new Map<string, () => Promise<void>>();
  const remove = async (file: string) => {
    const restore = await assets.remove(file);
    if (restore) restores.set(file, restore);
  };
  const offerUndo = async () => {
    if (await questions.undoRemove([...restores.keys()]))
      await inTurn([...restores], async ([file, restore]) =>
        restore().catch((error: unknown) => notRestored(file, error)),
      );
  };
  try {
    await inTurn(files, remove);
  } finally {
    // Not awaited, because the notification can stay for long.
    if (restores.size > 0) offerUndo().catch(report);
  }
}

function notRestored(file: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  const name = foreign(path.basename(file));
  if (code === 'EEXIST')
    throw new UserError(
      l10n.t('Couldn\'t restore "{0}"', name),
      l10n.t('The original folder has another file with this name.'),
    );
  if (code === 'ENOENT')
    throw new UserError(l10n.t('Couldn\'t restore "{0}"', name), l10n.t('The file has been permanently deleted.'));
  throw error;
}

const endpoints = {
  image: 'POST /images/generations',
  video: 'POST /video/submit',
  speech: 'POST /audio/speech',
} as const;

const screens = {
  image: 'inferenceDesk.images.open',
  video: 'inferenceDesk.videos.open',
  speech: 'inferenceDesk.voices.open',
} as const;

/**
 * Opens the page that generated a file, and sends its request at once or fills the form with it. If the file was generated at another
 * service, first asks which profile to use. Speech opens the page of its voice. Asks before it pays, unless the price was shown.
 */
async function sendAgain(
  as: 'regenerate' | 'vary',
  asset: Asset,
  { account, profiles, questions, run, usage }: MediaParts,
  isPriceShown: boolean,
): Promise<void> {
  const { recipe, path } = asset;
  if (recipe.kind === 'speech' && !recipe.request.voice) throw noVoice();
  const { active, list } = profiles;
  if (active && !isSameService(recipe.service, active.baseUrl)) {
    const fitting = list.filter(({ baseUrl }) => isSameService(recipe.service, baseUrl));
    const answer = await questions.service(asset, active, fitting);
    if (!answer) return undefined;
    if (answer.profile.id !== active.id) await profiles.setActive(answer.profile.id);
  }
  if (as === 'regenerate') checkOffered(account.current, endpoints[recipe.kind]);
  if (as === 'regenerate' && !isPriceShown && hasPrices(account.current.baseUrl ?? '')) {
    const prices = await (await usage()).readyPrices();
    if (!(await questions.regenerate(asset, prices.quote([expectedAsset(recipe)])))) return;
  }
  return run(screens[recipe.kind], { as, path });
}

function noVoice(): UserError {
  return new UserError(
    l10n.t("Couldn't find the voice of this clip"),
    l10n.t('To regenerate the clip, open a voice in the Voices view.'),
  );
}

/** Opens the file in VS Code's own viewer. */
async function openInEditor(file: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}

async function showRecipe(file: string, assets: MediaAssets): Promise<void> {
  // Open an unreadable recipe all the same, so that the user can fix it.
  if (!(await exists(file + recipeEnding))) await readGenerated(file, assets);
  await vscode.window.showTextDocument(vscode.Uri.file(file + recipeEnding), { preview: true });
}

/** Offers to save the file if no other program can open it from here. */
async function openOrSave(file: string, { questions, run }: MediaParts): Promise<void> {
  if (await openOutside(file)) return;
  if (await questions.saveInstead()) await run('inferenceDesk.media.saveAs', file);
}

/** Returns `false` if that is impossible from here. Throws `UserError` for files the system might execute, whatever recipe they have. */
async function openOutside(file: string): Promise<boolean> {
  if (!(await isShownOnly(file))) {
    throw new UserError(
      l10n.t("Couldn't open the file"),
      l10n.t('"{0}" isn\'t an image, video, or audio file. Opening it might run a program.', file),
    );
  }
  if (!isLocalDesktop()) return false;
  if (await vscode.env.openExternal(vscode.Uri.file(file))) return true;
  throw new UserError(l10n.t('No program opened the file'), l10n.t('Open "{0}" in your file manager.', file));
}

/** Whether it is a media file by its name, which the system goes by, and by its content. */
async function isShownOnly(file: string): Promise<boolean> {
  const kind = kindOf(file);
  if (kind === undefined) return false;
  const facts = await readFileFacts(file);
  // Audio may be raw samples, which are indistinguishable from other bytes.
  return typeof facts !== 'string' || (kind === 'speech' && facts === 'other');
}

/** Reveals the file in the Explorer if it is in the workspace, else in the system's file manager. */
async function reveal(file: string): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  if (isLocalDesktop()) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
    return;
  }
  throw new UserError(
    l10n.t("Couldn't show the folder"),
    l10n.t('VS Code runs in a browser or on another machine. The path there is "{0}".', file),
  );
}

/**
 * Resolves to the absolute path of the file a command is about, whether or not it exists: from its argument (a URI, path or row; a recipe
 * means its file), else the active tab, else a pick. `undefined` if the user cancels.
 */
async function findGenerated(of: unknown, assets: MediaAssets, questions: MediaQuestions): Promise<string | undefined> {
  if (of !== undefined) return withoutRecipe(handedPath(of));
  const open = activeFile();
  if (open !== undefined) return open;
  const made = await assets.list();
  if (made.length > 0) return (await questions.made(made))?.path;
  throw new UserError(l10n.t('No images or videos yet'), l10n.t('Generate an image or video first.'));
}

function handedPath(of: unknown): string {
  if (of instanceof vscode.Uri) {
    if (of.scheme === 'file') return of.fsPath;
    throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the file on this machine first.'));
  }
  const row = mediaRowOf(of);
  if (row?.kind === 'made') return row.asset.path;
  if (typeof of === 'string' && path.isAbsolute(of)) return path.normalize(of);
  throw new UserError(
    l10n.t('No file selected'),
    l10n.t('Select a file in the Explorer or the Images and Videos view.'),
  );
}

function withoutRecipe(file: string): string {
  return file.endsWith(recipeEnding) ? file.slice(0, -recipeEnding.length) : file;
}

/** The file in the active tab, if its type can be generated or it is a recipe. VS Code's media viewers are custom editor tabs. */
function activeFile(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputText) && !(input instanceof vscode.TabInputCustom)) return undefined;
  if (input.uri.scheme !== 'file') return undefined;
  const file = withoutRecipe(input.uri.fsPath);
  return kindOf(file) === undefined ? undefined : file;
}

/** Throws `UserError` if the file was moved or deleted. */
async function checkThere(file: string): Promise<void> {
  if (await exists(file)) return;
  throw new UserError(
    l10n.t('The file no longer exists'),
    l10n.t('"{0}" has been moved or deleted. Regenerate it from its details.', file),
  );
}

/** Returns the file with its recipe; throws `UserError` if there is none or it cannot be read. */
async function readGenerated(file: string, assets: MediaAssets): Promise<Asset> {
  const asset = await assets.read(file);
  if (asset) return asset;
  const name = path.basename(file) + recipeEnding;
  if (await exists(file + recipeEnding)) {
    throw new UserError(
      l10n.t("Couldn't read the details"),
      l10n.t('"{0}" has been edited or is from a newer version.', foreign(name)),
    );
  }
  throw new UserError(
    l10n.t('No details for this file'),
    l10n.t('The details file "{0}" is missing. Keep it next to the generated file.', foreign(name)),
  );
}

/** Actions on jobs, by command name. */
const jobActions = {
  checkNow: (jobs, { media }) => inTurn(jobs, async ({ id }) => (await media()).checkNow(id)),
  fetchAgain: (jobs, { media, questions }) =>
    inTurn(jobs, async (job) => {
      const isLarge = job.lastError?.kind === 'tooLarge';
      if (isLarge && !(await questions.fetchLarge(job))) return;
      await (await media()).fetchAgain(job.id, { evenIfLarge: isLarge });
    }),
  /** Retries each job in place of the failed one; an image in its run. */
  retry: async (jobs, { media, questions, run, usage }, isPriceShown) => {
    if (!jobs.every(isLost)) {
      throw new UserError(
        l10n.t("Couldn't retry the job"),
        l10n.t('The job is in progress, or you may have been charged. Select it to see your options.'),
      );
    }
    if (jobs.length > 1 || (!isPriceShown && jobs.some(({ baseUrl }) => hasPrices(baseUrl)))) {
      const [profileId, ...others] = new Set(jobs.map((job) => job.profileId));
      const prices = await (await usage()).readyPrices();
      const charges = jobs.map(({ task }) => expectedMedia(task));
      const price = others.length === 0 ? prices.quote(charges, { profileId }) : undefined;
      if (!(await questions.retry(jobs, price))) return;
    }
    const images = jobs.filter(({ task }) => task.kind === 'image').map(({ id }) => id);
    const retries = [
      ...jobs.filter(({ task }) => task.kind === 'video').map((job) => async () => retryVideo(job, await media())),
      ...(images.length > 0 ? [() => run('inferenceDesk.images.retry', images)] : []),
    ];
    await inTurn(retries, (retry) => retry());
  },
  forget: async (jobs, { media, questions }) => {
    if (await questions.forget(jobs)) await inTurn(jobs, async ({ id }) => (await media()).forget(id));
  },
} satisfies Readonly<
  Record<string, (jobs: readonly MediaJob[], parts: MediaParts, isPriceShown: boolean) => Promise<void>>
>;

async function retryVideo({ id }: MediaJob, media: Media): Promise<void> {
  const sent = await media.retry(id);
  if (sent?.stage !== 'refused') return;
  throw new UserError(l10n.t("Couldn't retry the job"), sent.lastError ? mediaErrorText(sent.lastError, sent) : '');
}

/** For a selection of several jobs: the token in a row's context value that says that a command applies to it. */
const fitting: Readonly<Record<keyof typeof jobActions, RegExp>> = {
  checkNow: /\brunning\b/,
  fetchAgain: /\bfetchable\b/,
  retry: /\bretryable\b/,
  forget: /\bforgettable\b/,
};

/** Returns the selected rows if there are several and the command was invoked on one of them. */
function severalOf(of: unknown, all: unknown): readonly unknown[] | undefined {
  return Array.isArray(all) && all.length > 1 && all.includes(of) ? all : undefined;
}

/** Returns the jobs of rows or an id, of several those the command applies to; throws `UserError` if there are none. */
async function findJobs(
  name: keyof typeof jobActions,
  of: unknown,
  all: unknown,
  media: Media,
): Promise<readonly MediaJob[]> {
  const several = severalOf(of, all);
  const ids = (several ?? [of]).map((one) => {
    const row = mediaRowOf(one);
    return row?.kind === 'job' ? row.job.id : one;
  });
  const jobs = media.jobs.filter((job) => ids.includes(job.id) && (!several || fitting[name].test(contextOf(job))));
  if (jobs.length > 0) return jobs;
  throw new UserError(l10n.t('This job is no longer tracked here'), l10n.t('The record has been removed.'));
}

/** Acts on one after the other even if some fail, then throws the first error. */
async function inTurn<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) await act(one).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
