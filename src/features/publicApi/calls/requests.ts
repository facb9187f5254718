import * as l10n from '@vscode/l10n';
import '../../../schema/jitless';
import * as z from 'zod/mini';
import { checkRequest } from '../../../core/api/bounds';
import type { Bounds } from '../../../core/api/bounds';
import { acceptedAt } from '../../../core/parameters/parameterTable';
import { PublicApiError, toPublicApiError } from '../apiError';
import type { CompleteRequest, ImageRequest, RerankRequest } from '../logic/inferenceDesk';

/** Limit for all documents of a ranking together, and for a batch file passed as text; in characters. */
const mostCharacters = 20_000_000;

const rerankSchema = z.strictObject({
  query: z.string(),
  documents: z.array(z.string()),
  model: z.exactOptional(z.string()),
  topN: z.exactOptional(z.number()),
  instruction: z.exactOptional(z.string()),
});

const rerankBounds: Bounds<RerankRequest> = {
  query: { minLength: 1, maxLength: 100_000 },
  documents: { minItems: 1, maxItems: 10_000 },
  model: { minLength: 1 },
  topN: { integer: true, min: 1 },
  instruction: { minLength: 1, maxLength: 100_000 },
};

const completeSchema = z.strictObject({
  prompt: z.string(),
  suffix: z.exactOptional(z.string()),
  model: z.exactOptional(z.string()),
  maxTokens: z.exactOptional(z.number()),
  temperature: z.exactOptional(z.number()),
  topP: z.exactOptional(z.number()),
  stop: z.exactOptional(z.array(z.string())),
  seed: z.exactOptional(z.number()),
});

const completeBounds: Bounds<CompleteRequest> = {
  prompt: { minLength: 1, maxLength: 2_000_000 },
  suffix: { maxLength: 2_000_000 },
  model: { minLength: 1 },
  maxTokens: acceptedAt('completions', 'max_tokens'),
  temperature: acceptedAt('completions', 'temperature'),
  topP: acceptedAt('completions', 'top_p'),
  stop: { minItems: 1, maxItems: 16 },
  seed: acceptedAt('completions', 'seed'),
};

const imageSchema = z.strictObject({
  prompt: z.string(),
  model: z.exactOptional(z.string()),
  negativePrompt: z.exactOptional(z.string()),
  size: z.exactOptional(z.string()),
  seed: z.exactOptional(z.number()),
  format: z.exactOptional(z.enum(['png', 'jpeg'])),
  count: z.exactOptional(z.number()),
});

const imageBounds: Bounds<ImageRequest> = {
  prompt: { minLength: 1, maxLength: 20_000 },
  model: { minLength: 1 },
  negativePrompt: { minLength: 1, maxLength: 20_000 },
  size: { pattern: /^\d{1,5}x\d{1,5}$/ },
  seed: { integer: true, min: 0, max: 9_999_999_999 },
  count: { integer: true, min: 1, max: 4 },
};

/** Returns a validated copy. Throws an error that names the invalid member. */
export function readRerank(request: unknown): RerankRequest {
  const read = readObject(request, rerankSchema, rerankBounds);
  const empty = read.documents.findIndex((text) => text === '');
  if (empty >= 0) throw wrong(`documents[${empty}]`, l10n.t('documents[{0}] is empty.', empty));
  if (read.documents.reduce((sum, text) => sum + text.length, 0) > mostCharacters) {
    throw wrong('documents', l10n.t('documents are limited to {0} characters in total.', mostCharacters));
  }
  return read;
}

export function readComplete(request: unknown): CompleteRequest {
  return readObject(request, completeSchema, completeBounds);
}

export function readImage(request: unknown): ImageRequest {
  return readObject(request, imageSchema, imageBounds);
}

export function readBatchText(text: unknown): string {
  if (typeof text !== 'string') throw wrong('text', l10n.t('text must be a string.'));
  if (text.length > mostCharacters) {
    throw wrong('text', l10n.t('{0} can have up to {1} characters.', 'text', mostCharacters));
  }
  return text;
}

function readObject<T extends object>(request: unknown, schema: z.ZodMiniType<T>, bounds: Bounds<T>): T {
  if (typeof request !== 'object' || request === null) {
    throw new PublicApiError('invalidInput', l10n.t('The request must be an object.'));
  }
  const defined = withoutUnset(request);
  try {
    checkRequest(defined as T, schema, bounds);
  } catch (error) {
    throw toPublicApiError(error);
  }
  return schema.parse(defined);
}

/** Treats a member that is `undefined` as absent. */
function withoutUnset(request: object): object {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}

function wrong(parameter: string, message: string): PublicApiError {
  return new PublicApiError('invalidInput', message, { parameter });
}
