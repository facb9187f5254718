import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { idByPattern, isIdPattern, numberIds, setModel, type Rewriting } from '../../../core/batch/fixes/everyRequest';
import { fixAll } from '../../../core/batch/fixes/fixAll';
import { ownId } from '../../../core/batch/fixes/lines/idFixes';
import { dropMark } from '../../../core/batch/transform/dropMark';
import type { Disposable } from '../../../platform/disposables';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { askText } from '../../../platform/quickInput';
import { activeBatch, activeDocument } from '../activeFile';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments } from '../batchDocuments';
import { registerFixes, serviceOf, namesOf } from './fixActions';
import { convertLines, type LinesConversion } from '../../../core/batch/fixes/foreign/convertLines';
import type { LineChange, Lines, Work } from '../../../core/batch/fixes/lineChange';
import { valuesToLines } from '../../../core/batch/fixes/values';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { looksSpread } from './fileActions';
import { linesOf, writeChanges } from './lineEdits';
import { inSlices } from '../logic/slices';
import { listText } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';
import { showMessage, createQuickPick } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

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
      if (await convertDocument(document, documents)) await treatAsBatch(document.uri);
    },
    dispose: () => registered.dispose(),
  };
}

/** Converts a file in another format to a batch file, as one undo step. Resolves with whether it did. */
async function convertDocument(document: vscode.TextDocument, documents: BatchDocuments): Promise<boolean> {
  const { version } = document;
  const spread = looksSpread(document) ? await inSlices(valuesToLines(linesOf(document))) : undefined;
  const lines = spread ? listLines(spread.flatMap(({ added }) => added)) : linesOf(document);
  const conversion = await convert(lines, documents);
  if (!conversion) return false;
  const changes = spread ? together(document, lines, conversion.changes) : conversion.changes;
  if (changes.length > 0) await writeChanges(document, version, changes);
  tellLeft(conversion.left, unsayableText(conversion, documents));
  tellDifferences(conversion);
  return true;
}

/** Says what the service can't express of lines that weren't converted; `undefined` if that isn't the reason. */
function unsayableText({ unsayable }: LinesConversion, { rulesNow }: BatchDocuments): string | undefined {
  const names = [...unsayable].map((one) => foreign(one));
  const { name } = rulesNow();
  return names.length === 0 || name === ''
    ? undefined
    : l10n.t("{0} doesn't support: {1}.", name, listText(names, vscode.env.language));
}

function tellDifferences({ leftOut, added }: LinesConversion): void {
  const lost =
    leftOut.size === 0 ? '' : l10n.t('Removed unsupported properties: {0}. You can undo this.', countedNames(leftOut));
  const more = added.size === 0 ? '' : l10n.t('Added because batch requests require it: {0}.', countedNames(added));
  if (lost || more) void showMessage('information', sentences(lost, more));
}

/** Returns a list of names, each with the number of lines that have it. */
export function countedNames(names: ReadonlyMap<string, number>): string {
  const { language } = vscode.env;
  const counted = [...names].map(([name, count]) =>
    count === 1
      ? l10n.t('{0} (1 line)', foreign(name))
      : l10n.t('{0} ({1} lines)', foreign(name), numberText(count, language)),
  );
  return listText(counted, language);
}

async function convert(lines: Lines, documents: BatchDocuments): Promise<LinesConversion | undefined> {
  const service = serviceOf(documents);
  const conversion = await inSlices(convertLines(lines, undefined, service));
  if (!conversion) return undefined;
  const { converted, left, lackModel } = conversion;
  if (converted === 0 && left.length > 0) {
    throw new UserError(
      l10n.t("Couldn't convert any lines"),
      unsayableText(conversion, documents) ??
        l10n.t('Lines need "messages", "prompt", "input", or another service\'s format.'),
    );
  }
  if (lackModel === 0) return conversion;
  const title =
    lackModel === 1
      ? l10n.t('Model for the line without a model')
      : l10n.t('Model for the {0} lines without one', numberText(lackModel, vscode.env.language));
  await documents.loadListed();
  const model = await askModel({ title, requested: new Map(), offered: documents.modelsFor('chat') });
  return model === undefined ? undefined : inSlices(convertLines(lines, model, service));
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
      const toFix = { lines: linesOf(document), problems: documents.problemsOf(open), file: namesOf(open, documents) };
      const changes = (await inSlices(fixAll(ownId, toFix))) ?? [];
      if (changes.length > 0) await writeChanges(document, version, changes);
      else void showMessage('information', l10n.t('Every request already has a unique ID.'));
    },
    async numberIds(open) {
      const pattern = await askPattern(open.summary().requests);
      if (pattern !== undefined) await rewrite(open, (lines) => numberIds(lines, pattern));
    },
    async setModel(open) {
      const title = l10n.t('Set Model of All Requests');
      await documents.loadListed();
      const model = await askModel({ title, requested: open.summary().models, offered: documents.modelsFor('chat') });
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
  if (made.changes.length > 0) await writeChanges(document, version, made.changes);
  tellLeft(made.left);
}

/** Warns about lines that could not be changed. `left` holds their numbers, from 0. `why`: the reason, if it is known. */
function tellLeft(left: readonly number[], why = ''): void {
  const [first] = left;
  if (first === undefined) return;
  const line = numberText(first + 1, vscode.env.language);
  void showMessage(
    'warning',
    sentences(
      left.length === 1
        ? l10n.t("Line {0} is invalid, so it wasn't changed.", line)
        : l10n.t(
            "{0} lines are invalid, so they weren't changed. The first one is line {1}.",
            numberText(left.length, vscode.env.language),
            line,
          ),
      why,
    ),
  );
}

async function askPattern(requests: number): Promise<string | undefined> {
  const digits = String(requests).length;
  const sample = `request-{n:${digits}}`;
  const answer = await askText({
    title: l10n.t('Number IDs'),
    prompt: l10n.t(
      '{n} is the request number, and {n:4} pads it. "{0}" becomes "{1}".',
      sample,
      idByPattern(sample, 1),
    ),
    value: sample,
    canGoBack: false,
    check: (value) => (isIdPattern(value) ? undefined : l10n.t('Add {n} for the request number.')),
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** Saves the file and rewrites it without its byte-order mark, which is beyond the editor's undo and edits by extensions. */
async function removeMark(document: vscode.TextDocument): Promise<void> {
  const { uri } = document;
  if (uri.scheme !== 'file') {
    throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the file as UTF-8 (status bar).'));
  }
  if (document.isDirty && !(await document.save())) return;
  const name = path.basename(uri.fsPath);
  const isDone = await dropMark(uri.fsPath).catch((error: unknown) => {
    throw new UserError(l10n.t("Couldn't change {0}", foreign(name)), reasonText(error));
  });
  if (!isDone) {
    throw new UserError(l10n.t('No byte-order mark found in the saved file'), l10n.t('Save the file, then try again.'));
  }
  void showMessage('information', l10n.t('Removed the byte-order mark from {0}.', foreign(name)));
}

interface ModelsToAsk {
  /** Says what the model is for. */
  readonly title: string;
  /** The number of requests in the file for each model. */
  readonly requested: ReadonlyMap<string, number>;
  /** Ids to offer besides, best first. */
  readonly offered: readonly string[];
}

interface ModelItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** Asks for one model: one from the file, one from the list, or any typed id. `undefined` if canceled. */
function askModel({ title, requested, offered }: ModelsToAsk): Promise<string | undefined> {
  const pick = createQuickPick<ModelItem>();
  const known = [
    ...[...requested]
      .toSorted(([, a], [, b]) => b - a)
      .map(([id, count]) => ({ id, label: id, description: usesText(count) })),
    ...offered.filter((id) => !requested.has(id)).map((id) => ({ id, label: id })),
  ];
  const items = (typed: string): readonly ModelItem[] => {
    if (typed === '' || known.some(({ id }) => id === typed)) return known;
    return [...known, { id: typed, label: typed, description: l10n.t('use this ID'), alwaysShow: true }];
  };
  pick.title = title;
  pick.placeholder = l10n.t('Model ID');
  pick.items = items('');
  return new Promise<string | undefined>((resolve) => {
    pick.onDidChangeValue((value) => void (pick.items = items(value.trim())));
    pick.onDidAccept(() => {
      // A fast typist accepts before the typed id is in the list.
      resolve(pick.selectedItems[0]?.id ?? (pick.value.trim() || undefined));
      pick.hide();
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}

function usesText(count: number): string {
  return count === 1
    ? l10n.t('used by 1 request')
    : l10n.t('used by {0} requests', numberText(count, vscode.env.language));
}
