import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import { maxImageBytes } from '../../protocol/mediaBounds';
import type { VideosScreen } from '../../protocol/videos';
import { formSchema } from './savedForm';

const nothing = z.strictObject({});
const text = (most: number) => z.string().check(z.maxLength(most));
const base64 = text(Math.ceil(maxImageBytes / 3) * 4);
const job = text(200);
const index = z.int().check(z.nonnegative(), z.maximum(100));
const name = text(300);

/** Schemas of the parameters that the page may send with each call. */
export const videosParams: ParamSchemas<VideosScreen> = {
  'videos/ready': nothing,
  'videos/form': z.strictObject({ form: formSchema }),
  'videos/submit': z.strictObject({ form: formSchema }),
  'videos/stop': nothing,
  'videos/choosePicture': nothing,
  'videos/givePicture': z.strictObject({
    uris: z.array(text(10_000)).check(z.maxLength(2)),
    pictures: z
      .array(
        z.union([
          z.strictObject({ name, base64 }),
          z.strictObject({ name, trouble: z.enum(['folder', 'tooLarge', 'unreadable']) }),
        ]),
      )
      .check(z.maxLength(2)),
  }),
  'videos/actOnJob': z.strictObject({
    job,
    action: z.enum(['checkNow', 'fetchAgain', 'fetchAnyway', 'submitAgain', 'fillForm', 'forget']),
  }),
  'videos/failed': z.strictObject({ action: z.enum(['retry', 'clear']) }),
  'videos/actOnFile': z.strictObject({
    job,
    index,
    action: z.enum([
      'insert',
      'saveAs',
      'regenerate',
      'vary',
      'openOutside',
      'reveal',
      'copyPath',
      'showRecipe',
      'remove',
    ]),
  }),
  'videos/saveFrame': z.strictObject({ job, index, seconds: z.number().check(z.nonnegative()), png: base64 }),
  'videos/act': z.strictObject({ action: text(1000) }),
};
