import type { Call } from './call';

export type GalleryKind = 'image' | 'video' | 'speech';

/** Which generated files are shown, and how they are sorted. */
export interface GalleryView {
  /** Empty to show all. */
  readonly query: string;
  readonly kind: GalleryKind | 'all';
  readonly sort: 'newest' | 'oldest' | 'model';
}

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
  /** What could not be read. */
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
  /** Localized. */
  readonly caption: string;
  /** URI of a local file that the page may show. */
  readonly src: string;
  readonly width?: number;
  readonly height?: number;
  /** The beginning of its prompt or spoken text. */
  readonly text: string;
}

/** All details of one item. Everything is text of its recipe unless marked as localized. */
export interface GalleryDetails extends Omit<GalleryTile, 'caption'> {
  /** File name. */
  readonly name: string;
  /** Prompts and spoken texts; labels are localized. */
  readonly texts: readonly { readonly label: string; readonly text: string }[];
  /** Localized; `copy` is the text to copy if the value is shortened or localized. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly copy?: string }[];
  /** As sent. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Images sent with the request; `src` is absent if one is no longer stored here. Names are localized. */
  readonly inputs: readonly { readonly name: string; readonly src?: string }[];
  /** Localized: other jobs with the same result. */
  readonly earlier: readonly string[];
  /** The file no longer exists. */
  readonly isGone: boolean;
  readonly actions: readonly GalleryAction[];
}

export type GalleryAction =
  | 'regenerate'
  | 'vary'
  | 'insert'
  | 'saveAs'
  | 'copyPath'
  | 'open'
  | 'openOutside'
  | 'reveal'
  | 'showRecipe'
  | 'remove';

export interface GalleryScreen {
  readonly state: GalleryView & {
    readonly selected: string | null;
    /** Scroll position in pixels. */
    readonly scroll: number;
  };
  readonly calls: {
    /** Arranges the list; with `again`, rereads the folders first. `find`: ids whose index is returned in `places`. */
    readonly 'gallery/arrange': Call<
      { readonly view: GalleryView; readonly again: boolean; readonly find: readonly string[] },
      GalleryArranged
    >;
    /** Returns items of the list, starting at index `from`. */
    readonly 'gallery/tiles': Call<
      { readonly from: number; readonly count: number },
      { readonly tiles: readonly GalleryTile[] }
    >;
    readonly 'gallery/details': Call<{ readonly id: string }, GalleryDetails>;
    readonly 'gallery/act': Call<{ readonly id: string; readonly action: GalleryAction }, Record<never, never>>;
    /** Copies one fact of an item's details, by index. */
    readonly 'gallery/copy': Call<{ readonly id: string; readonly fact: number }, { readonly said: string }>;
    /** Runs an action of a notice. */
    readonly 'gallery/mend': Call<{ readonly notice: string; readonly action: string }, Record<never, never>>;
    /** Opens the page for a new image or video. */
    readonly 'gallery/make': Call<{ readonly kind: 'image' | 'video' }, Record<never, never>>;
  };
  readonly events: {
    /** Files were added or removed: the list must be arranged again. */
    readonly 'gallery/changed': Record<never, never>;
  };
}
