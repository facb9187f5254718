import type { Asset, UnreadableAsset } from '../../src/core/assets/recipe';
import { GalleryController, idOf } from '../../src/features/gallery/logic/galleryController';
import type { MediaAssets, MediaInput } from '../../src/services/media/media';
import type { Handlers } from '../../src/protocol/call';
import type { GalleryNotice, GalleryScreen } from '../../src/protocol/gallery';

export interface GalleryContents {
  /** Newest first; may be changed. */
  assets: readonly Asset[];
  /** Paths of files that are gone. */
  readonly gone?: ReadonlySet<string>;
  readonly inputs?: Readonly<Record<string, MediaInput>>;
  readonly unreadable?: readonly UnreadableAsset[];
  readonly notices?: readonly GalleryNotice[];
  /** Where the page finds a file; its path where absent. */
  readonly toSrc?: (path: string) => string;
}

export const galleryNow = Date.parse('2026-11-21T12:00:00');

/** What the page asked to be done, in order. */
export type GalleryAsked = readonly [method: string, about: unknown];

/** The gallery's own controller over files of the test's own. */
export function createGalleryHost(shelf: GalleryContents, handlers: Partial<Handlers<GalleryScreen>> = {}) {
  const controller = galleryControllerOf(shelf);
  const asked: GalleryAsked[] = [];
  const note = (method: string) => async (about: unknown) => {
    asked.push([method, about]);
    return {};
  };
  const all: Handlers<GalleryScreen> = {
    'gallery/arrange': async (order, { signal }) => ({
      ...(await controller.arrange(order, signal)),
      canMake: true,
      notices: shelf.notices ?? [],
    }),
    'gallery/tiles': async ({ from, count }) => ({ tiles: controller.tiles(from, count) }),
    'gallery/details': ({ id }) => controller.details(id),
    'gallery/act': note('act'),
    async 'gallery/copy'(about) {
      asked.push(['copy', about]);
      return { said: 'Copied.' };
    },
    'gallery/actOnSelected': note('actOnSelected'),
    'gallery/useFrame': note('useFrame'),
    'gallery/mend': note('mend'),
    'gallery/make': note('make'),
    ...handlers,
  };
  return { handlers: all, asked, controller, idOf };
}

export function galleryControllerOf(shelf: GalleryContents): GalleryController {
  const assets = { list: async () => shelf.assets, input: async (ref) => shelf.inputs?.[ref] } as MediaAssets;
  return new GalleryController(async () => assets, {
    toSrc: shelf.toSrc ?? ((path) => path),
    exists: async (path) => shelf.gone?.has(path) !== true,
    language: 'en',
    now: () => galleryNow,
  });
}
