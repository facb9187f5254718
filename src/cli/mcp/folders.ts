import { stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { AgentText } from '../../core/agentTools/toolHost';
import { decodeText } from '../../core/workspace/decodeText';
import { FileGuard } from '../../core/workspace/fileGuard';
import { isBelow } from '../../core/workspace/isBelow';
import type { ReadFile, Refused } from '../../core/workspace/fileGuard';
import { createSecretCheck } from '../../core/workspace/secretFiles';
import { usualSecretFiles } from '../../core/workspace/usualSecretFiles';

/** The folders a call may use. Nothing outside of them is read. */
export interface Folders {
  /** Absolute, with links resolved. Relative paths are resolved against the first one. */
  readonly list: readonly string[];
  /** Resolves to the file's real path. Throws `AgentProblem` if it is outside, might contain secrets, or doesn't exist. */
  file(path: string): Promise<string>;
  /** Reads a file. Throws as `file` does; resolves to `tooLarge` if it exceeds `mostBytes`. */
  read(path: string, mostBytes: number): Promise<ReadFile | 'tooLarge'>;
  /** Whether a file usually holds secrets, judged by its path with `/` as the separator. */
  readonly isSecret: (path: string) => boolean;
  /** Returns the first folder. Throws `AgentProblem` if there is none. */
  first(): string;
  /** Returns the path as shown to the model and accepted back: relative to the first folder with `/`, absolute in other folders. */
  shown(path: string): string;
}

/** Leaves out folders that do not exist. */
export async function openFolders(
  paths: readonly string[],
  isSecret: (path: string) => boolean = createSecretCheck(usualSecretFiles),
): Promise<Folders> {
  const guard = await FileGuard.open(paths, { isSecret });
  const { folders: list } = guard;
  const first = () => {
    const [folder] = list;
    if (folder !== undefined) return folder;
    throw new AgentProblem('No working folder. Tell the user to set INFERENCE_DESK_FOLDER.');
  };
  return {
    list,
    isSecret,
    first,
    shown(path) {
      const [folder] = list;
      return folder !== undefined && isBelow(folder, path) ? relative(folder, path).split(sep).join('/') : path;
    },
    async file(path) {
      const checked = await guard.check(resolve(first(), path));
      if ('refusal' in checked) throw refused(path, checked, list);
      if (!(await stat(checked.real)).isFile()) throw refused(path, { refusal: 'notFile' }, list);
      return checked.real;
    },
    async read(path, mostBytes) {
      const read = await guard.read(resolve(first(), path), mostBytes);
      if (read !== 'tooLarge' && 'refusal' in read) throw refused(path, read, list);
      return read;
    },
  };
}

/** A larger file is not a document to rank. */
const largestText = 4 * 1024 ** 2;
/** Limit for all files of one call, because they are in memory at once. */
const largestTexts = 64 * 1024 ** 2;

/** Returns the texts in the order of `paths`. Throws as `Folders.file` does, and if a file is not text or too large. */
export async function readTexts(
  paths: readonly string[],
  folders: Folders,
  signal: AbortSignal,
): Promise<readonly AgentText[]> {
  const texts: AgentText[] = [];
  let left = largestTexts;
  for (const path of paths) {
    signal.throwIfAborted();
    const read = await folders.read(path, largestText);
    if (read === 'tooLarge') throw new AgentProblem(`${path} is larger than 4 MB.`);
    left -= read.bytes.length;
    if (left < 0) throw new AgentProblem('The files exceed 64 MB in total. Provide fewer.');
    const text = decodeText(read.bytes);
    if (text === undefined) throw new AgentProblem(`${path} is not UTF-8 text.`);
    texts.push({ path: folders.shown(read.real), text });
  }
  return texts;
}

function refused(path: string, { refusal, code }: Refused, list: readonly string[]): AgentProblem {
  switch (refusal) {
    case 'outside':
      return new AgentProblem(`${path} is outside of the allowed folders: ${list.join(', ')}.`);
    case 'secret':
      return new AgentProblem(`${path} might contain keys or passwords, so it was not read.`);
    case 'notFile':
      return new AgentProblem(`${path} is not a file.`);
    case 'missing':
      return new AgentProblem(
        code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read (${code ?? 'unknown'}).`,
      );
  }
}
