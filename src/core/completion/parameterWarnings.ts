import { acceptedAt } from '../parameters/parameterTable';
import { completionParameterNames } from './completionParameters';
import type { CompletionParameterName, CompletionParameters } from './completionParameters';

/** Parameters that are sent anyway, although the service may refuse them or they may not have the expected effect. */
export type CompletionWarning =
  | { readonly name: CompletionParameterName; readonly kind: 'usuallyMost'; readonly most: number }
  | { readonly name: CompletionParameterName; readonly kind: 'usuallyAbove'; readonly least: number }
  /** Several answers are requested with settings that always pick the likeliest token. */
  | { readonly name: 'n'; readonly kind: 'allAlike' };

export function completionWarnings(parameters: CompletionParameters): readonly CompletionWarning[] {
  const { n = 1, temperature, top_k } = parameters;
  const unusual = completionParameterNames.flatMap((name) => unusualValue(name, parameters[name]));
  return n > 1 && (temperature === 0 || top_k === 1) ? [{ name: 'n', kind: 'allAlike' }, ...unusual] : unusual;
}

function unusualValue(
  name: CompletionParameterName,
  value: CompletionParameters[CompletionParameterName],
): readonly CompletionWarning[] {
  const { above = -Infinity, advised: { max = Infinity, maxItems = Infinity } = {} } = acceptedAt('completions', name);
  if (Array.isArray(value) && value.length > maxItems) return [{ name, kind: 'usuallyMost', most: maxItems }];
  if (typeof value !== 'number') return [];
  if (value <= above) return [{ name, kind: 'usuallyAbove', least: above }];
  return value > max ? [{ name, kind: 'usuallyMost', most: max }] : [];
}
