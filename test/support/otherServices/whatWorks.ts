import { batchServiceOf } from '../../../src/core/batch/services/batchServiceOf';
import { knownServices } from '../../../src/core/profiles/knownServices';

/** The features that each service is tested for. */
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
 * `yes`: it works. `no`: the service doesn't offer it, and the view or command says so or is missing. `chat`: chat is used instead, because
 * the service completes no text otherwise. `now`: batches aren't submitted, and their requests are sent one by one. `other`: a server has
 * one model, and another server is started for this.
 */
export type Works = 'yes' | 'no' | 'chat' | 'now' | 'other';

/** The basis of the local server that represents a service. */
type Source = 'demo' | 'itself' | 'documentation' | 'sourceCode';

export interface TriedService {
  readonly name: string;
  readonly source: Source;
  /** Whether a journey also uses it in a real window. */
  readonly inWindow: boolean;
  readonly works: Readonly<Record<TriedJob, Works>>;
}

const all = (works: Works) => Object.fromEntries(triedJobs.map((job) => [job, works])) as Record<TriedJob, Works>;

/** A service that chats, and has no feature that requires a separate endpoint. */
const chatOnly: Record<TriedJob, Works> = {
  ...all('no'),
  models: 'yes',
  chat: 'yes',
  tools: 'yes',
  complete: 'chat',
  batches: 'now',
};

/** One row each. `test/unit/otherServices/whatWorks.test.ts` tests every cell. */
export const triedServices: readonly TriedService[] = [
  { name: 'SiliconFlow', source: 'demo', inWindow: true, works: all('yes') },
  { name: 'Demo service', source: 'itself', inWindow: true, works: all('yes') },
  {
    name: 'OpenAI',
    source: 'documentation',
    inWindow: true,
    works: { ...chatOnly, vectors: 'yes', images: 'yes', speech: 'yes', batches: 'yes' },
  },
  {
    name: 'Anthropic',
    source: 'documentation',
    inWindow: true,
    works: { ...chatOnly, batches: 'yes' },
  },
  {
    name: 'OpenRouter',
    source: 'documentation',
    inWindow: false,
    works: { ...chatOnly, complete: 'yes', rerank: 'yes', vectors: 'yes', speech: 'yes', batches: 'yes' },
  },
  {
    name: 'Ollama',
    source: 'sourceCode',
    inWindow: false,
    works: { ...chatOnly, complete: 'yes', vectors: 'yes' },
  },
  {
    name: 'LM Studio',
    source: 'documentation',
    inWindow: false,
    works: { ...chatOnly, complete: 'yes', vectors: 'yes' },
  },
  {
    name: 'llama.cpp',
    source: 'sourceCode',
    inWindow: true,
    works: { ...chatOnly, complete: 'yes', rerank: 'yes', vectors: 'yes' },
  },
  {
    name: 'vLLM',
    source: 'sourceCode',
    inWindow: false,
    works: { ...chatOnly, complete: 'yes', rerank: 'other', vectors: 'other' },
  },
];

interface TableWords {
  readonly head: readonly string[];
  readonly signs: Readonly<Record<Works, string>>;
  readonly sources: Readonly<Record<Source, string>>;
  readonly demo: string;
  readonly media: Readonly<Record<'images' | 'speech' | 'all', string>>;
  readonly comma: string;
  readonly batches: (form: 'files' | 'inline', requests: string) => string;
}

const tableWords: Readonly<Record<'en' | 'zh', TableWords>> = {
  en: {
    head: [
      'Service',
      'Chat, tools',
      'Completion',
      'Rerank',
      'Embeddings',
      'Images, videos, speech, voices',
      'Batches',
      'Balance',
      'Tested against',
    ],
    signs: { yes: '✓', no: '–', chat: 'by chat', now: 'run now', other: '✓¹' },
    sources: { demo: 'demo service', itself: 'itself', documentation: 'documentation', sourceCode: 'source code' },
    demo: 'Demo service',
    media: { images: 'images', speech: 'speech', all: '✓' },
    comma: ', ',
    batches: (form, requests) => `${form} (${requests})`,
  },
  zh: {
    head: [
      '服务',
      '聊天和工具',
      '文本补全',
      '重排序',
      '嵌入',
      '图片、视频、语音和音色',
      '批量推理',
      '余额',
      '测试依据',
    ],
    signs: { yes: '✓', no: '–', chat: '用聊天实现', now: '立即运行', other: '✓¹' },
    sources: { demo: '演示服务', itself: '自身', documentation: '官方文档', sourceCode: '源代码' },
    demo: '演示服务',
    media: { images: '图片', speech: '语音', all: '✓' },
    comma: '、',
    batches: (form, requests) => `${form === 'files' ? '文件' : '内联'}（${requests} 条）`,
  },
};

/** Returns the README's table of services in a language. */
export function servicesTable(language: 'en' | 'zh'): string {
  const words = tableWords[language];
  const rows = triedServices.map((service) => {
    const { name, source, inWindow, works } = service;
    const { complete, rerank, vectors, balance, chat } = works;
    return [
      source === 'itself' ? words.demo : name,
      ...[chat, complete, rerank, vectors].map((one) => words.signs[one]),
      mediaCell(service, words),
      batchesCell(service, words),
      words.signs[balance],
      `${words.sources[source]}${inWindow ? '²' : ''}`,
    ];
  });
  const [head = '', ...lines] = [words.head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${'---|'.repeat(words.head.length)}`, ...lines].join('\n');
}

function mediaCell({ works }: TriedService, { media, signs, comma }: TableWords): string {
  if (works['videos, voices'] === 'yes') return media.all;
  const offered = (['images', 'speech'] as const).filter((job) => works[job] === 'yes').map((job) => media[job]);
  return offered.join(comma) || signs.no;
}

/** Returns the format of batches and the maximum number of requests, by the rules for checking batch files. */
function batchesCell({ name, works }: TriedService, { batches, signs }: TableWords): string {
  if (works.batches !== 'yes') return signs[works.batches];
  const { form, requests = 0 } = batchServiceOf(knownServices.find((service) => service.name === name)?.baseUrl);
  return batches(form === 'file' ? 'files' : 'inline', requests.toLocaleString('en'));
}
