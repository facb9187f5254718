import * as vscode from 'vscode';
import { numberText } from '../../../platform/displayText';
import { fileName } from '../fileItem';
import type { UploadsEnd } from './uploads';
import { sentences } from '../../../protocol/sentences';

/** Summarises the outcome of an upload of one or more files. */
export function endWords({ uploaded, reused }: UploadsEnd): string {
  const { language } = vscode.env;
  const [only] = uploaded;
  const words: string[] = [];
  if (only && uploaded.length === 1) {
    const { file, requests } = only;
    words.push(
      requests === 1
        ? vscode.l10n.t('{0} is uploaded: 1 request.', fileName(file))
        : vscode.l10n.t('{0} is uploaded: {1} requests.', fileName(file), numberText(requests, language)),
    );
  } else if (only) words.push(vscode.l10n.t('{0} files are uploaded.', numberText(uploaded.length, language)));
  const [known] = reused;
  if (known && reused.length === 1) {
    words.push(vscode.l10n.t('{0} was there already; nothing was sent.', fileName(known.file)));
  } else if (known) {
    words.push(vscode.l10n.t('{0} were there already; nothing of them was sent.', numberText(reused.length, language)));
  }
  return sentences(...words);
}
