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
    'Generates an image from a description, or edits one ("image"). Saves it, and returns the path and the image. To use the file elsewhere, copy it.',
  input: z.strictObject({
    prompt: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(20_000),
        z.describe('Detailed description of the image. English usually works best.'),
      ),
    size: z.optional(
      z
        .string()
        .check(
          z.regex(/^\d{1,5}(x\d{1,5}|:\d{1,5})$/),
          z.describe('Size in pixels ("1024x768") or, for some models, an aspect ratio ("16:9").'),
        ),
    ),
    negativePrompt: z.optional(
      z.string().check(z.minLength(1), z.maxLength(5000), z.describe('Elements to avoid, if the model supports this.')),
    ),
    seed: z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.maximum(9_999_999_999),
          z.describe('Use the same seed and prompt to generate the same image.'),
        ),
    ),
    image: z.optional(
      z.string().check(z.minLength(1), z.describe('Path of an image to edit. Requires a model that edits images.')),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe("Image model ID. Defaults to the account's default model.")),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  needs: ['POST /images/generations'],
  async run({ prompt, size, negativePrompt, seed, image: picture, model: named }, host, signal) {
    const model = await chosenModel('image', named, host, signal);
    const { sizes, notTaken, needsImage, isKnown } = imageModelFacts(model);
    if (needsImage && picture === undefined) {
      throw new AgentProblem(`${model} only edits images. Set "image", or use another model.`);
    }
    const parameter = (['image', 'input_image'] as const).find((name) => !notTaken.includes(name));
    if (picture !== undefined && parameter === undefined) {
      throw new AgentProblem(`${model} does not support image input. Omit "image", or use another model.`);
    }
    const request = {
      model,
      prompt,
      ...sizeOf(size ?? (isKnown ? sizes[0] : undefined)),
      ...(seed !== undefined && { seed }),
      ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    };
    const input = picture !== undefined && parameter !== undefined ? { picture: { path: picture, parameter } } : {};
    return withImages(await host.generateImage({ request, ...input }, signal), 'The image');
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
    'Starts generating a short video from a description or a first image, and returns the job ID. Call inferenceDesk_videoStatus until the video is done, which takes minutes. Never submit the same video twice.',
  input: z.strictObject({
    prompt: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(20_000),
        z.describe('Detailed description of the video. English usually works best.'),
      ),
    size: z.optional(
      z.enum(['1280x720', '720x1280', '960x960']).check(z.describe('Size in pixels. Defaults to 1280x720.')),
    ),
    negativePrompt: z.optional(
      z.string().check(z.minLength(1), z.maxLength(5000), z.describe('Elements to avoid in the video.')),
    ),
    seed: z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.maximum(9_999_999_999),
          z.describe('Use the same seed and prompt to generate nearly the same video.'),
        ),
    ),
    image: z.optional(
      z.string().check(z.minLength(1), z.describe('Path of the first image, for image-to-video models.')),
    ),
    model: z.optional(
      z
        .string()
        .check(z.minLength(1), z.describe('Video model ID. Defaults to a model that supports the given input.')),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  needs: ['POST /video/submit'],
  async run({ prompt, size = usualSize, negativePrompt, seed, image: picture, model: named }, host, signal) {
    const withPicture = picture !== undefined;
    const model = named ?? chooseVideoModel(await host.models(signal), withPicture);
    if (model === undefined) throw noModel(withPicture);
    if (picture === undefined && imageUse(model) === 'needed') {
      throw new AgentProblem(`${model} generates videos from images. Set "image", or use a text-to-video model.`);
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
      ? 'The account does not have an image-to-video model. Omit "image", or tell the user.'
      : 'The account does not have a text-to-video model. Do not retry.',
  );
}

export const videoStatusTool = agentTool({
  name: 'inferenceDesk_videoStatus',
  title: 'Video Status',
  description:
    'Returns the status of a video by its job ID, and its path once it is done. Set "waitSeconds" to 60 to 300 instead of calling it repeatedly.',
  input: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200), z.describe('Job ID from inferenceDesk_submitVideo.')),
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
  const { state, problem } = media;
  if (state === 'failed')
    return {
      text: `${what} could not be generated. ${problem ?? 'The service did not give a reason.'}`,
      isError: true,
    };
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
  const text = isLeftOut ? `${answer.text}\nSome images are too large to show here. Open the files.` : answer.text;
  return { ...answer, text, ...(pictures.length > 0 && { pictures }) };
}

const askFirst = 'without asking the user';

function lostWords({ id, problem = '' }: AgentMedia, what: string): string {
  return [
    `${what} is not available here. Job ID: ${id}.`,
    ...(problem === '' ? [] : [problem]),
    ...(problem.includes(askFirst) ? [] : [`The user may have been charged. Do not request it again ${askFirst}.`]),
  ].join(' ');
}

function stateWords(
  { state, id, status, position, model, seed, files, moved = [], problem }: AgentMedia,
  what: string,
): string {
  if (state === 'working') {
    const place = position === undefined ? '' : `, ${position} ahead in the queue`;
    return [
      `${what} is being generated by ${model} (${status ?? 'submitted'}${place}). Job ID: ${id}.`,
      ...(problem === undefined ? [] : [problem]),
      'Do not request it again. Call inferenceDesk_videoStatus. The file is saved automatically.',
    ].join(' ');
  }
  const by = `by ${model}${seed === undefined ? '' : ` with seed ${seed}`}.`;
  return [
    files.length > 0 ? `${what} is saved. Generated ${by}` : `${what} is complete, generated ${by}`,
    ...(problem === undefined ? [] : [problem]),
    ...files.map(fileWords),
    ...moved.map((path) => `${path} has been moved or deleted. Do not request it again ${askFirst}.`),
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
