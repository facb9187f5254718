/** Text a person put beside a question. It is sent in front of it, and kept with it. */
export interface Attachment {
  readonly kind: AttachmentKind;
  /** Where it is from, as a person calls it, e.g. `src/parse.ts:40-62`. */
  readonly label: string;
  /** The editor's id of its language; empty for none. */
  readonly language: string;
  readonly text: string;
  /** Estimated when it was attached. */
  readonly tokens: number;
}

export type AttachmentKind = 'file' | 'selection' | 'problems' | 'folder' | 'terminal';

const kinds: ReadonlySet<unknown> = new Set<AttachmentKind>(['file', 'selection', 'problems', 'folder', 'terminal']);

/** What is sent of an attachment: its label and its text in a fence that nothing in the text closes. */
export function attachedText({ label, language, text }: Attachment): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const lineEnd = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${label.replaceAll(/[\s`]+/g, ' ')}\n${fence}${language}\n${text}${lineEnd}${fence}`;
}

/** A question as it is sent: what is attached first, each under its label. */
export function askedText(question: string, attachments: readonly Attachment[] = []): string {
  return [...attachments.map(attachedText), question].join('\n\n');
}

/** The attachments a record holds; what is not one of them is left out. */
export function readAttachments(value: unknown): readonly Attachment[] {
  return Array.isArray(value) ? value.filter(isAttachment) : [];
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, label, language, text, tokens } = value as Partial<Record<keyof Attachment, unknown>>;
  const areTexts = [label, language, text].every((part) => typeof part === 'string');
  return kinds.has(kind) && areTexts && typeof tokens === 'number';
}

/** Characters as people count them: a letter beyond the basic plane is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
