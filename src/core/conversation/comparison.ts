import type { ConversationRecord } from './record';

/** Answers to one question that were started together with different models. */
export interface TurnComparison {
  /** Answer ids, at least two, in display order. */
  readonly tries: readonly string[];
  /** By answer id, the parameters its model was known to reject. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  /** The answer picked last; absent if none ever was. */
  readonly picked?: string;
  /** Whether the answers are shown side by side: none is selected, or the user reopened the comparison. */
  readonly isOpen: boolean;
}

/** The models last chosen for comparison. */
export interface ComparedModels {
  readonly models: readonly string[];
  /** Whether the next question goes to all of them. */
  readonly on: boolean;
}

export const noComparedModels: ComparedModels = { models: [], on: false };

type ComparisonRecord = Extract<ConversationRecord, { readonly kind: 'compare' | 'picked' }>;

/** Returns a question's comparison after this record. Ignores unknown answers, as after a torn line. */
export function compareOn(
  before: TurnComparison | undefined,
  record: ComparisonRecord,
  isKnown: (tryId: string) => boolean,
): TurnComparison | undefined {
  if (record.kind === 'compare') {
    const tries = record.tries.filter(isKnown);
    if (tries.length < 2) return before;
    const { picked } = before ?? {};
    const pick = picked !== undefined && tries.includes(picked) ? { picked } : {};
    return { tries, leftOut: readLeftOut(record.leftOut), ...pick, isOpen: true };
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
