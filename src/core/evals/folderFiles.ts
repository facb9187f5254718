import { resolve } from 'node:path';
import { FileGuard } from '../workspace/fileGuard';
import { withSecretFiles } from '../workspace/ownSecretFiles';
import { createSecretCheck } from '../workspace/secretFiles';
import { mostConfigBytes, mostFileBytes, mostRowBytes } from './evalConfig';
import type { EvalFiles } from './evalConfig';

/** Reads files below `root` only, by paths relative to `folder`. Links that lead elsewhere and files with keys are not read. */
export async function openEvalFiles(
  root: string,
  folder: string,
  secretFiles: readonly string[] = [],
): Promise<EvalFiles> {
  const guard = await FileGuard.open([root], { isSecret: createSecretCheck(withSecretFiles(secretFiles)) });
  let left = mostFileBytes;
  return {
    async read(reference) {
      if (left <= 0) return { problem: 'tooMuch' };
      const most = /\.(?:csv|jsonl)$/i.test(reference) ? mostRowBytes : mostConfigBytes;
      const read = await guard.read(resolve(folder, reference), most);
      if (read === 'tooLarge') return { problem: 'tooLarge' };
      if ('refusal' in read) return { problem: read.refusal === 'notFile' ? 'unreadable' : read.refusal };
      left -= read.bytes.length;
      return { text: new TextDecoder().decode(read.bytes) };
    },
  };
}
