import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { activeBatch, activeDocument } from '../activeFile';
import type { BatchDocuments } from '../batchDocuments';
import { registerFixes, serviceOf } from './fixActions';
import { createFixCommands, type FixCommands, tellLeft } from './fixCommands';
import { convertLines, type LinesConversion } from '../../../core/batch/fixes/foreign/convertLines';
import type { LineChange, Lines } from '../../../core/batch/fixes/lineChange';
import { valuesToLines } from '../../../core/batch/fixes/values';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { askModel } from './askModel';
import { looksSpread } from './fileActions';
import { linesOf, writeChanges } from './lineEdits';
import { inSlices } from '../logic/slices';
import { listText } from '../../../protocol/formats';
import { sentences } from '../../../protocol/sentences';
import { showMessage } from '../../../platform/notify';
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
      l10n.t('No line could be converted'),
      unsayableText(conversion, documents) ??
        l10n.t('Lines need "messages", "prompt", "input", or another service\'s format.'),
    );
  }
  if (lackModel === 0) return conversion;
  const title =
    lackModel === 1
      ? l10n.t('Model for the line without a model')
      : l10n.t('Model for the {0} lines without one', numberText(lackModel, vscode.env.language));
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
