import type { CatalogueModel, ListedModel, ModelJob } from './model';
import { namedJobs } from './namedJobs';

type Words = Readonly<Record<string, readonly ModelJob[]>>;

/** The words by which lists call kinds of models. A kind that does none of the jobs is known too. */
const types: Words = {
  chat: ['chat'],
  llm: ['chat'],
  vlm: ['chat'],
  text: ['chat'],
  responses: ['chat'],
  conversational: ['chat'],
  'text-generation': ['chat'],
  chat_completion: ['chat'],
  'chat-completion': ['chat'],
  language: ['chat', 'completion'],
  code: ['completion'],
  completion: ['completion'],
  'text-completion': ['completion'],
  text_completion: ['completion'],
  embedding: ['embedding'],
  embeddings: ['embedding'],
  embed: ['embedding'],
  'text-embedding': ['embedding'],
  'feature-extraction': ['embedding'],
  rerank: ['rerank'],
  reranker: ['rerank'],
  image: ['image'],
  images: ['image'],
  image_generation: ['image'],
  image_edit: ['image'],
  'image-generation': ['image'],
  'text-to-image': ['image'],
  video: ['video'],
  video_generation: ['video'],
  'text-to-video': ['video'],
  transcribe: ['transcription'],
  transcription: ['transcription'],
  audio_transcription: ['transcription'],
  asr: ['transcription'],
  'speech-to-text': ['transcription'],
  'automatic-speech-recognition': ['transcription'],
  speech: ['voice'],
  tts: ['voice'],
  audio_speech: ['voice'],
  'text-to-speech': ['voice'],
  moderation: [],
  classify: [],
  classification: [],
};

/** A list of capabilities says `completion` of whatever writes text: that may be a chat, and is said of rerankers too. */
const capabilities: Words = {
  chat: ['chat'],
  completion_chat: ['chat'],
  chat_completion: ['chat'],
  supports_chat: ['chat'],
  completion_fim: ['completion'],
  insert: ['completion'],
  embed: ['embedding'],
  embedding: ['embedding'],
  embeddings: ['embedding'],
  rerank: ['rerank'],
  image_generation: ['image'],
  text2image: ['image'],
  image2image: ['image'],
  text2video: ['video'],
  image2video: ['video'],
  audio_transcription: ['transcription'],
  audio2text: ['transcription'],
  audio_speech: ['voice'],
  text2audio: ['voice'],
  moderation: [],
};

const endpoints: readonly (readonly [RegExp, readonly ModelJob[]])[] = [
  [
    /^chat$|chat\/completions$|^chat[._-]completions?$|^(openai|anthropic|gemini)$|\/messages$|^generatecontent$/,
    ['chat'],
  ],
  [/(^|[^t])\/completions$|^completions?$/, ['completion']],
  [/^embed|embeddings$|embedcontent$/, ['embedding']],
  [/rerank$/, ['rerank']],
  [/^images?\b|images\/generations$/, ['image']],
  [/video/, ['video']],
  [/transcriptions?$/, ['transcription']],
  [/speech$/, ['voice']],
];

const outputs: Words = {
  text: ['chat'],
  image: ['image'],
  video: ['video'],
  audio: ['voice'],
  speech: ['voice'],
  embeddings: ['embedding'],
  embedding: ['embedding'],
  rerank: ['rerank'],
};

/** Turns an entry of a list into what is known of the model; `types` and `subTypes` are left to the filters. */
export function listedFacts(model: ListedModel): Omit<CatalogueModel, 'types' | 'subTypes'> {
  const { id, displayName, ownedBy, created, contextLength, maxOutputTokens } = model;
  const facts = {
    displayName,
    ownedBy,
    created,
    contextLength,
    maxOutputTokens,
    jobs: jobsListed(model),
    tools: stated(
      model,
      /^(supports_?)?(tools?|tool[_-]?(use|calls?|calling)|function_?calling|trained_for_tool_use)$/,
    ),
    images: takesImages(model),
    reasoning: stated(
      model,
      /^(supports_?)?(reasoning|thinking|include_reasoning|reasoning_effort|extended_thinking)$/,
    ),
  };
  return { id, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) };
}

/** The most specific statement counts; lists contradict themselves otherwise. */
function jobsListed(model: ListedModel): readonly ModelJob[] | undefined {
  const able = Object.entries(model.capabilities ?? {}).flatMap(([word, is]) => (is ? [word] : []));
  const called = (model.endpoints ?? []).flatMap((endpoint) => {
    const row = endpoints.find(([pattern]) => pattern.test(endpoint));
    return row ? [row[1]] : [];
  });
  return (
    jobsAmong(model.types, types) ??
    (called.length > 0 ? distinct(called) : undefined) ??
    jobsAmong(able, capabilities) ??
    jobsByOutput(model) ??
    vagueJobs(model, able)
  );
}

/** Returns `undefined` if no word is known. */
function jobsAmong(words: readonly string[] = [], known: Words): readonly ModelJob[] | undefined {
  const found = words.filter((word) => Object.hasOwn(known, word)).map((word) => known[word]!);
  return found.length === 0 ? undefined : distinct(found);
}

function distinct(jobs: readonly (readonly ModelJob[])[]): readonly ModelJob[] {
  return [...new Set(jobs.flat())];
}

/** A model that writes text besides pictures or speech does so in a chat. One that only hears and writes transcribes. */
function jobsByOutput({ inputs = [], outputs: made = [] }: ListedModel): readonly ModelJob[] | undefined {
  if (!made.includes('text')) return jobsAmong(made, outputs);
  const onlyHears = inputs.length > 0 && inputs.every((input) => input === 'audio');
  return onlyHears ? ['transcription'] : ['chat'];
}

/** What is said of models of several kinds counts only where the name says nothing. */
function vagueJobs({ id, types: kinds }: ListedModel, able: readonly string[]): readonly ModelJob[] | undefined {
  if (namedJobs(id)) return undefined;
  if (able.includes('completion')) return ['chat', 'completion'];
  return kinds?.includes('audio') ? ['voice'] : undefined;
}

/** True if any word that matches is stated, false if all are denied. */
function stated({ capabilities: all = {} }: ListedModel, pattern: RegExp): boolean | undefined {
  const found = Object.entries(all).filter(([word]) => pattern.test(word));
  return found.length === 0 ? undefined : found.some(([, is]) => is);
}

function takesImages(model: ListedModel): boolean | undefined {
  const said = stated(model, /^(supports_?)?(vision|multimodal|image[_-]input)$/);
  if (said !== undefined) return said;
  if (model.inputs) return model.inputs.includes('image');
  return model.types?.includes('vlm') || undefined;
}
