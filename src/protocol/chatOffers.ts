import * as z from 'zod/mini';
import { call, returns, type Accepted } from './call';
import type { OfferKind } from './offerIcons';
import { maxAttachedCharacters, maxDroppedBytes, maxImageBytes } from './chatBounds';

/** An item of a list in the question box: something to attach, or a command. */
export interface Offer {
  readonly id: string;
  readonly kind: OfferKind;
  readonly name: string;
  /** Its location; empty if the name includes it. */
  readonly detail: string;
  /** The heading above it and the others of its kind, localized. */
  readonly group: string;
}

/** The user's context in VS Code, which can be attached with one click. */
export interface EditorContext {
  /** The label of its attachment. */
  readonly file: string;
  /** The label of its attachment. Missing without a selection. */
  readonly selection?: string;
  /** Number of problems in the file. */
  readonly problems: number;
}

const base64 = (mostBytes: number) => z.string().check(z.maxLength(Math.ceil(mostBytes / 3) * 4));

const name = z.string().check(z.minLength(1), z.maxLength(300));
const uri = z.string().check(z.minLength(1), z.maxLength(4000));
/** A guard against a misbehaving page; too many attachments for a question give a localized error elsewhere. */
const maxDropped = 100;

/** A dropped or pasted file without a URI: its text, the bytes of a text that isn't UTF-8 or of an image, or why there is none. */
const droppedFile = z.union([
  z.strictObject({ name, text: z.string().check(z.maxLength(maxAttachedCharacters)) }),
  z.strictObject({ name, base64: base64(maxDroppedBytes) }),
  z.strictObject({ name, image: base64(maxImageBytes) }),
  z.strictObject({ name, problem: z.enum(['notText', 'tooLong', 'folder', 'noImage', 'imageTooLarge']) }),
]);
export type DroppedFile = Accepted<typeof droppedFile>;

export const offerCalls = {
  /** Returns the attachable items whose name contains `query`; cancelling ends the search. */
  'chat/offers': call(
    z.strictObject({ query: z.string().check(z.maxLength(200)) }),
    returns<{ readonly offers: readonly Offer[] }>(),
  ),
  /** Attaches the file the user works in, or its selection. */
  'chat/attachContext': call(z.strictObject({ from: z.enum(['openFile', 'selection']) })),
  /** Returns the user's context. Missing if nothing can be attached. */
  'chat/editorContext': call(z.strictObject({}), returns<{ readonly context?: EditorContext }>()),
  'chat/attachOffer': call(z.strictObject({ id: z.uuid() })),
  /** Returns the commands, prompts, and prompt files whose name or description contains `query`. */
  'chat/commands': call(
    z.strictObject({ query: z.string().check(z.maxLength(200)) }),
    returns<{ readonly offers: readonly Offer[] }>(),
  ),
  /**
   * Runs a command of that list. Returns the text to put in the place of a prompt's name, and what the page itself is to open. Attaches what
   * a prompt is about.
   */
  'chat/takeCommand': call(
    z.strictObject({ id: z.uuid() }),
    returns<{ readonly text?: string; readonly opens?: 'compare' }>(),
  ),
  /** The items that the user dropped on the page or pasted into it. The host checks the URIs before it reads anything. */
  'chat/drop': call(
    z.strictObject({
      uris: z.array(uri).check(z.maxLength(maxDropped)),
      files: z.array(droppedFile).check(z.maxLength(maxDropped)),
    }),
  ),
};
