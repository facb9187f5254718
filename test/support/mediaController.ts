import { deepEqual } from 'node:assert/strict';
import { createMediaRuntime } from '../../src/features/media/mediaRuntime';
import type { MediaRuntime } from '../../src/features/media/mediaRuntime';
import type { MediaQuestions } from '../../src/features/media/logic/mediaQuestions';
import { createLastEditor } from '../../src/platform/workspace/lastEditor';
import type { LastEditor } from '../../src/platform/workspace/lastEditor';
import type { Asset, MediaJob } from '../../src/services/media/media';
import type { Services } from '../../src/services/services';

/** Actions on generated files, with a simulated user who answers as the test sets and whose questions are checked. */
export interface MediaController {
  readonly runtime: MediaRuntime;
  readonly lastEditor: LastEditor;
  /** The answers to the next questions. An unexpected question fails. */
  answers: Partial<MediaQuestions>;
  /** Commands that were run, with their arguments. */
  readonly ran: (readonly unknown[])[];
  dispose(): void;
}

export function createMediaController(services: Services): MediaController {
  const lastEditor = createLastEditor();
  const ran: (readonly unknown[])[] = [];
  const controller: MediaController = {
    answers: {},
    ran,
    lastEditor,
    runtime: createMediaRuntime({
      ...services,
      lastEditor,
      questions: answered(() => controller.answers),
      run: async (id, ...args) => {
        ran.push([id, ...args]);
      },
    }),
    dispose: () => lastEditor.dispose(),
  };
  return controller;
}

function answered(answers: () => Partial<MediaQuestions>): MediaQuestions {
  return new Proxy({} as MediaQuestions, {
    get:
      (_, name: keyof MediaQuestions) =>
      async (...asked: readonly unknown[]) => {
        const answer = answers()[name] as ((...args: readonly unknown[]) => unknown) | undefined;
        deepEqual(answer === undefined ? `asked ${name}` : '', '');
        return answer?.(...asked);
      },
  });
}

const model = { image: 'Qwen/Qwen-Image', video: 'Wan-AI/Wan2.2-T2V-A14B' } as const;

/** Generates an image, and waits until its file is saved. */
export async function makeImage({ media }: Pick<Services, 'media'>, prompt: string, seed = 7): Promise<Asset> {
  const request = { model: model.image, prompt, image_size: '512x512', seed };
  const { id } = await (await media()).submit({ kind: 'image', request });
  const job = await (await media()).whenEnded(id);
  const asset = await (await media()).assets.read(job.results?.[0]?.path ?? '');
  if (!asset) throw new Error(`Nothing was made: ${job.lastError?.message ?? job.stage}`);
  return asset;
}

export async function submitVideo({ media }: Pick<Services, 'media'>, prompt: string): Promise<MediaJob> {
  return (await media()).submit({ kind: 'video', request: { model: model.video, prompt, image_size: '1280x720' } });
}

/** Waits for a video of a service that generates it immediately, without the delay before a status request. */
export async function videoEnded({ media }: Pick<Services, 'media'>, id: string): Promise<MediaJob> {
  await (await media()).checkNow(id);
  return (await media()).whenEnded(id);
}
