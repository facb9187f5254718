import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyAtomic, openAtomic, type AtomicFile } from '../../storage/atomicFile';
import { makeFolder, reachOf } from '../../storage/privateFiles';
import type { Row } from '../making/template';
import { readContent } from '../preview/lineContent';
import { beginning } from '../preview/shortText';
import { listOf, numberOf, objectOf, textOf } from '../scan/jsonValue';
import { readLineTexts } from '../transform/lines';
import { sentPathIn } from './sentLines';

const version = 1;
const mostColumns = 1000;
const longestName = 200;
/** Longer fields are cut: their end is in the request, if anywhere. */
const longestField = 10_000;
/** Larger tables are not stored. */
const mostBytes = 64 << 20;
/** The limit of the store, from which older tables are deleted first. Runs that were shown have their own copies. */
const mostTables = 200;
const mostStoredBytes = 512 << 20;
const extension = '.rows';
/** The copy of a table within the folder of its run. */
const copyName = `source${extension}`;
/** The description of a table is the last line of its file, and rarely longer than the first of these lengths. */
const descriptionLengths = [1 << 16, 1 << 20] as const;

/** The description of a source table. */
interface Description {
  /** The name of the CSV or JSON file. */
  readonly source: string;
  readonly columns: readonly string[];
  /** The columns that the prompts contain. */
  readonly used: readonly string[];
  /** The batch file as it was written. */
  readonly path: string;
  readonly sha256: string;
}

/** The columns of the table that a batch file was made from, by the `custom_id` of its requests. */
export interface SourceRows {
  /** The name of the CSV or JSON file. */
  readonly source: string;
  readonly columns: readonly string[];
  /** The columns that the prompts contain. */
  readonly used: readonly string[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** Where to find the source rows of a run. */
export interface SourcePlaces {
  /** The folder in which all tables are stored. */
  readonly store: string;
  /** The folder of the run, which gets a copy, so that its columns stay with it. */
  readonly run?: string;
}

/** Stores source rows while their batch file is written. Never rejects: a batch file is complete without them. */
export class SourceRowsWriter {
  private bytes = 0;
  private isStored = true;

  private constructor(
    private readonly store: string,
    private readonly file: AtomicFile | undefined,
    private readonly columns: readonly string[],
  ) {}

  /** `id` names the file, and must be new. */
  static async begin(store: string, id: string, columns: readonly string[]): Promise<SourceRowsWriter> {
    const names = columns.slice(0, mostColumns);
    try {
      await makeFolder(store);
      return new SourceRowsWriter(store, await openAtomic(path.join(store, `${id}${extension}`)), names);
    } catch {
      return new SourceRowsWriter(store, undefined, names);
    }
  }

  async add(customId: string, row: Row): Promise<void> {
    if (!this.isStored || !this.file) return;
    const fields = this.columns.map((_, index) => cut(row[index] ?? ''));
    const line = Buffer.from(JSON.stringify([customId, ...fields]));
    this.bytes += line.length;
    this.isStored = this.bytes <= mostBytes;
    if (this.isStored) await this.attempt((file) => file.line(line));
  }

  /** Completes the table. Resolves with whether it is stored. */
  async end(description: Omit<Description, 'columns'>): Promise<boolean> {
    const columns = this.columns.map((name) => beginning(name, longestName));
    const line = JSON.stringify({ version, ...description, columns });
    await this.attempt((file) => file.line(Buffer.from(line)));
    await this.attempt((file) => (this.isStored ? file.place({ replace: false }) : Promise.resolve()));
    if (!this.isStored) await this.discard();
    await prune(this.store).catch(() => undefined);
    return this.isStored && this.file !== undefined;
  }

  async discard(): Promise<void> {
    await this.file?.discard().catch(() => undefined);
  }

  private async attempt(work: (file: AtomicFile) => Promise<void> | undefined): Promise<void> {
    if (!this.file) return;
    try {
      await work(this.file);
    } catch {
      this.isStored = false;
    }
  }
}

function cut(field: string): string {
  return field.length <= longestField ? field : `${beginning(field, longestField)}…`;
}

async function prune(store: string): Promise<void> {
  let bytes = 0;
  for (const [index, { file, size }] of (await tablesIn(store)).entries()) {
    bytes += size;
    if (index >= mostTables || bytes > mostStoredBytes) await rm(file, { force: true });
  }
}

/** Newest first. */
async function tablesIn(store: string): Promise<readonly { readonly file: string; readonly size: number }[]> {
  const names = await readdir(store).catch((): string[] => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(extension))
      .map(async (name) => {
        const file = path.join(store, name);
        const stat = await lstat(file).catch(() => undefined);
        return stat?.isFile() ? { file, size: stat.size, at: stat.mtimeMs } : undefined;
      }),
  );
  return found.filter((one) => one !== undefined).toSorted((a, b) => b.at - a.at);
}

/** A batch file whose source rows are wanted. */
export interface SourcedFile {
  readonly path: string | undefined;
  /** In hexadecimal, or `undefined` if it is unknown. */
  readonly sha256: string | undefined;
  /** Some of its requests, as lines, by their ids. */
  readonly sample: () => ReadonlyMap<string, string>;
}

/** How many of the sampled requests must fit a table that was stored for a file of this path, or of another one. */
const fittingShare = { samePath: 0.5, otherPath: 0.8 };
/** How many tables, and how many bytes of them, are compared with a file by their content. */
const mostCompared = 20;
const mostComparedBytes = 128 << 20;

/**
 * Reads the source rows of a batch file: the copy of its run, or else the table that was stored when the file was written. A file that was
 * edited, renamed, or derived since is recognized by its requests, which must contain the fields of their rows. Copies the table to the
 * folder of the run. Resolves to `undefined` without a table. Never rejects.
 */
export async function findSourceRows(
  { store, run }: SourcePlaces,
  batchFile: SourcedFile,
): Promise<SourceRows | undefined> {
  const copy = run === undefined ? undefined : path.join(run, copyName);
  try {
    const own = copy === undefined ? undefined : await readSourceRows(copy);
    if (own) return own;
    const found = await findTable({ store, ...(run !== undefined && { run }) }, batchFile);
    if (found && run !== undefined && copy !== undefined) {
      // The columns are shown even if the copy cannot be written.
      await reachOf(run)
        .then((reach) => copyAtomic(found.file, copy, reach))
        .catch(() => undefined);
    }
    return found?.rows;
  } catch {
    return undefined;
  }
}

/**
 * Removes the table of a batch file whose record is deleted from the store. The run keeps its copy, with which runs next to it find the
 * columns too. Without a copy, or if it is of a newer file in the same place, the table stays as long as the batch file exists. Never rejects.
 */
export async function releaseSourceRows(
  { store, run }: SourcePlaces,
  {
    path: at,
    sha256,
    sent = at,
  }: { readonly path: string; readonly sha256: string; readonly sent?: string | undefined },
): Promise<void> {
  try {
    const own: { readonly file: string; readonly digest: string }[] = [];
    for (const { file } of await tablesIn(store)) {
      const { path: from, sha256: digest = '' } = (await readDescription(file)) ?? {};
      if (from === at || digest === sha256.toLowerCase()) own.push({ file, digest });
    }
    if (own.length === 0) return;
    const current = await sha256Of(at);
    const files = [...(run === undefined ? [] : [sentPathIn(run)]), sent, at];
    let sample: ReadonlyMap<string, string> = new Map();
    for (const file of files) if (sample.size === 0) sample = await requestsOf(file);
    if (run !== undefined) await findSourceRows({ store, run }, { path: at, sha256, sample: () => sample });
    const hasCopy = run !== undefined && (await readDescription(path.join(run, copyName))) !== undefined;
    if (current !== undefined && !hasCopy) return;
    for (const { file, digest } of own)
      if (digest !== current || digest === sha256.toLowerCase()) await rm(file, { force: true });
  } catch {
    // Old tables are deleted some day anyway.
  }
}

/** Resolves with `undefined` if the file can't be read. */
async function sha256Of(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

const mostSampled = 50;

/** Returns the first requests of a batch file, as lines, by their ids. */
async function requestsOf(file: string): Promise<ReadonlyMap<string, string>> {
  const requests = new Map<string, string>();
  try {
    for await (const lines of readLineTexts(file)) {
      for (const { text } of lines) {
        const id = idOf(text);
        if (id !== undefined) requests.set(id, text);
        if (requests.size === mostSampled) return requests;
      }
    }
  } catch {
    // It has been moved or deleted.
  }
  return requests;
}

function idOf(line: string): string | undefined {
  try {
    return textOf(objectOf(JSON.parse(line))?.['custom_id']);
  } catch {
    return undefined;
  }
}

/** Returns the copies of the runs next to a run, newest first. */
async function copiesBeside(run: string): Promise<Awaited<ReturnType<typeof tablesIn>>> {
  const root = path.dirname(run);
  const names = (await readdir(root).catch((): string[] => [])).toSorted().toReversed();
  const found = await Promise.all(names.slice(0, mostTables).map((name) => tablesIn(path.join(root, name))));
  return found.flat().filter(({ file }) => path.basename(file) === copyName);
}

async function findTable(
  { store, run }: SourcePlaces,
  { path: at, sha256, sample }: SourcedFile,
): Promise<{ readonly file: string; readonly rows: SourceRows } | undefined> {
  const tables: { file: string; size: number; description: Description }[] = [];
  const beside = run === undefined ? [] : await copiesBeside(run);
  for (const { file, size } of [...(await tablesIn(store)), ...beside]) {
    const description = await readDescription(file);
    if (!description) continue;
    if (sha256 !== undefined && description.sha256 === sha256.toLowerCase()) {
      const rows = await readSourceRows(file);
      if (rows) return { file, rows };
    }
    tables.push({ file, size, description });
  }
  if (tables.length === 0) return undefined;
  const requests = [...sample()].map(([id, line]) => ({ id, text: messagesOf(line) }));
  if (requests.length === 0) return undefined;
  const isSame = ({ description }: (typeof tables)[number]) => description.path === at;
  const candidates = [...tables.filter(isSame), ...tables.filter((table) => !isSame(table))];
  let bytes = 0;
  for (const table of candidates.slice(0, mostCompared)) {
    bytes += table.size;
    if (bytes > mostComparedBytes) return undefined;
    const rows = await readSourceRows(table.file);
    const least = isSame(table) ? fittingShare.samePath : fittingShare.otherPath;
    // In another file, requests say something only by their fields: ids such as `request-1` are in many files.
    const known = rows ? requests.flatMap((one) => fits(one, rows) ?? (isSame(table) ? true : [])) : [];
    if (rows && known.length > 0 && known.filter(Boolean).length >= known.length * least)
      return { file: table.file, rows };
  }
  return undefined;
}

function messagesOf(line: string): string {
  const { messages = [] } = readContent(line) ?? {};
  return messages.map(({ text }) => text).join('\n');
}

/** Enough to recognize a field. */
const recognized = 80;

/** Returns `undefined` if the row has no field to recognize. */
function fits({ id, text }: { readonly id: string; readonly text: string }, rows: SourceRows): boolean | undefined {
  const fields = rows.fields.get(id);
  if (!fields) return false;
  const used = rows.used.map((name) => beginning(fields[rows.columns.indexOf(name)] ?? '', recognized));
  const isKnown = used.filter((field) => field.trim() !== '');
  return isKnown.length === 0 ? undefined : isKnown.some((field) => text.includes(field));
}

async function readDescription(file: string): Promise<Description | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    const { size = 0 } = (await handle?.stat()) ?? {};
    for (const longest of descriptionLengths) {
      const start = Math.max(0, size - longest);
      const bytes = Buffer.alloc(size - start);
      await handle?.read(bytes, 0, bytes.length, start);
      const text = bytes.toString('utf8').trimEnd();
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0 || start === 0) return describe(JSON.parse(text.slice(end)));
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

function describe(value: unknown): Description | undefined {
  const object = objectOf(value) ?? {};
  const [source, at, sha256] = [textOf(object['source']), textOf(object['path']), textOf(object['sha256'])];
  const known = numberOf(object['version']) ?? 0;
  if (known < 1 || source === undefined || at === undefined || sha256 === undefined) return undefined;
  const columns = listOf(object['columns']).flatMap((name) => textOf(name) ?? []);
  const used = listOf(object['used']).flatMap((name) => textOf(name) ?? []);
  return { source, path: at, sha256, columns: columns.slice(0, mostColumns), used };
}

/** Resolves with `undefined` if the file does not exist or is no complete table. */
async function readSourceRows(file: string): Promise<SourceRows | undefined> {
  const found = await lstat(file).catch(() => undefined);
  // A link could lead anywhere. The size of the description is added to that of the rows.
  if (!found?.isFile() || found.size > mostBytes + descriptionLengths[1] * 8) return undefined;
  const fields = new Map<string, readonly string[]>();
  let last: unknown;
  for await (const lines of readLineTexts(file)) {
    for (const { text } of lines) {
      last = JSON.parse(text);
      if (!Array.isArray(last)) continue;
      const [id, ...row] = last as readonly unknown[];
      if (typeof id === 'string')
        fields.set(
          id,
          row.map((field) => textOf(field) ?? ''),
        );
    }
  }
  const description = describe(last);
  return description && { ...description, fields };
}
