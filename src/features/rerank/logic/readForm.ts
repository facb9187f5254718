import { rerankBounds } from '../../../core/api/rerank/rerank.bounds';
import { checkRequest, withOwn } from '../../../core/api/bounds';
import { vendorRules } from '../../../core/profiles/vendorRules';
import { isApiError } from '../../../core/api/errors';
import type { ParameterIssue } from '../../../core/api/parameters';
import { rerankRequest } from '../../../core/api/rerank/rerank.schema';
import type { RerankField, RerankForm } from '../../../protocol/rerank';
import type { RankParameters } from './rerankStore';

/** A field whose value is not sent. Without `issue`, the value is not a number. */
export interface FieldIssue {
  readonly field: RerankField;
  readonly issue: ParameterIssue | undefined;
}

interface FormReading {
  readonly parameters: RankParameters;
  readonly issues: readonly FieldIssue[];
}

const numbers = ['top_n', 'max_chunks_per_doc', 'overlap_tokens'] as const;

/** Returns the parameters that only certain models support, and this one is not known to. */
export function notTakenBy(model: string): readonly RerankField[] {
  const fields = ['top_n', 'max_chunks_per_doc', 'overlap_tokens', 'instruction'] as const;
  return fields.filter((field) => rerankBounds[field]?.advised?.models?.test(model) === false);
}

/** Reads a form into parameters, leaving out values that are empty, invalid, or not supported by its model. */
export function readForm(form: RerankForm): FormReading {
  const notTaken = notTakenBy(form.model.trim());
  const issues: FieldIssue[] = [];
  const found: Partial<Record<(typeof numbers)[number], number>> = {};
  for (const field of numbers) {
    const typed = form[field].trim();
    if (typed === '' || notTaken.includes(field)) continue;
    const value = /^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : undefined;
    const issue = value === undefined ? undefined : issueOf(field, value);
    if (value === undefined || issue) issues.push({ field, issue });
    else found[field] = value;
  }
  const instruction = notTaken.includes('instruction') ? '' : form.instruction.trim();
  const parameters: RankParameters = {
    query: form.query.trim(),
    model: form.model.trim(),
    ...found,
    ...(form.return_documents && { return_documents: true }),
    ...(instruction !== '' && { instruction }),
  };
  return { parameters, issues };
}

/** The two parameters for long documents are the public service's own, so its bounds hold wherever they are set. */
const bounds = withOwn(rerankBounds, vendorRules.bounds.rerank);

/** Checks one value, by validating the smallest possible request that contains it. */
function issueOf(field: RerankField, value: number): ParameterIssue | undefined {
  try {
    checkRequest({ model: 'any', query: 'any', documents: ['any'], [field]: value }, rerankRequest, bounds);
    return undefined;
  } catch (error) {
    if (isApiError(error) && error.details.issue) return error.details.issue;
    throw error;
  }
}

/** Whether both have the same parameters. */
export function hasSameParameters(one: RankParameters, other: RankParameters): boolean {
  const entries = (parameters: RankParameters) =>
    JSON.stringify(
      Object.entries(parameters)
        .filter(([, value]) => value !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return entries(one) === entries(other);
}
