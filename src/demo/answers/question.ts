import { hashOf, seeded } from '../seeded';
import { type Attachment, agentFiles, currentFile, ownWords, readParts } from './attachments';
import { type Language, languageOf } from './words';

export type { Attachment } from './attachments';

/** A user's question, separated from its attachments. */
export interface Question {
  /** The user's own words, without the attachments. */
  readonly ask: string;
  readonly attachments: readonly Attachment[];
  /** All attached text; without attachments, the question's own list, table or text. Empty if there is none. */
  readonly material: string;
  readonly language: Language;
  /** Returns the first argument if the language is English, the second if Chinese. */
  readonly say: (en: string, zh: string) => string;
  /** Depends only on the question and the seed. */
  readonly random: () => number;
  /** Earlier questions of the conversation, oldest first. */
  readonly earlier: readonly string[];
  readonly system: string;
  readonly images: number;
  /** Path of the file that is open in the editor of an agent; empty if there is none. */
  readonly openFile: string;
  /** Selects one of several ways to phrase an answer; each model has its own. */
  readonly voice: number;
}

export interface QuestionInit {
  readonly text: string;
  readonly seed?: number | undefined;
  readonly earlier?: readonly string[];
  readonly system?: string;
  readonly images?: number;
  readonly voice?: number;
  /** What tools have read since. */
  readonly read?: readonly Attachment[];
}

/** Words by which a later question refers to the attachments of an earlier one. */
const meansEarlier =
  /\b(?:it|this|that|these|those|them|the (?:code|file|function|text|table|list)|tests?|types|docstrings?|comments?|line \d+)\b|它|这|那|代码|测试|类型|注释/i;

export function readQuestion(init: QuestionInit): Question {
  const { text: whole, seed, earlier = [], system = '', images = 0, voice = 0, read = [] } = init;
  const text = ownWords(whole);
  const { rest, attachments: own } = readParts(text);
  const split = splitOwnText(rest);
  const here = [...agentFiles(whole), ...own, ...read, ...(split.own === '' ? [] : [{ text: split.own }])];
  const ask = split.ask === '' ? rest : split.ask;
  const attachments = here.length > 0 || !meansEarlier.test(ask) ? here : attachedBefore(earlier);
  const language = requestedLanguage(`${system}\n${ask}`) ?? languageOf(ask === '' ? text : ask);
  return {
    ask,
    attachments,
    material: attachments.map((attachment) => attachment.text).join('\n\n'),
    language,
    say: (en, zh) => (language === 'zh' ? zh : en),
    random: seeded(hashOf(text, seed ?? 'no seed')),
    earlier: earlier.map(ownWords),
    system,
    images,
    openFile: currentFile(whole),
    voice: voice + (seed ?? 0),
  };
}

function requestedLanguage(text: string): Language | undefined {
  if (/\b(?:answer|reply|respond|write) in English\b|用英[文语]/i.test(text)) return 'en';
  return /\b(?:answer|reply|respond|write) in Chinese\b|用中文|用汉语/i.test(text) ? 'zh' : undefined;
}

function attachedBefore(earlier: readonly string[]): readonly Attachment[] {
  for (const text of earlier.toReversed()) {
    const found = [...agentFiles(text), ...readParts(ownWords(text)).attachments];
    if (found.length > 0) return found;
  }
  return [];
}

/** A task for the text below it, which can itself be a question. */
const startsWithTask =
  /^(?:please )?(?:label|classify|categori[sz]e|tag|summari[sz]e|translate|rewrite|reply|extract|correct|shorten)\b|^(?:请)?(?:标注|分类|归类|总结|翻译|改写|回复|提取|改正)/i;

/** A task whose text stands behind its colon, however short that is. */
const taskForText =
  /^(?:please )?(?:summari[sz]e|translate|rewrite|correct|shorten|sort|convert)\b|^(?:请|帮我)?(?:把[^:：]{0,12})?(?:总结|翻译|改写|改正|按[^:：]{0,6}排序)/i;

/** The end of a question that wants the bare answer, such as “Answer with the number only.” */
export const bareForm =
  /(?<=^|[\s?？.!。])(?:please )?(?:(?:only|just) )?(?:answer|reply|respond|return|give)\b[^.!?\n:]{0,60}\b(?:only|just|number|word|nothing else)\b[^.!?\n:]{0,20}[.!]*\s*$|(?<=^|[\s?？。])(?:请)?[只仅](?:需)?(?:回答|回复|输出|返回|给出)[^。：\n]{0,10}[。.!！]*\s*$/i;

/** Splits a question from its text below, above or behind it: the short part asks, the long part is material. */
function splitOwnText(text: string): { ask: string; own: string } {
  const lines = text.split('\n');
  const [first = '', ...others] = lines;
  const below = others.join('\n').trim();
  if (below !== '' && /[:：?？]\s*$/.test(first.trim()) && !/^(?:async |def|class|for|if|while|with|try)\b/.test(first))
    return { ask: first.trim(), own: below };
  const paragraphs = text.split(/\n\s*\n/);
  if (paragraphs.length > 1) {
    const [head = ''] = paragraphs;
    const tail = paragraphs.at(-1) ?? '';
    if (head.length < 300 && (startsWithTask.test(head) || !/[?？]\s*$/.test(tail)))
      return { ask: head.trim(), own: paragraphs.slice(1).join('\n\n').trim() };
    if (tail.length < 300) return { ask: tail.trim(), own: paragraphs.slice(0, -1).join('\n\n').trim() };
  }
  const inline =
    (taskForText.test(text) ? /^([^:：\n]{2,120})[:：]\s*(\S[\s\S]*)$/.exec(text) : undefined) ??
    /^([^:：\n]{4,120})[:：]\s+([\s\S]{20,})$/.exec(text) ??
    /^([^?？\n]{4,160}[?？])\s+(\S[\s\S]{14,}[^?？\s])\s*$/.exec(text);
  if (inline?.[1] !== undefined && inline[2] !== undefined && inline[2].replace(bareForm, '') !== '')
    return { ask: inline[1].trim(), own: inline[2].trim() };
  return { ask: text, own: '' };
}
