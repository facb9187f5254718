import path from 'node:path';
import * as vscode from 'vscode';
import type { RemoteFile } from '../../../core/api/files/files.schema';
import { ageWords } from '../../../platform/age';
import type { FileCheck } from '../../../services/batches/check/checkOneFile';
import { countWords } from '../../../services/batches/check/checkWords';
import { fileName } from '../fileItem';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

/** What a person is asked before a file is uploaded. `undefined` means that they cancelled. */
export interface UploadQuestions {
  /** Asked if the file has errors. */
  upload(check: FileCheck): Promise<'upload' | 'report' | undefined>;
  /** Asked if the service already has the file; `sameContent` if that is certain. */
  reuse(file: string, known: RemoteFile, sameContent: boolean): Promise<'reuse' | 'upload' | undefined>;
  /** Asked if the file is open with unsaved edits. */
  unsaved(file: string): Promise<'save' | 'upload' | undefined>;
}

/** How many problems a question lists; the report has them all. */
const mostNamed = 5;

export const uploadQuestions: UploadQuestions = {
  async upload({ file, counts, problems }) {
    const title = vscode.l10n.t(
      '{0} has {1}',
      foreign(path.basename(file)),
      countWords(counts) ?? vscode.l10n.t('errors'),
    );
    const named = problems.filter(({ severity }) => severity === 'error').slice(0, mostNamed);
    const lines = named.map(({ line, message }) => vscode.l10n.t('Line {0}: {1}', line + 1, message));
    const others = counts.error - named.length;
    if (others > 0) lines.push(vscode.l10n.t('and {0} more', others));
    const detail = [...lines, '', vscode.l10n.t('The service may refuse a batch made of it, or fail these requests.')];
    const upload = vscode.l10n.t('Upload Anyway');
    const show = vscode.l10n.t('Show Report');
    const chosen = await showMessage('warning', title, { modal: true, detail: detail.join('\n') }, show, upload);
    return chosen === upload ? 'upload' : chosen === show ? 'report' : undefined;
  },
  async reuse(file, known, sameContent) {
    const name = path.basename(file);
    const title = sameContent
      ? vscode.l10n.t('The content of {0} is uploaded already', foreign(name))
      : vscode.l10n.t('{0} may be uploaded already', foreign(name));
    const age =
      known.createdAt === undefined
        ? vscode.l10n.t('at some time')
        : ageWords(known.createdAt * 1000, Date.now(), vscode.env.language);
    const detail = sameContent
      ? vscode.l10n.t(
          'The service has it as {0}, uploaded {1}. A batch can be made of that file.',
          fileName(known),
          age,
        )
      : vscode.l10n.t(
          'The service has a file of this name, size and number of lines, uploaded {0}. Whether it holds the same cannot be told from here.',
          age,
        );
    const reuse = vscode.l10n.t('Use the Uploaded File');
    const upload = vscode.l10n.t('Upload Again');
    const chosen = await showMessage('information', title, { modal: true, detail }, reuse, upload);
    return chosen === reuse ? 'reuse' : chosen === upload ? 'upload' : undefined;
  },
  async unsaved(file) {
    const title = vscode.l10n.t('{0} has edits that are not saved', foreign(path.basename(file)));
    const detail = vscode.l10n.t('Only what is on disk is uploaded.');
    const save = vscode.l10n.t('Save and Upload');
    const upload = vscode.l10n.t('Upload Without Them');
    const chosen = await showMessage('warning', title, { modal: true, detail }, save, upload);
    return chosen === save ? 'save' : chosen === upload ? 'upload' : undefined;
  },
};
