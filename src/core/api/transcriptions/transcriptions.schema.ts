// https://docs.siliconflow.com/en/api-reference/audio/create-audio-transcriptions
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { enveloped } from '../envelope';
import { lenientText } from '../tolerant';
import type { AnswerIds } from '../transport/transport';

/** The service accepts at most one hour and 50 MB. */
export const transcriptionRequest = z.strictObject({
  model: z.string(),
  /** A file on disk, which is streamed. */
  path: z.string(),
});

export type TranscriptionRequest = Immutable<z.infer<typeof transcriptionRequest>>;

/** A recording without speech has an empty text, or none. */
export const transcriptionResponse = enveloped(
  'text',
  z.looseObject({ text: z.nullable(z.string()), model: lenientText }),
);

export interface Transcription extends AnswerIds {
  readonly text: string;
  /** The model that answered, if the service names it. */
  readonly model?: string;
}
