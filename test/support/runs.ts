/** Set by `npm run test:long`: every case of a test, not a choice of them. */
export const wholeVariable = 'INFERENCE_DESK_WHOLE';

const isWhole = (process.env[wholeVariable] ?? '') !== '';

/**
 * How often or how much a test that is long by nature does: a choice that still shows each kind of case in `npm run test:unit`, all of it in
 * `npm run test:long`, which runs every unit test whose bundle holds this module or imports fast-check.
 */
export function runs<Much>(quick: Much, whole: Much): Much {
  return isWhole ? whole : quick;
}

/** A seed for what is random: the same each time, and with it the time a test takes, but another in each whole run. */
export function seedOf(quick: number): number {
  return runs(quick, Math.floor(Math.random() * 2 ** 31));
}

/** Each of some cases, or every `step`th of them and those that are telling. */
export function some<Case>(cases: readonly Case[], step: number, isTelling: (one: Case) => boolean): readonly Case[] {
  return runs(
    cases.filter((one, at) => at % step === 0 || isTelling(one)),
    cases,
  );
}
