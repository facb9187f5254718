import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { writeAtomic } from '../../storage/atomicFile';
import { hashOf } from '../evalPlan';
import type { EvalPlan, EvalVariant } from '../evalPlan';
import type { RowValues } from './compare';
import type { Against } from './report';

const baselineName = 'baseline.json';
/** A baseline with mostly other rows says nothing about this eval. */
const leastShared = 0.5;
const mostBaselineBytes = 20_000_000;

/** The path of the accepted baselines of the eval files in a folder. */
function baselinePath(file: string): string {
  return join(dirname(resolve(file)), baselineName);
}

/** The baselines at a path by the names of their eval files; `undefined` if the file is damaged. Throws if it can't be read. */
async function readAll(path: string): Promise<ReadonlyMap<string, unknown> | undefined> {
  const known = await stat(path).catch(() => undefined);
  if (!known) return new Map();
  const value = known.size > mostBaselineBytes ? undefined : parseJson(await readFile(path, 'utf8'));
  return isObject(value) && isObject(value['evals']) ? new Map(Object.entries(value['evals'])) : undefined;
}

/**
 * Reads the accepted baseline of an eval. `found` is absent without one, `problem` says why one can't be used. Rows are joined by their
 * hashes, so a comparison needs none of the old responses.
 */
export async function readBaseline(
  file: string,
  { rows: planned }: EvalPlan,
): Promise<{ readonly found?: Against; readonly problem?: string }> {
  const all = await readAll(baselinePath(file));
  if (all && !all.has(basename(file))) return {};
  const value = all?.get(basename(file));
  const rows = isObject(value) && isObject(value['rows']) ? Object.entries(value['rows']) : undefined;
  if (!isObject(value) || !rows || rows.some(([, one]) => typeof one !== 'number' || !(one >= 0 && one <= 1)))
    return { problem: l10n.t("{0} isn't a baseline. Accept a new one with --accept.", baselineName) };
  const hashes = new Set(planned.map(({ hash }) => hash));
  const shared = rows.filter(([hash]) => hashes.has(hash)).length;
  if (shared < leastShared * Math.max(1, Math.min(hashes.size, rows.length)))
    return {
      problem: l10n.t(
        'Rows found in the baseline: {0} of {1}. Accept a new baseline with --accept.',
        shared,
        hashes.size,
      ),
    };
  const { label = baselineName, variant } = value;
  const values = new Map(rows as readonly (readonly [string, number])[]);
  return { found: { label: String(label), values, ...(typeof variant === 'string' && { variant }) } };
}

/** Writes the results of a variant as the baseline of an eval, in place of the one before. Those of other eval files are kept. */
export async function writeBaseline(file: string, variant: EvalVariant, values: RowValues): Promise<void> {
  const { id, label } = variant;
  const rows = Object.fromEntries(inOrder(values));
  const digest = hashOf(JSON.stringify(rows), 12);
  const path = baselinePath(file);
  const all = new Map([...((await readAll(path)) ?? []), [basename(file), { variant: id, label, digest, rows }]]);
  const text = JSON.stringify({ version: 1, evals: Object.fromEntries(inOrder(all)) }, undefined, 2);
  await writeAtomic(path, `${text}\n`, { isPrivate: false });
}

/** The entries by their names, so that a change of one is a small change of the file. */
function inOrder<T>(entries: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
