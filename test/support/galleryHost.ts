import type { Asset, UnreadableAsset } from '../../src/core/assets/recipe';
import { GalleryController, idOf } from '../../src/features/gallery/logic/galleryController';
import type { MediaAssets, MediaInput } from '../../src/services/media/media';
import type { Handlers } from '../../src/protocol/call';
import type { GalleryNotice, GalleryScreen } from '../../src/protocol/gallery';

export interface GalleryContents {
  /** Newest first. Can be changed. */
  assets: readonly Asset[];
  /** Paths of missing files. */
  readonly gone?: ReadonlySet<string>;
  readonly inputs?: Readonly<Record<string, MediaInput>>;
  readonly unreadable?: readonly UnreadableAsset[];
  readonly notices?: readonly GalleryNotice[];
  /** Maps a file to its URL for the page. Defaults to its path. */
  readonly toSrc?: (path: string) => string;
}

export const galleryNow = Date.parse('2026-11-21T12:00:00');

/** The calls of the page, in order. */
export type GalleryAsked = readonly [method: string, about: unknown];

/** Creates the gallery's own controller over the test's files. */
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
      return { message: 'Copied.' };
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
