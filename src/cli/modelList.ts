import { readFile } from 'node:fs/promises';

/** The ids in a file: one per line, a JSON array of texts or of objects with `id`, or such an array as `data`. */
export async function readModelList(path: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path}: The list of models could not be read.`, { cause: error });
  });
  const value = parse(text);
  const list = isObject(value) ? value['data'] : value;
  if (!Array.isArray(list))
    return new Set(
      text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter(Boolean),
    );
  const ids = list.map((item: unknown) => (isObject(item) ? item['id'] : item));
  return new Set(ids.filter((id) => typeof id === 'string'));
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
