import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import { maxImageBytes, mostSelected } from './mediaBounds';

/** Which generated files are shown, and how they are sorted. */
const view = z.strictObject({
  /** Empty to show all. */
  query: z.string().check(z.maxLength(1000)),
  kind: z.enum(['all', 'image', 'video', 'speech']),
  sort: z.enum(['newest', 'oldest', 'model']),
});
export type GalleryView = Accepted<typeof view>;
export type GalleryKind = Exclude<GalleryView['kind'], 'all'>;

/** The arranged list. Display texts are localized. */
export interface GalleryArranged {
  /** Number of all saved files, whatever the filter. */
  readonly total: number;
  readonly count: number;
  readonly countText: string;
  /** The groups under a heading, in order. */
  readonly parts: readonly { readonly heading: string; readonly count: number }[];
  /** Index in the list by requested id; ids not listed are absent. */
  readonly places: Readonly<Record<string, number>>;
  /** Requested ids of files that no longer exist. */
  readonly missing: readonly string[];
  /** Whether the service may generate images. */
  readonly canMake: boolean;
  /** The unreadable files and folders. */
  readonly notices: readonly GalleryNotice[];
}

export interface GalleryNotice {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly { readonly id: string; readonly label: string }[];
}

export interface GalleryTile {
  /** Identifies the file to the host, also after a reload. */
  readonly id: string;
  readonly kind: GalleryKind;
  /** Localized name. */
  readonly label: string;
  /** Localized: its seed and size. */
  readonly about: string;
  /** URI of a local file that the page may show. */
  readonly src: string;
  readonly width?: number;
  readonly height?: number;
  /** The beginning of its prompt or spoken text. */
  readonly text: string;
}

/** All details of one item. Everything is text of its recipe unless marked as localized. */
export interface GalleryDetails extends Omit<GalleryTile, 'about'> {
  /** File name. */
  readonly name: string;
  /** Prompts and spoken texts; labels are localized. */
  readonly texts: readonly { readonly label: string; readonly text: string }[];
  /** Localized; `copy` is the text to copy if the value is shortened or localized. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly copy?: string }[];
  /** As sent. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Images sent with the request. `src` is missing if one is no longer stored here. Names are localized. */
  readonly inputs: readonly { readonly name: string; readonly src?: string }[];
  /** Localized: other jobs with the same result. */
  readonly earlier: readonly string[];
  /** The file no longer exists. */
  readonly isGone: boolean;
  readonly actions: readonly GalleryAction[];
  /** The label of the action that sends its request again, with the price. */
  readonly regenerate?: string;
}

const action = z.enum([
  'regenerate',
  'vary',
  'edit',
  'useAsFirstFrame',
  'insert',
  'saveAs',
  'copyPath',
  'open',
  'openOutside',
  'reveal',
  'showRecipe',
  'remove',
]);
export type GalleryAction = Accepted<typeof action>;

const bulkAction = z.enum(['insert', 'saveAs', 'exportDetails', 'remove']);
export type GalleryBulkAction = Accepted<typeof bulkAction>;

const id = z.string().check(z.regex(/^[\da-f]{24}$/));
const index = z.int().check(z.nonnegative());

export const galleryCalls = {
  /** Arranges the list; with `again`, rereads the folders first. `find`: ids whose index is returned in `places`. */
  'gallery/arrange': call(
    z.strictObject({ view, again: z.boolean(), find: z.array(id).check(z.maxLength(mostSelected + 10)) }),
    returns<GalleryArranged>(),
  ),
  /** Returns items of the list, starting at index `from`. */
  'gallery/tiles': call(
    z.strictObject({ from: index, count: z.int().check(z.nonnegative(), z.maximum(500)) }),
    returns<{ readonly tiles: readonly GalleryTile[] }>(),
  ),
  'gallery/details': call(z.strictObject({ id }), returns<GalleryDetails>()),
  'gallery/act': call(z.strictObject({ id, action })),
  /** Runs an action on several items together. */
  'gallery/actOnSelected': call(
    z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(mostSelected)), action: bulkAction }),
  ),
  /** Opens the page for a new video with this frame, a PNG, as its first one. */
  'gallery/useFrame': call(z.strictObject({ png: z.string().check(z.maxLength(Math.ceil(maxImageBytes / 3) * 4)) })),
  /** Copies one fact of an item's details, by index. */
  'gallery/copy': call(z.strictObject({ id, fact: index }), returns<{ readonly message: string }>()),
  /** Runs an action of a notice. */
  'gallery/mend': call(
    z.strictObject({ notice: z.string().check(z.maxLength(100)), action: z.string().check(z.maxLength(100)) }),
  ),
  /** Opens the page for a new image or video. */
  'gallery/make': call(z.strictObject({ kind: z.enum(['image', 'video']) })),
};

export interface GalleryScreen {
  readonly state: GalleryView & {
    readonly selected: string | null;
    /** Scroll position in pixels. */
    readonly scroll: number;
  };
  readonly calls: CallsOf<typeof galleryCalls>;
  readonly events: {
    /** Files were added or removed: the list must be arranged again. */
    readonly 'gallery/changed': Record<never, never>;
  };
}
