import type { ConversationRecord } from './record';

/** Tries at the answer of one question that were begun together with different models. */
export interface TurnComparison {
  /** At least two, as they stand side by side. */
  readonly tries: readonly string[];
  /** By try, the parameters its model was known not to take. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  /** The one picked last; absent: none ever was. */
  readonly picked?: string;
  /** They stand side by side: none is picked, or the person wants to see them again. */
  readonly isOpen: boolean;
}

/** What was last chosen for comparing. */
export interface ComparedModels {
  readonly models: readonly string[];
  /** The next question goes to all of them. */
  readonly on: boolean;
}

export const noComparedModels: ComparedModels = { models: [], on: false };

type ComparisonRecord = Extract<ConversationRecord, { readonly kind: 'compare' | 'picked' }>;

/** The comparison of a question after this record. What names tries that are not known, as after a torn line, changes nothing. */
export function compareOn(
  before: TurnComparison | undefined,
  record: ComparisonRecord,
  isKnown: (tryId: string) => boolean,
): TurnComparison | undefined {
  if (record.kind === 'compare') {
    const tries = record.tries.filter(isKnown);
    if (tries.length < 2) return before;
    const { picked } = before ?? {};
    const kept = picked !== undefined && tries.includes(picked) ? { picked } : {};
    return { tries, leftOut: readLeftOut(record.leftOut), ...kept, isOpen: true };
  }
  if (record.try === null) return before && { ...before, isOpen: true };
  return before?.tries.includes(record.try) ? { ...before, picked: record.try, isOpen: false } : before;
}

function readLeftOut(stored: unknown): TurnComparison['leftOut'] {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(
      ([, names]) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
    ),
  );
}
