/** Text the user attached to a question. It is sent before the question and stored with it. */
export interface Attachment {
  readonly kind: AttachmentKind;
  /** Source, in the user's terms, e.g. `src/parse.ts:40-62`. */
  readonly label: string;
  /** The editor's language id; empty if none. */
  readonly language: string;
  readonly text: string;
  /** Estimated when the text was attached. */
  readonly tokens: number;
}

export type AttachmentKind = 'file' | 'selection' | 'problems' | 'folder' | 'terminal' | 'changes';

const kinds: ReadonlySet<unknown> = new Set<AttachmentKind>([
  'file',
  'selection',
  'problems',
  'folder',
  'terminal',
  'changes',
]);

/** Returns an attachment as it is sent: its label, and its text in a fence that nothing in the text closes. */
export function attachedText({ label, language, text }: Attachment): string {
  const longest = [...text.matchAll(/`+/g)].map(([run]) => run.length).reduce((most, one) => Math.max(most, one), 2);
  const fence = '`'.repeat(longest + 1);
  const lineEnd = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${label.replaceAll(/[\s`]+/g, ' ')}\n${fence}${language}\n${text}${lineEnd}${fence}`;
}

/** Returns a question as it is sent: attachments first, each with its label. */
export function askedText(question: string, attachments: readonly Attachment[] = []): string {
  return [...attachments.map(attachedText), question].join('\n\n');
}

/** Returns the valid attachments of a record. */
export function readAttachments(value: unknown): readonly Attachment[] {
  return Array.isArray(value) ? value.filter(isAttachment) : [];
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, label, language, text, tokens } = value as Partial<Record<keyof Attachment, unknown>>;
  const areTexts = [label, language, text].every((part) => typeof part === 'string');
  return kinds.has(kind) && areTexts && typeof tokens === 'number';
}

/** Counts characters as people do: one outside the basic multilingual plane counts once. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
