import type { Call } from './call';
import type { ImagesStrings } from './imagesStrings';
import type { CostText, ModelCost, WireAction, WireError } from './wire';

export const inputFields = ['image', 'image2', 'image3', 'input_image'] as const;
export type InputField = (typeof inputFields)[number];

/** As typed: an empty text is a parameter that is not set. A picture that is sent along is named by its reference, or an address. */
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
  /** Several at once. What stands below it counts only where it is set. */
  readonly isSeveral: boolean;
  readonly eachLine: boolean;
  readonly alternatives: boolean;
  readonly seeds: 'one' | 'sequence' | 'random';
  readonly seedCount: string;
  readonly sizes: readonly string[];
}

/** Nothing is set. */
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

/** What the host says of a form. All texts are worded. */
export interface ImageFormAnswer {
  /** Why a value is not sent; with one of these nothing is. */
  readonly issues: FieldWords;
  /** It is sent, but may be refused. */
  readonly warnings: FieldWords;
  /** By the field the model is known not to take: why it cannot be set. */
  readonly notTaken: FieldWords;
  readonly sizes: readonly string[];
  readonly ratios: readonly string[];
  /** How much is sent, and how long that takes about. */
  readonly plan: string;
  /** How many pictures that makes; 0 where nothing can be sent. */
  readonly pictures: number;
}

/** A picture that is sent along. */
export interface ImageInput {
  readonly uri: string;
  /** E.g. its kind, size and bytes. */
  readonly facts: string;
}

export type TileState =
  | 'waiting'
  | 'sending'
  | 'saving'
  | 'shown'
  | 'failed'
  /** The answer was lost. */
  | 'lost'
  | 'notSaved'
  | 'notSent'
  /** The file is not there any more. */
  | 'gone';

/** One picture that is there, or comes, or does not. All texts are worded. */
export interface ImageTile {
  readonly id: string;
  readonly state: TileState;
  /** Where it is not shown: what it does, or what happened. */
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
  /** Pixels, as known or asked for. */
  readonly width: number;
  readonly height: number;
  readonly uri?: string;
  readonly prompt: string;
  /** What its prompt has that others of its run have not. */
  readonly varied?: string;
  /** As sent or told by the service. */
  readonly seed?: string;
  readonly size: string;
  readonly seconds?: string;
  readonly model: string;
  /** When it came. */
  readonly at?: string;
  readonly cost?: CostText;
}

export interface ImageRunView {
  readonly id: string;
  readonly prompt: string;
  /** E.g. the model, and how many pictures. */
  readonly facts: string;
  readonly age: string;
  /** How far it is, or why the rest waits; empty where all is done. */
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
  /** To begin with; empty where none is known yet. */
  readonly preferred: string;
  readonly modelsAreLoading: boolean;
  readonly modelsTrouble?: WireError;
  readonly isSignedIn: boolean;
  /** As the host has it. It was filled by the host where `filled` grew; then the page takes it over. */
  readonly form: ImageForm;
  readonly filled: number;
  /** By reference. */
  readonly inputs: Readonly<Record<string, ImageInput>>;
  readonly notices: readonly ImagesNotice[];
  /** The service refused what stands in a field. */
  readonly refused?: { readonly field: ImageField; readonly text: string };
  /** Newest first; below them those that failed wholly, but one that was ordered from this page just now. */
  readonly runs: readonly ImageRunView[];
  /** How many orders failed, in words; absent where none did. */
  readonly failed?: string;
  /** There are more than are shown. */
  readonly hasOlder: boolean;
  /** To be brought into sight, once; grows with each. */
  readonly wanted?: { readonly run: string; readonly count: number };
  readonly pace: string;
  /** What the last image cost. */
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
    /** Keeps what is typed. */
    readonly 'images/form': Call<{ readonly form: ImageForm }, ImageFormAnswer>;
    /** Orders what the form says; asks first where that is much. Resolves once it is kept, before anything came. */
    readonly 'images/generate': Call<{ readonly form: ImageForm }, Nothing>;
    /** `goOn` sends what was not sent; `forget` takes the run off the page, its files stay. */
    readonly 'images/run': Call<{ readonly id: string; readonly action: 'stop' | 'goOn' | 'forget' }, Nothing>;
    /** All that failed: sends it again, after a question where that is much, or takes it off the page. */
    readonly 'images/failed': Call<{ readonly action: 'retry' | 'clear' }, Nothing>;
    readonly 'images/tile': Call<{ readonly id: string; readonly action: TileAction }, Nothing>;
    /** The picture of a tile is on the clipboard; `pixels` as of `hasPixels`. */
    readonly 'images/copied': Call<{ readonly id: string; readonly pixels: string }, Nothing>;
    /** A step that a tile offers. */
    readonly 'images/step': Call<{ readonly id: string; readonly action: string }, Nothing>;
    /** These answer the reference of the picture; none where the person chose none. */
    readonly 'images/chooseInput': Call<Nothing, { readonly ref?: string }>;
    readonly 'images/dropInput': Call<
      { readonly uri: string } | { readonly name: string; readonly base64: string },
      { readonly ref?: string }
    >;
    readonly 'images/older': Call<Nothing, Nothing>;
    /** A step of a notice. */
    readonly 'images/act': Call<{ readonly action: string }, Nothing>;
  };
  readonly events: {
    readonly 'images/changed': ImagesPage;
  };
}
