import { familyOf } from '../capabilities/modelFamilies';
import type { ModelJob } from './model';

/**
 * What the name of a model, in lowercase and without its vendor, says about its purpose. The first match applies. `undefined`: the name
 * resembles that of a chat model, but the model might not be one.
 */
const table: readonly (readonly [RegExp, readonly ModelJob[] | undefined])[] = [
  [/moderation|classif|prompt-guard|realtime/, []],
  [/rerank|cross-encoder|ms-marco|colbert/, ['rerank']],
  [
    /embed|(^|[-_])(bge|e5|gte|m3e|bce)-|minilm|mpnet|text-similarity|jina-clip|^voyage-|sentence-t5|\bstella\b|potion-/,
    ['embedding'],
  ],
  [
    /whisper|transcri(be|ption)|sensevoice|(^|[-_])(asr|stt)([-_.]|$)|paraformer|parakeet|canary-|speech-to-text|telespeech|moonshine/,
    ['transcription'],
  ],
  [
    /(^|[-_.])tts([-_.\d]|$)|ttsd|index-?tts|chattts|cosyvoice|fish-(speech|audio)|kokoro|orpheus|(^|-)bark(-|$)|parler|csm-1b|^sonic-|speech-0\d|text-to-speech|melotts|chatterbox|voxcpm/,
    ['voice'],
  ],
  [
    /(^|[-_.])(t2v|i2v)([-_.]|$)|text-to-video|image-to-video|^sora|(^|[-_])veo-?\d|kling|hunyuan-?video|ltx-?video|^mochi-|cogvideo|hailuo|seedance|pixverse|^vidu|^wan-?2/,
    ['video'],
  ],
  [
    /dall-?e|gpt-image|(^|[-_.])flux|stable-?diffusion|sdxl|^sd-?3|kolors|qwen-image|z-image|glm-image|^imagen|^image-0\d|seedream|seededit|hidream|playground-v|kandinsky|janus-pro|cogview|hunyuan-?image|recraft|ideogram|photon|omnigen|pixart|text-to-image|image-to-image/,
    ['image'],
  ],
  [/^(davinci|babbage)-002|3\.5-turbo-instruct|-base$|-base-|starcoder|stable-code/, ['completion']],
  // Some support no chat completions, some only with audio or images.
  [/guard|ocr|hunyuan-mt|translat|audio|codex|deep-research|computer-use|flash-image|^(gpt|o\d).*-pro\b/, undefined],
];

/** Returns the purposes that a model's name shows, an empty list if it shows that there are none, or `undefined` if it shows nothing. */
export function namedJobs(id: string): readonly ModelJob[] | undefined {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  const row = table.find(([pattern]) => pattern.test(name));
  if (row) return row[1];
  return familyOf(id) && ['chat'];
}
