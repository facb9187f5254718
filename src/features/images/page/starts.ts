import { l10n } from 'vscode';
import { inputMark } from '../../../core/assets/recipe';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import { toMediaStart } from '../../../services/media/mediaStart';
import { UserError } from '../../../platform/errors/userError';
import { inputFields } from '../../../protocol/images';
import type { InputField } from '../../../protocol/images';
import type { Services } from '../../../services/services';
import { toForm } from '../form/toForm';
import type { ImagesController } from './imagesController';
import { submitRequests } from './submitImages';

/** Starts the page with what it was opened for; see `MediaStart`. Throws `UserError` if that job or recipe does not exist. */
export async function startWith(start: unknown, controller: ImagesController, services: Services): Promise<void> {
  const wanted = toMediaStart(start);
  switch (wanted?.as) {
    case undefined:
      return;
    case 'form':
      return controller.fill({
        // Keep the rest of the form as edited.
        ...controller.typed,
        ...(wanted.model !== undefined && { model: wanted.model }),
        ...(wanted.prompt !== undefined && { prompt: wanted.prompt }),
      });
    case 'job':
      return showJob(wanted.id, controller, services);
    case 'vary':
      return vary(await requestOf(wanted.path, services), controller, services);
    case 'regenerate': {
      const request = await requestOf(wanted.path, services);
      if ((await inputsAway(request, services)).length > 0) return vary(request, controller, services);
      return submitRequests(controller, [request], services);
    }
  }
}

async function showJob(id: string, controller: ImagesController, { media }: Services): Promise<void> {
  const job = media.jobs.find((one) => one.id === id);
  const run = job && (await controller.runs.runOf(job));
  if (!run)
    throw new UserError(
      l10n.t('Nothing more is known of this order'),
      l10n.t('Its record was removed. The pictures that came of it are in the gallery.'),
    );
  controller.want(run.id);
}

async function vary(request: ImageRequest, controller: ImagesController, services: Services): Promise<void> {
  const away = await inputsAway(request, services);
  const { seed: _seed, ...form } = toForm(request);
  const emptied = Object.fromEntries(away.map((field) => [field, '']));
  const notices =
    away.length === 0
      ? []
      : [
          {
            tone: 'warning' as const,
            title: l10n.t('A picture that was sent along is not kept here'),
            detail: l10n.t('Choose it again, then generate. Nothing was sent.'),
            actions: [],
          },
        ];
  controller.fill({ ...form, ...emptied }, notices);
}

async function requestOf(path: string, { media }: Services): Promise<ImageRequest> {
  const asset = await media.assets.read(path);
  if (asset?.recipe.kind === 'image') return asset.recipe.request;
  throw new UserError(
    l10n.t('There is no recipe of a picture'),
    l10n.t('No recipe stands beside {0}, so it is not known how it was made.', path),
  );
}

/** Returns the fields of the request whose input images are not on this machine. */
async function inputsAway(request: ImageRequest, { media }: Services): Promise<readonly InputField[]> {
  const kept = await Promise.all(
    inputFields.map(async (field) => {
      const value = request[field];
      return !value?.startsWith(inputMark) || (await media.assets.input(value)) !== undefined;
    }),
  );
  return inputFields.filter((_, at) => !kept[at]);
}
