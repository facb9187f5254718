import type { ListedModels } from '../../core/batch/fileRules';
import * as vscode from 'vscode';
import { byteProblems } from '../../core/batch/disk/byteProblems';
import { createBatchIndex } from '../../core/batch/index/batchIndex';
import type { BatchIndex, BatchSummary } from '../../core/batch/index/batchIndex';
import type { LineProblem } from '../../core/batch/problem';
import type { BatchRules } from '../../core/batch/services/batchRules';
import type { Disposable } from '../../platform/disposables';

/** The extension host can be busy for this long without anybody noticing. */
const sliceMs = 8;
const linesAtOnce = 200;
/** Takes about a millisecond to read. */
const charactersAtOnce = 300_000;
/** A longer insertion is read in slices, like a file that was just opened. */
const mostTyped = 1_000_000;

/** An open batch file and what is known about its lines. */
export interface BatchDocument extends Disposable {
  readonly document: vscode.TextDocument;
  /** Resolves once every line is read. Replaced by a new promise after a very large insertion. */
  readonly loaded: Promise<void>;
  readonly isLoaded: boolean;
  /** Yields all problems as of the last edit, in document order; those of the file's bytes come first. */
  problems(listed: ListedModels | undefined): Iterable<LineProblem>;
  /** Checks the bytes of the file on disk. Resolves with whether the problems found in them may have changed. */
  lookAtFile(): Promise<boolean>;
  summary(): BatchSummary;
  /** Whether a request has this id. */
  hasId(id: string): boolean;
  /** Reads all lines again, for rules that have changed. */
  reread(): void;
  /** Must be called with every edit of the document. */
  change(changes: readonly vscode.TextDocumentContentChangeEvent[]): void;
}

/** `rulesNow` returns the rules of the service that the file is for. */
export function openBatchDocument(document: vscode.TextDocument, rulesNow: () => BatchRules): BatchDocument {
  const index = createBatchIndex(rulesNow);
  /** Problems of the file's bytes when it was last opened or saved. */
  let ofBytes: readonly LineProblem[] = [];
  let isDisposed = false;
  let isLoaded = false;

  const load = async (): Promise<void> => {
    while (index.lineCount < document.lineCount && !isDisposed) {
      readSlice(document, index);
      if (index.lineCount < document.lineCount) await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    isLoaded = !isDisposed;
  };
  let loaded = load();
  const readFrom = (line: number) => {
    dropFrom(index, line);
    if (!isLoaded) return;
    isLoaded = false;
    loaded = load();
  };
  const facts = () => ({
    hasBom: document.encoding === 'utf8bom',
    // For the editor, a file with lone carriage returns has CRLF as well.
    hasCrlf: document.eol === vscode.EndOfLine.CRLF && !ofBytes.some(({ code }) => code === 'file.lone-cr'),
  });

  return {
    document,
    get loaded() {
      return loaded;
    },
    get isLoaded() {
      return isLoaded;
    },
    *problems(listed) {
      yield* ofBytes;
      yield* index.problems(facts(), listed);
    },
    async lookAtFile() {
      if (document.uri.scheme !== 'file') return false;
      const before = ofBytes;
      ofBytes = await byteProblems(document.uri.fsPath);
      return before.length + ofBytes.length > 0;
    },
    summary: () => index.summary(facts()),
    hasId: (id) => index.hasId(id),
    reread: () => readFrom(0),
    change(changes) {
      if (isLoaded && changes.every(({ text }) => text.length <= mostTyped)) {
        for (const { range, text } of changes) index.change({ start: range.start, end: range.end, text });
        return;
      }
      // Lines read from the edit on belong to an older version, so they are read again.
      readFrom(changes.map(({ range }) => range.start.line).reduce((least, one) => Math.min(least, one), Infinity));
    },
    dispose: () => void (isDisposed = true),
  };
}

function readSlice(document: vscode.TextDocument, index: BatchIndex): void {
  const end = performance.now() + sliceMs;
  do {
    const lines: string[] = [];
    const start = index.lineCount;
    const most = Math.min(linesAtOnce, document.lineCount - start);
    for (let characters = 0; lines.length < most && characters < charactersAtOnce;) {
      const { text } = document.lineAt(start + lines.length);
      lines.push(text);
      characters += text.length;
    }
    index.replace(start, 0, lines);
  } while (index.lineCount < document.lineCount && performance.now() < end);
}

function dropFrom(index: BatchIndex, line: number): void {
  if (line < index.lineCount) index.replace(line, index.lineCount - line, []);
}
