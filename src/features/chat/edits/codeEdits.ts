import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  type AnswerCode,
  codeBlocksIn,
  type CodeTarget,
  decideTarget,
  namedPaths,
  patchesIn,
  pathIn,
} from '../../../core/edits/answerCode';
import { hunksBetween, lineCounts } from '../../../core/edits/hunks';
import type { Patch } from '../../../core/edits/patch';
import { placeCode, placePatchOf, type Placement, type PlacingProblem } from '../../../core/edits/placeCode';
import type { TranscriptTurn } from '../../../core/conversation/transcript';
import { foreign } from '../../../core/text/foreignText';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { askPick, type PickItem } from '../../../platform/quickInput';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import { checkWritable } from '../../../platform/workspace/replacementDiffs';
import { filesBelow } from '../../../platform/workspace/workspaceFiles';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import type { CodeTargetView } from '../../../protocol/chatEdits';
import { codeKey } from '../../../protocol/codeActions';
import type { Services } from '../../../services/services';
import { type DocumentEdit, PendingEdits } from './pendingEdits';

/** A code block of a turn: the `index`th of those with the key. */
export interface BlockPlace {
  readonly key: string;
  readonly index: number;
}

/** A change that an answer suggests for one file. */
interface FileChange {
  readonly target: CodeTarget;
  readonly block: AnswerCode;
  /** Set for a part of a diff. */
  readonly patch?: Patch;
}

/** A file of the workspace, or one to be created there. */
interface ChosenFile {
  readonly uri: vscode.Uri;
  readonly isNew: boolean;
}

const mostBlocks = 60;
const mostListed = 30;

/** Decides where the code of answers belongs, and applies it there for the user to keep or undo. */
export class CodeEdits implements Disposable {
  private readonly documents = createVirtualDocuments('inference-desk-before');
  readonly pending: PendingEdits;

  constructor(private readonly services: Services) {
    this.pending = new PendingEdits(services.context.workspaceState, this.documents);
  }

  /** Returns the targets of the complete blocks of a turn, with the numbers of lines that applying each now would change. */
  async targets(turns: readonly TranscriptTurn[]): Promise<readonly CodeTargetView[]> {
    const guard = await this.openGuard();
    const blocks = blocksOf(turns.at(-1)!).slice(0, mostBlocks);
    const views: CodeTargetView[] = [];
    for (const block of blocks) {
      if (!block.isClosed) continue;
      const changes = await this.changesOf(block, turns, guard);
      views.push({ key: codeKey(block.code), ...(await this.viewOf(changes, turns, guard)) });
      await setImmediate();
    }
    return views;
  }

  /** Applies a block. If its file isn't known, the user chooses it. Throws a `UserError` if it can't be placed, after showing both sides. */
  async apply(turns: readonly TranscriptTurn[], place: BlockPlace): Promise<void> {
    const guard = await this.openGuard();
    const block = blockAt(turns.at(-1)!, place);
    const changes = await this.changesOf(block, turns, guard);
    let edits: readonly DocumentEdit[] = [];
    for (const change of changes) {
      const file = (await this.fileOf(change.target, guard)) ?? (await this.chooseFile(attachedPaths(turns)));
      if (!file) return;
      edits = withEdit(edits, await this.editOf(change, file, turns, edits));
    }
    await this.write(edits);
  }

  /** Applies all blocks with a known target as one undo step, or none. */
  async applyAll(turns: readonly TranscriptTurn[]): Promise<void> {
    const guard = await this.openGuard();
    let edits: readonly DocumentEdit[] = [];
    for (const block of blocksOf(turns.at(-1)!).slice(0, mostBlocks)) {
      for (const change of await this.changesOf(block, turns, guard)) {
        const file = await this.fileOf(change.target, guard);
        if (!file) continue;
        edits = withEdit(edits, await this.editOf(change, file, turns, edits));
      }
    }
    if (edits.length === 0)
      throw new UserError(
        l10n.t('No edits to apply'),
        l10n.t('None of the code blocks in the response specify which file to change.'),
      );
    await this.write(edits);
  }

  /** Opens the file of a block. */
  async open(turns: readonly TranscriptTurn[], place: BlockPlace): Promise<void> {
    const guard = await this.openGuard();
    const [change] = await this.changesOf(blockAt(turns.at(-1)!, place), turns, guard);
    const file = change && (await this.fileOf(change.target, guard));
    if (!file) return this.apply(turns, place);
    if (file.isNew) throw new UserError(l10n.t("The file doesn't exist yet"), l10n.t('Select Apply to create it.'));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file.uri), { preview: false });
  }

  dispose(): void {
    this.pending.dispose();
    this.documents.dispose();
  }

  /** Opened once for all blocks of an answer, because that resolves the links of all folders. */
  private openGuard(): Promise<WorkspaceGuard> {
    return WorkspaceGuard.open(this.services.settings);
  }

  private async write(edits: readonly DocumentEdit[]): Promise<void> {
    const changed = edits.filter(({ document, text }) => document.getText() !== text);
    if (changed.length === 0)
      throw new UserError(l10n.t('Already applied'), l10n.t('The file already contains this code.'));
    await this.pending.apply(changed);
    await this.pending.reveal(changed[0]!.document.uri);
  }

  /** Returns the changes of a block: one for each file of a diff, else one. */
  private async changesOf(
    block: AnswerCode,
    turns: readonly TranscriptTurn[],
    guard: WorkspaceGuard,
  ): Promise<readonly FileChange[]> {
    const attached = attachedPaths(turns);
    const patches = patchesIn(block).filter(({ path }) => path !== undefined);
    if (patches.length === 0) return [{ target: await this.targetOf(block, attached, guard), block }];
    const changes: FileChange[] = [];
    for (const patch of patches) {
      const named = { ...block, info: '', above: '', code: `// ${patch.path}\n` };
      const target = await this.targetOf(
        pathIn(patch.path ?? '') === undefined ? { ...named, code: '' } : named,
        [],
        guard,
      );
      const isRight = target.kind !== 'newFile' || patch.isNewFile;
      changes.push({ target: isRight ? target : { kind: 'unknown' }, block, patch });
    }
    return changes;
  }

  private async targetOf(block: AnswerCode, attached: readonly string[], guard: WorkspaceGuard): Promise<CodeTarget> {
    const found = new Map<string, readonly string[]>();
    for (const { path } of namedPaths(block)) found.set(path, await filesNamed(path));
    const target = decideTarget(block, attached, (path) => found.get(path) ?? []);
    return target.kind === 'unknown' || (await this.fileOf(target, guard)) ? target : { kind: 'unknown' };
  }

  /** Returns the file of a target; `undefined` if it isn't known, is outside of the workspace, or may contain keys. */
  private async fileOf(target: CodeTarget, guard: WorkspaceGuard): Promise<ChosenFile | undefined> {
    if (target.kind === 'unknown') return undefined;
    const uri = uriOf(target.path);
    if (!uri || guard.hasSecretName(uri)) return undefined;
    const checked = await guard.check(uri);
    if (!('refusal' in checked)) return { uri, isNew: false };
    if (target.kind === 'file' || checked.refusal !== 'missing') return undefined;
    return (await isInside(uri, guard)) ? { uri, isNew: true } : undefined;
  }

  private async chooseFile(attached: readonly string[]): Promise<ChosenFile | undefined> {
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all.map(({ input }) => input));
    const open = tabs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri] : []));
    const listed = [...attached.flatMap((path) => uriOf(path) ?? []), ...open];
    const unique = [...new Map(listed.map((uri) => [uri.toString(), uri])).values()].slice(0, mostListed);
    const items = unique.map((uri): PickItem<vscode.Uri | 'browse'> => {
      const path = vscode.workspace.asRelativePath(uri);
      const folder = posix.dirname(path);
      return {
        label: posix.basename(path),
        description: folder === '.' ? '' : folder,
        iconPath: new vscode.ThemeIcon('file'),
        value: uri,
      };
    });
    const chosen = await askPick<vscode.Uri | 'browse'>({
      title: l10n.t('Apply Code'),
      placeholder: l10n.t('Choose the file to change'),
      canGoBack: false,
      canFilter: true,
      items: [
        ...items,
        { label: l10n.t('Choose File…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'browse' },
      ],
    });
    if (chosen.kind !== 'value') return undefined;
    if (chosen.value !== 'browse') return { uri: chosen.value, isNew: false };
    const [uri] = (await vscode.window.showOpenDialog({ openLabel: l10n.t('Choose') })) ?? [];
    return uri && { uri, isNew: false };
  }

  /** Returns the new text of a file. Throws a `UserError` if the change can't be placed, after showing both sides. */
  private async editOf(
    change: FileChange,
    file: ChosenFile,
    turns: readonly TranscriptTurn[],
    earlier: readonly DocumentEdit[],
  ): Promise<DocumentEdit> {
    await checkWritable(file.isNew ? file.uri.with({ scheme: 'untitled' }) : file.uri);
    const document = await vscode.workspace.openTextDocument(
      file.isNew ? file.uri.with({ scheme: 'untitled' }) : file.uri,
    );
    const text = earlier.find((edit) => edit.document === document)?.text ?? document.getText();
    const placement = placed(text, change, requestedLines(document, turns));
    if (placement.kind === 'edit') return { document, text: placement.text };
    if (placement.kind === 'unchanged') return { document, text };
    await this.showBoth(document, change.block);
    throw unplaced(placement.why, vscode.workspace.asRelativePath(document.uri));
  }

  private async showBoth(document: vscode.TextDocument, { code }: AnswerCode): Promise<void> {
    const name = posix.basename(document.uri.path);
    const suggested = this.documents.add(name, code);
    await vscode.commands.executeCommand(
      'vscode.diff',
      document.uri,
      suggested,
      l10n.t('{0}: file and response', name),
      { preview: true },
    );
  }

  private async viewOf(
    changes: readonly FileChange[],
    turns: readonly TranscriptTurn[],
    guard: WorkspaceGuard,
  ): Promise<Omit<CodeTargetView, 'key'>> {
    const counts: { readonly added: number; readonly removed: number }[] = [];
    for (const change of changes) {
      const counted = await this.countsOf(change, turns, guard);
      if (counted) counts.push(counted);
    }
    const sum =
      counts.length < changes.length ? {} : { added: total(counts, 'added'), removed: total(counts, 'removed') };
    const [first] = changes;
    if (changes.length > 1) return { kind: 'several', path: String(changes.length), ...sum };
    if (!first || first.target.kind === 'unknown') return { kind: 'unknown', path: '' };
    return { kind: first.target.kind, path: first.target.path, ...sum };
  }

  private async countsOf(change: FileChange, turns: readonly TranscriptTurn[], guard: WorkspaceGuard) {
    const file = await this.fileOf(change.target, guard);
    if (!file) return undefined;
    try {
      const document = file.isNew ? undefined : await vscode.workspace.openTextDocument(file.uri);
      const text = document?.getText() ?? '';
      const placement = placed(text, change, document && requestedLines(document, turns));
      if (placement.kind === 'unchanged') return { added: 0, removed: 0 };
      return placement.kind === 'edit' ? lineCounts(hunksBetween(text, placement.text)) : undefined;
    } catch {
      // Not text, too large, or gone: the error is shown when the user applies the code.
      return undefined;
    }
  }
}

/** Adds an edit in place of an earlier one of the same document, whose changes it contains. */
function withEdit(edits: readonly DocumentEdit[], edit: DocumentEdit): readonly DocumentEdit[] {
  return [...edits.filter(({ document }) => document !== edit.document), edit];
}

function total(
  counts: readonly { readonly added: number; readonly removed: number }[],
  name: 'added' | 'removed',
): number {
  return counts.reduce((sum, count) => sum + count[name], 0);
}

function placed(
  text: string,
  { block, patch }: FileChange,
  requested: { readonly start: number; readonly end: number } | undefined,
): Placement {
  if (!block.isClosed) return { kind: 'unplaced', why: 'truncated' };
  if (patch) return placePatchOf(text, patch);
  return placeCode(text, { ...block, isComplete: true, ...(requested && { requestedLines: requested }) });
}

/** Returns the complete and incomplete code blocks of the answers to a turn, those of the answer shown first. */
function blocksOf({ answers, shown }: TranscriptTurn): readonly AnswerCode[] {
  const ordered = shown ? [shown, ...answers.filter((answer) => answer !== shown)] : answers.toReversed();
  return ordered.flatMap(({ blocks }) =>
    blocks.flatMap(({ type, text }) => (type === 'text' ? codeBlocksIn(text) : [])),
  );
}

function blockAt(turn: TranscriptTurn, { key, index }: BlockPlace): AnswerCode {
  const block = blocksOf(turn).filter(({ code }) => codeKey(code) === key)[index];
  if (block) return block;
  throw new UserError(
    l10n.t("Couldn't apply the code"),
    l10n.t('The code block is no longer in the response. Copy or insert the code.'),
  );
}

/** Returns the paths of the files and selections sent with the question, or else with the last question before it that has some. */
function attachedPaths(turns: readonly TranscriptTurn[]): readonly string[] {
  for (const { attachments = [] } of turns.toReversed()) {
    const paths = attachments.flatMap(({ kind, label }) => {
      if (kind === 'selection') return [label.replace(/:\d+(?:-\d+)?$/, '')];
      return kind === 'file' ? [label] : [];
    });
    if (paths.length > 0) return [...new Set(paths)].filter((path) => pathIn(path) === path);
  }
  return [];
}

/** Returns the lines of the selection that was sent with the question, if the document still has its text exactly once. */
function requestedLines(
  document: vscode.TextDocument,
  turns: readonly TranscriptTurn[],
): { readonly start: number; readonly end: number } | undefined {
  const path = vscode.workspace.asRelativePath(document.uri);
  const selections = (turns.at(-1)?.attachments ?? []).filter(
    ({ kind, label }) => kind === 'selection' && label.startsWith(`${path}:`),
  );
  const [selection] = selections;
  if (!selection || selections.length > 1) return undefined;
  const text = document.getText().replaceAll('\r\n', '\n');
  const selected = selection.text.replaceAll('\r\n', '\n').trim();
  const at = text.indexOf(selected);
  if (selected === '' || at < 0 || text.indexOf(selected, at + 1) >= 0) return undefined;
  // Only complete lines: the rest of a line isn't part of the request.
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at + selected.length);
  const isWhole =
    text.slice(lineStart, at).trim() === '' &&
    text.slice(at + selected.length, lineEnd < 0 ? undefined : lineEnd).trim() === '';
  if (!isWhole) return undefined;
  const start = text.slice(0, at).split('\n').length - 1;
  return { start, end: start + selected.split('\n').length };
}

/** Returns the workspace's files whose path is this one or ends with it, as the editor shows them. */
async function filesNamed(path: string): Promise<readonly string[]> {
  const name = posix.basename(path).replaceAll(/[[\]{}?*]/g, '[$&]');
  const perFolder = await Promise.all(
    (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) =>
      (await filesBelow(uri, { glob: `**/${name}` })).map((found) =>
        vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, found)),
      ),
    ),
  );
  return perFolder.flat().filter((found) => found === path || found.endsWith(`/${path}`));
}

/** Returns the URI of a path as the editor shows it. */
function uriOf(path: string): vscode.Uri | undefined {
  if (pathIn(path) === undefined) return undefined;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (!first) return undefined;
  if (folders.length === 1) return vscode.Uri.joinPath(first.uri, path);
  const [name, ...rest] = path.split('/');
  const named = folders.find((folder) => folder.name === name);
  return named && rest.length > 0 ? vscode.Uri.joinPath(named.uri, ...rest) : undefined;
}

/** Whether the folder that a new file would be in is not one that a link leads to. */
async function isInside(uri: vscode.Uri, guard: WorkspaceGuard): Promise<boolean> {
  const roots = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.path);
  for (let path = posix.dirname(uri.path); ; path = posix.dirname(path)) {
    if (roots.includes(path)) return true;
    if (path === '/' || !roots.some((root) => path.startsWith(`${root}/`))) return false;
    const checked = await guard.check(uri.with({ path }));
    if (!('refusal' in checked)) return true;
    if (checked.refusal !== 'missing') return false;
  }
}

function unplaced(why: PlacingProblem, path: string): UserError {
  const name = foreign(path, 200);
  const title = l10n.t("Couldn't place the code in {0}", name);
  switch (why) {
    case 'truncated':
      return new UserError(title, l10n.t('The code is incomplete. Continue the response first.'));
    case 'notFound':
      return new UserError(title, l10n.t("The code doesn't match any part of the file."));
    case 'ambiguous':
      return new UserError(title, l10n.t("It isn't clear which lines the code replaces."));
    case 'tooLarge':
      return new UserError(title, l10n.t('The file or the code is too large.'));
    case 'deletesFile':
      return new UserError(title, l10n.t('The diff deletes the file. Delete it in the Explorer.'));
  }
}
