import type { Call } from './call';
import type { GalleryStrings } from './galleryStrings';

export type GalleryKind = 'image' | 'video' | 'speech';

/** What is shown of what was made, and in which order. */
export interface GalleryView {
  /** Empty: all. */
  readonly query: string;
  readonly kind: GalleryKind | 'all';
  readonly sort: 'newest' | 'oldest' | 'model';
}

/** What was laid out. All words are worded. */
export interface GalleryArranged {
  /** Of all that is kept, whatever is shown. */
  readonly total: number;
  readonly count: number;
  readonly countText: string;
  /** What stands together under a heading, in order. */
  readonly parts: readonly { readonly heading: string; readonly count: number }[];
  /** Where those that were asked about stand now, by id; absent where they are not shown. */
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
  /** The host knows the file by it, also after a reload. */
  readonly id: string;
  readonly kind: GalleryKind;
  /** Worded: names it. */
  readonly label: string;
  /** Worded. */
  readonly caption: string;
  /** An address of a file of this machine that the page may show. */
  readonly src: string;
  readonly width?: number;
  readonly height?: number;
  /** The beginning of its prompt, or of what is spoken. */
  readonly text: string;
}

/** All of one. All of it is text of its recipe but what is said to be worded. */
export interface GalleryDetails extends Omit<GalleryTile, 'caption'> {
  /** Of its file. */
  readonly name: string;
  /** Prompts and what is spoken; labels are worded. */
  readonly texts: readonly { readonly label: string; readonly text: string }[];
  /** Worded; `copy`: what is copied where the value is shortened or worded. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly copy?: string }[];
  /** As they were sent. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Pictures that were sent along; `src` is absent where one is not kept here any more. Names are worded. */
  readonly inputs: readonly { readonly name: string; readonly src?: string }[];
  /** Worded: other orders that gave the same. */
  readonly earlier: readonly string[];
  /** The file is not there any more. */
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
    /** How far it is scrolled, in pixels. */
    readonly scroll: number;
  };
  readonly strings: GalleryStrings;
  readonly calls: {
    /** Lays out what is shown; `again`: looks at the folders first. `find`: ids. */
    readonly 'gallery/arrange': Call<
      { readonly view: GalleryView; readonly again: boolean; readonly find: readonly string[] },
      GalleryArranged
    >;
    /** Of what is laid out, from the `from`-th on. */
    readonly 'gallery/tiles': Call<
      { readonly from: number; readonly count: number },
      { readonly tiles: readonly GalleryTile[] }
    >;
    readonly 'gallery/details': Call<{ readonly id: string }, GalleryDetails>;
    readonly 'gallery/act': Call<{ readonly id: string; readonly action: GalleryAction }, Record<never, never>>;
    /** Of the details of one, by its place there. */
    readonly 'gallery/copy': Call<{ readonly id: string; readonly fact: number }, { readonly said: string }>;
    /** Of a notice. */
    readonly 'gallery/mend': Call<{ readonly notice: string; readonly action: string }, Record<never, never>>;
    /** Begins something new. */
    readonly 'gallery/make': Call<{ readonly kind: 'image' | 'video' }, Record<never, never>>;
  };
  readonly events: {
    /** Files came or went: what is laid out is to be laid out again. */
    readonly 'gallery/changed': Record<never, never>;
  };
}
