import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import { pcmRates, voiceBounds } from '../../protocol/mediaBounds';
import type { VoiceUploadScreen } from '../../protocol/voiceUpload';

const nothing = z.strictObject({});
/** Twice the limit: the page marks text that is too long, which should not be lost. */
const typed = (most: number) => z.string().check(z.maxLength(most * 2));
const part = z.number().check(z.minimum(0), z.maximum(1));

const form = z.strictObject({
  name: typed(voiceBounds.name * 10),
  text: typed(voiceBounds.text),
  model: typed(voiceBounds.model),
  way: z.enum(['file', 'base64']),
  pcmRate: z.union([z.literal(0), ...pcmRates.map((rate) => z.literal(rate))]),
  note: typed(voiceBounds.note),
  isAllowed: z.boolean(),
});

/** Slightly more than the largest readable file takes as Base64. */
const mostDropped = 68_000_000;

/** Schemas of the parameters that the page may send with each call. */
export const uploadParams: ParamSchemas<VoiceUploadScreen> = {
  'voiceUpload/ready': nothing,
  'voiceUpload/form': z.strictObject({ form }),
  'voiceUpload/sound': nothing,
  'voiceUpload/levels': z.strictObject({
    soundId: z.string().check(z.maxLength(100)),
    levels: z.strictObject({
      seconds: z.number().check(z.minimum(0), z.maximum(100_000)),
      peak: part,
      loudness: part,
      clippedPart: part,
      silentPart: part,
    }),
  }),
  'voiceUpload/choose': nothing,
  'voiceUpload/readAgain': nothing,
  'voiceUpload/drop': z.union([
    z.strictObject({ uri: z.string().check(z.minLength(1), z.maxLength(4000)) }),
    z.strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(300)),
      base64: z.string().check(z.maxLength(mostDropped), z.regex(/^[A-Za-z\d+/]*={0,2}$/)),
    }),
  ]),
  'voiceUpload/models': nothing,
  'voiceUpload/transcribe': z.strictObject({ model: z.string().check(z.minLength(1), z.maxLength(voiceBounds.model)) }),
  'voiceUpload/stopTranscribing': nothing,
  'voiceUpload/tookHeard': z.strictObject({ id: z.string().check(z.maxLength(100)) }),
  'voiceUpload/send': z.strictObject({
    form,
    profileId: z.string().check(z.maxLength(200)),
    evenIfNamed: z.boolean(),
  }),
  'voiceUpload/stop': nothing,
  'voiceUpload/act': z.strictObject({ id: z.string().check(z.maxLength(400)) }),
};
