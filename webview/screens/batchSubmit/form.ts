import { takenKeys } from '../../../src/protocol/batchMetadata';
import type {
  SubmitBounds,
  SubmitForm,
  SubmitRequest,
  SubmitProblem,
  SubmitUpload,
  SubmitView,
} from '../../../src/protocol/batchSubmit';

export type PairFault = 'keyMissing' | 'keyLong' | 'keyTwice' | 'keyTaken' | 'valueLong';

export interface FormFaults {
  readonly name: boolean;
  readonly description: boolean;
  readonly hours: boolean;
  /** Errors of the pairs, in their order. */
  readonly pairs: readonly (PairFault | undefined)[];
}

/** A reason that prevents a request. If several apply, the first one is reported. */
export type Obstacle =
  | 'needsSignIn'
  | 'needsFile'
  | 'needsCheck'
  | 'needsSave'
  | 'needsMending'
  | 'needsErrors'
  | 'needsFields';

export const emptyForm: SubmitForm = { name: '', description: '', hours: '', model: '', pairs: [], takeErrors: false };

export function hoursOf({ hours }: SubmitForm, bounds: SubmitBounds): number | undefined {
  const value = /^\s*\d{1,3}\s*$/.test(hours) ? Number(hours) : Number.NaN;
  return value >= bounds.hours.least && value <= bounds.hours.most ? value : undefined;
}

export function faultsOf(form: SubmitForm, bounds: SubmitBounds): FormFaults {
  return {
    name: form.name.trim().length > bounds.metadata.value,
    description: form.description.trim().length > bounds.metadata.value,
    hours: hoursOf(form, bounds) === undefined,
    pairs: form.pairs.map((_, index) => pairFault(form.pairs, index, bounds)),
  };
}

/** Returns the number of the user's own pairs; empty rows do not count. */
export function pairsUsed({ pairs }: SubmitForm): number {
  return pairs.filter(({ key, value }) => key.trim() !== '' || value !== '').length;
}

/** Whether another row may be added. */
export function hasRoom({ pairs }: SubmitForm, { metadata }: SubmitBounds): boolean {
  return pairs.length < metadata.pairs;
}

/** Returns the uploaded file to reuse; `undefined` if the file is to be uploaded. */
export function uploadOf(form: SubmitForm, uploads: readonly SubmitUpload[]): string | undefined {
  if (form.upload === '') return undefined;
  const chosen = uploads.find(({ id }) => id === form.upload);
  if (chosen) return chosen.id;
  const [proposed] = uploads;
  return proposed && proposed.doubt === undefined ? proposed.id : undefined;
}

/** Returns the errors of the check that the form does not resolve. */
export function errorsIn(form: SubmitForm, { check }: SubmitView): readonly SubmitProblem[] {
  if (check.state !== 'done') return [];
  const hasModel = form.model.trim() !== '';
  return check.problems.filter(({ severity, isOfModel }) => severity === 'error' && !(hasModel && isOfModel));
}

export function obstacleOf(form: SubmitForm, view: SubmitView): Obstacle | undefined {
  if (view.profileId === undefined) return 'needsSignIn';
  if (view.file === 'gone') return 'needsFile';
  if (view.isUnsaved) return 'needsSave';
  if (view.file === 'changed' || !(view.check.state === 'done' || view.check.state === 'none')) return 'needsCheck';
  const errors = errorsIn(form, view);
  if (errors.some(({ refusesFile }) => refusesFile)) return 'needsMending';
  if (errors.length > 0 && !form.takeErrors) return 'needsErrors';
  const { name, description, hours, pairs } = faultsOf(form, view.bounds);
  return name || description || hours || pairs.some((fault) => fault !== undefined) ? 'needsFields' : undefined;
}

/** Returns `undefined` if there is an obstacle. */
export function toRequest(form: SubmitForm, view: SubmitView): SubmitRequest | undefined {
  const hours = hoursOf(form, view.bounds);
  const { profileId } = view;
  if (obstacleOf(form, view) !== undefined || hours === undefined || profileId === undefined) return undefined;
  const model = form.model.trim();
  const upload = uploadOf(form, view.uploads);
  return {
    profileId,
    hours,
    metadata: toMetadata(form),
    takeErrors: form.takeErrors,
    ...(model !== '' && { model }),
    ...(upload !== undefined && { upload }),
  };
}

function toMetadata({ name, description, pairs }: SubmitForm): Readonly<Record<string, string>> {
  const own = pairs.map(({ key, value }) => [key.trim(), value] as const);
  const all = [[takenKeys.name, name.trim()] as const, [takenKeys.description, description.trim()] as const];
  return Object.fromEntries([...all.filter(([, value]) => value !== ''), ...own.filter(([key]) => key !== '')]);
}

function pairFault(pairs: SubmitForm['pairs'], index: number, { metadata }: SubmitBounds): PairFault | undefined {
  const { key = '', value = '' } = pairs[index] ?? {};
  const name = key.trim();
  if (name === '') return value === '' ? undefined : 'keyMissing';
  if ((Object.values(takenKeys) as readonly string[]).includes(name)) return 'keyTaken';
  if (name.length > metadata.key) return 'keyLong';
  if (pairs.findIndex((other) => other.key.trim() === name) < index) return 'keyTwice';
  return value.length > metadata.value ? 'valueLong' : undefined;
}
