import * as vscode from 'vscode';
import type { runCommand } from '../../platform/contributions';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import type { Services } from '../../services/services';
import { insertGenerated } from './insert/insertGenerated';
import { findJobs, jobActions, severalOf } from './jobActions';
import { mediaRowOf } from './mediaRow';
import { checkThere, findGenerated, readGenerated } from './generatedFile';
import type { MediaQuestions } from './mediaQuestions';
import { openInEditor, openOutside, reveal, showRecipe } from './openGenerated';
import { deleteGenerated } from './deleteGenerated';
import { saveGenerated } from './saveGenerated';
import { sendAgain } from './sendAgain';
import { mediaViewId } from './view/mediaView';
import { withProgress } from '../../platform/notify';

/** `all`: all rows selected in the view when its menu was opened. */
type Action = (of: unknown, all?: unknown) => Promise<void>;

/** Implements the commands, by name. Arguments are checked: they come from menus, pages and other extensions. */
export type MediaRuntime = Readonly<Record<MediaCommand, Action>>;

export type MediaCommand = FileCommand | keyof typeof jobActions;

type FileCommand =
  | 'regenerate'
  | 'vary'
  | 'showRecipe'
  | 'insert'
  | 'open'
  | 'openOutside'
  | 'reveal'
  | 'saveAs'
  | 'copyPath'
  | 'remove';

export interface MediaParts extends Services {
  readonly questions: MediaQuestions;
  readonly lastEditor: LastEditor;
  readonly memory: vscode.Memento;
  readonly run: typeof runCommand;
}

export function createMediaRuntime(parts: MediaParts): MediaRuntime {
  const { media, questions, run } = parts;
  const { assets } = media;
  /** Acts on a file that exists. */
  const onFile =
    (act: (file: string) => Promise<void>): Action =>
    async (of) => {
      const file = await findGenerated(of, assets, questions);
      if (file === undefined) return;
      await checkThere(file);
      await act(file);
    };
  /** Acts on a file that has a recipe; the file itself may be missing. */
  const onRecipe =
    (act: (file: string) => Promise<void>): Action =>
    async (of) => {
      const file = await findGenerated(of, assets, questions);
      if (file !== undefined) await act(file);
    };
  const again = (as: 'regenerate' | 'vary') =>
    onRecipe(async (file) => sendAgain(as, await readGenerated(file, assets), parts));
  const onJob =
    (name: keyof typeof jobActions): Action =>
    async (of, all) => {
      const jobs = await findJobs(name, of, all, media);
      await withProgress({ location: { viewId: mediaViewId } }, () =>
        jobActions[name](jobs, { media, questions, run }),
      );
    };
  const removeOne = onFile((file) => deleteGenerated([file], assets, questions));
  const remove: Action = async (of, all) => {
    const rows = severalOf(of, all)?.map(mediaRowOf);
    if (!rows) return removeOne(of);
    const files = rows.flatMap((row) => (row?.kind === 'made' ? [row.asset.path] : []));
    for (const file of files) await checkThere(file);
    await deleteGenerated(files, assets, questions);
  };

  return {
    regenerate: again('regenerate'),
    vary: again('vary'),
    showRecipe: onRecipe((file) => showRecipe(file, assets)),
    insert: onFile((file) => insertGenerated(file, { ...parts, assets })),
    open: onFile(openInEditor),
    openOutside: onFile(async (file) => {
      if (await openOutside(file)) return;
      if (await questions.saveInstead()) await run('inferenceDesk.media.saveAs', file);
    }),
    reveal: onFile(reveal),
    saveAs: onFile((file) => saveGenerated(file, questions)),
    copyPath: onFile(async (file) => vscode.env.clipboard.writeText(file)),
    remove,
    checkNow: onJob('checkNow'),
    fetchAgain: onJob('fetchAgain'),
    retry: onJob('retry'),
    forget: onJob('forget'),
  };
}
