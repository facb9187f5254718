/** What a service is tried for, in the order of the README's columns. */
export const triedJobs = [
  'models',
  'chat',
  'tools',
  'complete',
  'rerank',
  'vectors',
  'images',
  'speech',
  'videos, voices',
  'batches',
  'balance',
] as const;

export type TriedJob = (typeof triedJobs)[number];

/**
 * `yes`: it works. `no`: the service has none; the view or command says so or is not there. `chat`: it is done by chat, because the service
 * completes no text without it. `now`: batches are not submitted, their requests are sent one by one.
 * `other`: a server has one model, and for this another server is started.
 */
export type Works = 'yes' | 'no' | 'chat' | 'now' | 'other';

export interface TriedService {
  readonly name: string;
  /** How one gets in. */
  readonly key: string;
  /** Against what the row is tried. */
  readonly against: string;
  readonly works: Readonly<Record<TriedJob, Works>>;
}

const all = (works: Works) => Object.fromEntries(triedJobs.map((job) => [job, works])) as Record<TriedJob, Works>;

/** What chats, and has nothing that needs an endpoint of its own. */
const chatOnly: Record<TriedJob, Works> = {
  ...all('no'),
  models: 'yes',
  chat: 'yes',
  tools: 'yes',
  complete: 'chat',
  batches: 'now',
};

const written = (from: string) => `a server written from its ${from}`;

/** One row each; `test/unit/otherServices/whatWorks.test.ts` tries every cell. */
export const triedServices: readonly TriedService[] = [
  { name: 'SiliconFlow', key: 'key', against: 'the demo service, written from its documentation', works: all('yes') },
  { name: 'The demo service', key: 'none', against: 'itself', works: all('yes') },
  {
    name: 'OpenAI',
    key: 'key',
    against: written('documentation, and in a window'),
    works: { ...chatOnly, vectors: 'yes', images: 'yes', speech: 'yes', batches: 'yes' },
  },
  {
    name: 'Anthropic',
    key: 'key, as `x-api-key`',
    against: written('documentation, and in a window'),
    works: { ...chatOnly, batches: 'yes' },
  },
  {
    name: 'OpenRouter',
    key: 'key',
    against: written('documentation'),
    works: { ...chatOnly, complete: 'yes', rerank: 'yes', vectors: 'yes', speech: 'yes', batches: 'yes' },
  },
  {
    name: 'Ollama',
    key: 'none',
    against: written('sources'),
    works: { ...chatOnly, complete: 'yes', vectors: 'yes' },
  },
  {
    name: 'LM Studio',
    key: 'none, or one you set',
    against: written('documentation'),
    works: { ...chatOnly, complete: 'yes', vectors: 'yes' },
  },
  {
    name: 'llama.cpp',
    key: 'none, or one you set',
    against: written('sources, and in a window'),
    works: { ...chatOnly, complete: 'yes', rerank: 'yes', vectors: 'yes' },
  },
  {
    name: 'vLLM',
    key: 'none, or one you set',
    against: written('sources'),
    works: { ...chatOnly, complete: 'yes', rerank: 'other', vectors: 'other' },
  },
];

const signs: Readonly<Record<Works, string>> = { yes: '✓', no: '–', chat: 'by chat', now: 'run now', other: '✓ ¹' };

/** As it stands in the README. */
export function servicesTable(): string {
  const head = `| service | key | ${triedJobs.join(' | ')} | tried against |`;
  const line = `|${'---|'.repeat(triedJobs.length + 3)}`;
  const rows = triedServices.map(({ name, key, against, works }) => {
    const cells = triedJobs.map((job) => signs[works[job]]);
    return `| ${name} | ${key} | ${cells.join(' | ')} | ${against} |`;
  });
  return [head, line, ...rows].join('\n');
}
