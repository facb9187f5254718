import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import type { inputFields } from './imageForm';
import { maxImageBytes } from './mediaBounds';
import type { CostText, WireAction, WireError } from './wire';

const nothing = z.strictObject({});
const text = (most: number) => z.string().check(z.maxLength(most));
const short = text(100);
const id = text(100);
/** A reference to a stored input, or a URL from a recipe. */
const input = text(30_000_000);

/** As typed. An empty text is an unset parameter. */
export const imageForm = z.strictObject({
  model: text(500),
  prompt: text(1_000_000),
  image_size: short,
  seed: short,
  output_format: short,
  negative_prompt: text(1_000_000),
  batch_size: short,
  num_inference_steps: short,
  guidance_scale: short,
  cfg: short,
  aspect_ratio: short,
  prompt_upsampling: short,
  safety_tolerance: short,
  image: input,
  image2: input,
  image3: input,
  input_image: input,
  /** Whether to generate several at once. The fields below apply only if it is set. */
  isSeveral: z.boolean(),
  eachLine: z.boolean(),
  alternatives: z.boolean(),
  seeds: z.enum(['one', 'sequence', 'random']),
  seedCount: short,
  sizes: z.array(short).check(z.maxLength(50)),
});
export type ImageForm = Accepted<typeof imageForm>;
export type InputField = (typeof inputFields)[number];
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
  /** The label of the action that sends its request again, with the price. */
  readonly regenerate?: string;
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
  /** The total cost of its images. Missing if unknown, or if there is one image. */
  readonly cost?: CostText;
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
  readonly modelsError?: WireError;
  readonly isSignedIn: boolean;
  /** The service generates no images; a notice says so. */
  readonly isNotOffered?: boolean;
  /** The host's copy of the form. If `filled` has increased, the host filled it in, and the page takes it over. */
  readonly form: ImageForm;
  readonly filled: number;
  /** By reference. */
  readonly inputs: Readonly<Record<string, ImageInput>>;
  readonly notices: readonly ImagesNotice[];
  /** The field whose value the service rejected. */
  readonly refused?: { readonly field: ImageField; readonly text: string };
  /** Newest first. */
  readonly runs: readonly ImageRunView[];
  /** Number of failed jobs as text. Missing if none failed. */
  readonly failed?: string;
  /** The label of the action that retries them, with the price. */
  readonly retryFailed?: string;
  /** Whether there are more than are shown. */
  readonly hasOlder: boolean;
  /** The run to show large, once; `count` increases with each request. */
  readonly runToShow?: { readonly run: string; readonly count: number };
  readonly pace: string;
  /** The likely cost of the form's images, from the last image with its model. */
  readonly cost?: CostText;
}

const tileAction = z.enum([
  'open',
  'saveAs',
  'insert',
  'copyPath',
  'reveal',
  'regenerate',
  'vary',
  'edit',
  'useAsFirstFrame',
  'showRecipe',
  'remove',
]);
export type TileAction = Accepted<typeof tileAction>;

/** The reference of the image; none if the user chose none. */
interface ChosenInput {
  readonly ref?: string;
}

export const imagesCalls = {
  'images/ready': call(nothing, returns<ImagesPage>()),
  /** Saves what is typed. */
  'images/form': call(z.strictObject({ form: imageForm }), returns<ImageFormAnswer>()),
  /** Starts the job described by the form; asks for confirmation first if it is large. Resolves once it is saved, before any result. */
  'images/generate': call(z.strictObject({ form: imageForm })),
  /** `goOn` sends what has not been sent; `forget` removes the run from the page, but not its files. */
  'images/run': call(z.strictObject({ id, action: z.enum(['stop', 'goOn', 'forget']) })),
  /** Retries all that failed, after a confirmation if that is many, or removes them from the page. */
  'images/failed': call(z.strictObject({ action: z.enum(['retry', 'clear']) })),
  'images/tile': call(z.strictObject({ id, action: tileAction })),
  /** The image of a tile was copied to the clipboard; `pixels` as defined by `hasPixels`. */
  'images/copied': call(z.strictObject({ id, pixels: short })),
  /** Runs an action offered by a tile. */
  'images/step': call(z.strictObject({ id, action: short })),
  'images/chooseInput': call(nothing, returns<ChosenInput>()),
  'images/dropInput': call(
    z.union([
      z.strictObject({ uri: text(10_000) }),
      z.strictObject({ name: text(300), base64: text(Math.ceil(maxImageBytes / 3) * 4) }),
    ]),
    returns<ChosenInput>(),
  ),
  'images/older': call(nothing),
  /** Runs an action of a notice. */
  'images/act': call(z.strictObject({ action: text(1000) })),
};

export interface ImagesScreen {
  /** `chosen`: the id of the tile that is shown large, unless that is the newest. */
  readonly state: { readonly form: ImageForm; readonly filled: number; readonly chosen?: string };
  readonly calls: CallsOf<typeof imagesCalls>;
  readonly events: {
    readonly 'images/changed': ImagesPage;
  };
}
