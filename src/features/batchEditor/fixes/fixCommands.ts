import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { idByPattern, isIdPattern, numberIds, setModel, type Rewriting } from '../../../core/batch/fixes/everyRequest';
import { fixAll } from '../../../core/batch/fixes/fixAll';
import type { Work } from '../../../core/batch/fixes/lineChange';
import { ownId } from '../../../core/batch/fixes/lines/idFixes';
import { numberText } from '../../../platform/displayText';
import { askText } from '../../../platform/quickInput';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments } from '../batchDocuments';
import { askModel } from './askModel';
import { namesOf } from './fixActions';
import { linesOf, writeChanges } from './lineEdits';
import { inSlices } from '../logic/slices';
import { showMessage } from '../../../platform/notify';
import path from 'node:path';
import { dropMark } from '../../../core/batch/transform/dropMark';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { sentences } from '../../../protocol/sentences';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** Changes to a whole batch file, one undo step each. */
export interface FixCommands {
  makeIdsUnique(open: BatchDocument): Promise<void>;
  numberIds(open: BatchDocument): Promise<void>;
  setModel(open: BatchDocument): Promise<void>;
  removeMark(open: BatchDocument): Promise<void>;
}

export function createFixCommands(documents: BatchDocuments): FixCommands {
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
export function tellLeft(left: readonly number[], why = ''): void {
  const [first] = left;
  if (first === undefined) return;
  const line = numberText(first + 1, vscode.env.language);
  void showMessage(
    'warning',
    sentences(
      left.length === 1
        ? l10n.t("Line {0} hasn't changed because it's invalid.", line)
        : l10n.t(
            "{0} lines haven't changed because they're invalid. First: line {1}.",
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
    throw new UserError(l10n.t("{0} hasn't changed", foreign(name)), reasonText(error));
  });
  if (!isDone) {
    throw new UserError(l10n.t('No byte-order mark in the saved file'), l10n.t('Save the file, then try again.'));
  }
  void showMessage('information', l10n.t('Removed the byte-order mark from {0}.', foreign(name)));
}
