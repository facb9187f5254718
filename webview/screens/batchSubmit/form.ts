import { freePairs, metadataBounds, takenKeys, windowBounds } from '../../../src/protocol/batchSubmit';
import type {
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
  /** Of each pair, in their order. */
  readonly pairs: readonly (PairFault | undefined)[];
}

/** What keeps an order from being sent; the first that holds is told. */
export type Obstacle =
  | 'needsSignIn'
  | 'needsFile'
  | 'needsCheck'
  | 'needsSave'
  | 'needsMending'
  | 'needsErrors'
  | 'needsFields';

export const emptyForm: SubmitForm = {
  name: '',
  description: '',
  hours: String(windowBounds.least),
  model: '',
  pairs: [],
  takeErrors: false,
};

export function hoursOf({ hours }: SubmitForm): number | undefined {
  const value = /^\s*\d{1,3}\s*$/.test(hours) ? Number(hours) : Number.NaN;
  return value >= windowBounds.least && value <= windowBounds.most ? value : undefined;
}

export function faultsOf(form: SubmitForm): FormFaults {
  return {
    name: form.name.trim().length > metadataBounds.value,
    description: form.description.trim().length > metadataBounds.value,
    hours: hoursOf(form) === undefined,
    pairs: form.pairs.map((_, index) => pairFault(form.pairs, index)),
  };
}

/** How many pairs of one's own there are: rows left empty are none. */
export function pairsUsed({ pairs }: SubmitForm): number {
  return pairs.filter(({ key, value }) => key.trim() !== '' || value !== '').length;
}

/** Whether the person may add a row. */
export function hasRoom({ pairs }: SubmitForm): boolean {
  return pairs.length < freePairs;
}

/** The uploaded file that is used; `undefined`: the file is uploaded. */
export function uploadOf(form: SubmitForm, uploads: readonly SubmitUpload[]): string | undefined {
  if (form.upload === '') return undefined;
  const chosen = uploads.find(({ id }) => id === form.upload);
  if (chosen) return chosen.id;
  const [proposed] = uploads;
  return proposed && proposed.doubt === undefined ? proposed.id : undefined;
}

/** The errors the check found that the order does not do away with. */
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
  const { name, description, hours, pairs } = faultsOf(form);
  return name || description || hours || pairs.some((fault) => fault !== undefined) ? 'needsFields' : undefined;
}

/** `undefined` where something keeps it from being sent. */
export function toRequest(form: SubmitForm, view: SubmitView): SubmitRequest | undefined {
  const hours = hoursOf(form);
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

function pairFault(pairs: SubmitForm['pairs'], index: number): PairFault | undefined {
  const { key = '', value = '' } = pairs[index] ?? {};
  const name = key.trim();
  if (name === '') return value === '' ? undefined : 'keyMissing';
  if ((Object.values(takenKeys) as readonly string[]).includes(name)) return 'keyTaken';
  if (name.length > metadataBounds.key) return 'keyLong';
  if (pairs.findIndex((other) => other.key.trim() === name) < index) return 'keyTwice';
  return value.length > metadataBounds.value ? 'valueLong' : undefined;
}
