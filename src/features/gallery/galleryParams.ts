import '../../core/api/jitless';
import * as z from 'zod/mini';
import type { ParamSchemas } from '../../platform/webview/webviewEnvelope';
import type { GalleryScreen } from '../../protocol/gallery';

const id = z.string().check(z.regex(/^[\da-f]{24}$/));
const index = z.int().check(z.nonnegative());
const view = z.strictObject({
  query: z.string().check(z.maxLength(1000)),
  kind: z.enum(['all', 'image', 'video', 'speech']),
  sort: z.enum(['newest', 'oldest', 'model']),
});
const action = z.enum([
  'regenerate',
  'vary',
  'insert',
  'saveAs',
  'copyPath',
  'open',
  'openOutside',
  'reveal',
  'showRecipe',
  'remove',
]);

/** Schemas of the parameters that the page may send with each call. */
export const galleryParams: ParamSchemas<GalleryScreen> = {
  'gallery/arrange': z.strictObject({ view, again: z.boolean(), find: z.array(id).check(z.maxLength(10)) }),
  'gallery/tiles': z.strictObject({ from: index, count: z.int().check(z.nonnegative(), z.maximum(500)) }),
  'gallery/details': z.strictObject({ id }),
  'gallery/act': z.strictObject({ id, action }),
  'gallery/copy': z.strictObject({ id, fact: index }),
  'gallery/mend': z.strictObject({
    notice: z.string().check(z.maxLength(100)),
    action: z.string().check(z.maxLength(100)),
  }),
  'gallery/make': z.strictObject({ kind: z.enum(['image', 'video']) }),
};
