import { imageSize } from 'image-size';
import type { MessageParam } from '../api/messages/messages.schema';
import { countImage } from '../tokens/countTokens';

/** Text or an image that the user attached to a question. It is sent before the question and stored with it. */
export interface Attachment {
  readonly kind: AttachmentKind;
  /** Source, in the user's terms, e.g. `src/parse.ts:40-62`. */
  readonly label: string;
  /** VS Code's language ID, or empty. */
  readonly language: string;
  /** Empty for an image. */
  readonly text: string;
  /** Estimated when it was attached. */
  readonly tokens: number;
  /** Set if and only if it is an image. */
  readonly image?: AttachedImage;
}

export type AttachmentKind = 'file' | 'selection' | 'problems' | 'folder' | 'terminal' | 'changes' | 'image';

/** An image as it is sent. */
export interface AttachedImage {
  readonly mediaType: ImageType;
  /** Its bytes. */
  readonly base64: string;
  readonly width: number;
  readonly height: number;
}

/** The image types that all services accept. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const imageTypes: Readonly<Record<string, ImageType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

const kinds: ReadonlySet<unknown> = new Set<AttachmentKind>([
  'file',
  'selection',
  'problems',
  'folder',
  'terminal',
  'changes',
  'image',
]);

/** Reads the type and size of an image from its content. Returns `undefined` for types that services don't accept. */
export function readImage(bytes: Uint8Array): AttachedImage | undefined {
  const head = headOf(bytes);
  const mediaType = imageTypes[head?.type ?? ''];
  if (!head || !mediaType || head.width < 1 || head.height < 1) return undefined;
  return { mediaType, base64: Buffer.from(bytes).toString('base64'), width: head.width, height: head.height };
}

function headOf(bytes: Uint8Array): ReturnType<typeof imageSize> | undefined {
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
}

/** Returns an image as an attachment. */
export function imageAttachment(label: string, image: AttachedImage): Attachment {
  return { kind: 'image', label, language: '', text: '', tokens: countImage(image.base64, undefined), image };
}

/**
 * Returns an attachment as it is sent: its label, and its text in a fence that nothing in the text closes. For an image, only its label.
 */
export function attachedText({ label, language, text, image }: Attachment): string {
  if (image) return `[Image: ${inOneLine(label)}]`;
  const longest = [...text.matchAll(/`+/g)].map(([run]) => run.length).reduce((most, one) => Math.max(most, one), 2);
  const fence = '`'.repeat(longest + 1);
  const lineEnd = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${inOneLine(label)}\n${fence}${language}\n${text}${lineEnd}${fence}`;
}

const inOneLine = (label: string): string => label.replaceAll(/[\s`]+/g, ' ');

/** Whether there is a question to send: a text, or an image, which asks without one. */
export function isQuestion(text: string, attachments: readonly Attachment[] = []): boolean {
  return text.trim() !== '' || attachments.some(({ image }) => image !== undefined);
}

/** Returns what a question is called in lists: its text, else the labels of its attachments. */
export function nameOfQuestion(text: string, attachments: readonly Attachment[] = []): string {
  return text.trim() === '' ? attachments.map(({ label }) => label).join(', ') : text;
}

/** Returns a question as text: attachments first, each with its label. */
export function questionText(question: string, attachments: readonly Attachment[] = []): string {
  return [...attachments.map(attachedText), question].join('\n\n');
}

/** Returns a question as it is sent: images first, each after its label, then other attachments and the question as one text. */
export function askedContent(question: string, attachments: readonly Attachment[] = []): MessageParam['content'] {
  const others: Attachment[] = [];
  const blocks = attachments.flatMap((attachment) => {
    if (attachment.image) return [{ type: 'text' as const, text: attachedText(attachment) }, toBlock(attachment.image)];
    others.push(attachment);
    return [];
  });
  const text = questionText(question, others);
  if (blocks.length === 0) return text;
  return text.trim() === '' ? blocks : [...blocks, { type: 'text', text }];
}

function toBlock({ mediaType, base64 }: AttachedImage) {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } } as const;
}

/** Returns the valid attachments of a record. */
export function readAttachments(value: unknown): readonly Attachment[] {
  return Array.isArray(value) ? value.filter(isAttachment) : [];
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, label, language, text, tokens, image } = value as Partial<Record<keyof Attachment, unknown>>;
  const areTexts = [label, language, text].every((part) => typeof part === 'string');
  const isWhole = kind === 'image' ? isImage(image) : image === undefined;
  return kinds.has(kind) && areTexts && typeof tokens === 'number' && isWhole;
}

function isImage(value: unknown): value is AttachedImage {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, base64, width, height } = value as Partial<Record<keyof AttachedImage, unknown>>;
  const areNumbers = [width, height].every((side) => typeof side === 'number');
  return (Object.values(imageTypes) as unknown[]).includes(mediaType) && typeof base64 === 'string' && areNumbers;
}

/** Counts characters as people do: one outside the basic multilingual plane counts once. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
