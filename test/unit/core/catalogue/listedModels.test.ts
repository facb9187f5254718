import assert from 'node:assert/strict';
import { listedCapabilities } from '../../../../src/core/capabilities/modelCapabilities';
import { gatherModels } from '../../../../src/core/catalogue/gatherModels';
import { groupModels } from '../../../../src/core/catalogue/groupModels';
import { chooseModel, jobsOf, knownJobs } from '../../../../src/core/catalogue/jobs';
import type { CatalogueModel } from '../../../../src/core/catalogue/model';
import { createTestClient } from '../../../support/apiClient';
import { startFixtureServer } from '../../../support/fixtureServer';

type Body = object;

/** Reads lists as a server sends them, one per request, through the client and the catalogue of a service without filters. */
async function catalogueOf(...bodies: readonly Body[]) {
  const server = await startFixtureServer();
  try {
    server.answer(...bodies.map((body) => ({ body: JSON.stringify(body) })));
    const { client } = createTestClient(server.baseUrl);
    const { models } = await gatherModels(() => client.models.list({}), { hasFilters: false });
    return { models, queries: server.seen.map(({ query }) => query) };
  } finally {
    await server.close();
  }
}

/** What a person sees of each model, as one line: jobs, then facts; `?` where nothing tells its job. */
function linesOf(models: readonly CatalogueModel[]): readonly string[] {
  return models.map((model) => {
    const { contextTokens, outputTokens, tools, images, thinking } = listedCapabilities(model, {});
    const jobs = knownJobs(model);
    const facts = [
      contextTokens,
      outputTokens === undefined ? undefined : `out ${outputTokens}`,
      tools === undefined ? undefined : tools ? 'tools' : 'no tools',
      images ? 'images' : undefined,
      thinking === 'always' || thinking === 'asked' ? `thinks ${thinking}` : undefined,
    ];
    const isChat = jobs === undefined || jobs.includes('chat');
    const reported = isChat ? facts.filter((fact) => fact !== undefined).join(', ') : (model.contextLength ?? '');
    return `${model.id}: ${jobs?.join(' ') ?? '?'}${reported === '' ? '' : ` (${reported})`}`;
  });
}

const chosen = (models: readonly CatalogueModel[]) => (job: Parameters<typeof chooseModel>[0]) =>
  chooseModel(job, { models, pins: [], defaults: {} });

describe('model details in the lists of services', () => {
  it('OpenAI (2026-08): names only', async () => {
    const ids = [
      'gpt-4-0613',
      'gpt-3.5-turbo-instruct',
      'gpt-4o-mini',
      'gpt-5.1',
      'gpt-5.1-codex',
      'o4-mini',
      'gpt-4o-realtime-preview',
      'gpt-4o-transcribe',
      'gpt-4o-mini-tts',
      'omni-moderation-latest',
      'text-embedding-3-small',
      'dall-e-3',
      'gpt-image-1',
      'sora-2',
      'whisper-1',
      'tts-1-hd',
      'davinci-002',
      'ft:gpt-4o-mini-2024-07-18:acme::abc123',
    ];
    const data = ids.map((id) => ({ id, object: 'model', created: 1686588896, owned_by: 'openai' }));
    const { models } = await catalogueOf({ object: 'list', data });
    assert.deepEqual(linesOf(models), [
      'gpt-4-0613: chat completion (8192, out 4096, tools)',
      'gpt-3.5-turbo-instruct: completion',
      'gpt-4o-mini: chat completion (128000, out 16384, tools, images)',
      'gpt-5.1: chat completion (262144, out 16384, tools, images, thinks always)',
      'gpt-5.1-codex: ? (262144, out 16384, tools, images, thinks always)',
      'o4-mini: chat completion (199680, out 16384, tools, images, thinks always)',
      'gpt-4o-realtime-preview: ',
      'gpt-4o-transcribe: transcription',
      'gpt-4o-mini-tts: voice',
      'omni-moderation-latest: ',
      'text-embedding-3-small: embedding',
      'dall-e-3: image',
      'gpt-image-1: image',
      'sora-2: video',
      'whisper-1: transcription',
      'tts-1-hd: voice',
      'davinci-002: completion',
      'ft:gpt-4o-mini-2024-07-18:acme::abc123: chat completion (128000, out 16384, tools, images)',
    ]);
    const choose = chosen(models);
    assert.deepEqual(
      (['chat', 'completion', 'embedding', 'rerank', 'image', 'video', 'voice', 'transcription'] as const).map(choose),
      [
        'gpt-4-0613',
        'gpt-3.5-turbo-instruct',
        'text-embedding-3-small',
        undefined,
        'dall-e-3',
        'sora-2',
        'gpt-4o-mini-tts',
        'gpt-4o-transcribe',
      ],
    );
  });

  it('Anthropic (2026-08): pages, display names, limits, and capabilities', async () => {
    const model = (id: string, display_name: string, more: object) => ({
      type: 'model',
      id,
      display_name,
      created_at: '2026-02-04T00:00:00Z',
      ...more,
    });
    const yes = { supported: true };
    const opus = model('claude-opus-4-6', 'Claude Opus 4.6', {
      max_input_tokens: 200000,
      max_tokens: 128000,
      capabilities: {
        batch: yes,
        image_input: yes,
        pdf_input: yes,
        thinking: { supported: true, types: { adaptive: yes, enabled: yes } },
      },
    });
    const haiku = model('claude-3-haiku-20240307', 'Claude Haiku 3', {
      max_input_tokens: 200000,
      max_tokens: 4096,
      capabilities: { image_input: yes, thinking: { supported: false } },
    });
    const { models, queries } = await catalogueOf(
      { data: [opus], has_more: true, first_id: opus.id, last_id: opus.id },
      { data: [haiku], has_more: false, first_id: haiku.id, last_id: haiku.id },
    );
    assert.deepEqual(queries, [{}, { after_id: 'claude-opus-4-6' }]);
    assert.deepEqual(linesOf(models), [
      'claude-opus-4-6: chat completion (200000, out 128000, tools, images, thinks asked)',
      'claude-3-haiku-20240307: chat completion (200000, out 4096, tools, images)',
    ]);
    assert.equal(models[0]?.displayName, 'Claude Opus 4.6');
    assert.equal(models[0]?.created, Date.UTC(2026, 1, 4) / 1000);
  });

  it('OpenRouter (2026-08): modalities and parameters, limited by those of the provider', async () => {
    const { models } = await catalogueOf({
      data: [
        {
          id: 'deepseek/deepseek-r1-0528',
          canonical_slug: 'deepseek/deepseek-r1-0528',
          hugging_face_id: 'deepseek-ai/DeepSeek-R1-0528',
          name: 'DeepSeek: R1 0528',
          created: 1748455170,
          context_length: 163840,
          architecture: {
            modality: 'text->text',
            input_modalities: ['text'],
            output_modalities: ['text'],
            tokenizer: 'DeepSeek',
          },
          pricing: { prompt: '0.0000005', completion: '0.00000218' },
          top_provider: { context_length: 128000, max_completion_tokens: 32768, is_moderated: false },
          supported_parameters: ['include_reasoning', 'max_tokens', 'reasoning', 'temperature', 'tool_choice', 'tools'],
        },
        {
          id: 'someone/new-thing',
          name: 'Someone: New Thing',
          created: 1750000000,
          context_length: 8192,
          architecture: {
            modality: 'text+image->text',
            input_modalities: ['text', 'image'],
            output_modalities: ['text'],
          },
          top_provider: { context_length: 8192, max_completion_tokens: null, is_moderated: false },
          supported_parameters: ['max_tokens', 'temperature'],
        },
        {
          id: 'black-forest-labs/flux.2-pro',
          name: 'FLUX.2 Pro',
          context_length: 46864,
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
          supported_parameters: ['seed'],
        },
      ],
    });
    assert.deepEqual(linesOf(models), [
      'deepseek/deepseek-r1-0528: chat completion (128000, out 32768, tools, thinks always)',
      'someone/new-thing: chat completion (8192, no tools, images)',
      'black-forest-labs/flux.2-pro: image (46864)',
    ]);
  });

  it('Mistral (2026-08): supported and unsupported capabilities', async () => {
    const model = (id: string, able: object, max_context_length: number) => ({
      id,
      object: 'model',
      created: 1754000000,
      owned_by: 'mistralai',
      capabilities: {
        completion_chat: false,
        function_calling: false,
        completion_fim: false,
        fine_tuning: false,
        vision: false,
        ocr: false,
        classification: false,
        moderation: false,
        audio: false,
        audio_transcription: false,
        ...able,
      },
      name: id,
      description: 'A model.',
      max_context_length,
      aliases: [],
      deprecation: null,
      default_model_temperature: 0.3,
      type: 'base',
    });
    const { models } = await catalogueOf({
      object: 'list',
      data: [
        model('mistral-medium-2508', { completion_chat: true, function_calling: true, vision: true }, 131072),
        model('codestral-2508', { completion_chat: true, function_calling: true, completion_fim: true }, 256000),
        model('voxtral-mini-transcribe-2507', { audio_transcription: true }, 16384),
        model('mistral-embed', {}, 8192),
      ],
    });
    assert.deepEqual(linesOf(models), [
      'mistral-medium-2508: chat completion (131072, out 4096, tools, images)',
      'codestral-2508: chat completion (256000, out 4096, tools)',
      'voxtral-mini-transcribe-2507: transcription (16384)',
      'mistral-embed: embedding (8192)',
    ]);
    assert.equal(chosen(models)('completion'), 'codestral-2508');
  });

  it('Together (2026-08): a bare list with types', async () => {
    const model = (id: string, type: string, context_length: number | null) => ({
      id,
      object: 'model',
      created: 0,
      type,
      running: false,
      display_name: id,
      organization: 'Somebody',
      link: '',
      context_length,
      config: { chat_template: null, stop: [] },
      pricing: { hourly: 0, input: 0.2, output: 0.2 },
    });
    const { models } = await catalogueOf([
      model('acme/talk-1', 'chat', 131072),
      model('acme/base-1', 'language', 4096),
      model('acme/draw-1', 'image', null),
      model('acme/find-1', 'embedding', 512),
      model('acme/sort-1', 'rerank', 8192),
      model('acme/watch-1', 'moderation', 4096),
      model('acme/speak-1', 'audio', null),
      model('openai/whisper-large-v3', 'audio', null),
    ]);
    assert.deepEqual(linesOf(models), [
      'acme/talk-1: chat completion (131072)',
      'acme/base-1: chat completion (4096)',
      'acme/draw-1: image',
      'acme/find-1: embedding (512)',
      'acme/sort-1: rerank (8192)',
      'acme/watch-1:  (4096)',
      'acme/speak-1: voice',
      'openai/whisper-large-v3: transcription',
    ]);
    assert.equal(models[0]?.ownedBy, 'Somebody');
  });

  it('Groq (2026-08): context sizes and maximum response lengths', async () => {
    const model = (id: string, owned_by: string, context_window: number, max_completion_tokens: number) => ({
      id,
      object: 'model',
      created: 1733447754,
      owned_by,
      active: true,
      context_window,
      public_apps: null,
      max_completion_tokens,
    });
    const { models } = await catalogueOf({
      object: 'list',
      data: [
        model('meta-llama/llama-guard-4-12b', 'Meta', 131072, 1024),
        model('llama-3.3-70b-versatile', 'Meta', 131072, 32768),
        model('whisper-large-v3-turbo', 'OpenAI', 448, 448),
      ],
    });
    assert.deepEqual(linesOf(models), [
      'meta-llama/llama-guard-4-12b: ? (131072, out 1024, no tools)',
      'llama-3.3-70b-versatile: chat completion (131072, out 32768, tools)',
      'whisper-large-v3-turbo: transcription (448)',
    ]);
    assert.equal(chosen(models)('chat'), 'llama-3.3-70b-versatile');
  });

  it('Cohere (2026-08, v1): endpoints and features, in pages', async () => {
    const model = (name: string, endpoints: readonly string[], features: readonly string[] | null, length: number) => ({
      name,
      is_deprecated: false,
      endpoints,
      finetuned: false,
      context_length: length,
      tokenizer_url: '',
      default_endpoints: [],
      features,
    });
    const { models, queries } = await catalogueOf(
      {
        models: [
          model('command-a-vision-07-2025', ['chat'], ['json_mode', 'vision'], 128000),
          model('c4ai-thing', ['chat'], ['json_mode', 'tools', 'strict_tools'], 128000),
        ],
        next_page_token: 'abc',
      },
      { models: [model('rerank-v4.0-pro', ['rerank'], null, 32768), model('thing-v4.0', ['embed'], null, 128000)] },
    );
    assert.deepEqual(queries, [{}, { page_token: 'abc' }]);
    assert.deepEqual(linesOf(models), [
      'command-a-vision-07-2025: chat completion (128000, out 4096, no tools, images)',
      'c4ai-thing: chat completion (128000, tools)',
      'rerank-v4.0-pro: rerank (32768)',
      'thing-v4.0: embedding (128000)',
    ]);
  });

  it('vLLM 0.11: the served context size', async () => {
    const { models } = await catalogueOf({
      object: 'list',
      data: [
        {
          id: 'my-finetune',
          object: 'model',
          created: 1760000000,
          owned_by: 'vllm',
          root: '/models/my-finetune',
          parent: null,
          max_model_len: 16384,
          permission: [{ id: 'modelperm-1', object: 'model_permission', allow_sampling: true }],
        },
      ],
    });
    assert.deepEqual(linesOf(models), ['my-finetune: ? (16384)']);
    assert.deepEqual(jobsOf(models[0]!), ['chat', 'completion']);
    assert.equal(chosen(models)('chat'), undefined);
  });

  it('llama.cpp b6900: the context size in one of its two lists, and the capabilities in the other', async () => {
    const body = (name: string, capabilities: readonly string[], n_ctx?: number) => ({
      models: [
        {
          name,
          model: name,
          modified_at: '',
          size: '',
          digest: '',
          type: 'model',
          description: '',
          tags: [''],
          capabilities,
          parameters: '',
          details: { parent_model: '', format: 'gguf', family: '', families: [''], parameter_size: '' },
        },
      ],
      object: 'list',
      data: [
        {
          id: name,
          object: 'model',
          created: 1760000000,
          owned_by: 'llamacpp',
          meta: { vocab_type: 2, n_vocab: 151936, n_ctx, n_ctx_train: 40960, n_embd: 1024, n_params: 1, size: 1 },
        },
      ],
    });
    const chat = await catalogueOf(body('/models/thing.gguf', ['completion', 'multimodal'], 4096));
    assert.deepEqual(linesOf(chat.models), ['/models/thing.gguf: chat completion (4096, images)']);
    // It says `completion` of every model.
    const reranker = await catalogueOf(body('bge-reranker-v2-m3-Q8_0.gguf', ['completion']));
    assert.deepEqual(linesOf(reranker.models), ['bge-reranker-v2-m3-Q8_0.gguf: rerank (40960)']);
  });

  it('Ollama 0.12: names only', async () => {
    const model = (id: string) => ({ id, object: 'model', created: 1760000000, owned_by: 'library' });
    const { models } = await catalogueOf({
      object: 'list',
      data: [
        model('llama3.2:latest'),
        model('nomic-embed-text:latest'),
        model('gemma3:4b'),
        model('my-own:latest'),
        model('hf.co/bartowski/Qwen2.5-Coder-7B-GGUF:Q4_K_M'),
      ],
    });
    assert.deepEqual(linesOf(models), [
      'llama3.2:latest: chat completion (131072, out 4096, tools)',
      'nomic-embed-text:latest: embedding',
      'gemma3:4b: chat completion (32768, out 4096, no tools, images)',
      'my-own:latest: ?',
      'hf.co/bartowski/Qwen2.5-Coder-7B-GGUF:Q4_K_M: chat completion (32768, out 4096, tools)',
    ]);
    assert.deepEqual(
      groupModels(models).map(({ key, count }) => [key, count]),
      [
        ['chat', 3],
        ['embedding', 1],
        ['other', 1],
      ],
    );
  });

  it('LM Studio 0.4, lists v0 and v1: the loaded context size', async () => {
    const v0 = await catalogueOf({
      object: 'list',
      data: [
        {
          id: 'thing-vl',
          object: 'model',
          type: 'vlm',
          publisher: 'mlx-community',
          arch: 'thing',
          compatibility_type: 'mlx',
          quantization: '4bit',
          state: 'loaded',
          max_context_length: 32768,
          loaded_context_length: 4096,
          capabilities: ['tool_use'],
        },
        { id: 'text-x', object: 'model', type: 'embeddings', state: 'not-loaded', max_context_length: 2048 },
      ],
    });
    assert.deepEqual(linesOf(v0.models), [
      'thing-vl: chat completion (4096, tools, images)',
      'text-x: embedding (2048)',
    ]);
    const v1 = await catalogueOf({
      models: [
        {
          type: 'llm',
          publisher: 'someone',
          key: 'someone/thing',
          display_name: 'Thing',
          max_context_length: 131072,
          loaded_instances: [{ id: 'someone/thing', config: { context_length: 8192 } }],
          capabilities: { vision: false, trained_for_tool_use: true },
        },
      ],
    });
    assert.deepEqual(linesOf(v1.models), ['someone/thing: chat completion (8192, tools)']);
  });

  it('omits prices in a currency other than that of the account or of most of the list', async () => {
    const entry = (id: string, currency?: string) => ({
      id,
      pricing: { input: '2', output: '8', ...(currency !== undefined && { currency }) },
    });
    const priced = async (currency: 'USD' | 'CNY' | undefined, ...data: readonly object[]) => {
      const server = await startFixtureServer();
      try {
        server.answer({ body: JSON.stringify({ data }) });
        const { client } = createTestClient(server.baseUrl, { currency });
        return (await client.models.list({})).filter(({ prices }) => prices !== undefined).map(({ id }) => id);
      } finally {
        await server.close();
      }
    };
    const mixed = [entry('a', 'CNY'), entry('b', 'usd'), entry('c'), entry('d', 'RMB'), entry('e', 'EUR')];
    assert.deepEqual(await priced('USD', ...mixed), ['b', 'c']);
    assert.deepEqual(await priced('CNY', ...mixed), ['a', 'c', 'd']);
    assert.deepEqual(await priced(undefined, ...mixed), ['a', 'c', 'd']);
    assert.deepEqual(await priced(undefined, entry('a', 'CNY'), entry('b', '$')), ['b']);
  });

  it('LiteLLM 1.78, GET /model/info: modes and capabilities', async () => {
    const model = (model_name: string, info: object) => ({
      model_name,
      litellm_params: { model: `azure/${model_name}` },
      model_info: { id: 'd9', db_model: false, max_tokens: 4096, ...info },
    });
    const { models } = await catalogueOf({
      data: [
        model('house-large', {
          mode: 'chat',
          max_input_tokens: 100000,
          max_output_tokens: 9000,
          supports_function_calling: true,
          supports_vision: false,
          supports_reasoning: true,
        }),
        model('house-vectors', { mode: 'embedding', max_input_tokens: 8191 }),
        model('house-painter', { mode: 'image_generation' }),
        model('house-ears', { mode: 'audio_transcription' }),
        model('house-mouth', { mode: 'audio_speech' }),
      ],
    });
    assert.deepEqual(linesOf(models), [
      'house-large: chat completion (100000, out 9000, tools, thinks asked)',
      'house-vectors: embedding (8191)',
      'house-painter: image',
      'house-ears: transcription',
      'house-mouth: voice',
    ]);
  });

  it('new-api 0.9, Infinity 0.0.76, Fireworks, GitHub Models, and Xinference 1.10: other names for the same details', async () => {
    const { models } = await catalogueOf([
      { id: 'acme/a', object: 'model', owned_by: 'custom', supported_endpoint_types: ['jina-rerank'] },
      { id: 'acme/b', object: 'model', owned_by: 'custom', supported_endpoint_types: ['openai', 'anthropic'] },
      { id: 'acme/c', object: 'model', owned_by: 'infinity', backend: 'torch', capabilities: ['embed'] },
      {
        id: 'accounts/x/models/d',
        kind: 'HF_BASE_MODEL',
        supports_chat: true,
        supports_image_input: true,
        supports_tools: false,
        context_length: 131072,
      },
      {
        id: 'acme/e',
        name: 'E',
        publisher: 'Acme',
        capabilities: ['streaming', 'tool-calling'],
        limits: { max_input_tokens: 48000, max_output_tokens: 4000 },
        supported_input_modalities: ['text', 'image'],
        supported_output_modalities: ['text'],
      },
      { id: 'f', owned_by: 'xinference', model_type: 'audio', model_ability: ['text2audio'] },
      { id: 'g', owned_by: 'xinference', model_type: 'LLM', model_ability: ['chat', 'tools'], context_length: 8192 },
    ]);
    assert.deepEqual(linesOf(models), [
      'acme/a: rerank',
      'acme/b: chat completion',
      'acme/c: embedding',
      'accounts/x/models/d: chat completion (131072, no tools, images)',
      'acme/e: chat completion (48000, out 4000, tools, images)',
      'f: voice',
      'g: chat completion (8192, tools)',
    ]);
  });
});

describe('invalid model lists', () => {
  it('lose only their invalid parts', async () => {
    const { models } = await catalogueOf({
      object: 'list',
      data: [
        null,
        'bare-name',
        7,
        { id: 12, created: '1700000000', context_length: '8192', owned_by: 5, capabilities: 'chat', type: null },
        { id: 'same' },
        { id: 'same', context_length: 1 },
        { id: 'qwen3:8b', context_length: -5, max_output_tokens: 1.5, meta: null, architecture: [], limits: 'none' },
        { object: 'model' },
      ],
    });
    assert.deepEqual(models, [
      { id: 'bare-name', types: [], subTypes: [] },
      { id: '12', created: 1700000000, contextLength: 8192, types: [], subTypes: [] },
      { id: 'same', types: [], subTypes: [] },
      { id: 'qwen3:8b', types: [], subTypes: [] },
    ]);
  });

  it('are empty for null', async () => {
    for (const body of [{ object: 'list', data: null }, { models: null }, { data: [] }, []])
      assert.deepEqual((await catalogueOf(body)).models, []);
  });

  it('end if a server sends the same page forever', async () => {
    const page = { data: [{ id: 'a' }], has_more: true, last_id: 'a' };
    const { models, queries } = await catalogueOf(page, page);
    assert.equal(models.length, 1);
    assert.equal(queries.length, 2);
  });
});
