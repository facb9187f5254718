/** Set by `npm run test:long` to run every case of a test instead of a selection. */
export const wholeVariable = 'INFERENCE_DESK_WHOLE';

const isWhole = (process.env[wholeVariable] ?? '') !== '';

/**
 * Selects how often or how much a long test does: a selection that still covers each kind of case in `npm run test:unit`, or everything in
 * `npm run test:long`, which runs every unit test whose bundle contains this module or imports fast-check.
 */
export function runs<Much>(quick: Much, whole: Much): Much {
  return isWhole ? whole : quick;
}

/** Returns a seed that is fixed in unit tests, which keeps their duration stable, and random in each complete run. */
export function seedOf(quick: number): number {
  return runs(quick, Math.floor(Math.random() * 2 ** 31));
}

/** Returns each of the cases, or every `step`th and the critical ones. */
export function some<Case>(cases: readonly Case[], step: number, isTelling: (one: Case) => boolean): readonly Case[] {
  return runs(
    cases.filter((one, at) => at % step === 0 || isTelling(one)),
    cases,
  );
}
