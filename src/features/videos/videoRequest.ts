import * as l10n from '@vscode/l10n';
import type { VideoRequest } from '../../core/api/videos/videos.schema';
import type { CatalogueModel } from '../../core/catalogue/model';
import { imageUse } from '../../core/catalogue/videoModels';
import { UserError } from '../../platform/errors/userError';
import { mostSeed } from '../../protocol/mediaBounds';
import { videoSizes } from '../../protocol/videoForm';
import type { VideoForm, VideoIssues } from '../../protocol/videos';

/** Returns whether a model takes an input image. `models`: those in the catalogue; any other model is judged by its id alone. */
export function imageUseOf(model: string, models: readonly CatalogueModel[]) {
  const id = model.trim();
  return imageUse(models.find((one) => one.id === id) ?? { id, subTypes: [] });
}

/** Returns what prevents sending the form, by field. Empty required fields are not reported, except a required image. */
export function issuesOf(form: VideoForm, models: readonly CatalogueModel[], isPictureKept: boolean): VideoIssues {
  const use = imageUseOf(form.model, models);
  return {
    ...(!isSeed(form.seed) && { seed: l10n.t('Enter a whole number from 0 to {0}.', String(mostSeed)) }),
    ...pictureIssue(form, use, isPictureKept),
  };
}

function pictureIssue({ picture }: VideoForm, use: 'needed' | 'refused' | 'unknown', isKept: boolean): VideoIssues {
  if (picture === '') {
    return use === 'needed' ? { picture: l10n.t('This model generates videos from an image. Choose one first.') } : {};
  }
  if (use === 'refused') {
    return {
      picture: l10n.t("This model doesn't support image input. Remove the image, or choose an image-to-video model."),
    };
  }
  return isKept ? {} : { picture: l10n.t('The image is no longer available here. Choose it again.') };
}

function isSeed(text: string): boolean {
  const seed = text.trim();
  return seed === '' || (/^\d{1,15}$/.test(seed) && Number(seed) <= mostSeed);
}

/** Throws `UserError` if the form cannot be sent. */
export function toRequest(form: VideoForm, issues: VideoIssues): VideoRequest {
  const [issue] = Object.values(issues);
  const missing =
    form.prompt.trim() === ''
      ? l10n.t('Enter a prompt.')
      : form.model.trim() === ''
        ? l10n.t('Select a model.')
        : issue;
  if (missing !== undefined) throw new UserError(l10n.t("Couldn't send the request"), missing);
  const [seed, negative] = [form.seed.trim(), form.negativePrompt.trim()];
  return {
    model: form.model.trim(),
    prompt: form.prompt,
    image_size: form.size,
    ...(negative !== '' && { negative_prompt: negative }),
    ...(seed !== '' && { seed: Number(seed) }),
    ...(form.picture !== '' && { image: form.picture }),
  };
}

/** Returns the form that would send this request. */
export function toForm(request: VideoRequest, { withSeed }: { readonly withSeed: boolean }): VideoForm {
  const size = videoSizes.find((one) => one === request.image_size) ?? videoSizes[0];
  return {
    prompt: request.prompt,
    negativePrompt: request.negative_prompt ?? '',
    model: request.model,
    size,
    seed: withSeed && typeof request.seed === 'number' ? String(request.seed) : '',
    picture: request.image ?? '',
  };
}
