// https://docs.siliconflow.com/en/api-reference/audio/upload-voice
// https://docs.siliconflow.com/en/api-reference/audio/voice-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { enveloped, listIn } from '../envelope';
import { entriesOf, lenientText, requiredText } from '../tolerant';

/** The reference's part name `1.file` is an artifact of its generator; the part is `file`. */
export const voiceRequest = z.strictObject({
  model: z.string(),
  customName: z.string(),
  /** Transcript of the sample, word for word. */
  text: z.string(),
  sample: z.union([
    /** A file on disk, which is streamed. */
    z.strictObject({ path: z.string() }),
    /** `data:audio/mpeg;base64,…` */
    z.strictObject({ audio: z.string() }),
  ]),
});

export const audioRequest = z.strictObject({ audio: z.string() });

export type VoiceRequest = Immutable<z.infer<typeof voiceRequest>>;

export const voiceUploaded = enveloped('uri', z.looseObject({ uri: requiredText }));

const voice = z.looseObject({
  uri: requiredText,
  model: lenientText,
  customName: lenientText,
  text: lenientText,
});

/** `results` according to the reference; `result`, `data` and a bare list have been seen too. */
export const voiceListResponse = listIn(['results', 'result'], z.looseObject({ list: entriesOf(voice) }));

export const voiceDeletedResponse = z.unknown();

export interface Voice {
  /** `speech:<name>:<id>:<id>` */
  readonly uri: string;
  readonly customName?: string;
  readonly model?: string;
  readonly text?: string;
}
