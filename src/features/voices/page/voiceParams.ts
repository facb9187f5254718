import '../../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
import { longestNote } from '../../../protocol/voice';
import type { VoiceScreen } from '../../../protocol/voice';

const nothing = z.strictObject({});
const text = (most: number) => z.string().check(z.maxLength(most));
const id = text(200);
/** No number is longer; like the other limits, this guards against a misbehaving page. */
const number = text(100);
const model = text(500);
const form = z.strictObject({
  input: text(1_000_000),
  model,
  response_format: z.enum(['', 'mp3', 'opus', 'wav', 'pcm']),
  sample_rate: number,
  speed: number,
  gain: number,
  stream: z.boolean(),
});

/** Schemas of the parameters that the page may send with each call. */
export const voiceParams: ParamSchemas<VoiceScreen> = {
  'voice/ready': nothing,
  'voice/form': z.strictObject({ form }),
  'voice/note': z.strictObject({ text: text(longestNote), isAllowed: z.boolean() }),
  'voice/speak': z.strictObject({ form }),
  'voice/stop': nothing,
  'voice/take': z.strictObject({
    id,
    step: z.enum(['use', 'again', 'insert', 'saveAs', 'reveal', 'recipe', 'openOutside', 'remove']),
  }),
  'voice/transcribe': z.strictObject({ model, take: z.optional(id) }),
  'voice/stopTranscribing': nothing,
  'voice/transcript': z.strictObject({ step: z.enum(['copy', 'insert', 'open', 'dismiss']) }),
  'voice/do': z.strictObject({ step: z.enum(['copyUri', 'insertUri', 'delete', 'other']) }),
  'voice/act': z.strictObject({ id }),
};
