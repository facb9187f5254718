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
import { inSlices } from '../slices';
import { showMessage } from '../../../platform/notify';
import path from 'node:path';
import { dropMark } from '../../../core/batch/transform/dropMark';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
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
      else void showMessage('information', vscode.l10n.t('Every request has an ID of its own already.'));
    },
    async numberIds(open) {
      const pattern = await askPattern(open.summary().requests);
      if (pattern !== undefined) await rewrite(open, (lines) => numberIds(lines, pattern));
    },
    async setModel(open) {
      const title = vscode.l10n.t('Set the model of all requests');
      await documents.loadListed();
      const model = await askModel({ title, asked: open.summary().models, offered: documents.modelsFor('chat') });
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

/** Warns about lines that could not be changed. `left` holds their numbers, from 0. */
export function tellLeft(left: readonly number[]): void {
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
