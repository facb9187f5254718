import * as l10n from '@vscode/l10n';
import { sentences, titled } from '../../protocol/sentences';
import { foreign } from '../../core/text/foreignText';
import { step } from './errorActions';
import type { Words } from './errorMessage';

/** The texts about a refused file operation. */
interface Refusal {
  readonly title: string;
  /** Returns a sentence about the file or folder with this name. */
  readonly about: (name: string) => string;
  readonly advice: string;
}

const notWritten = (name: string) => l10n.t('Couldn\'t save "{0}".', name);
const notReached = (name: string) => l10n.t('Couldn\'t access "{0}".', name);

const refusals = {
  full: () => ({
    title: l10n.t('No space left on the disk'),
    about: notWritten,
    advice: l10n.t('Free up some space, then try again.'),
  }),
  quota: () => ({
    title: l10n.t('Disk quota reached'),
    about: notWritten,
    advice: l10n.t('Free up some space, then try again.'),
  }),
  tooLarge: () => ({
    title: l10n.t('File too large for this disk'),
    about: notWritten,
    advice: l10n.t('Choose another disk, then try again.'),
  }),
  readOnly: () => ({
    title: l10n.t('The disk is read-only'),
    about: notWritten,
    advice: l10n.t('Choose another folder, or make the disk writable.'),
  }),
  denied: () => ({
    title: l10n.t('File access was denied'),
    about: (name) => l10n.t('You don\'t have permission for "{0}".', name),
    advice: l10n.t('Check the permissions and whether another program uses the file.'),
  }),
  tooManyOpen: () => ({
    title: l10n.t('Too many files are open'),
    about: (name) => l10n.t('Couldn\'t open "{0}".', name),
    advice: l10n.t('Close some programs or tabs, then try again.'),
  }),
  damaged: () => ({
    title: l10n.t('The disk reported an error'),
    about: (name) => l10n.t('Couldn\'t read or write "{0}".', name),
    advice: l10n.t('Check the disk and its connection.'),
  }),
  missing: () => ({
    title: l10n.t('A file or folder is missing'),
    about: (name) => l10n.t('"{0}" wasn\'t found.', name),
    advice: l10n.t('Restore the file, or choose another location.'),
  }),
  isFolder: () => ({
    title: l10n.t('A folder has the same name as the file'),
    about: (name) => l10n.t('"{0}" is a folder.', name),
    advice: l10n.t('Choose another name, or move the folder.'),
  }),
  isFile: () => ({
    title: l10n.t('A file has the same name as the folder'),
    about: notReached,
    advice: l10n.t('Choose another folder, or move the file.'),
  }),
  exists: () => ({
    title: l10n.t('The name already exists'),
    about: (name) => l10n.t('"{0}" already exists.', name),
    advice: l10n.t('Choose another name, or move the existing file.'),
  }),
  notEmpty: () => ({
    title: l10n.t("The folder isn't empty"),
    about: (name) => l10n.t('"{0}" contains files.', name),
    advice: l10n.t('Empty the folder, then try again.'),
  }),
  longName: () => ({
    title: l10n.t('The file name is too long'),
    about: notReached,
    advice: l10n.t('Choose a shorter name or another folder.'),
  }),
  busy: () => ({
    title: l10n.t('A file or folder is in use'),
    about: (name) => l10n.t('Another program is using "{0}".', name),
    advice: l10n.t('Close that program, then try again.'),
  }),
  link: () => ({
    title: l10n.t("Couldn't follow a symbolic link"),
    about: (name) => l10n.t('"{0}" is a link that is broken, has changed, or isn\'t allowed.', name),
    advice: l10n.t("Check the link's target, or choose another folder."),
  }),
  unavailable: () => ({
    title: l10n.t("The file system isn't available"),
    about: notReached,
    advice: l10n.t('Check its connection, then try again.'),
  }),
} satisfies Record<string, () => Refusal>;

/** Codes of Node, then those of the editor's file systems. */
const refusalOf: Readonly<Partial<Record<string, keyof typeof refusals>>> = {
  ENOSPC: 'full',
  EDQUOT: 'quota',
  EFBIG: 'tooLarge',
  EROFS: 'readOnly',
  EACCES: 'denied',
  EPERM: 'denied',
  EMFILE: 'tooManyOpen',
  ENFILE: 'tooManyOpen',
  EIO: 'damaged',
  ENOENT: 'missing',
  EISDIR: 'isFolder',
  ENOTDIR: 'isFile',
  EEXIST: 'exists',
  ENOTEMPTY: 'notEmpty',
  ENAMETOOLONG: 'longName',
  EBUSY: 'busy',
  ETXTBSY: 'busy',
  ELOOP: 'link',
  ENODEV: 'unavailable',
  ESTALE: 'unavailable',
  NoPermissions: 'denied',
  FileNotFound: 'missing',
  FileIsADirectory: 'isFolder',
  FileNotADirectory: 'isFile',
  FileExists: 'exists',
  Unavailable: 'unavailable',
};

/** Describes the file operation that the system rejected, anywhere in the chain of causes. Returns `undefined` for any other error. */
export function fileErrorWords(error: unknown): Words | undefined {
  let cause: unknown = error;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < 8; depth++) {
    const fault = cause as Fault;
    const refusal = refusalOf[codeOf(fault) ?? ''];
    if (refusal !== undefined && !isElsewhere(fault)) {
      const { title, about, advice }: Refusal = refusals[refusal]();
      const name = nameOf(fault);
      return { title, detail: sentences(name === undefined ? '' : about(name), advice), actions: [step('showLog')] };
    }
    cause = cause instanceof AggregateError ? cause.errors[0] : fault.cause;
  }
  return undefined;
}

/** Returns why something failed, as part of a longer text: the refused file operation, else the error's own message. */
export function reasonText(error: unknown): string {
  const words = fileErrorWords(error);
  if (words) return titled(words.title, words.detail);
  return error instanceof Error ? error.message : String(error);
}

/** An error from Node, or what remains of one from a worker or another process. */
interface Fault {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
  readonly dest?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** The editor's file systems put system codes that they do not map into the message. */
function codeOf(fault: Fault): string | undefined {
  const code = String(fault.name).includes('FileSystemError')
    ? /\bE[A-Z]{2,}\b/.exec(String(fault.message))?.[0]
    : undefined;
  if (code !== undefined && code in refusalOf) return code;
  return typeof fault.code === 'string' ? fault.code : undefined;
}

/** Whether the code concerns a connection or a program start: these use the same codes. */
function isElsewhere({ syscall, code }: Fault): boolean {
  if (typeof syscall !== 'string' || code === 'EMFILE' || code === 'ENFILE') return false;
  return /^(connect|bind|listen|accept|getaddrinfo|query|spawn|kill|uv_spawn)/.test(syscall);
}

const longestName = 80;

function nameOf({ path, dest, message }: Fault): string | undefined {
  const place = [dest, path, typeof message === 'string' ? placeIn(message) : undefined].find(
    (one) => typeof one === 'string' && one !== '',
  );
  const name = typeof place === 'string' ? place.split(/[/\\]/).findLast((part) => part !== '') : undefined;
  return name === undefined ? undefined : foreign(name, longestName);
}

/** A message from Node ends with the quoted path, one from the editor contains it, or consists of the URI. */
function placeIn(message: string): string | undefined {
  if (/^[\w+.-]+:\/\/\S*$/.test(message)) return decodedPath(message);
  return /'([^']+)'(?: \(|$)/.exec(message)?.[1];
}

function decodedPath(uri: string): string | undefined {
  const path = URL.parse(uri)?.pathname;
  try {
    return path && decodeURIComponent(path);
  } catch {
    return path;
  }
}
