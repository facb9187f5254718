import { readFile } from 'node:fs/promises';
import type { ListedModels } from '../core/batch/fileRules';

/**
 * Reads model ids from a file: one per line, or the JSON response of `GET /models`, that is an array of strings or of objects with `id`, or
 * an object with such an array as `data`. An object whose `sub_type` is not `chat` is not a chat model.
 */
export async function readModelList(path: string): Promise<ListedModels> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path}: The list of models could not be read.`, { cause: error });
  });
  const value = parse(text);
  const list = isObject(value) ? value['data'] : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : text.split(/\r?\n/).map((line) => line.trim());
  return new Map(
    items.flatMap((item): readonly [string, boolean][] => {
      const { id, sub_type: use = 'chat' } = isObject(item) ? item : { id: item };
      return typeof id === 'string' && id !== '' ? [[id, use === 'chat']] : [];
    }),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
