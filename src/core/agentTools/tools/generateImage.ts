import '../../api/jitless';
import * as z from 'zod/mini';
import { imageModelFacts } from '../../imageRuns/imageModels';
import { AgentProblem, agentTool } from '../agentTool';
import { chosenModel } from '../chosenModel';
import { withImages } from '../mediaAnswer';

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
  async run({ prompt, size, negativePrompt, seed, picture, model: named }, host, signal) {
    const model = await chosenModel('image', named, host, signal);
    const { sizes, notTaken, needsImage } = imageModelFacts(model);
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
      ...sizeOf(size ?? sizes[0]),
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
