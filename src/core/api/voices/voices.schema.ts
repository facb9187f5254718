// https://docs.siliconflow.com/en/api-reference/audio/upload-voice
// https://docs.siliconflow.com/en/api-reference/audio/voice-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';

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

export const voiceUploaded = z.looseObject({ uri: z.string() });

const voice = z.looseObject({
  uri: z.string(),
  model: z.nullish(z.string()),
  customName: z.nullish(z.string()),
  text: z.nullish(z.string()),
});

/** `results` according to the reference; `result`, `data` and a bare list have been seen too. */
export const voiceListResponse = z.union([
  z.array(voice),
  z
    .looseObject({
      results: z.nullish(z.array(voice)),
      result: z.nullish(z.array(voice)),
      data: z.nullish(z.array(voice)),
    })
    .check(z.refine(({ results, result, data }) => Array.isArray(results ?? result ?? data))),
]);

export const voiceDeletedResponse = z.unknown();

export interface Voice {
  /** `speech:<name>:<id>:<id>` */
  readonly uri: string;
  readonly customName?: string;
  readonly model?: string;
  readonly text?: string;
}
