// https://docs.siliconflow.com/en/api-reference/audio/create-audio-transcriptions
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';

/** The service accepts at most one hour and 50 MB. */
export const transcriptionRequest = z.strictObject({
  model: z.string(),
  /** A file on disk, which is streamed. */
  path: z.string(),
});

export type TranscriptionRequest = Immutable<z.infer<typeof transcriptionRequest>>;

export const transcriptionResponse = z.looseObject({ text: z.string() });

export interface Transcription {
  readonly text: string;
}
