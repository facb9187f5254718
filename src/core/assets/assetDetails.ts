import type { Asset } from './recipe';

const columns = [
  'file',
  'kind',
  'prompt',
  'negative_prompt',
  'model',
  'seed',
  'width',
  'height',
  'bytes',
  'seconds',
  'service',
  'created',
] as const;

/** The details of a generated file as one row of a table. Absent values are omitted. */
export type AssetDetails = { readonly [Column in (typeof columns)[number]]?: string | number | undefined };

export function detailsOf({ recipe }: Asset): AssetDetails {
  const { kind, request, file, service, createdAt, inferenceSeconds } = recipe;
  const isSpeech = kind === 'speech';
  return {
    file: file.name,
    kind,
    prompt: isSpeech ? request.input : request.prompt,
    negative_prompt: isSpeech ? undefined : (request.negative_prompt ?? undefined),
    model: request.model,
    seed: recipe.seed ?? (isSpeech ? undefined : (request.seed ?? undefined)),
    width: file.width,
    height: file.height,
    bytes: file.bytes,
    seconds: inferenceSeconds,
    // Without the rest of the URL, which may contain a key.
    service: URL.parse(service)?.host ?? '',
    created: createdAt,
  };
}

/** Returns a CSV table with a header. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csvOf(rows: readonly AssetDetails[]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
