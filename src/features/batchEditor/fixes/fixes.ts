import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { activeBatch, activeDocument } from '../activeFile';
import type { BatchDocuments } from '../batchDocuments';
import { registerFixes, namesOf } from './fixActions';
import type { ListedModels } from '../../../core/batch/fileRules';
import { convertLines, type LinesConversion } from '../../../core/batch/fixes/foreign/convertLines';
import type { LineChange, Lines, Work } from '../../../core/batch/fixes/lineChange';
import { valuesToLines } from '../../../core/batch/fixes/values';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { askModel } from './askModel';
import { looksSpread } from './fileActions';
import { applyEdit, linesOf, toEdit } from './lineEdits';
import { inSlices } from '../slices';
import { listText } from '../../../protocol/formats';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';
import { idByPattern, isIdPattern, numberIds, setModel, type Rewriting } from '../../../core/batch/fixes/everyRequest';
import { fixAll } from '../../../core/batch/fixes/fixAll';
import { ownId } from '../../../core/batch/fixes/lines/idFixes';
import { askText } from '../../../platform/quickInput';
import type { BatchDocument } from '../batchDocument';
import path from 'node:path';
import { dropMark } from '../../../core/batch/transform/dropMark';
import { reasonText } from '../../../platform/errors/fileErrorMessages';

export type FixName = keyof FixCommands | 'convertLines';

/** Fixes for batch files: as quick fixes, on save, and as commands. */
export interface Fixes extends Disposable {
  /** Applies a fix to the whole file in the active editor. */
  run(name: FixName): Promise<void>;
}

/** `treatAsBatch` marks a file as a batch file from now on. */
export function createFixes(documents: BatchDocuments, treatAsBatch: (uri: vscode.Uri) => Promise<void>): Fixes {
  const registered = registerFixes(documents);
  const commands = createFixCommands(documents);
  return {
    async run(name) {
      if (name !== 'convertLines') return commands[name](await activeBatch(documents));
      const document = activeDocument();
      if (await convertDocument(document, documents.listed())) await treatAsBatch(document.uri);
    },
    dispose: () => registered.dispose(),
  };
}

/** Converts a file in another format to a batch file, as one undo step. Resolves with whether it did. */
async function convertDocument(document: vscode.TextDocument, listed: ListedModels | undefined): Promise<boolean> {
  const { version } = document;
  const spread = looksSpread(document) ? await inSlices(valuesToLines(linesOf(document))) : undefined;
  const lines = spread ? listLines(spread.flatMap(({ added }) => added)) : linesOf(document);
  const conversion = await convert(lines, listed);
  if (!conversion) return false;
  const changes = spread ? together(document, lines, conversion.changes) : conversion.changes;
  if (changes.length > 0) await applyEdit(document, version, toEdit(document, changes));
  tellLeft(conversion.left);
  tellLeftOut(conversion.leftOut);
  return true;
}

function tellLeftOut(leftOut: ReadonlyMap<string, number>): void {
  if (leftOut.size === 0) return;
  const named = [...leftOut].map(([name, count]) =>
    count === 1
      ? vscode.l10n.t('{0} (1 line)', foreign(name))
      : vscode.l10n.t('{0} ({1} lines)', foreign(name), numberText(count, vscode.env.language)),
  );
  void showMessage(
    'information',
    vscode.l10n.t(
      'Batch requests have no place for some of what the lines said; it was left out: {0}. Undo brings the lines back.',
      listText(named, vscode.env.language),
    ),
  );
}

async function convert(lines: Lines, listed: ListedModels | undefined): Promise<LinesConversion | undefined> {
  const conversion = await inSlices(convertLines(lines, undefined));
  if (!conversion) return undefined;
  const { converted, left, lackModel } = conversion;
  if (converted === 0 && left.length > 0) {
    throw new UserError(
      vscode.l10n.t('No line could be converted'),
      vscode.l10n.t('Lines need "messages", a "prompt" or an "input", alone or as other services frame them.'),
    );
  }
  if (lackModel === 0) return conversion;
  const title =
    lackModel === 1
      ? vscode.l10n.t('A model for the line that names none')
      : vscode.l10n.t('A model for the {0} lines that name none', numberText(lackModel, vscode.env.language));
  const model = await askModel({ title, asked: new Map(), listed });
  return model === undefined ? undefined : inSlices(convertLines(lines, model));
}

function listLines(texts: readonly string[]): Lines {
  return { lineCount: texts.length, line: (index) => texts[index] };
}

/** Returns one change that replaces all lines of the document with `lines`, after applying `changes`. */
function together(
  { lineCount }: vscode.TextDocument,
  lines: Lines,
  changes: readonly LineChange[],
): readonly LineChange[] {
  const added = Array.from({ length: lines.lineCount }, (_, index) => lines.line(index) ?? '');
  for (const { start, added: fresh } of changes) added[start] = fresh[0] ?? '';
  return [{ start: 0, removed: lineCount, added }];
}

/** Changes to a whole batch file, one undo step each. */
interface FixCommands {
  makeIdsUnique(open: BatchDocument): Promise<void>;
  numberIds(open: BatchDocument): Promise<void>;
  setModel(open: BatchDocument): Promise<void>;
  removeMark(open: BatchDocument): Promise<void>;
}

function createFixCommands(documents: BatchDocuments): FixCommands {
  return {
    async makeIdsUnique(open) {
      const { document } = open;
      const { version } = document;
      const toFix = { lines: linesOf(document), problems: documents.problemsOf(open), file: namesOf(open) };
      const changes = (await inSlices(fixAll(ownId, toFix))) ?? [];
      if (changes.length > 0) await applyEdit(document, version, toEdit(document, changes));
      else void showMessage('information', vscode.l10n.t('Every request has an ID of its own already.'));
    },
    async numberIds(open) {
      const pattern = await askPattern(open.summary().requests);
      if (pattern !== undefined) await rewrite(open, (lines) => numberIds(lines, pattern));
    },
    async setModel(open) {
      const title = vscode.l10n.t('Set the model of all requests');
      const model = await askModel({ title, asked: open.summary().models, listed: documents.listed() });
      if (model !== undefined) await rewrite(open, (lines) => setModel(lines, model));
    },
    removeMark: ({ document }) => removeMark(document),
  };
}

async function rewrite(
  open: BatchDocument,
  make: (lines: ReturnType<typeof linesOf>) => Work<Rewriting>,
): Promise<void> {
  const { document } = open;
  const { version } = document;
  const made = await inSlices(make(linesOf(document)));
  if (!made) return;
  if (made.changes.length > 0) await applyEdit(document, version, toEdit(document, made.changes));
  tellLeft(made.left);
}

/** Warns about lines that could not be changed. `left` holds their numbers, from 0. */
function tellLeft(left: readonly number[]): void {
  const [first] = left;
  if (first === undefined) return;
  const line = numberText(first + 1, vscode.env.language);
  void showMessage(
    'warning',
    left.length === 1
      ? vscode.l10n.t('Line {0} is no request that can be read. It was left as it is.', line)
      : vscode.l10n.t(
          '{0} lines are no requests that can be read, the first of them line {1}. They were left as they are.',
          numberText(left.length, vscode.env.language),
          line,
        ),
  );
}

async function askPattern(requests: number): Promise<string | undefined> {
  const digits = String(requests).length;
  const sample = `request-{n:${digits}}`;
  const answer = await askText({
    title: vscode.l10n.t('Number IDs'),
    prompt: vscode.l10n.t(
      '{n} stands for the number of the request, {n:4} for one of at least four digits: "{0}" gives "{1}".',
      sample,
      idByPattern(sample, 1),
    ),
    value: sample,
    canGoBack: false,
    check: (value) => (isIdPattern(value) ? undefined : vscode.l10n.t('Write {n} where the number is to stand.')),
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** Saves the file and rewrites it without its byte-order mark, which is beyond the editor's undo and edits by extensions. */
async function removeMark(document: vscode.TextDocument): Promise<void> {
  const { uri } = document;
  if (uri.scheme !== 'file') {
    throw new UserError(
      vscode.l10n.t('This file is not on disk'),
      vscode.l10n.t('Save it with the encoding UTF-8, by the encoding in the status bar.'),
    );
  }
  if (document.isDirty && !(await document.save())) return;
  const name = path.basename(uri.fsPath);
  const isDone = await dropMark(uri.fsPath).catch((error: unknown) => {
    throw new UserError(vscode.l10n.t('{0} was left as it is', foreign(name)), reasonText(error));
  });
  if (!isDone) {
    throw new UserError(
      vscode.l10n.t('The file on disk begins with no byte-order mark'),
      vscode.l10n.t('Save the file, then look again.'),
    );
  }
  void showMessage(
    'information',
    vscode.l10n.t(
      '{0} was saved without its byte-order mark; its text is the same. Undo does not bring the mark back, saving with the encoding "UTF-8 with BOM" does.',
      foreign(name),
    ),
  );
}
