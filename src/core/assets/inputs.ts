import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageRequest } from '../api/images/images.schema';
import type { VideoRequest } from '../api/videos/videos.schema';
import { writeAtomic } from '../storage/atomicFile';
import { imageFacts } from './fileFacts';
import type { FileFacts } from './fileFacts';
import { inputMark } from './recipe';

/** An image that can be sent with a request, stored by its content. */
export interface StoredInput extends FileFacts {
  /** Its reference in a request: `input:<sha256>.<ending>`. */
  readonly ref: string;
  /** Absolute. */
  readonly path: string;
}

/** `tooLarge`: over `largestInput`. `notPicture`: the content isn't an image type that the service supports. */
export type InputFault = 'empty' | 'markup' | 'tooLarge' | 'notPicture';

/** The service documents no limit; base64 adds a third, and most gateways stop at 32 MB. */
export const largestInput = 20 * 1024 ** 2;
const taken = ['image/png', 'image/jpeg', 'image/webp'];
const namePattern = /^[\da-f]{64}\.(png|jpg|webp)$/;

export interface Inputs {
  /** Checks the content and stores a copy. Throws file system errors. */
  keep(from: { readonly path: string } | { readonly bytes: Uint8Array }): Promise<StoredInput | InputFault>;
  /** `undefined` if it is not stored here. */
  find(ref: string): Promise<StoredInput | undefined>;
  /**
   * Returns the job as it is sent, with every `input:` reference as a `data:` URI. Throws `MissingInput` for one that is not stored
   * here.
   */
  expandImages<Order extends SentImages>(task: Order): Promise<Order>;
}

/** A job whose request may include images. */
export interface SentImages {
  readonly request: ImageRequest | VideoRequest;
}

export class MissingInput extends Error {
  constructor(readonly ref: string) {
    super(`The image ${ref} is missing on this machine.`);
  }
}

export function createInputs(folder: string): Inputs {
  const find = async (ref: string): Promise<StoredInput | undefined> => {
    const name = ref.startsWith(inputMark) ? ref.slice(inputMark.length) : '';
    if (!namePattern.test(name)) return undefined;
    const path = join(folder, name);
    const facts = await readFacts(path).catch(absent);
    return typeof facts === 'object' ? { ...facts, ref, path } : undefined;
  };

  return {
    find,
    async keep(from) {
      const bytes = await readBounded(from);
      if (!bytes) return 'tooLarge';
      const facts = await imageFacts(bytes, bytes.length);
      if (facts === 'other' || (typeof facts === 'object' && !taken.includes(facts.contentType))) return 'notPicture';
      if (typeof facts === 'string') return facts;
      const name = `${createHash('sha256').update(bytes).digest('hex')}.${facts.ending}`;
      const path = join(folder, name);
      if ((await stat(path).catch(absent))?.size !== bytes.length) await writeAtomic(path, bytes);
      return { ...facts, ref: `${inputMark}${name}`, path };
    },
    async expandImages(task) {
      const members = await Promise.all(
        Object.entries(task.request).map(async ([key, value]) => {
          if (typeof value !== 'string' || !mayHoldPicture.has(key) || !value.startsWith(inputMark))
            return [key, value];
          const input = await find(value);
          if (!input) throw new MissingInput(value);
          const bytes = await readFile(input.path);
          return [key, `data:${input.contentType};base64,${bytes.toString('base64')}`];
        }),
      );
      return { ...task, request: Object.fromEntries(members) as typeof task.request };
    },
  };
}

/** Request parameters only: a prompt may begin with any text, including `input:`. */
const mayHoldPicture: ReadonlySet<string> = new Set(['image', 'image2', 'image3', 'input_image']);

async function readFacts(path: string) {
  const bytes = await readFile(path);
  return imageFacts(bytes, bytes.length);
}

/** `undefined`, without reading it, if it is larger than `largestInput`. */
async function readBounded(
  from: { readonly path: string } | { readonly bytes: Uint8Array },
): Promise<Uint8Array | undefined> {
  if ('bytes' in from) return from.bytes.length > largestInput ? undefined : from.bytes;
  const handle = await open(from.path, 'r');
  try {
    const { size } = await handle.stat();
    return size > largestInput ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
