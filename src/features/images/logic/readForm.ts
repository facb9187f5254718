import { boundIssues, warningsOf, withOwn, type OwnBounds } from '../../../core/api/bounds';
import { vendorRules } from '../../../core/profiles/vendorRules';
import { imageBounds } from '../../../core/api/images/images.bounds';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import type { ParameterIssue } from '../../../core/api/parameters';
import { imageModelFacts, readSize, sizeText } from '../../../core/imageRuns/imageModels';
import { noSweep } from '../../../core/imageRuns/sweep';
import type { Sweep } from '../../../core/imageRuns/sweep';
import { typedNumber } from '../../../core/parameters/typedValue';
import { emptyImageForm, inputFields } from '../../../protocol/imageForm';
import { imageForm, type ImageField, type ImageForm } from '../../../protocol/images';

/** Why the value of a field is not sent, or may be refused. */
export type FieldProblem =
  | { readonly field: ImageField; readonly kind: 'notNumber' | 'notSize' | 'needsImage' | 'seedCount' }
  | { readonly field: ImageField; readonly kind: 'unusualSize'; readonly sizes: readonly string[] }
  | { readonly field: ImageField; readonly kind: 'bound'; readonly issue: ParameterIssue };

export interface FormReading {
  readonly request: ImageRequest;
  readonly sweep: Sweep;
  /** If there are any, nothing is sent. */
  readonly issues: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

const numbers = ['seed', 'batch_size', 'num_inference_steps', 'guidance_scale', 'cfg', 'safety_tolerance'] as const;
const texts = ['output_format', 'negative_prompt', 'aspect_ratio', ...inputFields] as const;
/** Per prompt and size; anyone who needs more generates several times. */
export const mostSeeds = 100;

/** Reads a form into a request, leaving out values that are empty, invalid, or not supported by its model. */
export function readForm(form: ImageForm, own: OwnBounds = vendorRules.bounds): FormReading {
  const model = form.model.trim();
  const facts = imageModelFacts(model);
  const isTaken = (field: ImageField) => !facts.notTaken.some((one) => one === field);
  const issues: FieldProblem[] = [];
  const found: Record<string, string | number | boolean> = {};
  for (const field of texts) if (isTaken(field) && form[field].trim() !== '') found[field] = form[field].trim();
  for (const field of numbers) {
    if (!isTaken(field) || form[field].trim() === '') continue;
    const value = typedNumber(form[field]);
    if (value === undefined) issues.push({ field, kind: 'notNumber' });
    else found[field] = value;
  }
  if (isTaken('prompt_upsampling') && form.prompt_upsampling !== '')
    found['prompt_upsampling'] = form.prompt_upsampling === 'on';
  const size = isTaken('image_size') ? sizeOf(form, issues) : undefined;
  if (size !== undefined) found['image_size'] = size;
  if (facts.needsImage && form.image === '') issues.push({ field: 'image', kind: 'needsImage' });
  const request = { ...found, model, prompt: form.prompt.trim() };
  for (const issue of boundIssues<ImageRequest>(found as Partial<ImageRequest>, withOwn(imageBounds, own.images)))
    issues.push({ field: issue.parameter as ImageField, kind: 'bound', issue });
  const sweep = sweepOf(form, request, issues);
  return { request, sweep, issues, warnings: warningsFor(request, [size, ...sweep.sizes], own) };
}

function sizeOf({ image_size }: ImageForm, issues: FieldProblem[]): string | undefined {
  if (image_size.trim() === '') return undefined;
  const size = readSize(image_size);
  if (!size) issues.push({ field: 'image_size', kind: 'notSize' });
  return size && sizeText(size);
}

function sweepOf(form: ImageForm, from: ImageRequest, issues: FieldProblem[]): Sweep {
  if (!form.isSeveral) return noSweep;
  const takesSize = !imageModelFacts(from.model).notTaken.includes('image_size');
  const sizes = takesSize ? form.sizes.flatMap((size) => readSize(size) ?? []).map(sizeText) : [];
  const prompts = { lines: form.eachLine, alternatives: form.alternatives };
  if (form.seeds === 'one') return { prompts, sizes, seeds: { kind: 'one' } };
  const count = typedNumber(form.seedCount);
  if (count === undefined || !Number.isInteger(count) || count < 1 || count > mostSeeds) {
    issues.push({ field: 'seedCount', kind: 'seedCount' });
    return { prompts, sizes, seeds: { kind: 'one' } };
  }
  const seeds =
    form.seeds === 'random'
      ? ({ kind: 'random', count } as const)
      : ({ kind: 'sequence', from: from.seed ?? 0, count } as const);
  return { prompts, sizes, seeds };
}

/** Sizes and counts are checked only for known models: the service's own bounds are those of the models that it documents. */
function warningsFor(
  request: ImageRequest,
  sizes: readonly (string | undefined)[],
  { images }: OwnBounds,
): readonly FieldProblem[] {
  const facts = imageModelFacts(request.model);
  if (!facts.isKnown) return [];
  const isUnusual = sizes.some((size) => size !== undefined && !facts.sizes.includes(size));
  const others = warningsOf(request, withOwn(imageBounds, images))
    .filter(({ parameter }) => parameter !== 'image_size')
    .map((issue): FieldProblem => ({ field: issue.parameter as ImageField, kind: 'bound', issue }));
  return isUnusual ? [{ field: 'image_size', kind: 'unusualSize', sizes: facts.sizes }, ...others] : others;
}

const copied = [
  'model',
  'prompt',
  'image_size',
  'seed',
  'output_format',
  'negative_prompt',
  'batch_size',
  'num_inference_steps',
  'guidance_scale',
  'cfg',
  'aspect_ratio',
  'safety_tolerance',
  'image',
  'image2',
  'image3',
  'input_image',
] as const satisfies readonly (keyof ImageForm & keyof ImageRequest)[];

/** Returns the form for this request, leaving out what a later version or another author added, and values too long for a field. */
export function toForm(request: ImageRequest): ImageForm {
  const texts = copied.flatMap((name) => {
    const value: unknown = request[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text = imageForm.shape[name].safeParse(String(value));
    return text.success ? [[name, text.data]] : [];
  });
  const { prompt_upsampling: isLonger } = request;
  const upsampling = typeof isLonger === 'boolean' ? { prompt_upsampling: isLonger ? 'on' : 'off' } : {};
  return { ...emptyImageForm, ...Object.fromEntries(texts), ...upsampling };
}
