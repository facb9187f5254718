import type { ImageRequest } from '../api/images/images.schema';
import type { SpeechRequest } from '../api/speech/speech.schema';
import type { VideoRequest } from '../api/videos/videos.schema';

/** What was asked for, as it was sent, but for pictures that were sent along: `input:<name>` stands for a kept file. */
export type GeneratedBy =
  | { readonly kind: 'image'; readonly request: ImageRequest }
  | { readonly kind: 'video'; readonly request: VideoRequest }
  | { readonly kind: 'speech'; readonly request: SpeechRequest };

export type AssetKind = GeneratedBy['kind'];

/** How a file came to be; kept beside it, in a file of its name with `recipeEnding`. */
export type Recipe = GeneratedBy & {
  readonly version: 1;
  /** ISO 8601, when the answer came. */
  readonly createdAt: string;
  /** The base URL it was asked of. */
  readonly service: string;
  /** As the service told it, else as asked for. */
  readonly seed?: number;
  readonly inferenceSeconds?: number;
  readonly traceId?: string;
  /** Of a video. */
  readonly requestId?: string;
  /** Which of the answer's results this is, from 0. */
  readonly index: number;
  readonly file: AssetFile;
  /** Other orders that gave the same content, newest first. */
  readonly earlier?: readonly Recipe[];
};

/** A file as its bytes tell. */
export interface AssetFile {
  /** Without folder: some words of the prompt, then the first 12 hexadecimal digits of `sha256`. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** By content, e.g. `image/png`. */
  readonly contentType: string;
  /** Pixels, where they can be told. */
  readonly width?: number;
  readonly height?: number;
}

/** A kept file and how it came to be. */
export interface Asset {
  /** Absolute. */
  readonly path: string;
  readonly recipe: Recipe;
}

/** What is there and cannot be read: a folder of files, or a recipe; its file is left out then. */
export interface UnreadableAsset {
  readonly what: 'folder' | 'recipe';
  /** Absolute. */
  readonly path: string;
  /** Of the file system, e.g. `EACCES`; absent where a recipe holds something else than one of this version. */
  readonly code?: string;
}

export const recipeEnding = '.recipe.json';
/** Stands in a request for a picture that is kept: `input:<sha256>.<ending>`. */
export const inputMark = 'input:';
