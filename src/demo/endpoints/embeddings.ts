import { termsOf } from '../answers/bm25';
import { countTokens } from '../answers/tokens';
import { charge, requireBalance } from '../billing';
import type { Endpoint } from '../call';
import { modelsOf } from '../catalogue';
import { badParameter, unknownModel } from '../refusal';
import { hashOf, seeded } from '../seeded';
import { either, integer, list, oneOf, optional, readStrictly, required, text } from '../validate';
import { wait } from '../wait';

const dimensionsOf = (model: string): number => (model.includes('Qwen3') ? 4096 : 1024);

const fields = {
  model: required(text({ min: 1 })),
  input: required(
    either((value) => typeof value === 'string', text({ min: 1 }), list(text({ min: 1 }), { min: 1, max: 32 })),
  ),
  encoding_format: optional(oneOf('float', 'base64')),
  dimensions: optional(integer({ min: 32, max: 4096 })),
};

/** Projects terms onto fixed random directions: texts that share words are close together. Returns a unit vector. */
export function embed(input: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const term of [...termsOf(input), '\u0001bias']) {
    const random = seeded(hashOf(term));
    for (let touched = 0; touched < 64; touched += 1) {
      const at = Math.floor(random() * dimensions);
      vector[at] = (vector[at] ?? 0) + random() * 2 - 1;
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

export const embeddings: Endpoint = {
  name: 'POST /embeddings',
  body: 'json',
  standIn: 'BAAI/bge-m3',
  handle: async ({ service, signal, body, modelName, reply }) => {
    const sent = readStrictly(body, fields);
    const model = modelsOf('embedding').find((item) => item.id === sent.model);
    if (model === undefined) throw unknownModel();
    if (sent.dimensions !== undefined && !model.id.includes('Qwen3-Embedding')) {
      throw badParameter('Value error, current model does not support parameter `dimensions`.', 'dimensions');
    }
    const inputs = typeof sent.input === 'string' ? [sent.input] : sent.input;
    const counts = inputs.map(countTokens);
    const most = counts.reduce((most, one) => Math.max(most, one), -Infinity);
    if (model.context !== undefined && most > model.context) {
      throw badParameter(
        `number of input tokens (${most}) has exceeded max_prompt_tokens (${model.context}) limit.`,
        'input',
      );
    }
    requireBalance(service, model);
    const total = counts.reduce((sum, count) => sum + count, 0);
    await charge(service, model, total / 1000);
    await wait(service.pace().workMs, signal);
    const vectors = inputs.map((input) => embed(input, sent.dimensions ?? dimensionsOf(model.id)));
    return reply.json(200, {
      object: 'list',
      model: modelName,
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: sent.encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector],
      })),
      usage: { prompt_tokens: total, completion_tokens: 0, total_tokens: total },
    });
  },
};
