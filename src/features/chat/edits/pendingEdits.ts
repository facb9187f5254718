import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Hunk, hunksAfter, hunksBetween, lineCounts } from '../../../core/edits/hunks';
import { toLines, withSplices } from '../../../core/edits/textLines';
import { setContext } from '../../../platform/contributions';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import { foreign } from '../../../core/text/foreignText';
import { throttle } from '../../../platform/throttle';
import { UserError } from '../../../platform/errors/userError';
import type { VirtualDocuments } from '../../../platform/virtualDocuments';
import { renamedUri } from '../../../platform/workspace/renamedUri';
import type { PendingFileView } from '../../../protocol/chatEdits';
import { pendingEditsKey } from '../logic/storedEdits';
import { EditMarks } from './editMarks';

/** A document and its complete new text. */
export interface DocumentEdit {
  readonly document: vscode.TextDocument;
  readonly text: string;
}

export interface PendingFile {
  readonly uri: vscode.Uri;
  readonly hunks: readonly Hunk[];
  /** The lines of each hunk as they were last seen, by ID, to detect that a closed file has changed. */
  readonly lines: ReadonlyMap<number, readonly string[]>;
}

interface StoredFile {
  readonly uri: string;
  /** `lines`: those of the document, to detect that it has changed since. */
  readonly hunks: readonly {
    readonly start: number;
    readonly before: readonly string[];
    readonly lines: readonly string[];
  }[];
}

/** In characters. More isn't restored after a reload. VS Code restores the texts themselves. */
const mostStored = 500_000;
const saveMs = 500;

/**
 * The changes that answers made to documents, each until the user keeps or undoes it. The documents have the new text, unsaved. Follows
 * edits of the user, whose text it never discards: a hunk that the user edits and then undoes is one step of VS Code's undo.
 */
export class PendingEdits implements Disposable {
  private files: ReadonlyMap<string, PendingFile> = new Map();
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** Documents that are being written, whose hunks are computed afterward. */
  private readonly writing = new Set<string>();
  /** Each keystroke in a changed file moves changes. */
  private readonly saving = this.store.add(throttle(saveMs, () => this.save()));
  /** Files that were saved with their changes. */
  private readonly saved = new Set<string>();
  /** Files as they were before they are renamed. VS Code closes their tabs first. */
  private renaming: readonly PendingFile[] = [];
  private nextId = 1;
  private lastSet = '';

  constructor(
    private readonly memory: vscode.Memento,
    private readonly documents: VirtualDocuments,
  ) {
    this.store.add(vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)));
    this.store.add(
      vscode.workspace.onWillRenameFiles(({ files }) => {
        this.renaming = this.all.filter(({ uri }) => renamedUri(uri, files));
      }),
    );
    this.store.add(vscode.workspace.onDidRenameFiles(({ files }) => this.rename(files)));
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.onClosed(uri)));
    this.store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.saved.add(uri.toString())));
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.onTabsClosed(closed)));
    this.store.add(new EditMarks(this));
  }

  get all(): readonly PendingFile[] {
    return [...this.files.values()];
  }

  in(uri: vscode.Uri): readonly Hunk[] {
    return this.files.get(uri.toString())?.hunks ?? [];
  }

  get views(): readonly PendingFileView[] {
    return this.all.map(({ uri, hunks }) => ({ path: vscode.workspace.asRelativePath(uri), ...lineCounts(hunks) }));
  }

  /** Writes the texts as one undo step, without saving. Throws a `UserError`, without any change, if a document can't be changed. */
  async apply(edits: readonly DocumentEdit[]): Promise<void> {
    const before = edits.map(({ document }) => this.baseOf(document));
    const edit = new vscode.WorkspaceEdit();
    for (const { document, text } of edits) {
      const hunks = hunksBetween(document.getText(), text).map((hunk) => ({ ...hunk, id: 0 }));
      const lines = toLines(text).lines;
      let shift = 0;
      const changes = hunks.map(({ start, end, before: old }) => {
        const from = start - shift;
        shift += end - start - old.length;
        return lineEdit(document, from, from + old.length, lines.slice(start, end));
      });
      edit.set(document.uri, changes);
    }
    const keys = edits.map(({ document }) => document.uri.toString());
    for (const key of keys) {
      this.writing.add(key);
      this.saved.delete(key);
    }
    try {
      if (!(await vscode.workspace.applyEdit(edit))) throw notChanged();
    } finally {
      for (const key of keys) this.writing.delete(key);
    }
    for (const [index, { document }] of edits.entries()) {
      const hunks = hunksBetween(before[index]!, document.getText());
      this.set(
        document.uri,
        hunks.map((hunk) => ({ ...hunk, id: this.nextId++ })),
      );
    }
  }

  /** Keeps the changes of a hunk, a file, or all. */
  keep(uri?: vscode.Uri, hunkId?: number): void {
    for (const file of this.chosen(uri)) {
      this.set(file.uri, hunkId === undefined ? [] : file.hunks.filter(({ id }) => id !== hunkId));
    }
  }

  /**
   * Restores the lines before the changes of a hunk, a file, or all, as one undo step. Throws a `UserError`, without any change, if that
   * fails.
   */
  async undo(uri?: vscode.Uri, hunkId?: number): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const before = this.chosen(uri);
    const emptied: vscode.TextDocument[] = [];
    const remaining: [vscode.Uri, readonly Hunk[]][] = [];
    for (const { uri: of, hunks } of before) {
      const document = await this.open(of);
      const undone = hunks.filter(({ id }) => hunkId === undefined || id === hunkId);
      if (!undone.every((hunk) => this.isThere(hunk, of, linesOf(document, hunk.start, hunk.end)))) {
        this.set(of, []);
        throw changedElsewhere(vscode.workspace.asRelativePath(of));
      }
      edit.set(
        of,
        undone.map(({ start, end, before: lines }) => lineEdit(document, start, end, lines)),
      );
      if (
        document.isUntitled &&
        undone.length === hunks.length &&
        undone.every(({ before: lines }) => lines.length === 0)
      )
        emptied.push(document);
      remaining.push([of, hunks.filter((hunk) => !undone.includes(hunk))]);
    }
    for (const [of, hunks] of remaining) this.set(of, hunks);
    if (!(await vscode.workspace.applyEdit(edit))) {
      for (const file of before) this.set(file.uri, file.hunks);
      throw notChanged();
    }
    for (const document of emptied) await closeEmpty(document);
  }

  /** Opens a diff of a document with its text before the changes. */
  async compare(uri: vscode.Uri): Promise<void> {
    const document = await this.open(uri);
    const name = uri.path.split('/').at(-1) ?? '';
    const before = this.documents.add(name, this.baseOf(document));
    await vscode.commands.executeCommand('vscode.diff', before, uri, l10n.t('{0}: changes from the chat', name));
  }

  /** Shows the first change. */
  async reveal(uri = this.all[0]?.uri): Promise<void> {
    if (!uri) return;
    const document = await this.open(uri);
    const line = Math.min(this.in(uri)[0]?.start ?? 0, document.lineCount - 1);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    editor.selection = new vscode.Selection(line, 0, line, 0);
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Restores the changes of a window that was reloaded, as far as the documents still have them. */
  async restore(): Promise<void> {
    const stored = this.memory.get<readonly StoredFile[]>(pendingEditsKey, []);
    for (const { uri, hunks } of stored) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(
        (opened) => opened,
        () => undefined,
      );
      if (!document || this.files.has(uri)) continue;
      const there = hunks.filter(({ start, lines }) => isSame(linesOf(document, start, start + lines.length), lines));
      if (there.length !== hunks.length) continue;
      if (!document.isDirty) this.saved.add(uri);
      this.set(
        document.uri,
        there.map(({ start, before, lines }) => ({
          id: this.nextId++,
          start,
          end: start + lines.length,
          before,
          isEdited: false,
        })),
      );
    }
  }

  dispose(): void {
    this.save();
    this.store.dispose();
  }

  /** Throws a `UserError`, and forgets the changes of the file, if it no longer exists. */
  private async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch {
      this.set(uri, []);
      throw changedElsewhere(vscode.workspace.asRelativePath(uri));
    }
  }

  private chosen(uri: vscode.Uri | undefined): readonly PendingFile[] {
    return this.all.filter((file) => uri === undefined || file.uri.toString() === uri.toString());
  }

  /** Returns the document's text without the pending changes. */
  private baseOf(document: vscode.TextDocument): string {
    const splices = this.in(document.uri).map(({ start, end, before }) => ({ start, end, lines: before }));
    return withSplices(toLines(document.getText()), splices);
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const key = document.uri.toString();
    const file = this.files.get(key);
    if (!file || this.writing.has(key) || contentChanges.length === 0) return;
    let { hunks } = file;
    for (const { range, text } of contentChanges.toSorted((one, other) => other.rangeOffset - one.rangeOffset)) {
      const parts = text.split(/\r\n|\r|\n/);
      const isWholeLines =
        range.start.character === 0 && range.end.character === 0 && (text === '' || parts.at(-1) === '');
      const isRestored = ({ start, end, before }: Hunk) =>
        start === end &&
        isWholeLines &&
        range.isEmpty &&
        range.start.line === start &&
        isSame(parts.slice(0, -1), before);
      const change = { start: range.start.line, end: range.end.line, newLines: parts.length - 1, isWholeLines };
      hunks = hunksAfter(
        hunks.filter((hunk) => !isRestored(hunk)),
        change,
      );
    }
    const isUndone = ({ start, end, before }: Hunk) =>
      (start < end || before.length === 0) && isSame(linesOf(document, start, end), before);
    this.set(
      document.uri,
      hunks.filter((hunk) => !isUndone(hunk)),
    );
  }

  private isThere({ id }: Hunk, uri: vscode.Uri, lines: readonly string[]): boolean {
    const known = this.files.get(uri.toString())?.lines.get(id);
    return known === undefined || isSame(known, lines);
  }

  /** VS Code holds a document for minutes after its last tab was closed, also if its changes were discarded. */
  private onTabsClosed(tabs: readonly vscode.Tab[]): void {
    for (const { input } of tabs) {
      const uri = documentOf(input);
      if (!uri || this.in(uri).length === 0) continue;
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
      // Unsaved changes that weren't discarded are in another tab.
      if (document?.isDirty === true) continue;
      if (this.saved.has(uri.toString())) void this.onClosed(uri);
      else this.set(uri, []);
    }
  }

  /** Forgets the changes of a file that was closed without them. */
  private async onClosed(uri: vscode.Uri): Promise<void> {
    const hunks = this.in(uri);
    if (hunks.length === 0) return;
    const bytes = uri.scheme === 'untitled' ? undefined : await readBytes(uri);
    const { lines } = toLines(new TextDecoder().decode(bytes ?? new Uint8Array()));
    const isUnchanged = hunks.every((hunk) => this.isThere(hunk, uri, lines.slice(hunk.start, hunk.end)));
    if (!isUnchanged || bytes === undefined) this.set(uri, []);
  }

  private rename(renamed: vscode.FileRenameEvent['files']): void {
    if (this.renaming.length === 0) return;
    const files = new Map(this.files);
    for (const file of this.renaming) {
      const uri = renamedUri(file.uri, renamed);
      if (!uri) continue;
      files.delete(file.uri.toString());
      files.set(uri.toString(), { ...file, uri });
      if (this.saved.delete(file.uri.toString())) this.saved.add(uri.toString());
    }
    this.renaming = [];
    this.change(files);
  }

  private set(uri: vscode.Uri, hunks: readonly Hunk[]): void {
    const files = new Map(this.files);
    const before = files.get(uri.toString());
    if (hunks.length === 0 && !files.delete(uri.toString())) return;
    if (hunks.length > 0) {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
      const linesAt = ({ id, start, end }: Hunk) => (document ? linesOf(document, start, end) : before?.lines.get(id));
      const lines = new Map(
        hunks.flatMap((hunk) => {
          const seen = linesAt(hunk);
          return seen ? [[hunk.id, seen] as const] : [];
        }),
      );
      files.set(uri.toString(), { uri, hunks, lines });
    }
    this.change(files);
  }

  private change(files: ReadonlyMap<string, PendingFile>): void {
    this.files = files;
    this.changed.fire();
    void setContext('inferenceDesk.chatEdits', files.size > 0);
    this.saving.soon();
  }

  private save(): void {
    const stored = this.all.map(({ uri, hunks, lines }): StoredFile => {
      const remaining = hunks.map(({ id, start, before }) => ({ start, before, lines: lines.get(id) ?? [] }));
      return { uri: uri.toString(), hunks: remaining };
    });
    const text = JSON.stringify(stored);
    if (text === this.lastSet) return;
    this.lastSet = text;
    void this.memory.update(pendingEditsKey, text.length > mostStored ? undefined : stored);
  }
}

/** Returns an edit that replaces lines, in a document that may end without a line end. */
function lineEdit(
  document: vscode.TextDocument,
  start: number,
  end: number,
  lines: readonly string[],
): vscode.TextEdit {
  const last = document.lineCount - 1;
  if (end <= last)
    return new vscode.TextEdit(new vscode.Range(start, 0, end, 0), lines.map((line) => `${line}\n`).join(''));
  const endOfAll = document.lineAt(last).range.end;
  if (start === 0) return new vscode.TextEdit(new vscode.Range(new vscode.Position(0, 0), endOfAll), lines.join('\n'));
  const from = document.lineAt(Math.min(start - 1, last)).range.end;
  return new vscode.TextEdit(new vscode.Range(from, endOfAll), lines.map((line) => `\n${line}`).join(''));
}

function linesOf(document: vscode.TextDocument, start: number, end: number): readonly string[] {
  if (end > document.lineCount) return [];
  return Array.from({ length: end - start }, (_, index) => document.lineAt(start + index).text);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/** Returns the document that can be edited in a tab; `undefined` for tabs of other kinds. */
function documentOf(input: vscode.Tab['input']): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function readBytes(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => bytes,
    () => undefined,
  );
}

/** Closes a new document whose text was taken back, if nothing else is in it. */
async function closeEmpty(document: vscode.TextDocument): Promise<void> {
  if (document.getText() !== '') return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}

function changedElsewhere(path: string): UserError {
  return new UserError(
    l10n.t('The file has changed'),
    l10n.t('{0} no longer contains these changes.', foreign(path, 200)),
  );
}

function notChanged(): UserError {
  return new UserError(
    l10n.t("Couldn't change the file"),
    l10n.t('The file might be read-only or have changed. Try again.'),
  );
}
