import { readFile } from 'node:fs/promises';
import type { AgentFile, AgentMedia } from './toolHost';
import type { AgentAnswer, AgentImage } from './agentTool';

/** `what` begins the sentence, e.g. `The video`. */
export function mediaAnswer(media: AgentMedia, what: string): AgentAnswer {
  const { state, trouble } = media;
  if (state === 'failed')
    return { text: `${what} was not made. ${trouble ?? 'The service did not say why.'}`, isError: true };
  if (state === 'lost') return { text: lostWords(media, what), isError: true };
  return { text: stateWords(media, what), data: dataOf(media) };
}

/** Bytes: 5 MB in base64, the largest image that models take. */
const largestPicture = 3_750_000;
/** Limit in bytes for all images of one answer. */
const mostPictures = 6_000_000;

/** Adds the images themselves, as far as models take them. */
export async function withImages(media: AgentMedia, what: string): Promise<AgentAnswer> {
  const answer = mediaAnswer(media, what);
  if (answer.isError) return answer;
  const pictures: AgentImage[] = [];
  let left = mostPictures;
  let isLeftOut = false;
  for (const { path, contentType, bytes } of media.files) {
    if (!/^image\/(png|jpeg|webp|gif)$/.test(contentType)) continue;
    const most = Math.min(left, largestPicture);
    const read = bytes > most ? undefined : await readFile(path).catch(() => undefined);
    if (read && read.byteLength <= most) {
      left -= read.byteLength;
      pictures.push({ bytes: read, contentType });
    } else isLeftOut ||= bytes > most || read !== undefined;
  }
  const text = isLeftOut ? `${answer.text}\nToo large to be shown here as a whole: see the files.` : answer.text;
  return { ...answer, text, ...(pictures.length > 0 && { pictures }) };
}

const askFirst = 'without asking the person';

function lostWords({ id, trouble = '' }: AgentMedia, what: string): string {
  return [
    `${what} is not here. Its id: ${id}.`,
    ...(trouble === '' ? [] : [trouble]),
    ...(trouble.includes(askFirst) ? [] : [`It may have been paid for: do not order it again ${askFirst}.`]),
  ].join(' ');
}

function stateWords(
  { state, id, status, position, model, seed, files, moved = [], trouble }: AgentMedia,
  what: string,
): string {
  if (state === 'working') {
    const place = position === undefined ? '' : `, ${position} before it`;
    return [
      `${what} is being made by ${model} (${status ?? 'ordered'}${place}). Its id: ${id}.`,
      ...(trouble === undefined ? [] : [trouble]),
      'Do not order it again. Ask with inferenceDesk_videoStatus; it is saved by itself when it is done.',
    ].join(' ');
  }
  const by = `by ${model}${seed === undefined ? '' : ` with the seed ${seed}`}.`;
  return [
    files.length > 0 ? `${what} is saved. Made ${by}` : `${what} was made ${by}`,
    ...(trouble === undefined ? [] : [trouble]),
    ...files.map(fileWords),
    ...moved.map((path) => `It was saved at ${path} but is not there any more. Do not order it again ${askFirst}.`),
  ].join('\n');
}

function fileWords({ path, contentType, bytes, width, height }: AgentFile): string {
  const size = width === undefined || height === undefined ? '' : `, ${width}x${height}`;
  return `${path} (${contentType}${size}, ${bytes} bytes)`;
}

function dataOf({
  id,
  state,
  status,
  position,
  model,
  seed,
  files,
  moved,
}: AgentMedia): Readonly<Record<string, unknown>> {
  const known = Object.entries({ status, position, seed, moved }).filter(([, value]) => value !== undefined);
  return { id, state, model, files, ...Object.fromEntries(known) };
}
