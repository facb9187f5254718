import type { MessageParam } from '../api/messages/messages.schema';
import type { Refusal } from '../parameters/refusal';
import type { KnownCapabilities } from './capabilities';
import { readKnownCapabilities } from './capabilities';
import { statedLimits } from './statedLimits';

/** The limits of a profile's model, learned from rejections. */
export type LearnedLimits = Pick<KnownCapabilities, 'tools' | 'images' | 'contextTokens' | 'outputTokens'>;

export interface ModelLimits {
  readonly profile: string;
  readonly model: string;
  readonly lesson: LearnedLimits;
}

/** The parts of a request that a refusal may be about. */
export interface SentParts {
  readonly tools: boolean;
  /** False if an image came from a tool, because even a vision model might reject it there. */
  readonly images: boolean;
  readonly maxTokens: number;
}

/** Returns what a rejection (HTTP 400) shows about the model, or `undefined` if it is about something else. */
export function limitsLearnedFrom(refusal: Refusal, sent: SentParts): LearnedLimits | undefined {
  const { message } = refusal;
  const { outputTokens, contextTokens } = statedLimits(message);
  if (outputTokens !== undefined && outputTokens < sent.maxTokens) return { outputTokens };
  if (contextTokens !== undefined) return { contextTokens };
  if (sent.images && refusesImages(refusal)) return { images: false };
  if (sent.tools && refusesTools(refusal)) return { tools: false };
  return undefined;
}

/** How services reject a list that is too long: the maximum number of items, and if included, the actual number. */
const listLimits: readonly RegExp[] = [
  // pydantic 2, in which FastAPI and the public service check requests; pydantic 1
  /List should have at most (\d+) items? after validation(?:, not (\d+))?/i,
  /ensure this value has at most (\d+) items/i,
  // OpenAI
  /array too long\. Expected an array with maximum length (\d+), but got an array with length (\d+)/i,
];

/** Returns the maximum number of messages of a request, if a rejection (HTTP 400) states it, or `undefined` if it is about another list. */
export function messageLimitIn({ parameter, message }: Refusal, sent: readonly MessageParam[]): number | undefined {
  const found = listLimits.map((words) => words.exec(message)).find(Boolean);
  if (!found) return undefined;
  const [most, had] = [Number(found[1]), found[2] === undefined ? undefined : Number(found[2])];
  const name = parameter ?? /"loc":\[([^\]]*)\]/.exec(message)?.[1] ?? /Invalid '([^']*)'/.exec(message)?.[1];
  const isOfMessages =
    name === undefined
      ? had === undefined || (had >= sent.length && had <= mostOnTheWire(sent))
      : /(^|[."])messages"?$/.test(name);
  return isOfMessages && (had ?? sent.length) > most ? most : undefined;
}

/** Returns how many messages of a chat completion these become at most: results of tools are messages there, and so is a system prompt. */
function mostOnTheWire(sent: readonly MessageParam[]): number {
  const results = sent.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  );
  return sent.length + results.length + 1;
}

/** Removes values that the user's setting overrides. Returns `undefined` if nothing remains. */
export function withoutOverruled(lesson: LearnedLimits, setting: KnownCapabilities): LearnedLimits | undefined {
  const left = Object.entries(lesson).filter(([name]) => setting[name as keyof LearnedLimits] === undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const version = 1;

export function toLimitsFile(lessons: readonly ModelLimits[]): object {
  return { version, lessons };
}

/** Whether this version wrote the file. */
export function isLimitsFile(raw: unknown): raw is { readonly lessons: readonly unknown[] } {
  const file = raw as { readonly version?: unknown; readonly lessons?: unknown } | null | undefined;
  return typeof file === 'object' && file?.version === version && Array.isArray(file.lessons);
}

/** Empty for a file of another version. Unreadable entries are omitted. */
export function readLimits(raw: unknown): readonly ModelLimits[] {
  if (!isLimitsFile(raw)) return [];
  const lessons = raw.lessons as readonly (Partial<Record<keyof ModelLimits, unknown>> | null)[];
  return lessons.flatMap((entry: Partial<Record<keyof ModelLimits, unknown>> | null): ModelLimits[] => {
    const { profile, model, lesson } = entry ?? {};
    if (typeof profile !== 'string' || typeof model !== 'string') return [];
    const { thinking: _thinking, ...known } = readKnownCapabilities(lesson);
    return [{ profile, model, lesson: known }];
  });
}

/** Too many items, or a kind or mix that is rejected. Fewer or others might be accepted. */
const aboutAmount = /\bat most\b|\btoo many\b|\bmaximum\b|\bmore than\b|\bup to\b|\bonly \d|\bexceed/i;

const aboutSomeTools =
  /tool[_ -]choice|tools?\[|tool_calls?\b|tool_use|schema|keyword|\b(?:tool|function)s? names?\b|parallel|strict|stream|thinking|\btypes?\b|\bwhen\b|\bwhile\b|together|combin/i;

const toolWords = String.raw`(?:tools|functions?[ _-]?call\w*|functions|tool[ -](?:use|call\w*))\b`;
const takenWords = String.raw`(?:support|accept|allow|take|handle)`;
const toolRefusals: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:\bnot|n['’]t|\bcannot|\bunable to) ${takenWords} (?:the |any |use of |parameter |field )*[\x60'"]?${toolWords}`,
    'i',
  ),
  new RegExp(String.raw`\b${takenWords}s? no ${toolWords}`, 'i'),
  new RegExp(
    String.raw`(?:^|[.:;,] )(?:the |use of |parameter )*[\x60'"]?${toolWords}[\x60'"]? (?:is|are) (?:not |un)(?:supported|accepted|allowed|available)`,
    'i',
  ),
  /\b(?:unsupported|unknown|unexpected) (?:parameter|field|argument)s?:? [`'"]?tools\b/i,
];

/** Whether the model supports no tools at all. A rejection of one tool, or of how it is called, doesn't count. */
function refusesTools({ parameter, message }: Refusal): boolean {
  if (aboutAmount.test(message) || aboutSomeTools.test(message)) return false;
  if (parameter === 'tools') return true;
  return !parameter?.startsWith('tool') && toolRefusals.some((words) => words.test(message));
}

/** Independent of the parameter, which names what an image is sent in. */
const aboutImages = /\b(images?|image_url|vision|multi-?modal|pictures?)\b/i;
const refusing = /\b(?:can)?not\b|n['’]t\b|unsupported|\bonly\b|\bno\b|unknown/i;
const aboutSomeImages =
  /\bsiz|exceed|large|\bsmall|\d ?[MK]i?B\b|\bMB\b|megabyte|pixel|dimension|resolution|\bwidth|\bheight|format|\bpng\b|jpe?g|decod|base64|corrupt|animat|\bgif\b|\bvalid\b|\binvalid (?!content)|\bprocess|\bload|\bopen|could not|fail|unable|empty|polic|safe|violat|media_type|mime|download|fetch|\d+ (?:images?|pictures?)|number of (?:images|pictures)/i;

/** Whether the model supports no images. A rejection of one image, or of their number, doesn't count. */
function refusesImages({ message }: Refusal): boolean {
  if (aboutAmount.test(message) || aboutSomeImages.test(message)) return false;
  return aboutImages.test(message) && refusing.test(message);
}
