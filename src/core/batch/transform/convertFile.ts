import { convertRequest, ownIdOf, requestsIn, type LineForm } from '../fixes/foreign/toRequest';
import { cellOf } from '../fixes/foreign/csvCell';
import { Unsayable } from '../fixes/foreign/exactJson';
import { createFileNames } from '../fixes/fileNames';
import type { FileService } from '../fixes/strategy';
import { MakingError } from '../making/makingError';
import { parseObject } from '../scan/jsonValue';
import { transformWords } from '../words/makingWords';
import { readLines } from './lines';
import type { TransformResult } from './transforms';
import { unchanged } from './unchanged';
import { writeLines, type WriteOptions } from './writeLines';

/** The service that a file is converted for, and how its lines are written. */
export interface ConversionTarget {
  readonly service: FileService;
  readonly form: LineForm;
}

export interface ConversionResult extends TransformResult {
  /** The number of lines in which each property was omitted because the format can't express it, or added because it is required. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly added: ReadonlyMap<string, number>;
  /** The models that lines named, if the form has no place for them. */
  readonly models: ReadonlySet<string>;
  /** How many lines name no model although the form has a place for it. */
  readonly lackModel: number;
  /** The lines that were not converted, the first of them and what could not be expressed in them; the names are few. */
  readonly left: { readonly count: number; readonly first: number; readonly names: ReadonlySet<string> };
}

/** Further names of one kind are counted with the last of these: names come from the file. */
const mostNames = 50;

/** Writes each request of a file in the format of a service. Lines that can't be converted are omitted, and reported. */
export function convertFile(
  source: string,
  { service, form }: ConversionTarget,
  options: WriteOptions,
): Promise<ConversionResult> {
  const { signal, onProgress } = options;
  return writeLines(options, (file) =>
    unchanged([source], async () => {
      const used = new Set<string>();
      let firstBytes = 0;
      const half = (bytes: number) => onProgress?.((firstBytes = bytes) / 2);
      for await (const lines of readLines(source, { onProgress: half, ...(signal && { signal }) }))
        for (const { bytes } of lines) for (const text of textsOf(bytes)) addId(text, used);
      const names = createFileNames({ isUsed: (id) => used.has(id), model: () => undefined, service });
      const report = new Report();
      const rest = (bytes: number) => onProgress?.((firstBytes + bytes) / 2);
      for await (const lines of readLines(source, { onProgress: rest, ...(signal && { signal }) })) {
        for (const { bytes, number } of lines) {
          for (const text of textsOf(bytes)) {
            const id = `request-${number}`;
            const converted = convertRequest(text, { ...names, service, model: undefined, form, id });
            report.add(converted, number);
            if (converted && !(converted instanceof Unsayable)) await file.line(Buffer.from(converted.text));
          }
        }
      }
      if (file.lines === 0) throw new MakingError(transformWords.noneConverted([...report.left.names]));
      const { leftOut, added, models, lackModel, left } = report;
      return { leftOut, added, models, lackModel, left, lines: file.lines, bytes: file.bytes };
    }),
  );
}

/** A line usually has one request. */
function textsOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString();
  return requestsIn(text) ?? [text];
}

function addId(text: string, used: Set<string>): void {
  const own = ownIdOf(parseObject(cellOf(text) ?? text) ?? {});
  if (typeof own === 'string') used.add(own);
}

class Report {
  readonly leftOut = new Map<string, number>();
  readonly added = new Map<string, number>();
  readonly models = new Set<string>();
  lackModel = 0;
  left = { count: 0, first: 0, names: new Set<string>() };

  add(converted: ReturnType<typeof convertRequest>, line: number): void {
    if (!converted || converted instanceof Unsayable) {
      const { count, first, names } = this.left;
      if (converted && names.size < mostNames) names.add(converted.what);
      this.left = { count: count + 1, first: count === 0 ? line : first, names };
      return;
    }
    for (const name of converted.leftOut) countIn(this.leftOut, name);
    for (const name of converted.added) countIn(this.added, name);
    if (converted.model !== undefined && this.models.size < mostNames) this.models.add(converted.model);
    if (converted.lacksModel) this.lackModel += 1;
  }
}

function countIn(counts: Map<string, number>, name: string): void {
  if (counts.has(name) || counts.size < mostNames) counts.set(name, (counts.get(name) ?? 0) + 1);
}
