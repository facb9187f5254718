import { hashOf, seeded } from '../seeded';
import { type Language, languageOf } from './words';

export interface Attachment {
  /** A file name or label, where one was given. */
  readonly name?: string;
  /** Of a code fence, lower case. */
  readonly language?: string;
  readonly text: string;
}

/** What a person asks, apart from what they attach to it. */
export interface Question {
  /** The person's own words. */
  readonly ask: string;
  readonly attachments: readonly Attachment[];
  /** All attached text, or the ask's own list, table or text where nothing is attached. Empty where there is none. */
  readonly material: string;
  readonly language: Language;
  /** The first of the pair in English, the second in Chinese. */
  readonly say: (en: string, zh: string) => string;
  /** Depends on the question and the seed alone. */
  readonly random: () => number;
  /** Earlier questions of the conversation, oldest first. */
  readonly earlier: readonly string[];
  readonly system: string;
  readonly images: number;
}

export interface QuestionInit {
  readonly text: string;
  readonly seed?: number | undefined;
  readonly earlier?: readonly string[];
  readonly system?: string;
  readonly images?: number;
}

const fence = /^[ \t]*(`{3,})([\w+#.-]*)[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/gm;
const tagged = /<([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*>\n?([\s\S]*?)\n?<\/\1>/g;

/** What a person asked stands in a tag of its own, where an editor's agent puts instructions and context around it. */
const wrapped = /<userRequest>\n?([\s\S]*?)\n?<\/userRequest>/g;

const ownWords = (text: string): string => [...text.matchAll(wrapped)].at(-1)?.[1] ?? text;

export function readQuestion({ text: whole, seed, earlier = [], system = '', images = 0 }: QuestionInit): Question {
  const text = ownWords(whole);
  const attachments: Attachment[] = [];
  const rest = text
    .replace(fence, (_, __, language: string, body: string) => {
      attachments.push({ text: body, ...(language === '' ? {} : { language: language.toLowerCase() }) });
      return '\n';
    })
    .replace(tagged, (_, tag: string, attributes: string, body: string) => {
      const name = /(?:path|name|file|filename|title|source)="([^"]*)"/.exec(attributes)?.[1] ?? tag;
      attachments.push({ name, text: body });
      return '\n';
    })
    .trim();
  const { ask, own } = splitOwnText(rest);
  if (own !== '') attachments.push({ text: own });
  const language = languageOf(ask === '' ? text : ask);
  return {
    ask: ask === '' ? rest : ask,
    attachments,
    material: attachments.map((attachment) => attachment.text).join('\n\n'),
    language,
    say: (en, zh) => (language === 'zh' ? zh : en),
    random: seeded(hashOf(text, seed ?? 'no seed')),
    earlier: earlier.map(ownWords),
    system,
    images,
  };
}

/** A question with its text below (or above) it: the short part asks, the long part is material. */
function splitOwnText(text: string): { ask: string; own: string } {
  const lines = text.split('\n');
  const [first = '', ...others] = lines;
  const below = others.join('\n').trim();
  if (below !== '' && /[:：?？]\s*$/.test(first.trim())) return { ask: first.trim(), own: below };
  const paragraphs = text.split(/\n\s*\n/);
  if (paragraphs.length > 1) {
    const [head = ''] = paragraphs;
    const tail = paragraphs.at(-1) ?? '';
    if (head.length < 300 && !/[?？]\s*$/.test(tail))
      return { ask: head.trim(), own: paragraphs.slice(1).join('\n\n').trim() };
    if (tail.length < 300) return { ask: tail.trim(), own: paragraphs.slice(0, -1).join('\n\n').trim() };
  }
  const inline = /^([^:：\n]{4,120})[:：]\s+([\s\S]{20,})$/.exec(text);
  if (inline?.[1] !== undefined && inline[2] !== undefined) return { ask: inline[1].trim(), own: inline[2].trim() };
  return { ask: text, own: '' };
}
