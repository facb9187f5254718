import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { AgentText } from '../../core/agentTools/agentDesk';
import { decodeText } from '../../core/workspace/decodeText';
import { createSecretCheck } from '../../core/workspace/secretFiles';
import { usualSecretFiles } from '../../core/workspace/usualSecretFiles';

/** The folders that may be worked in; nothing outside of them is read. */
export interface Folders {
  /** Absolute, links resolved. Paths that are not absolute are from the first one. */
  readonly list: readonly string[];
  /**
   * The file as the system has it. Throws `AgentProblem` where it is outside, holds keys, or is not there.
   */
  file(path: string): Promise<string>;
  /** Throws `AgentProblem` where there is none. */
  first(): string;
  /** As it is told and can be given back: from the first folder, with `/`; of the others absolute. */
  shown(path: string): string;
}

export const isSecretFile = createSecretCheck(usualSecretFiles);

/** What is not there is left out. */
export async function openFolders(paths: readonly string[]): Promise<Folders> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  const list = [...new Set(found.filter((path) => path !== undefined))];
  // A path is mostly asked for as its folder was named, which may be a link.
  const named = paths.filter((_, index) => found[index] !== undefined).map((path) => resolve(path));
  const within = (path: string) => list.find((folder) => isBelow(folder, path));
  const withinNamed = (path: string) => [...list, ...named].find((folder) => isBelow(folder, path));
  const first = () => {
    const [folder] = list;
    if (folder !== undefined) return folder;
    throw new AgentProblem(
      'There is no folder to work in, so no file was read. Tell the person to set INFERENCE_DESK_FOLDER for this server.',
    );
  };
  const inFolder = (path: string) =>
    relative(withinNamed(path) ?? '', path)
      .split(sep)
      .join('/');
  return {
    list,
    first,
    shown: (path) => (within(path) === list[0] ? inFolder(path) : path),
    async file(path) {
      const asked = resolve(first(), path);
      // Of what is outside nothing is told, not even whether it is there; and looking alone opens pipes and other machines.
      if (withinNamed(asked) === undefined) throw outside(path, list);
      const real = await realpath(asked).catch((error: NodeJS.ErrnoException) => {
        throw unreadable(path, error);
      });
      if (within(real) === undefined) throw outside(path, list);
      if (isSecretFile(inFolder(real)) || isSecretFile(inFolder(asked))) {
        throw new AgentProblem(`${path} may hold keys or passwords, so it was not read.`);
      }
      if (!(await stat(real)).isFile()) throw new AgentProblem(`${path} is not a file.`);
      return real;
    },
  };
}

/** More is no document to be ranked. */
const largestText = 4 * 1024 ** 2;
/** Of one call: all of them are held at once. */
const largestTexts = 64 * 1024 ** 2;

/** In the order of `paths`. Throws as `Folders.file`, and where one is no text. */
export async function readTexts(
  paths: readonly string[],
  folders: Folders,
  signal: AbortSignal,
): Promise<readonly AgentText[]> {
  const texts: AgentText[] = [];
  let left = largestTexts;
  for (const path of paths) {
    signal.throwIfAborted();
    const real = await folders.file(path);
    const { size } = await stat(real);
    if (size > largestText) throw new AgentProblem(`${path} is larger than 4 MB.`);
    left -= size;
    if (left < 0) throw new AgentProblem('Together the files are larger than 64 MB. Give fewer at once.');
    const text = decodeText(
      await readFile(real, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw unreadable(path, error);
      }),
    );
    if (text === undefined) throw new AgentProblem(`${path} is not a text in UTF-8.`);
    texts.push({ path: folders.shown(real), text });
  }
  return texts;
}

/** Or the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === '' || (from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}

function outside(path: string, list: readonly string[]): AgentProblem {
  return new AgentProblem(`${path} is outside of what may be read, which is: ${list.join(', ')}.`);
}

function unreadable(path: string, error: unknown): AgentProblem {
  const { code } = error as NodeJS.ErrnoException;
  return new AgentProblem(
    code === 'ENOENT' ? `There is no file ${path}.` : `${path} may not be read (${code ?? 'unknown'}).`,
  );
}
