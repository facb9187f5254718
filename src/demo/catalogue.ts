export type ModelType = 'text' | 'image' | 'audio' | 'video';
export type ModelSubType =
  | 'chat'
  | 'embedding'
  | 'reranker'
  | 'text-to-image'
  | 'image-to-image'
  | 'speech-to-text'
  | 'text-to-video';

export interface CatalogueModel {
  readonly id: string;
  /** Unset for the one model that only the unfiltered list contains. */
  readonly type?: ModelType;
  readonly subType?: ModelSubType;
  /** Chat: how the model thinks. `always` cannot be turned off, `asked` thinks on request, `yes` unless turned off. */
  readonly thinks?: 'always' | 'yes' | 'asked';
  /** Chat: accepts `suffix` on `/completions`. */
  readonly fillsIn?: true;
  /** Context length in tokens, prompt and answer together. */
  readonly context?: number;
  readonly maxTokens?: number;
  /** Millionths of a currency unit per 1000 tokens, per image or per clip. */
  readonly price: number;
}

const chat = (id: string, price: number, more: Partial<CatalogueModel> = {}): CatalogueModel => ({
  id,
  type: 'text',
  subType: 'chat',
  context: 131_072,
  maxTokens: 16_384,
  price,
  ...more,
});

/** In the order of the list's response. The first chat model doesn't think. IDs look like those of public services. */
export const catalogue: readonly CatalogueModel[] = [
  chat('Qwen/Qwen3-30B-A3B-Instruct-2507', 280),
  chat('deepseek-ai/DeepSeek-V3.2', 420, { thinks: 'asked', fillsIn: true }),
  chat('deepseek-ai/DeepSeek-R1', 2180, { thinks: 'always', maxTokens: 32_768 }),
  chat('Qwen/Qwen3-235B-A22B-Thinking-2507', 600, { thinks: 'always', maxTokens: 32_768 }),
  chat('moonshotai/Kimi-K2-Thinking', 2500, { thinks: 'yes', context: 262_144, maxTokens: 32_768 }),
  chat('zai-org/GLM-4.6', 1900, { thinks: 'yes', context: 204_800 }),
  chat('deepseek-ai/DeepSeek-V3', 1000),
  chat('Qwen/Qwen2.5-Coder-32B-Instruct', 180, { fillsIn: true, context: 32_768, maxTokens: 4_096 }),
  chat('tencent/Hunyuan-MT-7B', 0, { context: 32_768, maxTokens: 8_192 }),
  chat('Pro/deepseek-ai/DeepSeek-V3.2', 420, { thinks: 'asked', fillsIn: true }),
  { id: 'BAAI/bge-m3', type: 'text', subType: 'embedding', context: 8_192, price: 0 },
  { id: 'Pro/BAAI/bge-m3', type: 'text', subType: 'embedding', context: 8_192, price: 70 },
  { id: 'Qwen/Qwen3-Embedding-8B', type: 'text', subType: 'embedding', context: 32_768, price: 40 },
  { id: 'BAAI/bge-reranker-v2-m3', type: 'text', subType: 'reranker', price: 0 },
  { id: 'netease-youdao/bce-reranker-base_v1', type: 'text', subType: 'reranker', price: 0 },
  { id: 'Qwen/Qwen3-Reranker-8B', type: 'text', subType: 'reranker', price: 40 },
  { id: 'black-forest-labs/FLUX.2-pro', type: 'image', subType: 'text-to-image', price: 30_000 },
  { id: 'black-forest-labs/FLUX.2-flex', type: 'image', subType: 'text-to-image', price: 60_000 },
  { id: 'Qwen/Qwen-Image', type: 'image', subType: 'text-to-image', price: 20_000 },
  { id: 'Qwen/Qwen-Image-Edit-2509', type: 'image', subType: 'image-to-image', price: 40_000 },
  { id: 'FunAudioLLM/CosyVoice2-0.5B', type: 'audio', price: 7_150 },
  { id: 'IndexTeam/IndexTTS-2', type: 'audio', price: 7_150 },
  { id: 'FunAudioLLM/SenseVoiceSmall', type: 'audio', subType: 'speech-to-text', price: 0 },
  { id: 'TeleAI/TeleSpeechASR', type: 'audio', subType: 'speech-to-text', price: 0 },
  { id: 'Wan-AI/Wan2.2-T2V-A14B', type: 'video', subType: 'text-to-video', price: 290_000 },
  { id: 'Wan-AI/Wan2.1-T2V-14B-Turbo', type: 'video', subType: 'text-to-video', price: 210_000 },
  { id: 'tencent/HunyuanVideo-HD', type: 'video', subType: 'text-to-video', price: 250_000 },
  { id: 'Wan-AI/Wan2.2-I2V-A14B', type: 'video', price: 290_000 },
  { id: 'Qwen/Qwen3Guard-Gen-8B', price: 100 },
];

/** The model that custom voices can be created for, and the two that `replace` can move a batch to. */
export const voiceModel = 'FunAudioLLM/CosyVoice2-0.5B';
export const replacementModels: readonly string[] = ['deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-R1'];

export const modelsOf = (subType: ModelSubType): readonly CatalogueModel[] =>
  catalogue.filter((model) => model.subType === subType);
export const findModel = (id: string): CatalogueModel | undefined => catalogue.find((model) => model.id === id);
export const isTextToSpeech = (model: CatalogueModel): boolean => model.type === 'audio' && model.subType === undefined;

/** Returns an index unique to each chat model; two ids of the same model share it. */
export const voiceOf = ({ id }: CatalogueModel): number => {
  const names = [...new Set(modelsOf('chat').map((model) => model.id.replace(/^Pro\//, '')))];
  return Math.max(0, names.indexOf(id.replace(/^Pro\//, '')));
};
