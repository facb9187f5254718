import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { writeAtomic } from '../../storage/atomicFile';
import { hashOf } from '../evalPlan';
import type { EvalPlan, EvalVariant } from '../evalPlan';
import type { RowValues } from './compare';
import type { Against } from './report';

const baselineName = 'baseline.json';
/** A baseline whose rows are mostly others says nothing of this eval. */
const leastShared = 0.5;
const mostBaselineBytes = 20_000_000;

/** The path of the accepted baseline, next to the eval file. */
function baselinePath(file: string): string {
  return join(dirname(resolve(file)), baselineName);
}

/**
 * Reads the accepted baseline of an eval. `found` is absent without one, `problem` says why one can't be used. Rows are joined by their
 * hashes, so a comparison needs none of the old responses.
 */
export async function readBaseline(
  file: string,
  { rows: planned }: EvalPlan,
): Promise<{ readonly found?: Against; readonly problem?: string }> {
  const path = baselinePath(file);
  const known = await stat(path).catch(() => undefined);
  if (!known) return {};
  const value = known.size > mostBaselineBytes ? undefined : parseJson(await readFile(path, 'utf8'));
  const rows = isObject(value) && isObject(value['rows']) ? Object.entries(value['rows']) : undefined;
  if (!isObject(value) || !rows || rows.some(([, one]) => typeof one !== 'number' || !(one >= 0 && one <= 1)))
    return { problem: l10n.t("{0} isn't a baseline. Accept a new one with --accept.", baselineName) };
  const hashes = new Set(planned.map(({ hash }) => hash));
  const shared = rows.filter(([hash]) => hashes.has(hash)).length;
  if (shared < leastShared * Math.max(1, Math.min(hashes.size, rows.length)))
    return {
      problem: l10n.t(
        'The baseline has other rows: {0} of {1} are the same. Accept a new one with --accept.',
        shared,
        hashes.size,
      ),
    };
  const { label = baselineName, variant } = value;
  const values = new Map(rows as readonly (readonly [string, number])[]);
  return { found: { label: String(label), values, ...(typeof variant === 'string' && { variant }) } };
}

/** Writes the results of a variant as the baseline, in place of the one before. */
export async function writeBaseline(file: string, variant: EvalVariant, values: RowValues): Promise<void> {
  const { id, label } = variant;
  const rows = Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const digest = hashOf(JSON.stringify(rows), 12);
  const text = JSON.stringify({ version: 1, variant: id, label, digest, rows }, undefined, 2);
  await writeAtomic(baselinePath(file), `${text}\n`, { isPrivate: false });
}
