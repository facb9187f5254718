import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  imageAttachment,
  readImage,
  type Attachment,
  type AttachmentKind,
} from '../../../core/conversation/attachment';
import { UserError } from '../../../platform/errors/userError';
import { maxAttachedCharacters, maxImageBytes, maxImageSide, maxScaledBytes } from '../../../protocol/chatBounds';
import { askEncoding } from '../../../platform/workspace/askEncoding';
import { decodeAs } from '../../../core/workspace/textEncoding';
import { decodeText } from '../../../core/workspace/decodeText';
import { listPaths } from '../../../core/workspace/folderListing';
import { bytesText, numberText } from '../../../platform/displayText';
import { guardReason, type WorkspaceGuard, readFile as readAnyFile } from '../../../platform/workspace/workspaceGuard';
import { filesBelow, maxFound } from '../../../platform/workspace/workspaceFiles';
import { selectionByClipboard } from '../logic/selectionByClipboard';
import { foreign } from '../../../core/text/foreignText';
import { estimateTokens } from '../../../core/tokens/estimate';
import type { Refused } from '../../../core/workspace/fileGuard';

/** Reads the selected text. Throws a localized error if nothing is selected, it is too long, or the workspace is not trusted. */
export function readSelection(editor: vscode.TextEditor | undefined): Attachment {
  if (!editor || editor.selection.isEmpty) {
    throw new UserError(l10n.t('No selection'), l10n.t('Select the text to attach in an editor.'));
  }
  const { document, selection } = editor;
  return toAttachment('selection', selectionLabel(editor), document.languageId, document.getText(selection));
}

/** Returns the file and the lines of the selection. */
export function selectionLabel({ document, selection }: vscode.TextEditor): string {
  // A selection that ends at the start of a line contains nothing of that line.
  const lastLine = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const firstLine = selection.start.line + 1;
  const lines = lastLine > firstLine ? `${firstLine}-${lastLine}` : `${firstLine}`;
  return `${nameOf(document.uri)}:${lines}`;
}

/**
 * Reads a file from its editor or else from disk, an image, or the list of files in a folder. Throws a localized error if it is neither text
 * nor an image, too long, or refused by the guard. No guard is needed for a file the user picked.
 */
export async function readFile(uri: vscode.Uri, guard?: WorkspaceGuard): Promise<Attachment> {
  const label = nameOf(uri);
  checkTrust();
  const checked = await guard?.check(uri);
  if (checked && 'refusal' in checked) throw notOpen(label, checked);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return toAttachment('file', label, open.languageId, open.getText());
  const { type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) return readFolder(uri);
  const isImage = imageName.test(uri.path);
  // No character takes more than four bytes.
  const mostBytes = isImage ? maxScaledBytes : maxAttachedCharacters * 4;
  const bytes = await (guard ? guard.read(uri, mostBytes) : readAnyFile(uri, mostBytes));
  if (bytes === 'tooLarge') throw isImage ? imageTooLarge(label) : tooLong(label);
  if ('refusal' in bytes) throw notOpen(label, bytes);
  if (isImage) return toImage(label, bytes);
  const text = decodeText(bytes) ?? (await decodeOther(label, bytes));
  return toAttachment('file', label, languageOf(uri), text);
}

const imageName = /\.(?:png|apng|jpe?g|jfif|gif|webp|bmp|tiff?|hei[cf]|avif|ico)$/i;

/** The types that services accept, as file name extensions. */
export const imageExtensions: readonly string[] = ['png', 'jpg', 'jpeg', 'gif', 'webp'];

/** An image that has to be scaled down before it is attached. */
export class OversizedImage extends UserError {
  constructor(
    readonly label: string,
    readonly bytes: Uint8Array,
  ) {
    const { title, detail } = imageTooLarge(label);
    super(title, detail);
  }
}

/** Throws a localized error for an image of another type, and `OversizedImage` if it is too large for some services. */
export function toImage(label: string, bytes: Uint8Array): Attachment {
  checkTrust();
  const image = readImage(bytes);
  if (!image) throw noImage(label);
  const isTooLarge = bytes.length > maxImageBytes || Math.max(image.width, image.height) > maxImageSide;
  if (isTooLarge) throw new OversizedImage(label, bytes);
  return imageAttachment(label, image);
}

export function noImage(label: string): UserError {
  return refused(label, l10n.t('The image is damaged or has an unsupported format. Save it as PNG or JPEG.'));
}

export function imageTooLarge(label: string): UserError {
  const { language } = vscode.env;
  return refused(
    label,
    l10n.t(
      'The limit is {0} and {1} pixels per side. Scale down the image.',
      bytesText(maxImageBytes, language),
      numberText(maxImageSide, language),
    ),
  );
}

/** Decodes a text that is not UTF-8 in the encoding that the user chooses. Throws a localized error if it is no text, or `CancellationError`. */
export async function decodeOther(label: string, bytes: Uint8Array): Promise<string> {
  const encoding = await askEncoding(label, bytes);
  if (encoding === 'cancelled') throw new vscode.CancellationError();
  const text = encoding === 'noText' ? undefined : decodeAs(bytes, encoding);
  if (text === undefined) throw notText(label);
  return text;
}

/** Lists a document's diagnostics, one per line. Throws a localized error if there are none. */
export function readProblems(document: vscode.TextDocument): Attachment {
  const label = nameOf(document.uri);
  const problems = vscode.languages.getDiagnostics(document.uri);
  if (problems.length === 0) throw refused(label, l10n.t('No problems in this file.'));
  const severities = ['error', 'warning', 'info', 'hint'];
  const lines = problems.map(({ range, severity, message, source }) => {
    const { line, character } = range.start;
    const from = source === undefined ? '' : `${source}: `;
    return `${line + 1}:${character + 1} ${severities[severity]}: ${from}${message}`;
  });
  return toAttachment('problems', l10n.t('Problems in {0}', foreign(label)), '', lines.join('\n'));
}

/** Uses the file extension as the language: knowing the language id would require opening the file. */
function languageOf(uri: vscode.Uri): string {
  return /\.(\w{1,20})$/.exec(uri.path)?.[1] ?? '';
}

/** About 20,000 tokens of paths; for a larger folder, it is better to name one of its subfolders. */
const maxListed = 2000;

/** Lists the files of a folder, one path per line, below a line with their number. Throws a localized error if it has none. */
async function readFolder(uri: vscode.Uri): Promise<Attachment> {
  checkTrust();
  const name = nameOf(uri);
  const label = `${name === uri.fsPath && vscode.workspace.getWorkspaceFolder(uri) ? folderName(uri) : name}/`;
  const { paths, count } = listPaths(await filesBelow(uri), maxListed);
  if (count === 0) throw refused(label, l10n.t('The folder is empty, or all its files are excluded or ignored.'));
  return toAttachment('folder', label, '', [countLine(paths.length, count), ...paths].join('\n'));
}

function countLine(listed: number, count: number): string {
  const number = (value: number) => numberText(value, vscode.env.language);
  if (count >= maxFound)
    return l10n.t('{0} of at least {1} files, without the most deeply nested ones:', number(listed), number(count));
  if (listed < count)
    return l10n.t('{0} of {1} files, without the most deeply nested ones:', number(listed), number(count));
  return count === 1 ? l10n.t('1 file:') : l10n.t('{0} files:', number(count));
}

function folderName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/**
 * Reads the selection of the active terminal. The editor only exposes it through the clipboard, whose content is restored
 * whatever happens. Throws a localized error if nothing is selected.
 */
export async function readTerminalSelection(): Promise<Attachment> {
  const { terminal, text } = await copiedFromTerminal('workbench.action.terminal.copySelection');
  if (text === '') throw nothingSelected();
  return toAttachment('terminal', l10n.t('Terminal {0}', terminal.name), '', text);
}

/** Reads the last command of the active terminal with its output, as it is shown. Throws a localized error if there is none. */
export async function readLastCommand(): Promise<Attachment> {
  const { terminal, text } = await copiedFromTerminal('workbench.action.terminal.copyLastCommandAndLastCommandOutput');
  if (text === '')
    throw new UserError(
      l10n.t('No command output in the terminal'),
      l10n.t('Run a command in a terminal with shell integration.'),
    );
  return toAttachment('terminal', l10n.t('Last command in {0}', foreign(terminal.name)), '', text);
}

/** Returns what a command of VS Code copies from the active terminal. */
async function copiedFromTerminal(
  command: string,
): Promise<{ readonly terminal: vscode.Terminal; readonly text: string }> {
  checkTrust();
  const terminal = vscode.window.activeTerminal;
  if (!terminal) throw noTerminal();
  const copied = await selectionByClipboard({
    clipboard: vscode.env.clipboard,
    copySelection: () => vscode.commands.executeCommand(command),
  });
  // A terminal pads its content with blanks, to the right and below.
  const lines = copied
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  return { terminal, text: lines.join('\n') };
}

function noTerminal(): UserError {
  return new UserError(l10n.t('No terminal'), l10n.t('Select the text to attach in a terminal.'));
}

function nothingSelected(): UserError {
  return new UserError(l10n.t('No selection in the terminal'), l10n.t('Select the text to attach.'));
}

/** Creates an attachment. Throws a localized error if the text is empty or too long, or the workspace is not trusted. */
export function toAttachment(kind: AttachmentKind, label: string, language: string, text: string): Attachment {
  checkTrust();
  if (text.length > maxAttachedCharacters) throw tooLong(label);
  if (text.trim() === '') throw refused(label, l10n.t('The text is empty.'));
  return { kind, label, language, text, tokens: estimateTokens(text) };
}

/** Throws in Restricted Mode: until the user trusts the folder, its contents stay on the machine. */
export function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    l10n.t('Attachments are disabled in Restricted Mode'),
    l10n.t('Trust this workspace first. Attachments are sent to the service.'),
  );
}

export function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

export function refused(label: string, reason: string): UserError {
  return new UserError(l10n.t("Couldn't attach {0}", foreign(label)), reason);
}

export function tooLong(label: string): UserError {
  const most = numberText(maxAttachedCharacters, vscode.env.language);
  return refused(label, l10n.t('More than {0} characters. Select a part.', most));
}

export function notOpen(label: string, { refusal }: Refused): UserError {
  switch (refusal) {
    case 'outside':
    case 'secret':
      return refused(label, guardReason(refusal));
    case 'missing':
    case 'notFile':
      return refused(label, l10n.t('The file is missing or unreadable.'));
  }
}

export function notText(label: string): UserError {
  return refused(label, l10n.t("The file isn't UTF-8."));
}

export function noFile(): UserError {
  return new UserError(l10n.t('No file is open'), l10n.t('Open the file to attach.'));
}

export function tooMany(most: number): UserError {
  return new UserError(l10n.t('Too many attachments'), l10n.t('The limit is {0}. Remove some first.', most));
}

/** The item was chosen from a list that is out of date. */
export function offerGone(): UserError {
  return new UserError(l10n.t('This item is no longer available'), l10n.t('Type # and choose again.'));
}

export function notAFile(): UserError {
  return new UserError(
    l10n.t("This isn't a file"),
    l10n.t('Drop files or folders from this machine or the workspace.'),
  );
}

export function folderWithoutPlace(name: string): UserError {
  return new UserError(
    l10n.t("Couldn't attach {0}", foreign(name)),
    l10n.t('To attach a folder from outside the workspace, select Add Context.'),
  );
}
