import { completeText } from '../answers/completeText';
import { countTokens, tokenise } from '../answers/tokens';
import { charge, requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import type { CatalogueModel } from '../catalogue';
import { misbehave } from '../faults/streamFaults';
import { type Frames, doneFrame, jsonFrame } from '../frames';
import { badParameter } from '../refusal';
import { hashOf, seeded } from '../seeded';
import { secondsOf } from '../service';
import { either, flag, integer, list, number, optional, readStrictly, record, required, text } from '../validate';
import { wait } from '../wait';
import { chatModel } from './chatModel';

const fields = {
  model: required(text({ min: 1 })),
  prompt: required(text()),
  max_tokens: optional(integer({ min: 1 })),
  stop: optional(either((value) => typeof value === 'string', text({ min: 1 }), list(text({ min: 1 })))),
  temperature: optional(number({ min: 0, max: 1 })),
  top_p: optional(number({ min: 0, max: 1 })),
  top_k: optional(integer({ min: 0 })),
  repetition_penalty: optional(number()),
  stream: optional(flag),
  stream_options: optional(record),
  n: optional(integer({ min: 1, max: 128 })),
  presence_penalty: optional(number({ min: -2, max: 2 })),
  frequency_penalty: optional(number({ min: -2, max: 2 })),
  logit_bias: optional(record),
  logprobs: optional(integer({ min: 0, max: 5 })),
  seed: optional(integer()),
  suffix: optional(text()),
};

interface Choice {
  readonly text: string;
  readonly finish: string;
}

interface Job {
  readonly model: CatalogueModel;
  readonly prompt: string;
  readonly choices: readonly Choice[];
  readonly stream: boolean;
  readonly usageChunk: boolean;
  /** Number of alternatives to list for each token. */
  readonly alternatives: number;
  readonly content: string | undefined;
}

function cut(full: string, stop: readonly string[], maxTokens: number): Choice {
  const at = stop
    .map((sequence) => full.indexOf(sequence))
    .filter((index) => index >= 0)
    .reduce((least, one) => Math.min(least, one), full.length);
  const pieces = tokenise(full.slice(0, at));
  if (pieces.length > maxTokens) return { text: pieces.slice(0, maxTokens).join(''), finish: 'length' };
  return { text: full.slice(0, at), finish: 'stop' };
}

function withContent(choice: Choice, content: string | undefined): Choice {
  if (content === 'empty') return { text: '', finish: 'stop' };
  if (content === 'refusal') return { ...choice, finish: 'content_filter' };
  return content === 'unknownStopReason' ? { ...choice, finish: 'insufficient_system_resource' } : choice;
}

function read({ body, fault }: Call): Job {
  const sent = readStrictly(body, fields);
  const model = chatModel(sent.model);
  if (sent.suffix !== undefined && model.fillsIn !== true)
    throw badParameter('suffix is not currently supported', 'suffix');
  for (const [token, bias] of Object.entries(sent.logit_bias ?? {})) {
    if (!/^\d+$/.test(token) || typeof bias !== 'number')
      throw badParameter('logit_bias: Input should map token ids to numbers', 'logit_bias');
  }
  const most = model.maxTokens ?? Infinity;
  const maxTokens = sent.max_tokens ?? Math.min(512, most);
  if (maxTokens > most)
    throw badParameter(`max_tokens (${maxTokens}) have exceeded max_seq_len (${most}) limit.`, 'max_tokens');
  const input = countTokens(sent.prompt);
  const context = model.context ?? Infinity;
  if (input + maxTokens > context)
    throw badParameter(`length of prompt_tokens (${input}) must be less than max_seq_len (${context}).`, 'prompt');
  const content = fault?.effect.kind === 'content' ? fault.effect.how : undefined;
  const stop = typeof sent.stop === 'string' ? [sent.stop] : (sent.stop ?? []);
  const choices = Array.from({ length: sent.n ?? 1 }, (_, index) =>
    withContent(
      cut(completeText({ prompt: sent.prompt, suffix: sent.suffix ?? '', seed: sent.seed, index }), stop, maxTokens),
      content,
    ),
  );
  return {
    model,
    prompt: sent.prompt,
    choices,
    stream: sent.stream ?? false,
    alternatives: sent.logprobs ?? 0,
    usageChunk: sent.stream_options?.['include_usage'] === true,
    content,
  };
}

interface Logprobs {
  readonly tokens: readonly string[];
  readonly token_logprobs: readonly number[];
  readonly top_logprobs?: readonly Readonly<Record<string, number>>[];
}

const otherTokens = [' the', ' a', ' of', ' and', ' to', '\n', '.', ' is'];

/** Returns the "model's" confidence in each token, always the same for the same text. The alternatives share the rest. */
function logprobsOf(textOf: string, alternatives: number): Logprobs {
  const tokens = tokenise(textOf);
  const random = seeded(hashOf(textOf));
  return withTops(
    tokens,
    tokens.map(() => -Number((random() ** 6 * 4).toFixed(4))),
    alternatives,
  );
}

function withTops(tokens: readonly string[], logprobs: readonly number[], alternatives: number): Logprobs {
  if (alternatives === 0) return { tokens, token_logprobs: logprobs };
  const tops = tokens.map((token, index) => {
    const own = logprobs[index] ?? 0;
    const others = otherTokens.filter((other) => other !== token).slice(0, alternatives - 1);
    const rest = Math.max(1e-4, 1 - Math.exp(own));
    const shares = others.map((other, rank) => [other, Number(Math.log(rest / 2 ** (rank + 1)).toFixed(4))] as const);
    return { [token]: own, ...Object.fromEntries(shares) };
  });
  return { tokens, token_logprobs: logprobs, top_logprobs: tops };
}

function usageOf({ prompt, choices }: Job) {
  const [input, output] = [countTokens(prompt), choices.reduce((sum, choice) => sum + countTokens(choice.text), 0)];
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

const head = ({ service, modelName }: Call) => ({
  id: `cmpl-${service.newId()}`,
  object: 'text_completion',
  created: secondsOf(service.clock()),
  model: modelName,
  system_fingerprint: 'demo_1',
});

/** Yields the choices interleaved, one token of each in turn. */
async function* framesOf(job: Job, { service, signal, ...call }: Call): Frames {
  const common = head({ service, signal, ...call });
  const queues = job.choices.map((choice) => tokenise(choice.text));
  const longest = queues.map((pieces) => pieces.length).reduce((most, one) => Math.max(most, one), -Infinity);
  await wait(service.pace().firstTokenMs, signal);
  for (let at = 0; at < longest; at += 1) {
    const { tokenMs } = service.pace();
    if (tokenMs > 0) await wait(tokenMs * (0.5 + service.random()), signal);
    for (const [index, pieces] of queues.entries()) {
      const piece = pieces[at];
      if (piece === undefined) continue;
      // Most tokens are certain, some are not.
      const own = -Number((((hashOf(piece, at) % 100) / 100) ** 4 * 3).toFixed(4));
      const logprobs = withTops([piece], [own], job.alternatives);
      yield jsonFrame({ ...common, choices: [{ index, text: piece, logprobs, finish_reason: null }] });
    }
  }
  for (const [index, choice] of job.choices.entries()) {
    yield jsonFrame({ ...common, choices: [{ index, text: '', logprobs: null, finish_reason: choice.finish }] });
  }
  if (job.usageChunk && job.content !== 'noUsage') yield jsonFrame({ ...common, choices: [], usage: usageOf(job) });
  yield doneFrame;
}

export const completions: Endpoint = {
  name: 'POST /completions',
  body: 'json',
  errors: 'provider',
  standIn: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
  handle: async (call) => {
    const { service, signal, reply, fault } = call;
    const job = read(call);
    requireBalance(service, job.model);
    const usage = usageOf(job);
    await charge(service, job.model, usage.total_tokens / 1000);
    if (job.stream) return reply.events(misbehave(framesOf(job, call), fault, 'completions'));
    const { firstTokenMs, tokenMs } = service.pace();
    await wait(firstTokenMs + (tokenMs * usage.completion_tokens) / 4, signal);
    return reply.json(200, {
      ...head(call),
      choices: job.choices.map((choice, index) => ({
        index,
        text: choice.text,
        finish_reason: choice.finish,
        logprobs: logprobsOf(choice.text, job.alternatives),
      })),
      prompt: [{ text: job.prompt, logprobs: logprobsOf(job.prompt, job.alternatives) }],
      ...(job.content === 'noUsage' ? {} : { usage }),
    });
  },
};
