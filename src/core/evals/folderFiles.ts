import { readdir } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { FileGuard } from '../workspace/fileGuard';
import { createGlob } from '../workspace/globs';
import { isBelow } from '../workspace/isBelow';
import { createSecretCheck } from '../workspace/secretFiles';
import { usualSecretFiles } from '../workspace/usualSecretFiles';
import { mostConfigBytes, mostFileBytes, mostNamedFiles, mostRowBytes, tableFile } from './evalConfig';
import type { EvalFiles } from './evalConfig';
import { parquetLines, ParquetTooLarge } from './formats/parquet';

/** Folders in which files are looked for by a pattern. */
const mostFolders = 1000;

/** Reads files below `root` only, by paths relative to `folder`. Links that lead elsewhere and files with keys are not read. */
export async function openEvalFiles(
  root: string,
  folder: string,
  isSecret: (path: string) => boolean = createSecretCheck(usualSecretFiles),
): Promise<EvalFiles> {
  const guard = await FileGuard.open([root], { isSecret });
  let left = mostFileBytes;
  return {
    async read(reference) {
      if (left <= 0) return { problem: 'tooMuch' };
      const most = tableFile.test(reference) ? mostRowBytes : mostConfigBytes;
      const read = await guard.read(resolve(folder, reference), most);
      if (read === 'tooLarge') return { problem: 'tooLarge' };
      if ('refusal' in read) return { problem: read.refusal === 'notFile' ? 'unreadable' : read.refusal };
      left -= read.bytes.length;
      if (/\.parquet$/i.test(reference)) return parquetText(read.bytes);
      return { text: new TextDecoder().decode(read.bytes) };
    },
    async list(pattern) {
      const written = posix.normalize(pattern.replaceAll('\\', '/')).replace(/^\.\//, '');
      const start = /^(?:[^*?{}[\]/]*\/)*/.exec(written)![0];
      if (!isBelow(root, resolve(folder, start))) return [];
      const isMatch = createGlob([written]);
      // Without ** there is a folder for each part of the pattern.
      const deepest = written.includes('**') ? Infinity : written.slice(start.length).split('/').length;
      const found: string[] = [];
      const open = [{ path: start, depth: 1 }];
      for (let index = 0; index < open.length && index < mostFolders; index++) {
        const { path, depth } = open[index]!;
        // A link isn't followed here. One that matches is read only if it leads to a file below the root.
        for (const entry of await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])) {
          const own = `${path}${entry.name}`;
          if (!entry.isDirectory()) {
            if (isMatch(own)) found.push(own);
          } else if (depth < deepest && entry.name !== 'node_modules' && entry.name !== '.git')
            open.push({ path: `${own}/`, depth: depth + 1 });
        }
      }
      return found.toSorted().slice(0, mostNamedFiles);
    },
  };
}

async function parquetText(bytes: Uint8Array): ReturnType<EvalFiles['read']> {
  try {
    return { text: await parquetLines(bytes) };
  } catch (error) {
    return { problem: error instanceof ParquetTooLarge ? 'tooLarge' : 'unreadable' };
  }
}
