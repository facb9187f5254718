import '../../api/jitless';
import * as z from 'zod/mini';
import { imageUse } from '../../catalogue/videoModels';
import { AgentProblem, agentTool } from '../agentTool';
import { mediaAnswer } from '../mediaAnswer';
import { chooseVideoModel } from '../videoModel';

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
