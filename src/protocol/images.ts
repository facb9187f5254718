import type { Call } from './call';
import type { ImagesStrings } from './imagesStrings';
import type { CostText, ModelCost, WireAction, WireError } from './wire';

export const inputFields = ['image', 'image2', 'image3', 'input_image'] as const;
export type InputField = (typeof inputFields)[number];

/** As typed: an empty text is a parameter that is not set. An input image is named by its reference or a URL. */
export interface ImageForm extends Readonly<Record<InputField, string>> {
  readonly model: string;
  readonly prompt: string;
  readonly image_size: string;
  readonly seed: string;
  readonly output_format: string;
  readonly negative_prompt: string;
  readonly batch_size: string;
  readonly num_inference_steps: string;
  readonly guidance_scale: string;
  readonly cfg: string;
  readonly aspect_ratio: string;
  readonly prompt_upsampling: string;
  readonly safety_tolerance: string;
  /** Whether to generate several at once. The fields below apply only if it is set. */
  readonly isSeveral: boolean;
  readonly eachLine: boolean;
  readonly alternatives: boolean;
  readonly seeds: 'one' | 'sequence' | 'random';
  readonly seedCount: string;
  readonly sizes: readonly string[];
}

/** A form with nothing set. */
export const emptyImageForm: ImageForm = {
  model: '',
  prompt: '',
  image_size: '',
  seed: '',
  output_format: '',
  negative_prompt: '',
  batch_size: '',
  num_inference_steps: '',
  guidance_scale: '',
  cfg: '',
  aspect_ratio: '',
  prompt_upsampling: '',
  safety_tolerance: '',
  image: '',
  image2: '',
  image3: '',
  input_image: '',
  isSeveral: false,
  eachLine: false,
  alternatives: false,
  seeds: 'one',
  seedCount: '4',
  sizes: [],
};

export type ImageField = Exclude<keyof ImageForm, 'isSeveral' | 'eachLine' | 'alternatives' | 'seeds' | 'sizes'>;
export type FieldWords = { readonly [Field in ImageField]?: string };

/** The host's validation of a form. All texts are localized. */
export interface ImageFormAnswer {
  /** Why a value is invalid; with any of these, nothing is sent. */
  readonly issues: FieldWords;
  /** The value is sent, but may be rejected. */
  readonly warnings: FieldWords;
  /** Why a field cannot be set, for fields the model is known to reject. */
  readonly notTaken: FieldWords;
  readonly sizes: readonly string[];
  readonly ratios: readonly string[];
  /** How much will be sent, and about how long that takes. */
  readonly plan: string;
  /** Number of images this generates; 0 if nothing can be sent. */
  readonly pictures: number;
}

/** An input image. */
export interface ImageInput {
  readonly uri: string;
  /** E.g. its format, dimensions and file size. */
  readonly facts: string;
}

export type TileState =
  | 'waiting'
  | 'sending'
  | 'saving'
  | 'shown'
  | 'failed'
  /** The response was lost. */
  | 'lost'
  | 'notSaved'
  | 'notSent'
  /** The file no longer exists. */
  | 'gone';

/** One image that is finished, pending or failed. All texts are localized. */
export interface ImageTile {
  readonly id: string;
  readonly state: TileState;
  /** If the image is not shown: what is happening, or what happened. */
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
  /** Pixels, as known or requested. */
  readonly width: number;
  readonly height: number;
  readonly uri?: string;
  readonly prompt: string;
  /** The part of its prompt that differs from the others of its run. */
  readonly varied?: string;
  /** As sent, or as reported by the service. */
  readonly seed?: string;
  readonly size: string;
  readonly seconds?: string;
  readonly model: string;
  /** When it arrived. */
  readonly at?: string;
  readonly cost?: CostText;
}

export interface ImageRunView {
  readonly id: string;
  readonly prompt: string;
  /** E.g. the model and the number of images. */
  readonly facts: string;
  readonly age: string;
  /** Progress, or why the rest is waiting; empty when all is done. */
  readonly status: string;
  readonly trouble?: { readonly title: string; readonly detail: string };
  readonly canStop: boolean;
  readonly canGoOn: boolean;
  readonly canForget: boolean;
  readonly tiles: readonly ImageTile[];
}

export interface ImagesNotice {
  readonly tone: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

export interface ImagesPage {
  readonly models: readonly string[];
  /** Initial choice; empty if none is known yet. */
  readonly preferred: string;
  readonly modelsAreLoading: boolean;
  readonly modelsTrouble?: WireError;
  readonly isSignedIn: boolean;
  /** The host's copy of the form. If `filled` has increased, the host filled it in, and the page takes it over. */
  readonly form: ImageForm;
  readonly filled: number;
  /** By reference. */
  readonly inputs: Readonly<Record<string, ImageInput>>;
  readonly notices: readonly ImagesNotice[];
  /** The field whose value the service rejected. */
  readonly refused?: { readonly field: ImageField; readonly text: string };
  /** Newest first; runs that failed completely come last, except one just started from this page. */
  readonly runs: readonly ImageRunView[];
  /** Number of failed jobs, in words; absent if none failed. */
  readonly failed?: string;
  /** Whether there are more than are shown. */
  readonly hasOlder: boolean;
  /** The run to scroll into view, once; `count` increases with each request. */
  readonly wanted?: { readonly run: string; readonly count: number };
  readonly pace: string;
  /** Cost of the last image, by model. */
  readonly costs: readonly ModelCost[];
}

export const tileActions = [
  'open',
  'saveAs',
  'insert',
  'copyPath',
  'reveal',
  'regenerate',
  'vary',
  'showRecipe',
  'remove',
] as const;
export type TileAction = (typeof tileActions)[number];

type Nothing = Record<never, never>;

export interface ImagesScreen {
  readonly state: { readonly form: ImageForm; readonly filled: number };
  readonly strings: ImagesStrings;
  readonly calls: {
    readonly 'images/ready': Call<Nothing, ImagesPage>;
    /** Saves what is typed. */
    readonly 'images/form': Call<{ readonly form: ImageForm }, ImageFormAnswer>;
    /** Starts the job described by the form; asks for confirmation first if it is large. Resolves once it is saved, before any result. */
    readonly 'images/generate': Call<{ readonly form: ImageForm }, Nothing>;
    /** `goOn` sends what has not been sent; `forget` removes the run from the page, but not its files. */
    readonly 'images/run': Call<{ readonly id: string; readonly action: 'stop' | 'goOn' | 'forget' }, Nothing>;
    /** Retries all that failed, after a confirmation if that is many, or removes them from the page. */
    readonly 'images/failed': Call<{ readonly action: 'retry' | 'clear' }, Nothing>;
    readonly 'images/tile': Call<{ readonly id: string; readonly action: TileAction }, Nothing>;
    /** The image of a tile was copied to the clipboard; `pixels` as defined by `hasPixels`. */
    readonly 'images/copied': Call<{ readonly id: string; readonly pixels: string }, Nothing>;
    /** Runs an action offered by a tile. */
    readonly 'images/step': Call<{ readonly id: string; readonly action: string }, Nothing>;
    /** These return the reference of the image; none if the user chose none. */
    readonly 'images/chooseInput': Call<Nothing, { readonly ref?: string }>;
    readonly 'images/dropInput': Call<
      { readonly uri: string } | { readonly name: string; readonly base64: string },
      { readonly ref?: string }
    >;
    readonly 'images/older': Call<Nothing, Nothing>;
    /** Runs an action of a notice. */
    readonly 'images/act': Call<{ readonly action: string }, Nothing>;
  };
  readonly events: {
    readonly 'images/changed': ImagesPage;
  };
}
