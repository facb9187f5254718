import '../../../schema/jitless';
import * as z from 'zod/mini';
import { readFile } from 'node:fs/promises';
import { imageModelFacts } from '../../imageRuns/imageModels';
import { AgentProblem, agentTool, waitSeconds } from '../agentTool';
import type { AgentAnswer, AgentImage } from '../agentTool';
import { chosenModel, chooseVideoModel } from '../chosenModel';
import { imageUse } from '../../catalogue/videoModels';
import type { AgentFile, AgentMedia } from '../toolHost';

export const generateImageTool = agentTool({
  name: 'inferenceDesk_generateImage',
  title: 'Generate Image',
  description:
    'Makes a picture from a description with an image model, saves it to a file with its recipe, and returns the path of the file and the picture itself. Use it when the person wants a picture, an illustration, an icon or a placeholder, or a picture changed ("picture"). To refer to the file elsewhere, copy it to where it is needed.',
  input: z.strictObject({
    prompt: z
      .string()
      .check(z.minLength(1), z.maxLength(20_000), z.describe('What the picture shows, in detail, mostly in English.')),
    size: z.optional(
      z
        .string()
        .check(
          z.regex(/^\d{1,5}(x\d{1,5}|:\d{1,5})$/),
          z.describe(
            '"1024x768" in pixels, or "16:9" for models that take a ratio. The usual of the model where absent.',
          ),
        ),
    ),
    negativePrompt: z.optional(
      z.string().check(z.minLength(1), z.maxLength(5000), z.describe('What it must not show; some models take none.')),
    ),
    seed: z.optional(
      z
        .int()
        .check(z.minimum(0), z.maximum(9_999_999_999), z.describe('The same seed and prompt give the same picture.')),
    ),
    picture: z.optional(
      z.string().check(z.minLength(1), z.describe('The path of a picture to change, for models that edit pictures.')),
    ),
    model: z.optional(
      z
        .string()
        .check(z.minLength(1), z.describe('The id of an image model. The default of the account where absent.')),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  needs: ['POST /images/generations'],
  async run({ prompt, size, negativePrompt, seed, picture, model: named }, host, signal) {
    const model = await chosenModel('image', named, host, signal);
    const { sizes, notTaken, needsImage, isKnown } = imageModelFacts(model);
    if (needsImage && picture === undefined) {
      throw new AgentProblem(
        `${model} changes a picture: give "picture", or name a model that makes one of words alone.`,
      );
    }
    const parameter = (['image', 'input_image'] as const).find((name) => !notTaken.includes(name));
    if (picture !== undefined && parameter === undefined) {
      throw new AgentProblem(`${model} takes no picture: leave "picture" out, or name a model that edits pictures.`);
    }
    const request = {
      model,
      prompt,
      ...sizeOf(size ?? (isKnown ? sizes[0] : undefined)),
      ...(seed !== undefined && { seed }),
      ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    };
    const given = picture !== undefined && parameter !== undefined ? { picture: { path: picture, parameter } } : {};
    return withImages(await host.generateImage({ request, ...given }, signal), 'The picture');
  },
});

function sizeOf(size: string | undefined) {
  if (size === undefined) return {};
  return size.includes(':') ? { aspect_ratio: size } : { image_size: size };
}

const usualSize = '1280x720';

export const submitVideoTool = agentTool({
  name: 'inferenceDesk_submitVideo',
  title: 'Submit Video',
  description:
    'Orders a short video clip from a description, or from a first picture, and returns the id of the order at once. Making it takes minutes: ask with inferenceDesk_videoStatus until it is done; the file is saved by itself. Never order the same clip twice because it takes long.',
  input: z.strictObject({
    prompt: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(20_000),
        z.describe('What happens in the clip, in detail, mostly in English.'),
      ),
    size: z.optional(
      z.enum(['1280x720', '720x1280', '960x960']).check(z.describe('In pixels. 1280x720 where absent.')),
    ),
    negativePrompt: z.optional(
      z.string().check(z.minLength(1), z.maxLength(5000), z.describe('What it must not show.')),
    ),
    seed: z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.maximum(9_999_999_999),
          z.describe('The same seed and prompt give nearly the same clip.'),
        ),
    ),
    picture: z.optional(
      z
        .string()
        .check(z.minLength(1), z.describe('The path of the picture it begins with, for image-to-video models.')),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe('The id of a video model. One that fits is chosen where absent.')),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  needs: ['POST /video/submit'],
  async run({ prompt, size = usualSize, negativePrompt, seed, picture, model: named }, host, signal) {
    const withPicture = picture !== undefined;
    const model = named ?? chooseVideoModel(await host.models(signal), withPicture);
    if (model === undefined) throw noModel(withPicture);
    if (picture === undefined && imageUse({ id: model, subTypes: [] }) === 'needed') {
      throw new AgentProblem(`${model} makes a video of a picture: give "picture", or name a text-to-video model.`);
    }
    const request = {
      model,
      prompt,
      image_size: size,
      ...(seed !== undefined && { seed }),
      ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    };
    return mediaAnswer(await host.submitVideo({ request, picture }, signal), 'The video');
  },
});

function noModel(withPicture: boolean): AgentProblem {
  return new AgentProblem(
    withPicture
      ? 'The account has no model that makes a video of a picture. Leave "picture" out, or tell the person.'
      : 'The account has no model that makes videos of words alone. Do not try again.',
  );
}

export const videoStatusTool = agentTool({
  name: 'inferenceDesk_videoStatus',
  title: 'Video Status',
  description:
    'Tells how an ordered video gets on, by the id that inferenceDesk_submitVideo returned, and the path of its file once it is done. Let it wait instead of asking again and again: "waitSeconds" of 60 to 300.',
  input: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200), z.describe('As inferenceDesk_submitVideo returned it.')),
    waitSeconds,
  }),
  readOnly: true,
  costs: 'nothing',
  needs: ['POST /video/status'],
  async run({ id, waitSeconds: seconds = 0 }, host, signal) {
    return mediaAnswer(await host.video(id, seconds * 1000, signal), 'The video');
  },
});

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
async function withImages(media: AgentMedia, what: string): Promise<AgentAnswer> {
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
