import type { ImageRequest } from '../api/images/images.schema';
import type { SpeechRequest } from '../api/speech/speech.schema';
import type { VideoRequest } from '../api/videos/videos.schema';

/** The request as it was sent, except that `input:<name>` refers to a stored file in place of an attached image. */
export type GeneratedBy =
  | { readonly kind: 'image'; readonly request: ImageRequest }
  | { readonly kind: 'video'; readonly request: VideoRequest }
  | { readonly kind: 'speech'; readonly request: SpeechRequest };

export type AssetKind = GeneratedBy['kind'];

/** How a file was generated; stored next to it, in a file with its name plus `recipeEnding`. */
export type Recipe = GeneratedBy & {
  readonly version: 1;
  /** ISO 8601, when the response arrived. */
  readonly createdAt: string;
  /** Base URL of the service that was called. */
  readonly service: string;
  /** As the service reported it, otherwise as requested. */
  readonly seed?: number;
  readonly inferenceSeconds?: number;
  readonly traceId?: string;
  /** Of a video, the id of its job. */
  readonly requestId?: string;
  /** Index of this result within the response, from 0. */
  readonly index: number;
  readonly file: AssetFile;
  /** Other jobs that produced the same content, newest first. */
  readonly earlier?: readonly Recipe[];
};

/** A file as described by its bytes. */
export interface AssetFile {
  /** Without the folder: some words of the prompt, then the first 12 hexadecimal digits of `sha256`. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Detected from the content, e.g. `image/png`. */
  readonly contentType: string;
  /** Pixels, where known. */
  readonly width?: number;
  readonly height?: number;
}

/** A stored file and how it was generated. */
export interface Asset {
  /** Absolute. */
  readonly path: string;
  readonly recipe: Recipe;
}

/** A folder or recipe that exists but can't be read. Its file is omitted from the listing. */
export interface UnreadableAsset {
  readonly what: 'folder' | 'recipe';
  /** Absolute. */
  readonly path: string;
  /** The file system's error code, e.g. `EACCES`; absent if the content is not a recipe of this version. */
  readonly code?: string;
}

export const recipeEnding = '.recipe.json';
/** Prefix of a stored image's reference in a request: `input:<sha256>.<ending>`. */
export const inputMark = 'input:';
