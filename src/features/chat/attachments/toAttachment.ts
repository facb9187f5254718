import * as vscode from 'vscode';
import type { Attachment, AttachmentKind } from '../../../core/conversation/attachment';
import { estimateTokens } from '../../../core/tokens/estimate';
import { numberText } from '../../../platform/displayText';
import type { Refused } from '../../../core/workspace/fileGuard';
import { UserError } from '../../../platform/errors/userError';
import { maxAttachedCharacters } from '../../../protocol/chatBounds';
import { foreign } from '../../../core/text/foreignText';

/** Creates an attachment. Throws a localized error if the text is empty or too long, or the workspace is not trusted. */
export function toAttachment(kind: AttachmentKind, label: string, language: string, text: string): Attachment {
  checkTrust();
  if (text.length > maxAttachedCharacters) throw tooLong(label);
  if (text.trim() === '') throw refused(label, vscode.l10n.t('The text is empty.'));
  return { kind, label, language, text, tokens: estimateTokens(text) };
}

/** Throws in Restricted Mode: until the user trusts the folder, its contents stay on the machine. */
export function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    vscode.l10n.t('Attachments are disabled in Restricted Mode'),
    vscode.l10n.t('Attachments are sent to the service. Trust this workspace first.'),
  );
}

export function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

export function refused(label: string, reason: string): UserError {
  return new UserError(vscode.l10n.t("Couldn't attach {0}", foreign(label)), reason);
}

export function tooLong(label: string): UserError {
  const most = numberText(maxAttachedCharacters, vscode.env.language);
  return refused(label, vscode.l10n.t('The text is longer than {0} characters. Select the relevant part.', most));
}

export function notOpen(label: string, { refusal }: Refused): UserError {
  switch (refusal) {
    case 'outside':
      return refused(label, vscode.l10n.t('This is a link to a file outside the workspace. Choose that file instead.'));
    case 'secret':
      return refused(
        label,
        vscode.l10n.t('The file might contain keys or passwords (setting inferenceDesk.secretFiles).'),
      );
    case 'missing':
    case 'notFile':
      return refused(label, vscode.l10n.t('The file is missing or unreadable.'));
  }
}

export function notText(label: string): UserError {
  return refused(label, vscode.l10n.t("The file isn't UTF-8 text."));
}
